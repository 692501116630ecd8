"""Pictures of every screen in every size, theme and language, and contact sheets of them.

`make screenshots` draws all of them; `python -m tools.screenshots NAME...` some.
"""
