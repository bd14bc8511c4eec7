"""The attacks and the defences against them."""
