"""Reading a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from coatl.compiler.records import Int8s
from coatl.errors import NotationError, PositionError, Problem
from coatl.notation.check import problems
from coatl.notation.counts import (
    default_actions,
    default_picked,
    default_turn,
    expected_pieces,
    pieces_placed,
    prophecies_placed,
    temples_placed,
)
from coatl.notation.fields import MOST, NOTHING, SEEN, Fields, read_number, read_pieces, split_list
from coatl.rules import state as st
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.pieces import (
    BODY,
    COLOURS,
    FIRST_HEAD_SPACE,
    N_COLOURS,
    N_SPACES,
    SPACES,
    kind_of_space,
)
from coatl.rules.state import NONE, Coatl, PlayerRecord, States, new_states
from coatl.rules.tables import packed_counts

Lookup = Callable[[str], int]


def parse_position(text: str, deck: Deck | None = None) -> States:
    """Read a position; an array of one state.

    Raises `NotationError` if the text cannot be read, `PositionError` if the position breaks rules.
    """
    return Reader(text, deck or standard_deck()).read()


class Reader:
    def __init__(self, text: str, deck: Deck) -> None:
        sections = text.split("|")
        self.words = Fields(sections[0])
        self.seats = [Fields(section) for section in sections[1:]]
        self.deck = deck
        self.states = new_states()
        self.state = self.states[0]
        self.problems: list[Problem] = []

    def read(self) -> States:
        self.read_options()
        self.read_turn()
        self.clear_table()
        for seat in range(self.state.n_players):
            self.read_player(seat, self.seats[seat] if seat < len(self.seats) else Fields(""))
        if self.state.n_players == 1 and len(self.seats) > 1:
            self.read_adam(self.seats[1])
        self.read_supply()
        self.read_cards()
        self.read_temples()
        for words in (self.words, *self.seats):
            words.expect_empty()
        found = [*self.problems, *problems(self.state, self.deck)]
        if found:
            raise PositionError(found)
        return self.states

    def read_options(self) -> None:
        state, words = self.state, self.words
        sizes = {"2p": 2, "3p": 3, "4p": 4, "solo": 1}
        given = [name for name in sizes if words.flag(name)]
        if len(given) > 1:
            raise NotationError(f"{' and '.join(given)} cannot both be")
        state.n_players = sizes[given[0]] if given else 2
        seats = 2 if state.n_players == 1 else int(state.n_players)
        if len(self.seats) > seats:
            raise NotationError(f"{len(self.seats)} sections for {seats} seats")
        state.with_tokens = words.flag("tokens")
        state.with_promo = words.flag("promo")
        state.fewer_bodies = words.flag("fewer")
        levels = words.value("levels") or ""
        if not set(levels) <= set("12345"):
            raise NotationError(f"levels= wants digits from 1 to 5, not {levels!r}")
        state.levels = sum(1 << (int(level) - 1) for level in set(levels))

    def read_turn(self) -> None:
        state, words = self.state, self.words
        state.current = words.number("seat", 1) - 1
        state.phase = words.choice("phase", st.PHASES, "main")
        state.pending = words.number("pending", 0) - 1
        state.picked = words.number("picked", default_picked(int(state.phase)))
        state.actions_left = words.number("actions", default_actions(int(state.phase)))
        state.second_action = words.flag("second")
        state.passes = words.number("passes", 0)
        state.end = words.choice("end", st.ENDS, "none")
        state.trigger = words.number("trigger", 0) - 1
        state.turns_left = words.number("left", 0)
        state.turn = words.number("turn", default_turn(int(state.phase)), most=9999)

    def clear_table(self) -> None:
        self.state.supply[:] = NONE
        self.state.row[:] = NONE
        self.state.pile_top[:] = NONE
        self.state.adam.space = NONE
        for player in self.state.players:
            for coatl in player.coatls:
                coatl.temple = NONE

    # -------------------------------------------------------------- a seat

    def read_player(self, seat: int, words: Fields) -> None:
        player = self.state.players[seat]
        counts = read_pieces(words.list("board") or ())
        player.pieces[:] = counts
        player.n_pieces = min(sum(counts), MOST)
        self.read_hand(player, words)
        tokens = words.list("tokens")
        held = st.TOKENS if tokens is None and self.state.with_tokens else tokens or ()
        for token in held:
            if token not in st.TOKENS:
                raise NotationError(f"tokens= wants {', '.join(st.TOKENS)}, not {token!r}")
            if player.tokens[st.TOKENS.index(token)]:
                self.problems.append(Problem("C5", f"seat {seat + 1} has two tokens {token}"))
            player.tokens[st.TOKENS.index(token)] = 1
        for text in words.values.pop("coatl", ()):
            if player.n_coatls == st.MAX_COATLS:
                self.problems.append(Problem("A1", f"seat {seat + 1} has more than 3 Cóatl"))
                break
            pending = player.n_coatls == self.state.pending and seat == self.state.current
            self.read_coatl(player.coatls[player.n_coatls], text, bool(pending))
            player.n_complete += player.coatls[player.n_coatls].complete
            player.n_coatls += 1

    def read_hand(self, player: PlayerRecord, words: Fields) -> None:
        hand = [self.read_seen(word, self.prophecy) for word in words.list("hand") or ()]
        hand.sort(key=lambda card: (card[0], -card[1]))
        if len(hand) > st.MAX_HAND:
            raise PositionError([Problem("P2", f"{len(hand)} Prophecy cards in one hand")])
        player.n_hand = len(hand)
        for k, (card, seen) in enumerate(hand):
            player.hand[k], player.seen[k] = card, seen
        player.n_old = words.number("old", 0)
        temples = [self.read_seen(word, self.temple) for word in words.list("temples") or ()]
        temples.sort(key=lambda card: (card[0], -card[1]))
        if len(temples) > 2:
            raise PositionError([Problem("K3", f"{len(temples)} Temple cards in one hand")])
        player.n_temples = len(temples)
        for k, (temple, seen) in enumerate(temples):
            player.temples[k], player.temples_seen[k] = temple, seen
        buried = sorted(self.prophecy(name) for name in words.list("buried") or ())
        if len(buried) > st.MAX_HAND:
            raise PositionError([Problem("S5", f"{len(buried)} cards discarded at setup")])
        player.n_buried = len(buried)
        player.buried[: len(buried)] = buried

    def read_seen(self, word: str, lookup: Lookup) -> tuple[int, int]:
        return lookup(word.removesuffix(SEEN)), int(word.endswith(SEEN))

    def read_coatl(self, coatl: Coatl, text: str, pending: bool) -> None:
        pieces, _, names = text.partition(":")
        head, tail = pieces.startswith("<"), pieces.endswith(">")
        inner = pieces[head : len(pieces) - tail]
        if "<" in inner or ">" in inner:
            at_left = inner.startswith("<") or inner.endswith(">")
            what = "a second head or tail" if at_left else "a head or tail in the middle"
            raise PositionError([Problem("A4", f"{what} in {pieces}")])
        if not inner or not set(inner) <= set(COLOURS):
            raise NotationError(f"a Cóatl is written like <KRB> in the letters {COLOURS}: {text!r}")
        if len(inner) > st.MAX_LENGTH:
            raise PositionError([Problem("C2", f"a Cóatl of {len(inner)} pieces")])
        colours = [COLOURS.index(letter) for letter in inner]
        coatl.length = len(colours)
        coatl.colours[: len(colours)] = colours
        coatl.counts = packed_counts([colours.count(colour) for colour in range(N_COLOURS)])
        coatl.has_head, coatl.has_tail = head, tail
        coatl.complete = head and tail and not pending
        self.read_laid_cards(coatl, split_list(names))

    def read_laid_cards(self, coatl: Coatl, names: list[str]) -> None:
        laid = sorted(self.prophecy(name) for name in names if name not in self.deck.temple_ids)
        temples = [self.temple(name) for name in names if name in self.deck.temple_ids]
        if len(laid) > st.MAX_CARDS_ON_COATL:
            raise PositionError([Problem("A6", f"{len(laid)} Prophecy cards on one Cóatl")])
        if len(temples) > 1:
            raise PositionError([Problem("A9", f"{len(temples)} Temple cards on one Cóatl")])
        coatl.n_cards = len(laid)
        coatl.cards[: len(laid)] = laid
        coatl.temple = temples[0] if temples else NONE

    def read_adam(self, words: Fields) -> None:
        adam = self.state.adam
        adam.step = words.choice("step", st.ADAM_STEPS, "look")
        adam.looking = words.number("looking", 1) - 1
        adam.space = words.choice("space", (*SPACES, NOTHING), NOTHING)
        adam.space = NONE if adam.space == N_SPACES else adam.space
        adam.holding[:] = read_pieces(words.list("holding") or ())
        for name, count in Counter(words.list("fulfilled") or ()).items():
            adam.fulfilled[self.prophecy(name)] = min(count, MOST)
        cards = words.list("cards") or []
        if len(cards) > st.MAX_ADAM_CARDS:
            raise PositionError([Problem("D2", f"A.D.A.M. has {len(cards)} cards")])
        for word in cards:
            name, _, pieces = word.removesuffix(")").partition("(")
            adam.cards[adam.n_cards] = self.prophecy(name)
            adam.pieces[adam.n_cards] = read_pieces(split_list(pieces))
            adam.n_cards += 1

    # -------------------------------------------------------------- the common stock

    def read_supply(self) -> None:
        state = self.state
        spaces = self.words.list("supply")
        if spaces is not None:
            if len(spaces) != N_SPACES:
                raise NotationError(f"supply= wants {N_SPACES} spaces, not {len(spaces)}")
            for space, text in enumerate(spaces):
                self.read_space(space, text)
        state.gone[:] = read_pieces(self.words.list("gone") or ())
        bag = self.words.list("bag")
        if bag is not None:
            state.bag[:] = read_pieces(bag)
        else:
            left = [
                expected - placed
                for expected, placed in zip(
                    expected_pieces(state), pieces_placed(state), strict=True
                )
            ]
            state.bag[:] = [max(count, 0) for count in left]
        if spaces is None:
            self.fill_supply()

    def read_space(self, space: int, text: str) -> None:
        if text == NOTHING:
            return
        wanted = 2 if space < FIRST_HEAD_SPACE else 1
        if len(text) != wanted or not set(text) <= set(COLOURS):
            what = "two colours" if wanted == 2 else "one colour"
            raise PositionError(
                [Problem("C4", f"space {SPACES[space]} holds {what}, not {text!r}")]
            )
        colours = sorted(COLOURS.index(letter) for letter in text)
        self.state.supply[space, :wanted] = colours

    def fill_supply(self) -> None:
        """The default supply: from the bags, the colours in turn."""
        bag, colour = self.state.bag, 0
        for space in range(N_SPACES):
            first_kind = kind_of_space(space)
            found: list[int] = []
            wanted = 2 if first_kind == BODY else 1
            for _ in range(N_COLOURS * wanted):
                if len(found) == wanted:
                    break
                if bag[first_kind + colour] > 0:
                    found.append(colour)
                    bag[first_kind + colour] -= 1
                colour = (colour + 1) % N_COLOURS
            if len(found) == wanted:
                self.state.supply[space, :wanted] = sorted(found)
            else:
                for piece in found:
                    bag[first_kind + piece] += 1

    def read_cards(self) -> None:
        state = self.state
        state.reshuffled = self.words.flag("reshuffled")
        row = self.words.value("row")
        if row is not None:
            names = row.split(",")
            if len(names) != st.ROW_SIZE:
                raise NotationError(f"row= wants {st.ROW_SIZE} places, not {len(names)}")
            state.row[:] = [NONE if name == NOTHING else self.prophecy(name) for name in names]
        self.count_cards(state.discard, self.words.list("discard") or ())
        if not state.reshuffled:
            for player in state.players:
                for card in player.buried[: player.n_buried]:
                    state.discard[card] += 1
        state.n_discard = min(int(state.discard.sum()), MOST)
        self.count_cards(state.recycled, self.words.list("recycled") or ())
        deck = self.words.list("deck")
        if deck is not None:
            self.count_cards(state.deck, deck)
        else:
            placed = prophecies_placed(state)
            cards, promo = state.deck, bool(state.with_promo)
            for card, prophecy in enumerate(self.deck.prophecies):
                if promo or not prophecy.promo:
                    cards[card] = max(prophecy.copies - placed[card], 0)
        if row is None:
            self.fill_row()
        state.n_deck = min(int(state.deck.sum()), MOST)

    def fill_row(self) -> None:
        """The default row: the first cards of the list that are still in the deck."""
        cards = self.state.deck
        left = [card for card, count in enumerate(cards.tolist()) if count > 0]
        for place, card in enumerate(left[: st.ROW_SIZE]):
            cards[card] -= 1
            self.state.row[place] = card

    def count_cards(self, counts: Int8s, names: Iterable[str]) -> None:
        for name, count in Counter(names).items():
            counts[self.prophecy(name)] = min(count, MOST)

    def read_temples(self) -> None:
        state = self.state
        piles = self.words.list("piles")
        placed = temples_placed(state)
        given: list[tuple[int, int | None]] = []
        for word in piles or ():
            name, _, size = word.partition(":")
            top = NONE if name == NOTHING else self.temple(name)
            given.append((top, read_number(size, f"the pile {word!r}") if size else None))
            if top != NONE:
                placed[top] += 1
        if piles is not None and len(given) != st.N_PILES:
            raise NotationError(f"piles= wants {st.N_PILES} piles, not {len(given)}")
        pool = self.words.list("pool")
        cards, promo = state.pool, bool(state.with_promo)
        for card, temple in enumerate(self.deck.temples):
            if promo or not temple.promo:
                cards[card] = max(temple.copies - placed[card], 0)
        if pool is not None:
            state.pool[:] = 0
            for name, count in Counter(pool).items():
                state.pool[self.temple(name)] = min(count, MOST)
        self.lay_piles(given)

    def lay_piles(self, given: list[tuple[int, int | None]]) -> None:
        """Tops and sizes as given; by default the first Temple cards left, in equal piles (S3)."""
        state = self.state
        left = int(state.pool.sum())
        if not given:
            for pile in range(min(st.N_PILES, left)):
                top = int((state.pool > 0).argmax())  # the first that is left
                state.pool[top] -= 1
                state.pile_top[pile] = top
            left = int(state.pool.sum())
        for pile, (top, _) in enumerate(given):
            state.pile_top[pile] = top
        with_top = [pile for pile in range(st.N_PILES) if state.pile_top[pile] != NONE]
        for order, pile in enumerate(with_top):
            share = (left + (len(with_top) - 1 - order)) // len(with_top)
            size = given[pile][1] if given else None
            state.pile_size[pile] = size if size is not None else 1 + share
        state.n_pool = min(left, MOST)

    # -------------------------------------------------------------- names

    def prophecy(self, name: str) -> int:
        if name not in self.deck.prophecy_ids:
            raise NotationError(f"no Prophecy card is named {name!r}")
        return self.deck.prophecy_ids[name]

    def temple(self, name: str) -> int:
        if name not in self.deck.temple_ids:
            raise NotationError(f"no Temple card is named {name!r}")
        return self.deck.temple_ids[name]
