"""The whole set-up of a table in a browser: from an empty event file to a match."""
