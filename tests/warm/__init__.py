"""`coatl` in a process of its own, started in a fraction of the time."""
