"""Which patch is whose, where the hands are, and which stretches stand still."""
