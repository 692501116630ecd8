"""A game in which every draw is a step of its own, as a game tree with chance nodes has it.

>>> import random
>>> from coatl.env.draws import DrawByDraw
>>> from coatl.options import Options
>>> game = DrawByDraw(Options(players=2))
>>> while not game.over:
...     odds = game.odds()  # of the next draw: how many of each result; empty at a decision
...     if odds:
...         game.draw(random.choices(list(odds), list(odds.values()))[0])
...     else:
...         game.decide(random.choice(game.state.legal))

The rules draw wherever a draw is due, and so do they here: what is being carried out is done again
from where it began, with the draws made so far as a script, up to the first one that is open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from coatl.compiler.arguments import check_whole
from coatl.game.record import draw_words
from coatl.options import Options
from coatl.rules import compiled
from coatl.rules.cards import standard_deck
from coatl.rules.chance import N_DRAWN, look_ahead, new_chance, offered_draw
from coatl.rules.decisions import N_DECISIONS
from coatl.state import State, Tools

NO_DRAW: Mapping[int, int] = {}
DEAL = -1  # in place of a decision: setting up the game


class DrawByDraw:
    """A game of the printed cards. At any time a draw is next, or a decision, or it is over."""

    __slots__ = ("_doing", "_draws", "_odds", "options", "state")

    options: Options
    state: State  # as the last decision found it while draws are open, else as it is now

    def __init__(self, options: Options, state: State | None = None) -> None:
        """A game that is about to be dealt, or a `state` with nothing open."""
        self.options = options
        self._doing: int | None = DEAL if state is None else None
        self._draws: tuple[int, ...] = ()
        self._odds = NO_DRAW
        self.state = State(_blank(options), _tools()) if state is None else _plain(state)
        if state is None:
            self._carry_on()

    @property
    def over(self) -> bool:
        return self._doing is None and self.state.over

    @property
    def seat(self) -> int | None:
        """Whose decision is next; None: a draw is, or the game is over."""
        return None if self._doing is not None else self.state.seat

    def odds(self) -> Mapping[int, int]:
        """How many pieces or cards there are of each result of the next draw (`result_text`).

        All of them are equally likely. Empty where no draw is next.
        """
        return self._odds

    def draw(self, result: int) -> None:
        """Let the next draw yield a result; ValueError if it cannot."""
        if result not in self._odds:
            raise ValueError(f"{result!r} cannot be drawn now")
        self._draws = (*self._draws, int(result))
        self._carry_on()

    def decide(self, decision: int) -> None:
        """Carry out a decision up to its first draw; `IllegalMove` says why it is not legal."""
        if self._doing is not None:
            raise ValueError("a draw is next, not a decision")
        self._doing = check_whole(decision, "a decision", 0, N_DECISIONS - 1)
        try:
            self._carry_on()
        except ValueError:
            self._doing = None
            raise

    def _carry_on(self) -> None:
        """Do what is being done once more, with the draws so far, as far as they go."""
        assert self._doing is not None
        after = self.state.clone()
        chances = after.chances
        look_ahead(chances, self._draws)
        if self._doing == DEAL:
            compiled.new_game(after.cards, after.records, 0, self.options.bodies, chances)
        else:
            after.advance(self._doing)
        open_draw = offered_draw(chances)
        if open_draw is None:
            self.state, self._doing, self._draws, self._odds = after, None, (), NO_DRAW
        else:
            self._odds = open_draw

    def sample(self, seat: int, seed: int) -> DrawByDraw:
        """A game that agrees with all that a seat has seen, each equally likely.

        Not while a draw is open: what it will yield is nobody's knowledge.
        """
        if self._doing is not None:
            raise ValueError("a draw is next: what a seat knows is sampled at decisions")
        return DrawByDraw(self.options, self.state.view(seat).sample(new_chance(seed)))

    # -------------------------------------------------------------- copies

    def copy(self) -> DrawByDraw:
        twin = DrawByDraw.__new__(DrawByDraw)
        twin.options, twin.state = self.options, self.state.clone()
        twin._doing, twin._draws, twin._odds = self._doing, self._draws, self._odds
        return twin

    def __copy__(self) -> DrawByDraw:
        return self.copy()

    def __deepcopy__(self, memo: object) -> DrawByDraw:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DrawByDraw) and self._key() == other._key()

    def _key(self) -> tuple[Options, bytes, int | None, tuple[int, ...]]:
        return self.options, bytes(self.state.buffer), self._doing, self._draws

    __hash__ = None  # type: ignore[assignment]  # it can be changed

    def __reduce__(self) -> tuple[Callable[..., DrawByDraw], tuple[object, ...]]:
        return _restored, self._key()


def _restored(
    options: Options, content: bytes, doing: int | None, draws: tuple[int, ...]
) -> DrawByDraw:
    game = DrawByDraw(options, State(content, _tools()))
    game._doing, game._draws = doing, draws
    if doing is not None:
        game._carry_on()
    return game


@cache
def _tools() -> Tools:
    """One for all games. What its generator draws is never kept: results come from scripts."""
    return Tools(standard_deck(), new_chance("draw by draw"))


@cache
def _blank(options: Options) -> bytes:
    return options.blank_states().tobytes()


def _plain(state: State) -> State:
    return State(bytes(state.buffer), _tools())


@cache
def result_text(result: int) -> str:
    """A result of a draw as records write it: a piece such as ``<K``, or the name of a card."""
    number = check_whole(result, "what a draw yields", 0, N_DRAWN - 1)
    return draw_words(standard_deck(), [number])[0]
