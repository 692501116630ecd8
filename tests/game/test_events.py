"""Events: everything that happens, from place to place, as each seat may know it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

import msgspec
import pytest

from coatl import Game
from coatl.events import Event, EventKind
from coatl.game import states_of
from coatl.rules.pieces import COLOURS, KIND_TEXTS, SPACES
from coatl.rules.snapshot import AdamSnapshot, CoatlSnapshot, PlayerSnapshot, Snapshot
from coatl.rules.state import NONE
from tests.game.games import MODES, any_move, at_position, new_game
from tests.game.shorthand import happened, place_text, what_of
from tests.play import Mode

Places = dict[str, Counter[str]]

# ---------------------------------------------------------------- the table, place by place


def kinds(counts: Sequence[int], names: tuple[str, ...] = KIND_TEXTS) -> Counter[str]:
    return Counter({names[i]: n for i, n in enumerate(counts) if n})


def pieces_on(coatl: CoatlSnapshot) -> list[str]:
    """The pieces of ``<KRB>``: ``<K``, ``R``, ``B>``."""
    pieces = [letter for letter in coatl.pieces if letter in COLOURS]
    if coatl.has_head:
        pieces[0] = f"<{pieces[0]}"
    if coatl.has_tail:
        pieces[-1] += ">"
    return pieces


class Truth:
    """What lies where, read from the state; the places are named as in events."""

    def __init__(self, game: Game) -> None:
        self.prophecies = tuple(card.name for card in game.deck.prophecies)
        self.temples = tuple(card.name for card in game.deck.temples)
        self.places: Places = defaultdict(Counter)
        table = Snapshot.of(states_of(game))
        self.read_table(table)
        for seat, player in enumerate(table.players):
            self.read_player(seat, player)
        if table.adam is not None:
            self.read_adam(table.adam)

    def read_table(self, table: Snapshot) -> None:
        for space, colours in zip(SPACES, table.supply, strict=True):
            form = {"b": "{}", "h": "<{}", "t": "{}>"}[space[0]]
            self.places[f"supply.{space}"].update(form.format(COLOURS[c]) for c in colours)
        self.places["bag"] = kinds(table.bag)
        self.places["gone"] = kinds(table.gone)
        self.places["deck"] = kinds(table.deck, self.prophecies)
        self.places["discard"] = kinds(table.discard, self.prophecies)
        self.places["under the piles"] = kinds(table.pool, self.temples)
        for place, card in enumerate(table.row):
            self.put(f"row.{place}", self.prophecies, [card])
        for pile, top in enumerate(table.pile_top):
            self.put(f"pile.{pile}", self.temples, [top])

    def put(self, place: str, names: tuple[str, ...], cards: Sequence[int]) -> None:
        self.places[place].update(names[card] for card in cards if card != NONE)

    def read_player(self, seat: int, player: PlayerSnapshot) -> None:
        self.places[f"board.{seat}"] = kinds(player.pieces)
        self.put(f"hand.{seat}", self.prophecies, player.hand)
        self.put(f"temples.{seat}", self.temples, player.temples)
        for i, coatl in enumerate(player.coatls):
            place = f"coatl.{seat}.{i}"
            self.places[place].update(pieces_on(coatl))
            self.put(place, self.prophecies, coatl.cards)
            self.put(place, self.temples, [coatl.temple])

    def read_adam(self, adam: AdamSnapshot) -> None:
        self.places["adam.holding"] = kinds(adam.holding)
        self.places["adam.fulfilled"] = kinds(adam.fulfilled, self.prophecies)
        for which, card in enumerate(adam.cards):
            self.put(f"adam.{which}", self.prophecies, [card])
            self.places[f"adam.{which}"].update(kinds(adam.pieces[which]))


Naming = Callable[[str], str]


def exact(place: str) -> str:
    return place


def together(place: str) -> str:
    """The row as one place, and A.D.A.M.'s cards with what lies on them as another."""
    return place.split(".")[0] if place[:-1] in ("row.", "adam.") else place


