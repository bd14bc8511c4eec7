"""Disputes: what a match folder keeps, measured again by people, and the report of it."""
