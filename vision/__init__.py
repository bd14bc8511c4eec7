"""Frames in, tracks out."""