class Model:
    """A table that knows no rule: things move from place to place as the events say."""

    def __init__(self, places: Places, naming: Naming) -> None:
        self.naming = naming
        self.places: Places = defaultdict(Counter)
        for place, there in places.items():
            self.places[naming(place)].update(there)

    @property
    def things(self) -> Places:
        """Only what there is; empty places and zero counts left out."""
        return {place: +there for place, there in self.places.items() if +there}

    def apply(self, event: Event) -> None:
        if event.kind == "shuffle":
            self.places["deck"] += self.places["discard"]
            self.places["discard"].clear()
        elif event.kind in ("piece", "prophecy", "temple"):
            self.move(event)

    def move(self, event: Event) -> None:
        source, target = place_text(event.source), place_text(event.target)
        what = what_of(event)
        assert source is not None
        assert target is not None
        assert what is not None
        if source == target and event.kind == "temple":  # the next card of a pile is turned up
            source = "under the piles"
        there = self.places[self.naming(source)]
        assert there[what] > 0, event
        there[what] -= 1
        self.places[self.naming(target)][what] += 1


def assert_events_make_the_table(mode: Mode, naming: Naming, seed: int) -> None:
    """After every decision, undone ones included, the model is the table."""
    game, chooser = new_game(mode, seed), Random(seed)
    model = Model(Truth(game).places, naming)
    earlier: list[Places] = []
    while not game.over:
        if game.can_undo and chooser.random() < 0.15:
            game.undo()
            model = Model(earlier.pop(), naming)
        else:
            earlier.append(model.things)
            for event in game.play(any_move(game, chooser)):
                model.apply(event)
        assert model.things == Model(Truth(game).places, naming).things


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_events_account_for_everything(mode: Mode) -> None:
    """Applied to a table that knows no rule they give the true one, after every decision."""
    assert_events_make_the_table(mode, together if mode.players == 1 else exact, 4)


@pytest.mark.games
@pytest.mark.parametrize("mode", [Mode(1), Mode(1, levels=16)], ids=str)
def test_in_solo_they_tell_the_exact_places_too(mode: Mode) -> None:
    """D3: cards that slide in the row are events like any other."""

    def naming(place: str) -> str:
        return "adam" if place[:-1] == "adam." else place

    assert_events_make_the_table(mode, naming, 4)


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_all_events_are_what_the_moves_gave(mode: Mode) -> None:
    """`play` gives them in full; `events(since=)` goes on where a reader stopped."""
    game, chooser = new_game(mode, 4), Random(4)
    told: list[Event] = []
    while not game.over:
        events = game.play(any_move(game, chooser))
        told += events
        if mode.players == 1:
            assert game.events(0, len(told) - len(events)) == events
    assert len(game.events()) == len(told)
    for seat in range(mode.players):
        mine = [(full, seen) for full, seen in zip(told, game.events(seat), strict=True)]
        assert all(seen == full for full, seen in mine if seen.seat == seat)


# ---------------------------------------------------------------- who may know what


def hidden_from(event: Event, phase: str, seat: int | None) -> bool:
    """H1: cards drawn blind, and cards discarded at setup, are their owner's secret."""
    if event.seat is None or event.seat == seat:
        return False
    if event.kind is EventKind.MOVE:
        return phase == "setup" and event.move is not None and event.move.kind == "drop"
    drawn = event.kind is EventKind.PROPHECY and place_text(event.source) == "deck"
    discarded = phase == "setup" and place_text(event.target) == "discard"
    return drawn or discarded


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_each_seat_is_told_all_but_the_secrets_of_others(mode: Mode) -> None:
    game, chooser = new_game(mode, 12), Random(12)
    hidden = 0
    while not game.over:
        phase, since = game.phase, len(game.events())
        events = game.play(any_move(game, chooser))
        for seat in (None, *range(mode.players)):
            for full, seen in zip(events, game.events(seat, since), strict=True):
                secret = hidden_from(full, phase, seat)
                hidden += secret
                assert seen == (without_what(full) if secret else full)
    assert hidden > 0


def without_what(event: Event) -> Event:
    return msgspec.structs.replace(event, card=None, move=None)


def test_a_blind_draw() -> None:
    game = at_position("2p")
    move, event = game.play("draw")
    assert event == happened("prophecy", 0, event.card, "deck", "hand.0")
    assert event.card in game.deck.prophecy_ids
    assert game.events(0) == [move, event]
    assert game.events(1) == game.events(None) == [move, without_what(event)]


