"""What attacks do: Stamina, postures, falls, where figures must be put."""
