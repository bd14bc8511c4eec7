"""The earlier edition (catalogue 3.16): Spirit, Counter against everything, no fatigue."""
