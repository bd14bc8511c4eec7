"""The current edition: its names, numbers and ways of counting."""
