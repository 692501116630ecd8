"""Whole games over real sockets, in every mode, several clients at once; and all the requests."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from coatl import Game
from coatl.players.registry import player_names
from coatl.rules.cards import standard_deck
from coatl.rules.turns import seats_since_third, seats_to_come
from coatl.server.settings import ServerSettings
from coatl.table import Table
from tests.cli.program import compiled, environment, quick_run
from tests.game.truth import truth_of
from tests.server.harness import (
    PATIENCE,
    ROOT,
    Browser,
    Json,
    LiveServer,
    SeatClient,
    as_json,
    clients_of,
    play_tables,
    run_for_a_while,
    running_server,
    seats_of,
    shared_server,
)

pytestmark = compiled

Mode = tuple[tuple[str, ...], dict[str, Any]]
SOLO: Mode = (("person",), {"levels": []})
MODES: list[Mode] = [
    (("person", "person"), {}),
    (("person", "person"), {"tokens": False, "fewer_bodies": True}),
    (("person", "person", "person"), {"promo": True}),
    (("person", "person", "person", "person"), {"draw_seats": True}),
    (("person", "greedy"), {"promo": True, "tokens": False}),
    (("random", "person", "greedy", "person"), {"draw_seats": True}),
    (("open", "person", "open"), {"fewer_bodies": True}),
    (("open", "greedy"), {"draw_seats": True}),
    (("person",), {"levels": [2]}),
    (("open",), {"levels": [1, 2, 3, 4, 5], "promo": True}),
]


# ---------------------------------------------------------------- a whole game and its witnesses


def take_open_places(server: LiveServer, opened: Json) -> Json:
    """Whoever has the invitation comes; the tokens by place."""
    seats = list(opened["seats"])
    if opened["invite"] is None:
        return {**opened, "seats": seats}
    path = f"/api/tables/{opened['table']}/join"
    while True:
        status, taken = server.request("POST", path, {"invite": opened["invite"]})
        if status != 200:
            break
        assert seats[taken["place"]] is None
        seats[taken["place"]] = taken["token"]
    assert (status, taken["code"]) == (409, "taken")
    return {**opened, "seats": seats}


def play_watched(server: LiveServer, opened: Json, seed: int = 0) -> list[Browser]:
    """A game with everybody and a spectator connected at once; the spectator comes last."""
    browsers = seats_of(server, opened, seed, keeps_states=True)
    watcher = Browser(server, opened["table"], opened["watch"], seed, keeps_states=True)
    play_tables([*browsers, watcher])
    return [*browsers, watcher]


def check_against_the_log(server: LiveServer, browsers: list[Browser]) -> Table:
    """Every state that anybody was sent is the fold of the log up to its version."""
    name = browsers[0].table
    log, secret = server.read_log(name), server.read_secret(name)
    wanted: dict[int, list[Json]] = {}
    for browser in browsers:
        assert [state["version"] for state in browser.states] == sorted(
            state["version"] for state in browser.states
        )
        for state in browser.states:
            wanted.setdefault(state["version"], []).append(state)
    table = Table.rebuild(log[:1], secret)
    for version in range(1, len(log) + 1):
        if version > 1:
            table._apply(log[version - 1])
            table.version += 1
        for state in wanted.pop(version, []):
            check_state(table, state)
    assert wanted == {}
    for browser in browsers:
        assert browser.events == as_json(table.events(browser.state["place"]))
    return table


def check_state(table: Table, state: Json) -> None:
    place = state["place"]
    view = table.view(place)
    assert state["view"] == (None if view is None else json.loads(view.to_json()))
    assert (state["status"], state["seat"]) == (table.status, table.seat_of(place))
    assert tuple(state["seating"]) == table.seating
    game = table.game
    told = state["first_event"] + len(state["events"])
    assert told == (0 if game is None else game.event_count)
    assert state["can_undo"] == (game is not None and game.can_undo and table.is_turn_of(place))
    if game is None or game.over or game.options.players == 1:
        assert "turns" not in state
    else:
        truth = truth_of(game)
        assert tuple(state["turns"]["to_come"]) == seats_to_come(truth)
        assert tuple(state["turns"].get("had", ())) == seats_since_third(truth)


def check_the_end(browsers: list[Browser], table: Table) -> None:
    """All are told the same standing, and where the chance came from."""
    standing = msgspec.to_builtins(table.standing())
    found = table.verdict()
    assert found is not None
    by, between = found
    for browser in browsers:
        assert browser.state["verdict"] == {"by": by, "between": list(between)}
        told = [{"gave_up": False, **rank} for rank in browser.state["standing"]]
        assert told == [dict(row) for row in standing]
        assert table.game is not None
        assert browser.state["fairness"]["seed"] == table.game.seed
        assert browser.state["promise"] == table.opened.promise


def whole_game(server: LiveServer, mode: Mode, seed: int = 0) -> tuple[Json, list[Browser]]:
    kinds, options = mode
    opened = take_open_places(server, server.open_table(*kinds, **options))
    browsers = play_watched(server, opened, seed)
    check_the_end(browsers, check_against_the_log(server, browsers))
    return opened, browsers


def check_watcher(watcher: Browser) -> None:
    for state in watcher.states:
        assert (state["place"], state["seat"], state["can_undo"]) == (None, None, False)
        assert not (state["view"] or {}).get("moves")


def check_record(server: LiveServer, opened: Json, folder: Path, *nonces: str) -> str:
    """Everybody with a token gets it, and `coatl verify` finds nothing wrong."""
    path = f"/api/tables/{opened['table']}/record"
    tokens = [*opened["seats"], opened["owner"], opened["watch"]]
    records = [server.request("GET", path, token=token)[1] for token in tokens if token]
    assert len(set(records)) == 1
    file = folder / "game.coatl"
    file.write_text(records[0], encoding="utf-8")
    assert quick_run("verify", file).code == 0
    for nonce in nonces:
        assert quick_run("verify", file, "--promise", opened["promise"], "--nonce", nonce).code == 0
    return str(records[0])


def test_a_whole_game(tmp_path: Path) -> None:
    server = shared_server()
    opened, browsers = whole_game(server, SOLO)
    check_watcher(browsers[-1])
    check_record(server, opened, tmp_path, browsers[0].nonce)


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_whole_game_in_every_mode(mode: Mode, tmp_path: Path) -> None:
    server = shared_server()
    opened, browsers = whole_game(server, mode, seed=7)
    check_watcher(browsers[-1])
    check_record(server, opened, tmp_path, *(browser.nonce for browser in browsers[:-1]))


@pytest.mark.games
def test_many_tables_at_once() -> None:
    server = shared_server()
    kinds = [("person", "person"), ("person", "greedy"), ("person", "person", "person")]
    opened = [server.open_table(*of) for of in kinds]
    seats = [seats_of(server, table, 10 * n, keeps_states=True) for n, table in enumerate(opened)]
    play_tables([browser for browsers in seats for browser in browsers])
    for browsers in seats:
        check_the_end(browsers, check_against_the_log(server, browsers))


# ---------------------------------------------------------------- verify with one's own notes


def test_verify_compares_what_a_player_noted(tmp_path: Path) -> None:
    server = shared_server()
    opened, browsers = whole_game(server, SOLO, seed=3)
    check_record(server, opened, tmp_path, browsers[0].nonce)
    file, promise, nonce = tmp_path / "game.coatl", opened["promise"], browsers[0].nonce
    other = secrets.token_hex(32)
    for wrong, words in (
        (("--promise", other), "another promise"),
        (("--nonce", other), "your nonce is not in the record"),
        (("--promise", promise, "--nonce", other), "your nonce is not in the record"),
        (("--promise", nonce, "--nonce", promise), "another promise"),
    ):
        done = quick_run("verify", file, *wrong)
        assert (done.code, done.out) == (2, "")
        assert words in done.err
        assert done.err.count("\n") == 1


# ---------------------------------------------------------------- rematch


def finish_by_bots(server: LiveServer, opened: Json) -> None:
    """Everybody joins and hands over, so that the game ends soon and by itself."""

    async def play() -> None:
        clients = clients_of(server, opened)
        for client in clients:
            async with client:
                await client.join()
        for client in clients:
            async with client:
                await client.ask("hand_over", bot="random")
        async with clients[0]:
            await client_at_the_end(clients[0])

    run_for_a_while(play())


async def client_at_the_end(client: SeatClient) -> None:
    await client.next_state()
    while client.state["status"] != "over":
        await client.next_state()


@pytest.mark.parametrize("draw_seats", [False, pytest.param(True, marks=pytest.mark.games)])
def test_rematch(draw_seats: bool) -> None:
    """The next player begins; the old tokens are good at the new table, and know their names."""
    server = shared_server()
    opened = server.open_table("person", "random", "person", draw_seats=draw_seats)
    path = f"/api/tables/{opened['table']}"
    assert server.request("POST", f"{path}/rematch", token=opened["owner"])[0] == 409
    finish_by_bots(server, opened)
    old = server.request("GET", path, token=opened["owner"])[1]
    answers = [
        server.request("POST", f"{path}/rematch", token=token)
        for token in (opened["seats"][0], opened["seats"][2], opened["owner"])
    ]
    assert answers[0][0] == 200
    assert answers[0] == answers[1] == answers[2]
    table = answers[0][1]["table"]
    assert server.request("GET", path, token=opened["watch"])[1]["rematch"] == table
    order = [*old["seating"][1:], old["seating"][0]]
    new = server.request("GET", f"/api/tables/{table}", token=opened["watch"])[1]
    assert [place["name"] for place in new["places"]] == [old["places"][n]["name"] for n in order]
    assert [place["kind"] for place in new["places"]] == [old["places"][n]["kind"] for n in order]
    assert (new["status"], new["promise"] == old["promise"]) == ("waiting", False)
    for place in (0, 2):
        state = server.request("GET", f"/api/tables/{table}", token=opened["seats"][place])[1]
        assert state["place"] == order.index(place)
    begin_rematch(server, opened, table)


def begin_rematch(server: LiveServer, opened: Json, table: str) -> None:
    seats = [token for token in opened["seats"] if token]
    finish_by_bots(server, {**opened, "table": table, "seats": seats})
    log = server.read_log(table)
    assert getattr(log[0], "rematch_of", None) == opened["table"]
    again = server.request("POST", f"/api/tables/{table}/rematch", token=seats[0])
    assert again[0] == 200
    assert again[1]["table"] not in (table, opened["table"])


def test_who_may_ask_for_a_rematch() -> None:
    server = shared_server()
    opened = take_open_places(server, server.open_table("open", "greedy"))
    finish_by_bots(server, opened)
    path = f"/api/tables/{opened['table']}/rematch"
    for token in (opened["watch"], opened["invite"]):
        status, answer = server.request("POST", path, token=token)
        assert (status, answer["code"]) == (403, "forbidden")
    status, answer = server.request("POST", path, token=opened["seats"][0])
    assert status == 200
    # Every place of a rematch is somebody's: the old invitation opens nothing there.
    join = f"/api/tables/{answer['table']}/join"
    status, answer = server.request("POST", join, {"invite": opened["invite"]})
    assert (status, answer["code"]) == (401, "bad_token")


# ---------------------------------------------------------------- leaving


def test_hand_over_take_back_and_give_up() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await ana.join()
            await ben.join()
            await leave_and_come_back(ana, ben)
            assert (await ana.ask("give_up"))["type"] == "state"
            await ben.ask("hand_over", bot="random")
            await client_at_the_end(ben)
            check_standing_after_giving_up(ben.state)

    run_for_a_while(play())


async def leave_and_come_back(ana: SeatClient, ben: SeatClient) -> None:
    """A bot plays Ana's setup and stops at Ben's turn; then she is back."""
    state = await ana.ask("hand_over", bot="random")
    assert state["places"][0]["bot"] == "random"
    refused = await ana.ask("decide", version=state["version"], move="done")
    assert refused["code"] in ("bot_plays", "stale")
    await ben.until(lambda message: bool((message.get("view") or {}).get("moves")))
    assert ben.state["version"] > state["version"]
    state = await ana.ask("take_back")
    assert "bot" not in state["places"][0]
    assert (await ana.ask("take_back"))["code"] == "no_bot"
    assert (await ana.ask("hand_over", bot="nobody"))["code"] == "unknown_bot"
    await ben.state_at(state["version"])
    while not ana.is_my_turn:
        answer = await ben.decide()
        assert answer["type"] == "state"
        await ana.state_at(answer["version"])
    assert (await ana.decide())["type"] == "state"


def check_standing_after_giving_up(state: Json) -> None:
    last = state["standing"][-1]
    assert (last["place"], last["rank"], last["gave_up"]) == (0, 2, True)
    assert state["places"][0]["gave_up"] is True
    kinds = [(note["kind"], note["place"]) for note in state["notes"]]
    assert kinds == [("hand", 0), ("back", 0), ("give_up", 0), ("hand", 1)]
    versions = [note["version"] for note in state["notes"]]
    assert versions == sorted(versions)


@pytest.mark.games
def test_the_owner_hands_over_who_has_been_away(tmp_path: Path) -> None:
    """With a shorter while than a minute, which nobody wants to wait."""
    shorter = "import coatl.table.table as t; t.AWAY_SECONDS = 0.05"
    with running_server(tmp_path / "data", shorter) as server:
        opened = server.open_table("person", "person")
        path = f"/api/tables/{opened['table']}/hand_over"
        request = {"place": 0, "bot": "random"}

        async def play() -> None:
            ana, ben = clients_of(server, opened)
            async with ana:
                await ana.join()
                async with ben:
                    await ben.join()
                assert owner_asks(server, path, opened["owner"], request) == "not_away"
            while (code := owner_asks(server, path, opened["owner"], request)) != "done":
                assert code == "not_away"
                await asyncio.sleep(0.01)
            async with ana:
                state = await ana.next_state()
                assert state["notes"][0]["text"] == "owner"
                assert (await ana.ask("take_back"))["type"] == "state"

        run_for_a_while(play())
        check_who_may_hand_over(server, opened, path)


def owner_asks(server: LiveServer, path: str, token: str, request: Json) -> str:
    status, answer = server.request("POST", path, request, token)
    return "done" if status == 200 else str(answer["code"])


def check_who_may_hand_over(server: LiveServer, opened: Json, path: str) -> None:
    for token in (opened["seats"][0], opened["watch"]):
        assert owner_asks(server, path, token, {"place": 0}) == "forbidden"
    assert owner_asks(server, path, opened["owner"], {"place": 2}) == "no_person"
    assert owner_asks(server, path, opened["owner"], {"place": 1, "bot": "x"}) == "unknown_bot"


# ---------------------------------------------------------------- presence


def test_a_state_says_who_is_connected() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            assert connected(await ana.next_state())[0]  # who of them came first is open
            assert connected(await ben.next_state())[1]
            presence = await ana.until(lambda message: message.get("connected") == [True, True])
            assert presence["watching"] == 0
            await ben.socket.close()
            await ana.until(lambda message: message.get("connected") == [True, False])
            path = f"/api/tables/{opened['table']}"
            answer = await asyncio.to_thread(server.request, "GET", path, None, opened["owner"])
            assert connected(answer[1]) == [True, False]

    run_for_a_while(play())


def connected(state: Json) -> list[bool]:
    return [place["connected"] for place in state["places"]]


def test_two_who_connect_at_once_both_see_both() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana:
            await ana.next_state()
            async with ben:
                path = f"/api/tables/{opened['table']}"
                await ben.next_state()
                answer = await asyncio.to_thread(server.request, "GET", path, None, ben_token)
                assert connected(answer[1]) == [True, True]

    ben_token = opened["seats"][1]
    run_for_a_while(play())


# ---------------------------------------------------------------- requests


def test_list_of_my_tables() -> None:
    server = shared_server()
    first = server.open_table("person", "greedy")
    second = server.open_table("person", "person")
    finish_by_bots(server, first)
    tokens = [second["seats"][1], first["seats"][0], first["owner"], "x" * 32]
    status, answer = server.request("POST", "/api/tables/mine", {"tokens": tokens})
    assert status == 200
    found = {(row["table"], row["role"], row["token"]): row for row in answer["tables"]}
    assert set(found) == {
        (second["table"], "seat", 0),
        (first["table"], "seat", 1),
        (first["table"], "owner", 2),
    }
    mine = found[first["table"], "seat", 1]
    assert (mine["status"], mine["place"], mine["your_turn"]) == ("over", 0, False)
    assert mine["names"] == ["Player 1", "greedy"]
    assert mine["bots"] == [None, "greedy"]  # though a bot played for the person to the end
    assert mine["turn"] > 0
    waiting = found[second["table"], "seat", 0]
    assert (waiting["status"], waiting["place"], waiting["turn"]) == ("waiting", 1, 0)
    created = [row["created"] for row in answer["tables"]]
    assert created == sorted(created, reverse=True)
    assert server.request("POST", "/api/tables/mine", {"tokens": []})[1] == {"tables": []}


def test_the_list_knows_whose_turn_it_is() -> None:
    server = shared_server()
    opened = server.open_table("person", "person")

    async def play() -> None:
        for client in clients_of(server, opened):
            async with client:
                await client.join()

    run_for_a_while(play())
    answer = server.request("POST", "/api/tables/mine", {"tokens": opened["seats"]})[1]
    assert {row["place"]: row["your_turn"] for row in answer["tables"]} == {0: True, 1: False}


def test_why() -> None:
    """Over the socket and as a request, the same."""
    server = shared_server()
    opened = server.open_table("person", "person")
    path = f"/api/tables/{opened['table']}/why"

    def ask(place: int, move: str) -> tuple[int, Json]:
        return server.request("POST", path, {"move": move}, opened["seats"][place])

    assert ask(0, "done")[1]["code"] == "not_started"

    async def play() -> None:
        ana, ben = clients_of(server, opened)
        async with ana, ben:
            await ana.join()
            await ben.join()
            await ana.state_at(3)
            reason = await ana.ask("why", move="take b1")
            assert reason["type"] == "reason"
            assert (reason["clause"], reason["cause"]) == ("S5", "S5.first")
            assert (await ben.ask("why", move="take b1"))["code"] == "not_your_turn"
            assert (await ana.ask("why", move="sing"))["code"] == "unreadable"
            legal = ana.moves[0]
            allowed = await ana.ask("why", move=legal)
            assert {"clause", "cause"}.isdisjoint(allowed)
            refused = await ana.decide("take b1")
            assert (refused["code"], refused["clause"]) == ("illegal", reason["clause"])
            assert refused["cause"] == reason["cause"]
            answer = await asyncio.to_thread(ask, 0, "take b1")
            assert (answer[0], answer[1]["cause"]) == (200, reason["cause"])
            assert (await asyncio.to_thread(ask, 0, legal))[1] == {"move": legal}

    run_for_a_while(play())
    assert ask(0, "sing")[1]["code"] == "unreadable"
    assert ask(1, "done")[1]["code"] == "not_your_turn"
    assert server.request("POST", path, {"move": "done"}, opened["watch"])[0] == 409


def test_cards_and_bots() -> None:
    server = shared_server()
    deck = standard_deck()
    status, cards = server.request("GET", "/api/cards")
    assert status == 200
    assert [card["name"] for card in cards["prophecies"]] == [c.name for c in deck.prophecies]
    assert [card["name"] for card in cards["temples"]] == [c.name for c in deck.temples]
    assert all(card["sentence"] for card in cards["prophecies"] + cards["temples"])
    assert cards["digest"] == deck.digest
    assert cards["numbers"] == {
        "coatls": 3,
        "board": 8,
        "cards": 4,
        "hand": 5,
        "kept": 3,
        "kept_solo": 3,
        "players": [1, 2, 3, 4],
        "tokens": [2, 3, 4],
        "fewer_bodies": [2, 3],
        "levels": [1, 2, 3, 4, 5],
        "level_hands": [5, 4, 5, 5, 5],
    }
    status, found = server.request("GET", "/api/bots")
    assert (status, found["bots"]) == (200, list(player_names()))


# ---------------------------------------------------------------- replay


def record_of_a_game(*seats: str) -> str:
    game = Game.new(players=3, seed="replay", promo=True)
    game.seats = seats
    n = 0
    while not game.over:
        moves = game.legal_moves()
        game.play(moves[n % len(moves)])
        n += 1
        if game.can_undo and n % 17 == 0:
            game.undo()
    return game.record()


def test_replay_step_by_step() -> None:
    """As each seat saw it, and all open: the same as the game itself says."""
    server = shared_server()
    record = record_of_a_game("Ana", "Ben", "bot:greedy")
    moves = Game.replay(record).moves_made
    shown = {0, 1, 2, moves.index("undo") + 1, len(moves) // 2, len(moves)}
    before = 0
    for step, game in enumerate(Game.steps(record)):
        if step in shown:
            for seat in (0, 1, 2, None):
                check_replay_step(server, record, step, seat, game, before)
        before = game.event_count
    request = {"record": record, "step": len(moves)}
    assert server.request("POST", "/api/replay", request)[1]["steps"] == len(moves) + 1
    request["step"] = len(moves) + 1
    assert server.request("POST", "/api/replay", request)[1]["code"] == "bad_message"
    assert server.request("POST", "/api/replay", {"record": record, "seat": 3})[0] == 400
    assert server.request("POST", "/api/replay", {"record": "?"})[1]["code"] == "bad_record"


def check_replay_step(
    server: LiveServer, record: str, step: int, seat: int | None, game: Game, before: int
) -> None:
    request = {"record": record, "step": step, "seat": seat}
    status, answer = server.request("POST", "/api/replay", request)
    assert status == 200
    seats = [seat] if seat is not None else [0, 1, 2]
    assert answer["views"] == [json.loads(game.view(at).to_json()) for at in seats]
    events = game.all_events(before) if seat is None else game.events(seat, before)
    assert answer["events"] == as_json(events)
    assert (answer["step"], answer["over"]) == (step, game.over)
    decided = step > 0 and game.last_move != "undo"
    assert (answer["move"] or {}).get("text") == (game.last_move if decided else None)
    assert answer["seats"] == ["Ana", "Ben", "bot:greedy"]


# ---------------------------------------------------------------- the example


USUAL = ServerSettings()
LIMITS = {
    "none": {},
    "the usual ones": {
        "COATL_MESSAGES_PER_SECOND": str(USUAL.messages_per_second),
        "COATL_MESSAGE_BURST": str(USUAL.message_burst),
    },
    "one message at a time": {"COATL_MESSAGES_PER_SECOND": "50", "COATL_MESSAGE_BURST": "1"},
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "limits"),
    [("random", "none"), ("random", "one message at a time"), ("greedy", "the usual ones")],
)
def test_the_example_client_plays_a_game(tmp_path: Path, bot: str, limits: str) -> None:
    """To its end, however quick the bot is and however slow the server lets it be."""
    with running_server(tmp_path / "data", **LIMITS[limits]) as server:
        done = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "client.py"), server.url, bot],
            capture_output=True,
            text=True,
            env=environment(),
            timeout=PATIENCE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("[{'rank': 1, 'place': ")


def test_a_practice_table_is_played() -> None:
    """One person and a bot go on from a position; states and lists say that it is practice."""
    server = shared_server()
    position = "2p turn=9 | board=K> hand={K} coatl=<KKK | board=<R,R"
    practice = {"position": position, "draws": ["RGRG"]}
    opened = server.open_table("person", "greedy", practice=practice)
    assert opened["promise"] == ""

    async def play() -> None:
        async with SeatClient(server, opened["table"], opened["seats"][0]) as client:
            await client.join()
            assert client.state["practice"]
            assert client.state["promise"] == ""
            await client.decide("draw")
            hand = client.state["view"]["seats"][0]["hand"]
            assert "RGRG" in hand

    run_for_a_while(play())
    _, mine = server.request("POST", "/api/tables/mine", {"tokens": [opened["seats"][0]]})
    assert [table["practice"] for table in mine["tables"]] == [True]


def test_a_position_that_is_over_is_no_practice() -> None:
    practice = {"position": "2p phase=over end=passed passes=2"}
    places = [{"kind": "person"}, {"kind": "bot", "bot": "greedy"}]
    request = {"places": places, "practice": practice}
    status, answer = shared_server().request("POST", "/api/tables", request)
    assert (status, answer["code"]) == (400, "bad_position")
    assert answer["text"] == "the game is over in this position"
