"""Pixel <-> ring plane, with covariance."""
