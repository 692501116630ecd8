"""A whole game in the terminal: it draws the board, asks for moves and prints what happened."""
