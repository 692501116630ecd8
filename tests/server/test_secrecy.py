"""Change what a seat may not know, and not one byte that is sent to it changes (H1-H3, R13)."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coatl.game import Game, states_of
from coatl.rules.chance import set_script
from coatl.rules.decisions import DRAW
from coatl.server.room import Room
from coatl.server.store import StoredTable
from coatl.table import Entry, Table, TableError
from coatl.table.entries import Undone
from tests.cli.program import compiled
from tests.game.truth import replace_truth, truth_of
from tests.server.harness import (
    Browser,
    Json,
    LiveServer,
    play_tables,
    running_server,
    seats_of,
    shared_server,
)
from tests.table.making import SECRET, nonce_of, open_table, opening, random_log, sit_down
from tests.view.known import cards_named, cards_that_may_be_named, redeal

pytestmark = compiled

MODES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("person", "person"), {}),
    (("person", "greedy"), {"tokens": False, "fewer_bodies": True}),
    (("person", "open", "person"), {"promo": True, "draw_seats": True}),
    (("person", "random", "person", "person"), {"draw_seats": True}),
    (("person",), {"levels": ()}),
    (("person",), {"levels": (1, 3, 5), "promo": True}),
]


# ---------------------------------------------------------------- another truth


def room_of(table: Table) -> Room:
    """A room in which a running table is."""
    room = Room("room", StoredTable(SECRET, 0.0, [table.opened], {}))
    room.table = table
    return room


def other_room(room: Room, states: Any) -> Room:
    """The same room at the same moment, with this truth."""
    twin, table = copy.copy(room), copy.copy(room.table)
    twin.table, twin._rendered = table, {}
    assert room.table.game is not None
    table.game = other_game(room.table.game, states)
    return twin


def other_game(game: Game, states: Any) -> Game:
    """What was told so far stays told."""
    twin = game.copy()
    replace_truth(twin, states)
    return twin


def compare(room: Room, place: int | None, rng: random.Random) -> bool:
    """For one who looks; True if a decision could be compared too."""
    table = room.table
    assert table.game is not None
    hidden = redeal(states_of(table.game), table.seat_of(place), rng)
    one, two = other_room(room, states_of(table.game).copy()), other_room(room, hidden)
    for base in (0, room.event_count):
        assert room.render(place, base) == one.render(place, base) == two.render(place, base)
    return play_in_both(one, two, place, rng)


def play_in_both(one: Room, two: Room, place: int | None, rng: random.Random) -> bool:
    """The same decision, and the same public draws, in both truths look the same to a place."""
    first, second = one.table.game, two.table.game
    assert first is not None
    assert second is not None
    both = [move for move in first.legal_moves() if move in second.legal_moves()]
    if not both:
        return False
    base, mover, move = one.event_count, one.table.to_move, rng.choice(both)
    first.play(move)
    if move.decision != DRAW or mover == place:  # else the draw is a secret and may differ
        set_script(second._state.chances, first.log[-1].draws)
    second.play(move)
    if second._state.chances[0].misfit:  # a public draw that the other truth does not have
        return False
    for room in (one, two):
        room.table.version += 1
        room._forget_rendered()
    assert one.render(place, base) == two.render(place, base)
    return True


def compare_a_game(mode: int, seed: int, every: int) -> int:
    """A game in which all happens that can, one moment in so many; how many decisions were."""
    kinds, options = MODES[mode]
    rng = random.Random(seed)
    compared = 0
    for table, _ in random_log(opening(*kinds, **options), seed):
        if table.game is not None and (table.status == "over" or rng.randrange(every) == 0):
            for place in [*range(len(kinds)), None]:
                compared += compare(room_of(table), place, rng)
    return compared


def test_another_truth_changes_no_byte() -> None:
    assert sum(compare_a_game(mode, seed=0, every=20) for mode in (0, 2, 5)) > 20


@pytest.mark.games
@pytest.mark.parametrize("mode", range(len(MODES)), ids=[str(mode) for mode in MODES])
def test_another_truth_changes_no_byte_in_any_mode(mode: int) -> None:
    """At about one version in three, for every seat and a spectator."""
    assert compare_a_game(mode, seed=1, every=3) > 15


def test_the_comparison_finds_what_is_no_secret() -> None:
    """The test's own test: to the seat itself its hand is no secret, so bytes do change."""
    table = open_table("person", "person")
    sit_down(table)
    room = room_of(table)
    assert table.game is not None
    hidden = redeal(states_of(table.game), 1, random.Random(0))
    two = other_room(room, hidden)
    assert room.render(1, 0) == two.render(1, 0)
    assert room.render(0, 0) != two.render(0, 0)
    assert room.render(None, 0) == two.render(None, 0)


def test_nobody_hears_of_a_nonce() -> None:
    """Tables that differ in the nonces of others look the same while they wait."""
    shown = set()
    for number in range(3):
        table = open_table("person", "person", "person")
        table.join(1, nonce_of(1, number))
        room = room_of(table)
        shown.add(tuple(room.render(place, 0) for place in (0, 1, 2, None)))
    assert len(shown) == 1


# ---------------------------------------------------------------- refusals


def test_a_refusal_tells_nothing_either() -> None:
    """`why` and an illegal decision give the same reason in another truth."""
    rng = random.Random(5)
    compared = 0
    for table, entry in random_log(opening("person", "person"), 5):
        if table.status == "playing" and rng.randrange(6) == 0:
            compared += compare_refusals(room_of(table), entry, rng)
    assert compared > 20


