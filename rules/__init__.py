"""Rulebooks and their engine: pure, no camera, clock, file or random numbers."""
