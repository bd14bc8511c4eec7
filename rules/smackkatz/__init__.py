"""SmackKatz (WBG). Rule ids in this package are those of the rule catalogue (MOVE-01, RULING-30...)."""
