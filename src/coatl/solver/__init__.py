"""The best assembly in one action, proven by looking at all of them (A1-A9), compiled."""
