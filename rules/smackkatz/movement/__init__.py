"""Movement geometry (catalogue section 6): tokens, cheapest explanation, verdicts, legal regions."""
