"""Thinking ahead by hand: what a position promises, a plan for two turns, random playouts."""
