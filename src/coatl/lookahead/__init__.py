"""Thinking ahead by hand-written rules: what a position promises, a turn's plan, random playouts."""
