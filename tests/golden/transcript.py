"""Golden transcripts: whole random games as text that people can read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from coatl.notation import format_position
from coatl.notation.moves import context_of, move_table
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import CARD_DRAWN, MAX_DRAWN, TEMPLE_DRAWN
from coatl.rules.pieces import KIND_TEXTS
from coatl.rules.state import ADAM, ADAM_STEPS, ENDS
from tests.play import Mode, RandomGame

FOLDER = Path(__file__).parent

MODES = [
    *(Mode(players, tokens) for players in (2, 3, 4) for tokens in (False, True)),
    Mode(2, tokens=True, promo=True),
    Mode(3, fewer=True),
    *(Mode(1, levels=levels) for levels in (0, 1, 2, 4, 8, 16, 31)),
    Mode(1, promo=True, levels=5),
]
GAMES = {str(mode): (mode, 11) for mode in MODES}


def transcript(mode: Mode, seed: int) -> str:
    """Setup, then one line a turn: who, the decisions and what was drawn; then the result."""
    game = RandomGame(mode, seed)
    lines = [f"# {mode}, seed {seed}", drawn(game), format_position(game.states[0]), ""]
    game.chances["n_drawn"] = 0
    turn = ""
    for decision in game.decisions():
        lines[-1] += drawn(game)
        if speaker(game) != turn:
            turn = speaker(game)
            lines.append(f"{turn}:")
        lines[-1] += " " + words(game, decision)
        game.chances["n_drawn"] = 0
    lines += ["", format_position(game.states[0]), result(game), ""]
    return "\n".join(lines)


def speaker(game: RandomGame) -> str:
    state = game.states[0]
    name = "A.D.A.M." if state.phase == ADAM else f"seat {state.current + 1}"
    return f"{state.turn}. {name}"


def words(game: RandomGame, decision: int) -> str:
    state = game.states[0]
    if state.phase == ADAM:
        return ADAM_STEPS[state.adam.step]
    return move_table(standard_deck()).move(decision, context_of(state)).text.replace(" ", "-")


def drawn(game: RandomGame) -> str:
    """The draws since the last reset, in words."""
    deck, chance = standard_deck(), game.chances[0]
    names = []
    for result in chance.drawn[: min(int(chance.n_drawn), MAX_DRAWN)].tolist():
        if result >= TEMPLE_DRAWN:
            names.append(deck.temples[result - TEMPLE_DRAWN].name)
        elif result >= CARD_DRAWN:
            names.append(deck.prophecies[result - CARD_DRAWN].name)
        else:
            names.append(KIND_TEXTS[result])
    return f"[{' '.join(names)}]" if names else ""


def result(game: RandomGame) -> str:
    out = np.zeros(12, np.int64)
    bits = compiled.scores(game.cards, game.states, 0, out)
    seats = 2 if game.states[0].n_players == 1 else int(game.states[0].n_players)
    points = ", ".join(str(n) for n in out[0 : 3 * seats : 3].tolist())
    winners = ", ".join(str(seat + 1) for seat in range(seats) if bits >> seat & 1)
    return f"end: {ENDS[game.states[0].end]}; points {points}; won by {winners}"
