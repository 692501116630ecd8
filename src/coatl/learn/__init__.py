"""Learning to play by self-play (extra ``coatl[train]``). ``python -m coatl.learn --help``."""
