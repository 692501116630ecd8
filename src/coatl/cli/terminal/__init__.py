"""A whole game in the terminal: the board drawn, moves asked for, what happened told."""
