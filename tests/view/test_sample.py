"""`View.sample`: a full state that a seat cannot tell from the truth, each equally likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from math import sqrt

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game, states_of
from coatl.notation.check import problems
from coatl.options import Options
from coatl.rules.cards import standard_deck
from coatl.rules.chance import Chances, new_chance
from coatl.rules.state import StateRecord, States
from coatl.view import View, make_view
from tests.game.shorthand import place_text
from tests.game.truth import truth_of
from tests.view.known import (
    OPTIONS,
    elements,
    every_mode,
    game_at,
    hand_of,
    name_of,
    positions,
    seats_of,
    temples_of,
)

SAMPLES = 300 if DISABLED else 12_000
RESHUFFLING = [options for options in OPTIONS if options.tokens and options.players > 2]
COPIES = [card.copies for card in standard_deck().prophecies]


def unseen(state: StateRecord, seat: int) -> list[int]:
    """Cards of a hand that not everyone has seen."""
    return [card for card, seen in hand_of(state.players[seat]) if not seen]


def hand(state: StateRecord, seat: int) -> list[int]:
    return [card for card, _ in hand_of(state.players[seat])]


def views(game: Game) -> Iterator[tuple[int | None, View]]:
    for seat in seats_of(game):
        yield seat, game.view(seat)


# ---------------------------------------------------------------- never a contradiction


@pytest.mark.games
@every_mode
def test_a_sample_looks_to_its_seat_like_the_truth(options: Options) -> None:
    """Its known bytes and its view are those of the truth."""
    chances = new_chance("looks")
    for game in positions(options):
        for seat, view in views(game):
            sample = view.sample(chances)
            seen = make_view(game.deck, view.cards, sample.records, seat)
            assert seen._known.tobytes() == view._known.tobytes()
            assert seen.to_json() == view.to_json()


@pytest.mark.games
@every_mode
def test_a_sample_is_a_possible_position(options: Options) -> None:
    """Every piece and card is in it once, hands are sorted, and sizes are right."""
    chances = new_chance("possible")
    for game in positions(options, every=8 if not DISABLED else 80):
        truth = truth_of(game)
        for _, view in views(game):
            state = view.sample(chances).records[0]
            assert not problems(state, game.deck)
            assert int(state.deck.sum()) == state.n_deck == truth.n_deck
            assert int(state.discard.sum()) == state.n_discard == truth.n_discard
            assert int(state.pool.sum()) == state.n_pool == truth.n_pool
            for seat in range(state.n_players):
                held = hand_of(state.players[seat])
                assert held == sorted(held, key=lambda card: (card[0], -card[1]))
                assert temples_of(state.players[seat]) == sorted(temples_of(state.players[seat]))


@pytest.mark.games
@every_mode
def test_a_sample_keeps_what_the_seat_itself_holds(options: Options) -> None:
    chances = new_chance("own")
    for game in positions(options):
        for seat, view in views(game):
            if seat is not None:
                own = states_of(game)["players"][0, seat]
                assert own.tobytes() == view.sample(chances).records["players"][0, seat].tobytes()


@pytest.mark.games
@every_mode
def test_sampling_changes_neither_the_view_nor_the_game(options: Options) -> None:
    chances = new_chance("unchanged")
    for game in positions(options, games=1):
        before = states_of(game).tobytes()
        for _, view in views(game):
            known = view._known.tobytes()
            view.sample(chances)
            assert (view._known.tobytes(), states_of(game).tobytes()) == (known, before)


def test_the_same_generator_gives_the_same_samples() -> None:
    game = Game.new(players=4, seed=3)
    one, two = new_chance(9), new_chance(9)
    first = [bytes(game.view(1).sample(one).buffer) for _ in range(5)]
    assert first == [game.view(1).sample(two).buffer for _ in range(5)]
    assert len(set(first)) > 1


# ---------------------------------------------------------------- what the seat has seen


class Watcher:
    """Follows the public events of a game: cards taken face up, and those in the last reshuffle."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.taken = [Counter[str]() for _ in range(game.options.players)]
        self.went_in: set[str] = set()  # single cards everyone saw going into the last reshuffle
        self.has_drawn: set[int] = set()  # seats that drew blind since
        self.discards: list[str] = []  # those everyone saw

    def play(self, move: str) -> None:
        since = len(self.game.events())
        self.game.play(move)
        events = self.game.events(None, since)
        shuffled = any(event.kind == "shuffle" for event in events)
        for event in events:
            source, target = place_text(event.source) or "", place_text(event.target) or ""
            card = event.card
            if event.kind != "prophecy":
                continue
            if target == "discard" and card is not None:
                self.discards.append(card)
            if source.startswith("row") and target.startswith("hand"):
                self.taken[int(target[5:])][card or ""] += 1
            elif source.startswith("hand"):
                self.taken[int(source[5:])] -= Counter([card or ""])
        if shuffled:
            self.note_reshuffle()
        for event in events:
            target = place_text(event.target) or ""
            if place_text(event.source) == "deck" and target.startswith("hand"):
                self.has_drawn.add(int(target[5:]))

    def note_reshuffle(self) -> None:
        ids = self.game.deck.prophecy_ids
        self.went_in = {name for name in self.discards if COPIES[ids[name]] == 1}
        self.has_drawn, self.discards = set(), []


