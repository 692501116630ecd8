"""Hand-written play in compiled code: an evaluation of positions, a planner, random playouts."""
