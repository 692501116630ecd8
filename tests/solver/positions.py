"""Made-up positions in which much can be closed: few colours, cards that fit them, ends at hand."""

from __future__ import annotations

from random import Random

from coatl.rules.cards import Deck, Prophecy
from coatl.rules.limits import hand_limit
from coatl.rules.pieces import BODY, COLOURS, HEAD, N_COLOURS, TAIL
from coatl.rules.state import (
    FULFIL,
    LEVEL_3,
    MAIN,
    MAX_COATLS,
    MAX_INCOMPLETE,
    NONE,
    TEMPLE,
    Coatl,
    PlayerRecord,
    StateRecord,
)
from coatl.rules.tables import packed_counts
from coatl.state import State
from tests.solver.brute_force import BruteForce

MOST_STEPS = 4  # of the assembly that a position may be in


class MadeUp:
    """Makes positions; a seed gives always the same ones."""

    def __init__(self, seed: str, most_pieces: int = 5) -> None:
        self.random = Random(seed)
        self.most_pieces = most_pieces

    def position(self) -> tuple[State, int]:
        """A state, and the seat to ask about."""
        draw = self.random
        if draw.random() < 0.4:
            levels = [level for level in (1, 2, 3, 4) if draw.random() < 0.4]
            state = State.new(solo=levels, seed=draw.randrange(10**9))
            seat = 0
        else:
            state = State.new(players=2, tokens=True, seed=draw.randrange(10**9))
            seat = draw.randrange(2)
        record = state.records[0]
        record.phase, record.current, record.turn = MAIN, draw.randrange(state.players), 1
        self.fill_seat(state.deck, record, record.players[seat])
        for pile in range(2):
            known = draw.random() < 0.8
            record.pile_top[pile] = draw.randrange(len(state.deck.temples)) if known else NONE
            record.pile_size[pile] = 3 if known else 0
        state.restore(bytes(state.buffer))
        if record.current == seat and draw.random() < 0.5:
            self.begin_assembly(state)
        return state, seat

    def begin_assembly(self, state: State) -> None:
        """Some random steps, so that a Cóatl may be being completed."""
        draw = self.random
        for _ in range(draw.randint(1, MOST_STEPS)):
            steps = BruteForce.steps(state)
            if not steps or (state.records[0].phase in (FULFIL, TEMPLE) and draw.random() < 0.5):
                return
            state.apply(draw.choice(steps))

    # -------------------------------------------------------------- a seat

    def fill_seat(self, deck: Deck, record: StateRecord, player: PlayerRecord) -> None:
        draw = self.random
        palette = draw.sample(range(N_COLOURS), draw.choice((1, 2, 2, 3)))
        cards = [
            card
            for card, prophecy in enumerate(deck.prophecies)
            if all(need == 0 or c in palette for c, need in enumerate(prophecy.pattern.needs))
        ]
        cards = cards + draw.sample(range(len(deck.prophecies)), 3)
        n_complete = draw.choice((0, 0, 0, 1, 2))
        n_open = draw.randint(0, min(MAX_INCOMPLETE, MAX_COATLS - n_complete))
        player.n_coatls, player.n_complete = n_complete + n_open, n_complete
        for which in range(n_complete + n_open):
            coatl = player.coatls[which]
            self.fill_coatl(deck, record, coatl, palette, which < n_complete)
        self.fill_board(player, palette)
        hand = sorted(draw.choices(cards, k=draw.randint(1, hand_limit(int(record.levels)))))
        player.n_hand = len(hand)
        player.hand[: len(hand)], player.hand[len(hand) :] = hand, 0
        player.seen[:] = 0
        player.n_temples = 0 if record.n_players == 1 else draw.randint(0, 2)
        temples = sorted(draw.sample(range(len(deck.temples)), int(player.n_temples)))
        player.temples[:] = [*temples, 0, 0][:2]

    def fill_board(self, player: PlayerRecord, palette: list[int]) -> None:
        draw = self.random
        shapes = [HEAD, TAIL, BODY, *draw.choices([HEAD, TAIL, BODY, BODY], k=self.most_pieces)]
        player.n_pieces = draw.randint(1, self.most_pieces)
        player.pieces[:] = 0
        for shape in shapes[: player.n_pieces]:
            player.pieces[shape + draw.choice(palette)] += 1

    def fill_coatl(
        self, deck: Deck, record: StateRecord, coatl: Coatl, palette: list[int], complete: bool
    ) -> None:
        draw = self.random
        colours = draw.choices(palette, k=draw.randint(3 if complete else 1, 6))
        end = draw.choice(("head", "tail", "none"))
        coatl.has_head = 1 if complete or end == "head" else 0
        coatl.has_tail = 1 if complete or end == "tail" else 0
        coatl.complete = 1 if complete else 0
        coatl.length = len(colours)
        coatl.colours[: len(colours)] = colours
        coatl.counts = packed_counts([colours.count(c) for c in range(N_COLOURS)])
        laid = self.laid(deck, record, "".join(COLOURS[c] for c in colours))
        coatl.n_cards = len(laid)
        coatl.cards[: len(laid)] = laid

    def laid(self, deck: Deck, record: StateRecord, pieces: str) -> list[int]:
        """Some cards that a Cóatl meets, of different card colours at level 3 (D10)."""
        met = [k for k, card in enumerate(deck.prophecies) if card.points(pieces) > 0]
        self.random.shuffle(met)
        chosen: list[int] = []
        colours: set[str] = set()
        for card in met[: self.random.choice((0, 0, 1, 2, 4))]:
            prophecy: Prophecy = deck.prophecies[card]
            if not record.levels & LEVEL_3 or prophecy.colour not in colours:
                chosen.append(card)
                colours.add(prophecy.colour)
        return sorted(chosen)
