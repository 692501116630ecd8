"""Change only what a seat may not know, and not one byte of what it is told changes (H1-H3, R13).

Other truths come from two sources: `redeal` below, which knows nothing of the code under test, and
`View.sample`.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from importlib import resources
from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from coatl.compiler.records import dtype_of
from coatl.game import Game, states_of
from coatl.moves import Move
from coatl.options import Options
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import new_chance, set_script
from coatl.rules.decisions import DRAW, N_DECISIONS
from coatl.rules.deckfile import parse_deck
from coatl.rules.knowledge import KNOWN_IN_PART, KNOWN_TO_ALL
from coatl.rules.pieces import KIND_TEXTS, SPACES
from coatl.rules.state import NONE, SETUP, TOKENS, Adam, Coatl, PlayerRecord, StateRecord
from tests.game.shorthand import place_text, what_of
from tests.game.truth import truth_of
from tests.view.known import (
    EVERY,
    GAMES,
    cards_named,
    cards_that_may_be_named,
    elements,
    every_mode,
    game_at,
    hand_of,
    positions,
    redeal,
    seats_of,
    temples_of,
    with_truth,
)

# ---------------------------------------------------------------- other truths


# ---------------------------------------------------------------- random games


def whys(game: Game) -> list[str | None]:
    """The cause against each decision there is."""
    reasons = [game.why(game._state.move(decision)) for decision in range(N_DECISIONS)]
    return [None if reason is None else reason.cause for reason in reasons]


def assert_same_to(seat: int | None, game: Game, twin: Game) -> None:
    view, other = game.view(seat), twin.view(seat)
    assert view.to_json() == other.to_json()
    assert view.moves == other.moves
    assert view._known.tobytes() == other._known.tobytes()
    if seat is not None and game.seat == seat:
        assert game.legal_moves() == twin.legal_moves() == view.moves


@pytest.mark.games
@every_mode
def test_H1_H2_another_truth_changes_no_view_and_no_legal_move(options: Options) -> None:
    rng = random.Random(1)
    chances = new_chance(1)
    for game in positions(options):
        for seat in seats_of(game):
            for truth in (
                redeal(states_of(game), seat, rng),
                game.view(seat).sample(chances).records,
            ):
                assert_same_to(seat, game, with_truth(game, truth))


@pytest.mark.games
@every_mode
def test_H1_H2_another_truth_changes_no_reason(options: Options) -> None:
    """`why` says the same of every decision there is, to the seat whose turn it is."""
    rng = random.Random(2)
    for game in positions(options, every=10 * EVERY):
        if game.seat is not None:
            twin = with_truth(game, redeal(states_of(game), game.seat, rng))
            assert whys(game) == whys(twin)


@pytest.mark.games
@every_mode
def test_H1_H2_the_same_move_in_another_truth_looks_the_same(options: Options) -> None:
    """Its events, and the view after it, whoever made it; public draws being equal."""
    rng = random.Random(3)
    compared = 0
    for game in positions(options):
        if game.seat is None:
            continue
        for seat in seats_of(game):
            twin = with_truth(game, redeal(states_of(game), seat, rng))
            both = [move for move in game.legal_moves() if move in twin.legal_moves()]
            if both:
                compared += play_in_both(game, twin, seat, rng.choice(both))
    assert compared > (0 if DISABLED else 20)


def play_in_both(game: Game, twin: Game, seat: int | None, move: Move) -> bool:
    """Play a move in copies of both; False if a public draw of one is impossible in the other."""
    one = with_truth(game, states_of(game).copy())
    mover = one.seat
    one.play(move)
    if move.decision != DRAW or mover == seat:  # else the draw is a secret and may differ
        set_script(twin._state.chances, one.log[-1].draws)
    twin.play(move)
    if twin._state.chances[0].misfit:
        return False
    assert one.events(seat) == twin.events(seat)
    assert one.can_undo == twin.can_undo
    assert_same_to(seat, one, twin)
    return True


# ---------------------------------------------------------------- what is told and what is not


@pytest.mark.games
@every_mode
def test_H1_no_text_of_a_view_names_a_card_its_seat_may_not_know(options: Options) -> None:
    for game in positions(options):
        for seat in seats_of(game):
            named = cards_named(json.loads(game.view(seat).to_json()), game.deck)
            assert named <= cards_that_may_be_named(truth_of(game), game.deck, seat)


@pytest.mark.games
@every_mode
def test_H1_of_another_hand_exactly_the_cards_taken_face_up_are_shown(options: Options) -> None:
    for game in positions(options):
        for seat in seats_of(game):
            data = game.view(seat).data
            for i, shown in enumerate(data.seats):
                player = truth_of(game).players[i]
                hand = [card for card, seen in hand_of(player) if seen or i == seat]
                temples = [temple for temple, seen in temples_of(player) if seen or i == seat]
                assert shown.hand == tuple(game.deck.prophecies[card].name for card in hand)
                assert shown.temples == tuple(game.deck.temples[card].name for card in temples)


@pytest.mark.games
@every_mode
def test_H3_everything_public_is_there(options: Options) -> None:
    for game in positions(options):
        state = truth_of(game)
        for seat in seats_of(game):
            data = json.loads(game.view(seat).to_json())
            assert data["supply"] == supply_of(state)
            assert data["bag"] == Counter(KIND_TEXTS[kind] for kind in elements(state.bag))
            assert (data["deck"], data["discard_count"]) == (state.n_deck, state.n_discard)
            assert [pile["size"] for pile in data["piles"]] == state.pile_size.tolist()
            assert len(data["seats"]) == state.n_players
            for i, shown in enumerate(data["seats"]):
                assert_shows_seat(game, state.players[i], shown)


def supply_of(state: StateRecord) -> dict[str, str]:
    return {
        name: "".join("KRBYG"[colour] for colour in state.supply[space].tolist() if colour != NONE)
        for space, name in enumerate(SPACES)
    }


def assert_shows_seat(game: Game, player: PlayerRecord, shown: dict[str, Any]) -> None:
    """H3: board, hand sizes, tokens and each Cóatl with its cards."""
    deck = game.deck
    assert shown["board"] == [KIND_TEXTS[kind] for kind in elements(player.pieces)]
    assert (shown["hand_size"], shown["temple_count"]) == (player.n_hand, player.n_temples)
    assert shown["tokens"] == [name for k, name in enumerate(TOKENS) if player.tokens[k]]
    assert len(shown["coatls"]) == player.n_coatls
    for k, coatl in enumerate(shown["coatls"]):
        truth = player.coatls[k]
        letters = "".join("KRBYG"[colour] for colour in truth.colours[: truth.length].tolist())
        assert coatl["pieces"] == "<" * truth.has_head + letters + ">" * truth.has_tail
        assert coatl["complete"] == bool(truth.complete)
        laid = [deck.prophecies[card].name for card in truth.cards[: truth.n_cards].tolist()]
        assert [card["card"] for card in coatl.get("cards", [])] == laid
        temple = None if truth.temple == NONE else deck.temples[truth.temple].name
        assert (coatl.get("temple") or {"card": None})["card"] == temple


# ---------------------------------------------------------------- H1 in events


@pytest.mark.games
@every_mode
def test_H1_events_name_a_card_only_to_those_who_saw_it(options: Options) -> None:
    """Blind draws and setup discards are named to their owner alone, all else to everyone."""
    for seed in range(GAMES):
        game = Game(options, standard_deck(), new_chance(f"events {seed}"), None)
        rng = random.Random(seed)
        while not game.over:
            setup, since = truth_of(game).phase == SETUP, len(game.events())
            game.play(rng.choice(game.legal_moves()))
            for seat in seats_of(game):
                for event in game.events(seat, since):
                    source = place_text(event.source) or ""
                    target = place_text(event.target) or ""
                    secret = (source == "deck" and target.startswith("hand")) or (
                        setup and target == "discard"
                    )
                    if event.kind in ("prophecy", "temple", "piece"):
                        assert (what_of(event) is None) == (secret and event.seat != seat)
                    if event.kind == "move":
                        dropped = setup and game.log[-1].move.kind == "drop"
                        assert (event.move is None) == (dropped and event.seat != seat)


# ---------------------------------------------------------------- R13


def drop_one(game: Game, which: int) -> str:
    """Seat 1 discards its card number `which` at setup; the move's text."""
    text = game.legal_moves()[which].text
    assert text.startswith("drop ")
    game.play(text)
    return text


