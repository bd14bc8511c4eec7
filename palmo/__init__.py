"""Palmo: one webcam over a table, positions in palms, rulings that cite their rule."""

__version__ = "0.1.0"
