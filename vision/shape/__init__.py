"""A figure's shape: what one silhouette tells of it by experience, and what several tell together."""
