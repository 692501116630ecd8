"""Compiling Python functions with Numba: typed records, decorators, a cache, and the processes.

The decorators are in `functions` (what compiled code calls) and `jit` (what Python calls); nothing
here knows the game.
"""
