"""Players measured against each other: the same deals for all, seats rotated, with intervals.

It needs neither typer nor rich: ``python -m coatl.arena`` runs where there is only the library.
"""