def setup_game() -> Game:
    """A game in which seat 1 is to choose which of its four cards it keeps."""
    game = Game.new(players=3, seed="R13")
    game.play("done")
    assert (game.seat, game.phase) == (1, "setup")
    return game


@pytest.mark.parametrize("seat", [0, 2, None])
def test_R13_others_see_only_how_many_cards_were_kept(seat: int | None) -> None:
    one, two = setup_game(), setup_game()
    for first, second in ((0, 3), (0, 1)):
        drop_one(one, first)
        drop_one(two, second)
        assert_same_to(seat, one, two)
    one.play("done")
    two.play("done")
    assert_same_to(seat, one, two)
    assert one.events(seat) == two.events(seat)
    data = one.view(seat).data
    assert (data.seats[1].hand_size, data.discard_count) == (2, 2)
    assert (data.seats[1].hand, data.seats[1].buried, data.discards) == ((), (), ())


def test_R13_the_owner_knows_what_it_discarded() -> None:
    game = setup_game()
    name = drop_one(game, 0).removeprefix("drop ")
    assert game.view(1).data.seats[1].buried == (name,)
    assert game.view(1).data.discards == (name,)
    assert game.events(1)[-1].card == name


@pytest.mark.parametrize("seat", [0, 2, None])
def test_R13_taking_a_setup_discard_back_does_not_name_it(seat: int | None) -> None:
    """An `undo` is an entry of the log for all to see; the card it names is not."""
    one, two = setup_game(), setup_game()
    name = drop_one(one, 0).removeprefix("drop ")
    drop_one(two, 3)
    for game in (one, two):
        game.undo()
    assert one.events(seat) == two.events(seat)
    assert not any(name in str(event) for event in one.events(seat))
    assert_same_to(seat, one, two)