def compare_refusals(room: Room, entry: Entry, rng: random.Random) -> int:
    """Moves of another moment, asked by the seat whose turn it is."""
    table = room.table
    place, game = table.to_move, table.game
    assert place is not None
    assert game is not None
    two = other_room(room, redeal(states_of(game), table.seat_of(place), rng))
    moves = [move for move in game.moves_made if move != "undo"]
    asked = rng.sample(moves, min(len(moves), 5)) if not isinstance(entry, Undone) else []
    for move in asked:
        assert reason(table, place, move) == reason(two.table, place, move)
    return len(asked)


def reason(table: Table, place: int, move: str) -> object:
    try:
        return table.why(place, move)
    except TableError as error:
        return str(error)


# ---------------------------------------------------------------- on a real socket


def truths(server: LiveServer, name: str) -> Iterator[Table]:
    """The table after each entry of its log."""
    log = server.read_log(name)
    table = Table.rebuild(log[:1], server.read_secret(name))
    yield table
    for entry in log[1:]:
        table._apply(entry)
        table.version += 1
        yield table


def check_cards(state: Json, table: Table) -> None:
    """A view names only cards that its seat may know."""
    if table.game is None:
        return
    seat = table.seat_of(state["place"])
    allowed = cards_that_may_be_named(truth_of(table.game), table.game.deck, seat)
    assert cards_named(state["view"], table.game.deck) <= allowed
    for number, shown in enumerate(state["view"]["seats"]):
        player = truth_of(table.game).players[number]
        if number != seat:
            seen = sum(player.seen[: player.n_hand].tolist())
            assert (len(shown["hand"]), shown["hand_size"]) == (seen, player.n_hand)
    for event in state["events"]:
        check_event(event, seat)


def check_event(event: Json, seat: int | None) -> None:
    """What somebody else draws from the deck has no name."""
    if event.get("source") == {"kind": "deck"} and event["target"]["kind"] == "hand":
        assert ("card" in event) == (event["seat"] == seat)


def check_states(server: LiveServer, browsers: list[Browser]) -> None:
    shown: dict[int, list[Json]] = {}
    for browser in browsers:
        for state in browser.states:
            shown.setdefault(state["version"], []).append(state)
    for table in truths(server, browsers[0].table):
        for state in shown.pop(table.version, []):
            check_cards(state, table)
    assert not shown


@pytest.mark.games
def test_no_frame_names_a_hidden_card() -> None:
    server = shared_server()
    opened = server.open_table("person", "person", "greedy", promo=True, draw_seats=True)
    browsers = seats_of(server, opened, seed=8, drops=0.02, keeps_states=True)
    watcher = Browser(server, opened["table"], opened["watch"], 0, keeps_states=True)
    play_tables([*browsers, watcher])
    check_states(server, [*browsers, watcher])
    assert any(state["view"] for state in watcher.states)


def secrets_of(server: LiveServer, opened: Json, browsers: list[Browser]) -> tuple[list[str], ...]:
    """Tokens, and what makes the chance of the game."""
    tokens = [opened["owner"], opened["watch"], opened["invite"], *opened["seats"]]
    tokens += [browser.token for browser in browsers]
    seed = browsers[0].state["fairness"]["seed"]
    chance = [server.read_secret(opened["table"]), seed]
    return [token for token in tokens if token], chance + [browser.nonce for browser in browsers]


def test_tokens_secret_nonces_and_seed_stay_where_they_belong(tmp_path: Path) -> None:
    with running_server(tmp_path / "data") as server:
        opened = server.open_table("person", "open", "greedy")
        join = f"/api/tables/{opened['table']}/join"
        token = server.request("POST", join, {"invite": opened["invite"]})[1]["token"]
        browsers = seats_of(server, opened, seed=8, keeps_states=True)
        browsers.append(Browser(server, opened["table"], token, 9, keeps_states=True))
        play_tables(browsers)
        tokens, chance = secrets_of(server, opened, browsers)
        assert len(tokens) == 6
        for browser in browsers:
            check_frames(browser, tokens, chance)
        make_forbidden_requests(server, opened)
    log = server.log.read_text()
    assert '"listening"' in log
    assert not [word for word in [*tokens, *chance, "Player 1"] if word in log]
    files = b"".join(file.read_bytes() for file in server.folder.iterdir())
    assert server.read_secret(opened["table"]).encode() in files
    assert not [token for token in tokens if token.encode() in files]


def check_frames(browser: Browser, tokens: list[str], chance: list[str]) -> None:
    assert len(browser.frames) > 50
    for frame in browser.frames:
        assert not [token for token in tokens if token in frame]
        if '"status":"over"' not in frame:
            assert not [word for word in chance if word in frame]
    assert all(word in browser.frames[-1] for word in chance)


def make_forbidden_requests(server: LiveServer, opened: Json) -> None:
    """Requests that go well and wrong, so that the server has something to write about."""
    path = f"/api/tables/{opened['table']}"
    for token in (opened["owner"], opened["invite"], opened["seats"][0], "x" * 32):
        for what in ("", "/record", "/rematch", "/why"):
            method = "GET" if what in ("", "/record") else "POST"
            server.request(method, path + what, b"{}" if method == "POST" else None, token)
    server.request("GET", f"{path}?token={opened['owner']}")
    server.request("GET", f"/api/{opened['owner']}")
    server.request("POST", "/api/tables/mine", {"tokens": [opened["owner"], "y" * 65]})
