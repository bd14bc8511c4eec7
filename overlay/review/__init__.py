"""The pages of a review: a recorded moment looked at again, measured and ruled on."""
