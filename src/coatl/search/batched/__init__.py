"""Many searches in step, so that a network on a GPU can answer all of them at once."""
