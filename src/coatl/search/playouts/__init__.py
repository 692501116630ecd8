"""Games that the network plays out to the end, on guesses at what a seat does not know."""