def watched(options: Options, games: int, every: int) -> Iterator[Watcher]:
    for seed in range(games):
        watcher = Watcher(Game(options, standard_deck(), new_chance(f"watched {seed}"), None))
        rng = random.Random(seed)
        while not watcher.game.over:
            watcher.play(rng.choice(watcher.game.legal_moves()).text)
            if rng.randrange(every) == 0:
                yield watcher


@pytest.mark.games
@every_mode
def test_cards_taken_face_up_are_in_the_hand_that_took_them(options: Options) -> None:
    chances = new_chance("face up")
    every = 60 if DISABLED else 4
    for watcher in watched(options, games=1 if DISABLED else 3, every=every):
        names = watcher.game.deck.prophecies
        for _, view in views(watcher.game):
            state = view.sample(chances).records[0]
            for other, taken in enumerate(watcher.taken):
                assert taken <= Counter(names[card].name for card in hand(state, other))


@pytest.mark.games
@pytest.mark.parametrize("options", RESHUFFLING, ids=name_of)
def test_R3_cards_seen_going_into_a_new_deck_are_not_in_hands_held_since_before(
    options: Options,
) -> None:
    """Nobody who has not drawn since the reshuffle can hold, unseen, a card that went into it."""
    chances = new_chance("reshuffle")
    checked = 0
    for watcher in watched(options, games=1 if DISABLED else 15, every=8):
        if not watcher.went_in:
            continue
        names = watcher.game.deck.prophecies
        for seat, view in views(watcher.game):
            state = view.sample(chances).records[0]
            for other in range(options.players):
                if other != seat and other not in watcher.has_drawn:
                    held = {names[card].name for card in unseen(state, other)}
                    assert not held & watcher.went_in
                    checked += bool(held)
    assert checked or DISABLED


@pytest.mark.games
@every_mode
def test_S5_own_setup_discards_are_in_no_other_hand_before_a_reshuffle(options: Options) -> None:
    """Nor in the deck: all the other places together hold what is left of the copies."""
    chances = new_chance("buried")
    for game in positions(options):
        if truth_of(game).reshuffled:
            continue
        for seat, view in views(game):
            if seat is None:
                continue
            own = truth_of(game).players[seat]
            for card in own.buried[: own.n_buried].tolist():
                state = view.sample(chances).records[0]
                elsewhere = elements(state.deck).count(card)
                for other in range(options.players):
                    elsewhere += hand(state, other).count(card)
                mine = own.buried[: own.n_buried].tolist().count(card)
                assert elsewhere <= COPIES[card] - mine


# ---------------------------------------------------------------- uniform


def chi_square_is_plausible(observed: Counter[object], expected: dict[object, float]) -> bool:
    """Nothing impossible, and within four and a half standard deviations of the mean."""
    if not set(observed) <= set(expected):
        return False
    total = sum(observed.values())
    weight = sum(expected.values())
    statistic = sum(
        (observed[what] - total * share / weight) ** 2 / (total * share / weight)
        for what, share in expected.items()
    )
    freedom = len(expected) - 1
    return abs(statistic - freedom) < 4.5 * sqrt(2 * freedom)


def tally(
    view: View, look: Callable[[StateRecord], object], samples: int = SAMPLES
) -> Counter[object]:
    chances: Chances = new_chance("uniform")
    found: Counter[object] = Counter()
    for _ in range(samples):
        states: States = view.sample(chances).records
        found[look(states[0])] += 1
    return found


