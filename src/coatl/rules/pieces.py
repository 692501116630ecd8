"""Colours and kinds of pieces (C1, C2), and how they are written.

A *kind* is one small number for shape and colour: ``HEAD + c``, ``TAIL + c`` or ``BODY + c``
with the colour ``c`` an index into :data:`COLOURS`.
"""

from __future__ import annotations

COLOURS = "KRBYG"
COLOUR_NAMES = ("black", "red", "blue", "yellow", "green")
N_COLOURS = 5

HEAD, TAIL, BODY = 0, 5, 10
N_KINDS = 15

# C4, R10: the ten supply spaces, in the order A.D.A.M. goes through them.
SPACES = ("b1", "b2", "b3", "b4", "b5", "b6", "h1", "h2", "t1", "t2")
N_SPACES = 10
FIRST_HEAD_SPACE, FIRST_TAIL_SPACE = 6, 8

BOARD_SPACES = 8  # C5
HEADS_OF_A_COLOUR = TAILS_OF_A_COLOUR = 3  # C2, D1
BODIES_OF_A_COLOUR = 24  # C2
SOLO_BODIES_OF_A_COLOUR = 16  # D1
FEWER_BODIES_OF_A_COLOUR = {2: 14, 3: 18}  # R22, by number of players


def kind_text(kind: int) -> str:
    """A piece as written in the notation: head ``<K``, tail ``K>``, body segment ``K``."""
    letter = COLOURS[kind % N_COLOURS]
    if kind < TAIL:
        return f"<{letter}"
    return f"{letter}>" if kind < BODY else letter


KIND_TEXTS = tuple(kind_text(kind) for kind in range(N_KINDS))
KIND_OF_TEXT = {text: kind for kind, text in enumerate(KIND_TEXTS)}


def kind_of_space(space: int) -> int:
    """HEAD, TAIL or BODY: what a supply space holds (C4)."""
    if space < FIRST_HEAD_SPACE:
        return BODY
    return HEAD if space < FIRST_TAIL_SPACE else TAIL


def bodies_of_a_colour(players: int, fewer_bodies: bool) -> int:
    """Body segments of each colour in the game; one player means the solo game (C2, D1, R22)."""
    if fewer_bodies:
        if players not in FEWER_BODIES_OF_A_COLOUR:
            raise ValueError("fewer bodies are for 2 or 3 players (R22)")
        return FEWER_BODIES_OF_A_COLOUR[players]
    return SOLO_BODIES_OF_A_COLOUR if players == 1 else BODIES_OF_A_COLOUR