def test_a_setup_discard() -> None:
    game = at_position("2p phase=setup | hand=YG,RK,YB | hand=GB")
    event = happened("prophecy", 0, "RK", "hand.0", "discard")
    move, told = game.play("drop RK")
    assert told == event
    assert move == Event(EventKind.MOVE, 0, move=game.log[-1].move)
    assert game.events(0) == [move, event]
    assert game.events(1) == game.events(None) == [without_what(move), without_what(event)]


def test_cards_discarded_by_see_the_future_are_seen_by_everyone() -> None:
    game = at_position("2p tokens phase=future picked=0 | hand=YG,RK tokens=- |")
    event = happened("prophecy", 0, "RK", "hand.0", "discard")
    move = Event(EventKind.MOVE, 0, move=game.move("drop RK"))
    assert game.play("drop RK") == game.events(1) == game.events(None) == [move, event]


# ---------------------------------------------------------------- what the moves tell

ROW = "row=YG,RK,YB,GB,KG,YK"


def told(position: str, *moves: str) -> list[Event]:
    """The events of the last of some moves."""
    game = at_position(position)
    return [after(game, move) for move in moves][-1]


def after(game: Game, text: str) -> list[Event]:
    """What follows from a move: the first event is the move itself."""
    expected = Event(EventKind.MOVE, game.seat, move=game.move(text))
    move, *others = game.play(text)
    assert move == expected
    return others


def test_a_take_and_the_next_turn() -> None:
    assert told("2p supply=KR,BY,KG,RB,YG,KR,B,Y,G,K", "take b1") == [
        happened("piece", 0, "K", "supply.b1", "board.0"),
        happened("piece", 0, "R", "supply.b1", "board.0"),
        happened("turn", 1, value=2),
    ]


def test_a_take_that_refills_the_supply() -> None:
    events = told("2p supply=-,-,-,KK,-,-,B,Y,G,K", "take b4")
    assert events[:2] == [happened("piece", 0, "K", "supply.b4", "board.0")] * 2
    refills = events[2:-1]
    assert [place_text(event.target) for event in refills] == [
        f"supply.b{n}" for n in range(1, 7) for _ in "ab"
    ]
    assert {(event.kind, event.seat, place_text(event.source)) for event in refills} == {
        ("piece", None, "bag")
    }


def test_a_pick_and_the_refill_of_the_row() -> None:
    game = at_position(f"2p {ROW}")
    assert after(game, "pick YB") == [happened("prophecy", 0, "YB", "row.2", "hand.0")]
    new, turn = after(game, "done")
    assert (new.kind, new.seat, place_text(new.source), place_text(new.target)) == (
        "prophecy",
        None,
        "deck",
        "row.2",
    )
    assert turn == happened("turn", 1, value=2)


def test_the_discards_are_shuffled_before_a_card_is_drawn_from_them() -> None:
    """R3: nobody can draw from an empty deck."""
    game = at_position("2p")
    state = states_of(game)[0]
    state.discard[:], state.n_discard = state.deck, state.n_deck
    state.deck[:], state.n_deck = 0, 0
    shuffle, draw = after(game, "draw")
    assert shuffle == happened("shuffle", source="discard", target="deck")
    assert (draw.kind, place_text(draw.source), place_text(draw.target)) == (
        "prophecy",
        "deck",
        "hand.0",
    )


def test_pieces_and_cards_of_a_coatl() -> None:
    assert told("2p | board=K |", "new K") == [happened("piece", 0, "K", "board.0", "coatl.0.0")]
    position = "2p | board=K,<B,R hand={K} coatl=KKK coatl=G |"
    assert told(position, "K+1") == [happened("piece", 0, "K", "board.0", "coatl.0.0", 0)]
    assert told(position, "1+K") == [happened("piece", 0, "K", "board.0", "coatl.0.0", 3)]
    assert told(position, "<B+2") == [happened("piece", 0, "<B", "board.0", "coatl.0.1", 0)]
    assert told(position, "2+R") == [happened("piece", 0, "R", "board.0", "coatl.0.1", 1)]
    assert told(position, "1:{K}") == [happened("prophecy", 0, "{K}", "hand.0", "coatl.0.0")]


