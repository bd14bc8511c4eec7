"""Colours taught once, compiled to one table, followed through changing light."""