def names_in(state: StateRecord, seat: int) -> tuple[str, ...]:
    """The cards of a hand."""
    return tuple(standard_deck().prophecies[card].name for card in hand(state, seat))


def ordered(*names: str) -> tuple[str, ...]:
    """Card names as a hand has them."""
    return tuple(sorted(names, key=standard_deck().prophecy_ids.__getitem__))


ROW = "row=YB,KG,KKK,GGG,BBB,RB"


def position(
    players: int, unknown: list[str], seats: list[str], words: str = "", known: str = ""
) -> str:
    """A position in which every card lies in the row, in a hand, among the discards or in
    `unknown`, which is the deck; `known` lists all cards named in `seats`."""
    named = Counter([*ROW.removeprefix("row=").split(","), *unknown, *known.split(",")])
    rest: Counter[str] = Counter()
    for card in standard_deck().prophecies:
        if not card.promo:
            rest[card.name] = card.copies - named[card.name]
    discard = ",".join(rest.elements())
    table = f"{players}p {ROW} deck={','.join(unknown)} discard={discard} {words}"
    return " | ".join([table, *seats])


def test_every_hand_is_as_likely_as_every_other() -> None:
    """Two of four cards are in the other hand, one of which everyone saw taken."""
    text = position(
        2, ["YYY", "GB"], ["hand=RK temples=noY/7", "hand=YG,YK,RRR^ temples=noK/8"],
        known="RK,YG,YK,RRR",
    )  # fmt: skip
    unknown = ("YYY", "GB", "YG", "YK")
    expected: dict[object, float] = {ordered("RRR", *two): 1.0 for two in combinations(unknown, 2)}
    assert chi_square_is_plausible(
        tally(game_at(text).view(0), lambda state: names_in(state, 1)), expected
    )


def test_every_temple_card_is_as_likely_as_every_other() -> None:
    game = game_at("2p piles=noR/11,noK/B=R | temples=noY/7 | temples=noK/8,noG/9^")
    temples = [temple.name for temple in game.deck.temples]
    seen = {"noR/11", "noK/B=R", "noY/7", "noG/9"}
    expected: dict[object, float] = {
        tuple(sorted((temples.index("noG/9"), k))): 1.0 for k in range(15) if temples[k] not in seen
    }

    def look(state: StateRecord) -> object:
        return tuple(temple for temple, _ in temples_of(state.players[1]))

    assert len(expected) == 11
    assert chi_square_is_plausible(tally(game.view(0), look), expected)


def test_hands_setup_discards_and_deck_are_dealt_alike() -> None:
    """Three players, one unknown card in each of four places: 24 ways, each as likely."""
    text = position(3, ["YYY"], ["hand=RK", "hand=GB buried=YG", "hand=YK"], known="RK,GB,YG,YK")
    ids = standard_deck().prophecy_ids

    def look(state: StateRecord) -> object:
        buried = int(state.players[1].buried[0])
        return hand(state, 1)[0], buried, hand(state, 2)[0], elements(state.deck)[0]

    cards = [ids[name] for name in ("YYY", "GB", "YG", "YK")]
    expected: dict[object, float] = dict.fromkeys(permutations(cards), 1.0)
    assert chi_square_is_plausible(tally(game_at(text).view(0), look), expected)


def test_the_owner_of_a_setup_discard_knows_where_it_lies() -> None:
    """The same position, seen by the seat that discarded a card: 6 ways are left."""
    text = position(3, ["YYY"], ["hand=RK", "hand=GB buried=YG", "hand=YK"], known="RK,GB,YG,YK")
    ids = standard_deck().prophecy_ids
    cards = [ids[name] for name in ("YYY", "RK", "YK")]
    expected: dict[object, float] = dict.fromkeys(permutations(cards), 1.0)

    def look(state: StateRecord) -> object:
        return hand(state, 0)[0], hand(state, 2)[0], elements(state.deck)[0]

    assert chi_square_is_plausible(tally(game_at(text).view(1), look), expected)


def test_a_card_that_exists_twice_is_twice_as_likely() -> None:
    text = position(2, ["{R}", "YG"], ["hand=RK", "hand={R}"], known="RK,{R}")
    expected: dict[object, float] = {("{R}",): 2.0, ("YG",): 1.0}
    assert chi_square_is_plausible(
        tally(game_at(text).view(0), lambda state: names_in(state, 1)), expected
    )