def test_the_end_of_an_action_that_ends_no_turn_tells_nothing() -> None:
    three = "coatl=<KKK>:{K} coatl=<RRR>:{R} coatl=<BBB>:{B}"
    position = f"2p seat=2 end=third trigger=1 actions=2 | {three} | board=K"
    assert told(position, "new K", "done") == []


LAST_PIECE = "piles=noR/11,R=Y/12 | board=K> hand={K} coatl=<KKK"


def test_a_completed_coatl_is_announced_with_its_value() -> None:
    """A9(iii): <KKKK> with {K} for four black pieces (3) and noR (3)."""
    events = told(f"2p {LAST_PIECE} |", "1+K>", "1:{K}", "1:noR/11")
    assert events[0] == happened("temple", 0, "noR/11", "pile.0", "coatl.0.0")
    reveal, coatl = events[1:]
    assert (reveal.kind, place_text(reveal.source), place_text(reveal.target)) == (
        "temple",
        "pile.0",
        "pile.0",
    )
    assert coatl == happened("coatl", 0, "<KKKK>", target="coatl.0.0", value=6)


def test_a_temple_card_from_the_hand() -> None:
    position = "2p piles=Y=G/6,R=Y/12 | board=K> temples=noR/11 hand={K} coatl=<KKK |"
    events = told(position, "1+K>", "1:{K}", "1:noR/11")
    assert events[0] == happened("temple", 0, "noR/11", "temples.0", "coatl.0.0")
    assert [event.kind for event in events] == ["temple", "coatl"]


def test_perfect_pick() -> None:
    token, first, second, *_, turn = told("2p tokens", "token pick KR")
    assert token == happened("token", 0, "pick")
    assert first == happened("piece", 0, "K", "bag", "board.0")
    assert second == happened("piece", 0, "R", "bag", "board.0")
    assert turn == happened("turn", 1, value=2)


def test_see_the_future() -> None:
    token, *cards = told(f"2p tokens {ROW}", "token future")
    assert token == happened("token", 0, "future")
    names = ROW.removeprefix("row=").split(",")
    assert cards[:6] == [
        happened("prophecy", 0, name, f"row.{place}", "discard") for place, name in enumerate(names)
    ]
    assert [
        (card.seat, place_text(card.source), place_text(card.target)) for card in cards[6:]
    ] == [(None, "deck", f"row.{place}") for place in range(6)]


def test_priest_commitment() -> None:
    token, temple, reveal, turn = told("2p tokens piles=noR/11,R=Y/12", "token priest 1")
    assert token == happened("token", 0, "priest")
    assert temple == happened("temple", 0, "noR/11", "pile.0", "temples.0")
    assert (reveal.seat, place_text(reveal.source), place_text(reveal.target)) == (
        None,
        "pile.0",
        "pile.0",
    )
    assert turn.kind == "turn"


# ---------------------------------------------------------------- the end

CLOGGED = "board=2<K,2<R,2<B,<Y,<G coatl=<Y coatl=<G hand=YYY,RRR,KKK,GGG,BBB"
CLOGGED_TOO = "board=3K>,2B>,2Y>,G> coatl=Y> coatl=G> hand=YG,RK,YB,GB,KG"


def test_passes_end_the_game() -> None:
    game = at_position(f"2p | {CLOGGED} | {CLOGGED_TOO}")
    assert after(game, "pass") == [happened("pass", 0), happened("turn", 1, value=2)]
    assert after(game, "pass") == [
        happened("pass", 1),
        happened("end", 1, "passed"),
        happened("over"),
    ]


