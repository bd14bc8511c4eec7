"""Draws: annotation renderers, the pages and their messages."""