def test_a_spectator_knows_neither_hand() -> None:
    text = position(2, ["YYY"], ["hand=RK", "hand=GB"], known="RK,GB")
    expected: dict[object, float] = dict.fromkeys(permutations(("YYY", "RK", "GB"), 2), 1.0)
    assert chi_square_is_plausible(
        tally(game_at(text).view(None), lambda s: (*names_in(s, 0), *names_in(s, 1))), expected
    )


# ---------------------------------------------------------------- after a reshuffle (R3)


def test_R3_an_old_card_is_none_that_everyone_saw_going_into_the_deck() -> None:
    """The other hand has one card from before the reshuffle and one drawn since.

    YYY and GB went in face up; YG and YK were in a hand or a setup discard. So the old card is YG
    or YK, and the new one any of the three that are left then.
    """
    text = position(
        2, ["YYY", "GB"], ["hand=RK", "hand=YG,YK old=1"],
        words="reshuffled recycled=YYY,GB", known="RK,YG,YK",
    )  # fmt: skip
    free, cards = ("YG", "YK"), ("YYY", "GB", "YG", "YK")
    worlds = Counter(ordered(old, new) for old, new in product(free, cards) if old != new)
    expected: dict[object, float] = {what: float(n) for what, n in worlds.items()}
    assert len(expected) == 5
    assert chi_square_is_plausible(
        tally(game_at(text).view(0), lambda state: names_in(state, 1)), expected
    )


def test_R3_own_setup_discards_went_into_the_deck_as_their_owner_knows() -> None:
    """A hand held since before has none of them; who did not bury them cannot know that."""
    text = position(
        2, ["YYY", "GB"], ["hand=RK buried=YYY", "hand=YG old=1"],
        words="reshuffled recycled=GB", known="RK,YG",
    )  # fmt: skip
    game = game_at(text)
    assert set(tally(game.view(0), lambda state: names_in(state, 1), 200)) == {("YG",)}
    spectator = tally(game.view(None), lambda state: names_in(state, 1), 200)
    assert set(spectator) == {("YG",), ("YYY",), ("RK",)}


def test_R3_a_card_laid_that_was_surely_new_leaves_the_old_ones_old() -> None:
    """The other seat drew one card since the reshuffle and lays RRR, which went in face up.

    What it still holds it has held since before, so it is none of the others that went in.
    """
    text = position(
        2, ["YYY", "GB"], ["hand=RK", "hand=RRR,YG old=1 coatl=RRR"],
        words="seat=2 reshuffled recycled=YYY,GB,RRR", known="RK,YG,RRR",
    )  # fmt: skip
    game = game_at(text)
    game.play("1:RRR")
    assert set(tally(game.view(0), lambda state: names_in(state, 1), 200)) == {("YG",)}


def test_R3_a_copy_held_since_before_is_not_the_copy_that_went_in() -> None:
    """Of {R} there are two: one I have held all along, the other went in; so nobody else has it."""
    text = position(
        2, ["{R}", "GB"], ["hand={R} old=1", "hand=YG old=1"],
        words="reshuffled recycled={R},GB", known="{R},YG",
    )  # fmt: skip
    assert set(tally(game_at(text).view(0), lambda s: names_in(s, 1), 200)) == {("YG",)}


def test_R3_what_everyone_saw_taken_is_not_among_the_old_unseen_cards() -> None:
    """The deck is empty, so the first draw reshuffles; of the other hand YK was seen by all."""
    text = position(2, ["-"], ["hand=RK", "hand=YG,YK^"], known="RK,YG,YK")
    game = game_at(text)
    game.play("draw")
    players = truth_of(game).players
    assert truth_of(game).reshuffled
    assert [int(players[seat].n_old) for seat in range(2)] == [1, 1]


# ---------------------------------------------------------------- what a decision has told


def test_A8_who_closed_a_coatl_without_cards_holds_one_that_fits() -> None:
    """The closing piece was legal, so of the unknown cards RRR or {R} is in that hand."""
    text = position(
        2, ["YYY", "GB", "RRR"], ["hand={R} board=K> coatl=<RRRB", "hand=RK"], known="RK,{R}"
    )
    game = game_at(text)
    game.play("1+K>")
    assert game.phase == "fulfil"
    found = tally(game.view(1), lambda state: names_in(state, 0), 200)
    assert set(found) == {("RRR",), ("{R}",)}