def test_a_third_coatl_triggers_the_end() -> None:
    two = "coatl=<RRR>:{R} coatl=<BBB>:{B}"
    game = at_position(f"2p piles=Y=G/6,R=Y/12 | {two} board=K> hand={{K}} coatl=<KKK |")
    after(game, "3+K>")
    events = after(game, "3:{K}")
    assert [(event.kind, event.seat, what_of(event)) for event in events] == [
        ("prophecy", 0, "{K}"),
        ("coatl", 0, "<KKKK>"),
        ("end", 0, "third"),
    ]
    assert after(game, "done") == [happened("turn", 1, value=2)]
    assert after(game, "take h1")[-1].kind == "piece"  # E2: the first of two actions
    assert after(game, "take h2")[-1] == happened("over")


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_turns_coatls_and_the_end_are_told_once_each(mode: Mode) -> None:
    game, chooser = new_game(mode, 21), Random(21)
    while not game.over:
        game.play(any_move(game, chooser))
    events = game.events()
    turns = [event.turn for event in events if event.kind == "turn"]
    assert turns == list(range(1, game.turn + 1))
    complete = sum(c.complete for seat in game.view().data.seats for c in seat.coatls)
    assert sum(event.kind == "coatl" for event in events) == complete
    assert [event.end for event in events if event.kind == "end"] == [game.outcome().end]
    assert [event.kind for event in events].count(EventKind.OVER) == 1
    assert events[-1] == happened("over")


# ---------------------------------------------------------------- A.D.A.M.

SUPPLY = "supply=BB,KK,-,-,-,GG,-,G,-,G"


def test_adam_looks_takes_places_fulfils_and_refills() -> None:
    """He finds nothing for his first card, then fills his second; a red piece goes on."""
    position = f"solo {ROW} {SUPPLY} | board=R | cards=RRR,KKK(5K),YYY"
    events = told(position, "new R", "done")
    assert events[0] == happened("turn", None, value=events[0].turn)
    assert events[1:5] == [
        happened("look", None, "RRR", "adam.0"),
        happened("look", None, "KKK", "adam.1", "supply.b2"),
        happened("piece", None, "K", "supply.b2", "adam.holding"),
        happened("piece", None, "K", "supply.b2", "adam.holding"),
    ]
    assert events[5:9] == [
        happened("piece", None, "K", "adam.holding", "adam.1"),
        happened("piece", None, "K", "adam.holding", "gone"),
        happened("prophecy", None, "KKK", "adam.1", "adam.fulfilled"),
        happened("piece", None, "K", "adam.1", "gone"),
    ]
    assert happened("prophecy", None, "YK", "row.5", "adam.2") in events
    assert events[-1].kind == "turn"
    assert events[-1].seat == 0


def test_adam_finds_nothing_and_discards() -> None:
    position = f"solo {ROW} {SUPPLY} | board=R | cards=RRR,YYY"
    events = told(position, "new R", "done")[1:7]
    assert [event.kind for event in events] == ["look", "look", "piece", "piece", "piece", "piece"]
    assert events[0].target is None
    assert events[2] == happened("piece", None, "B", "supply.b1", "adam.holding")
    assert events[4] == happened("piece", None, "B", "adam.holding", "gone")


def test_pieces_that_adam_passes_on_go_to_another_place() -> None:
    """D6: his cards close up afterwards; until then each is where it was."""
    position = f"solo {ROW} {SUPPLY} | board=R | cards=KKK(5K),KKGGG(2K),YYY"
    events = told(position, "new R", "done")
    pieces = [
        event for event in events if event.kind == "piece" and place_text(event.source) == "adam.0"
    ]
    assert {place_text(event.target) for event in pieces} == {"gone"}
    position = f"solo {ROW} {SUPPLY} | board=R | cards=KKK(5K),KKGGG,YYY"
    events = told(position, "new R", "done")
    pieces = [
        event for event in events if event.kind == "piece" and place_text(event.source) == "adam.0"
    ]
    assert [place_text(event.target) for event in pieces] == ["adam.1"] + ["gone"] * 5


def leaves_first_card(event: Event) -> bool:
    return event.kind == "piece" and place_text(event.source) == "adam.0"


def test_the_end_by_adams_take_is_not_told_as_yours() -> None:
    """D8, R18: `seat` is None where A.D.A.M. did it."""
    bodies = "gone=" + ",".join(f"16{colour}" for colour in "RBYG") + ",13K"
    position = f"solo {bodies} supply=-,KK,-,-,-,-,G,G,G,G | board=K | cards=KKK"
    events = told(position, "new K", "done")
    end = next(event for event in events if event.kind == "end")
    assert end == happened("end", None, "bodies")
    assert events[-1] == happened("over")
