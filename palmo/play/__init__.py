"""Playing a match: dice, log file, questions and answers, at the terminal or behind the pages."""
