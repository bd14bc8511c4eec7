"""The set-up pages: ring, fighters and hands pointed at in a browser, on a desk or with a finger."""
