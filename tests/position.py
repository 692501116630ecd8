"""A game for tests: set up in notation, played in words."""

from __future__ import annotations

from coatl.notation import format_position, parse_position
from coatl.notation.fields import read_pieces
from coatl.notation.moves import context_of, move_table, parse_decision
from coatl.rules import chance, compiled
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.causes import Cause
from coatl.rules.decisions import new_choices
from coatl.rules.pieces import KIND_OF_TEXT, bodies_of_a_colour
from coatl.rules.state import OVER, PHASES, PlayerRecord, StateRecord, new_states
from coatl.rules.tables import card_tables


def deck_of(*prophecies: str) -> Deck:
    """A deck of a few of the printed Prophecy cards and all Temple cards."""
    printed = standard_deck()
    return Deck(
        tuple(card for card in printed.prophecies if card.name in prophecies), printed.temples
    )


class Position:
    """``Position("2p | board=<K,2R").do("new <K", "1+R").legal`` and so on.

    Seats are counted from 1, as in the notation.
    """

    def __init__(self, position: str = "2p", seed: int = 1, deck: Deck | None = None) -> None:
        self.deck = deck or standard_deck()
        self.cards = card_tables(self.deck)
        self.choices = new_choices()
        self.chances = chance.new_chance(seed)
        self.states = parse_position(position, self.deck)

    @classmethod
    def new(
        cls,
        players: int = 2,
        tokens: bool = False,
        levels: str = "",
        promo: bool = False,
        fewer: bool = False,
        seed: int = 1,
        draws: str = "",
    ) -> Position:
        """A game from its setup on; `draws` are forced first."""
        table = cls(seed=seed)
        table.states = new_states()
        state = table.states[0]
        state.n_players, state.with_tokens, state.with_promo = players, tokens, promo
        state.fewer_bodies = fewer
        state.levels = sum(1 << (int(level) - 1) for level in levels)
        table.will_draw(draws)
        bodies = bodies_of_a_colour(players, fewer)
        compiled.new_game(table.cards, table.states, 0, bodies, table.chances)
        return table

    @property
    def state(self) -> StateRecord:
        return self.states[0]

    def player(self, seat: int = 1) -> PlayerRecord:
        return self.state.players[seat - 1]

    @property
    def text(self) -> str:
        return format_position(self.state, self.deck)

    def word(self, name: str) -> str | None:
        """The value of a word such as ``row`` in the table's section of the position."""
        return self._value(self.text.split("|")[0], name)

    def seat(self, seat: int, name: str) -> str | None:
        """The value of a word such as ``hand`` in a seat's section (solo: seat 2 is A.D.A.M.)."""
        return self._value(self.text.split("|")[seat], name)

    def coatls(self, seat: int = 1) -> list[str]:
        words = self.text.split("|")[seat].split()
        return [word.removeprefix("coatl=") for word in words if word.startswith("coatl=")]

    @staticmethod
    def _value(section: str, name: str) -> str | None:
        for word in section.split():
            if word.startswith(f"{name}="):
                return word.removeprefix(f"{name}=")
        return None

    @property
    def phase(self) -> str:
        return PHASES[self.state.phase]

    @property
    def turn_of(self) -> int:
        return int(self.state.current) + 1

    @property
    def over(self) -> bool:
        return bool(self.state.phase == OVER)

    @property
    def legal(self) -> list[str]:
        """The legal decisions as text."""
        compiled.legal_decisions(self.cards, self.states, 0, self.choices)
        numbers = self.choices[0].items[: self.choices[0].n].tolist()
        return [
            move_table(self.deck).move(number, context_of(self.state)).text for number in numbers
        ]

    def may(self, text: str) -> bool:
        return text in self.legal

    def why(self, text: str) -> str:
        """The clause that forbids a move; "" if it is legal."""
        return self.cause(text).clause

    def cause(self, text: str) -> Cause:
        """Exactly what forbids a move."""
        decision = parse_decision(self.deck, context_of(self.state), text)
        return Cause(compiled.why_not(self.cards, self.states, 0, decision))

    def do(self, *moves: str) -> Position:
        """Play moves, each of which has to be legal."""
        for text in moves:
            assert self.may(text), f"{text}: {self.why(text)} in {self.text}"
            decision = parse_decision(self.deck, context_of(self.state), text)
            compiled.apply(self.cards, self.states, 0, decision, self.chances, self.choices)
        return self

    def adam(self) -> list[str]:
        """Let A.D.A.M. play his turn; the names of his steps."""
        from coatl.rules.state import ADAM_STEPS

        steps: list[str] = []
        while self.phase == "adam":
            steps.append(ADAM_STEPS[self.state.adam.step])
            self.do("step")
        return steps

    def will_draw(self, draws: str) -> Position:
        """Force the next draws: pieces ``<K K K>``, Prophecy and Temple cards by name."""
        chance.set_script(self.chances, [self._draw(word) for word in draws.split()])
        return self

    def _draw(self, word: str) -> int:
        if word in KIND_OF_TEXT:
            return chance.PIECE_DRAWN + read_pieces([word]).index(1)
        if word in self.deck.prophecy_ids:
            return chance.CARD_DRAWN + self.deck.prophecy_ids[word]
        return chance.TEMPLE_DRAWN + self.deck.temple_ids[word]

    @property
    def draws_fitted(self) -> bool:
        """Did every forced draw come about?"""
        chance_record = self.chances[0]
        return not chance_record.misfit and chance_record.script_at == chance_record.n_script

    def scores(self) -> tuple[list[int], list[int]]:
        """Points of each seat (solo: yours and A.D.A.M.'s) and the winning seats, from 1."""
        import numpy as np

        out = np.zeros(12, np.int64)
        bits = compiled.scores(self.cards, self.states, 0, out)
        seats = 2 if self.state.n_players == 1 else int(self.state.n_players)
        winners = [seat + 1 for seat in range(seats) if bits >> seat & 1]
        return out[0 : 3 * seats : 3].tolist(), winners
