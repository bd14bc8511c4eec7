"""What may be done and why not: every option with all the reasons that speak against it."""
