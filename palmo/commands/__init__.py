"""One module per command. Heavy imports stay inside the functions, so that `palmo --help` is quick."""