# ---------------------------------------------------------------- A9 and H1


# On <RRRBK> FITS has a card and a Temple card that fit, FITS_NOT has neither, nor have the piles.
TABLE = "row=YB,KG,KKK,GGG,BBB,{B} piles=noR/11,noK/8"
FITS = "hand=RB,{R},!YY! temples=noG/9"
FITS_NOT = "hand=RB,YG,GB temples=R=Y/12"


def closing_game(secrets: str) -> Game:
    return game_at(f"2p {TABLE} | {secrets} board=K> coatl=<RRRB:RRR | hand=YK")


@pytest.mark.parametrize("answers", [(), ("1:RB",)], ids=["nothing laid", "a card laid"])
@pytest.mark.parametrize("viewer", [1, None])
def test_H1_completion_steps_are_asked_whatever_the_hand_holds(
    viewer: int | None, answers: tuple[str, ...]
) -> None:
    """A9: whether a card or a Temple card would fit shows in no phase and no event."""
    one, two = closing_game(FITS), closing_game(FITS_NOT)
    assert_same_to(viewer, one, two)
    phases = []
    for move in ("1+K>", *answers, "done", "done", "done"):
        one.play(move)
        set_script(two._state.chances, one.log[-1].draws)
        two.play(move)
        phases.append(one.phase)
        assert_same_to(viewer, one, two)
        assert one.events(viewer) == two.events(viewer)
    assert phases[-4:] == ["fulfil", "temple", "assemble", "main"]


# ---------------------------------------------------------------- decks with several copies


def two_of_each_temple() -> Deck:
    text = resources.files("coatl.rules").joinpath("cards.toml").read_text(encoding="utf-8")
    return parse_deck(text.replace("[[temple]]", "[[temple]]\ncopies = 2"))


@pytest.mark.parametrize("viewer", [1, None])
def test_H1_of_two_equal_temple_cards_the_one_everyone_saw_is_laid(viewer: int | None) -> None:
    """Else the other, which nobody has seen, would from then on be shown as one they saw."""
    one, two = (
        game_at(
            f"2p piles=noR/11,noR/B=G phase=temple pending=1 "
            f"| temples=noY/7^,{secret} coatl=<RRRBK>:RRR | hand=YK temples=noB/10",
            two_of_each_temple(),
        )
        for secret in ("noY/7", "noK/8")
    )
    assert_same_to(viewer, one, two)
    for game in (one, two):
        game.play("1:noY/7")
        assert game.view(viewer).data.seats[0].temples == ()
    assert_same_to(viewer, one, two)


# ---------------------------------------------------------------- H1-H3, field by field


@pytest.mark.parametrize(
    "record", [StateRecord, PlayerRecord, Coatl, Adam], ids=lambda r: r.__name__
)
def test_H1_every_field_of_a_state_is_on_one_of_the_lists(record: type) -> None:
    """A new field reaches no seat before somebody has said who may know it."""
    open_fields = KNOWN_TO_ALL[record.__name__]
    hidden_fields = KNOWN_IN_PART[record.__name__]
    assert sorted((*open_fields, *hidden_fields)) == sorted(dtype_of(record).names or ())


@pytest.mark.games
@every_mode
def test_H1_what_the_lists_say_everyone_knows_is_passed_on_as_it_is(options: Options) -> None:
    for game in positions(options):
        truth = states_of(game)
        for seat in seats_of(game):
            known = game.view(seat).known
            for name in KNOWN_TO_ALL["StateRecord"]:
                assert known[name].tobytes() == truth[name].tobytes(), name
            for name in KNOWN_TO_ALL["PlayerRecord"]:
                assert known["players"][name].tobytes() == truth["players"][name].tobytes(), name
