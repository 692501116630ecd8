"""Learning from whole solo games that are played with a search: what it plays, and who won."""
