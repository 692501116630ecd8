"""Pieces, cards and a whole table as coloured text, for the terminal and for `str(game)`."""
