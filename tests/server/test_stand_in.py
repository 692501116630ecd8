"""A bot that plays for a person waits until their screen shows what was played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import compiled
from tests.server.harness import (
    Json,
    LiveServer,
    SeatClient,
    run_for_a_while,
    running_server,
    shared_server,
)

pytestmark = [compiled, pytest.mark.games]

QUESTIONS = 20  # answered while the bot waits: else it would have moved by then


@pytest.fixture
def server() -> LiveServer:
    return shared_server()


def looking(server: LiveServer, opened: Json, place: int = 0) -> SeatClient:
    """A client that tells what is on its screen."""
    return SeatClient(server, opened["table"], opened["seats"][place], shown=0)


async def hand_over(client: SeatClient) -> int:
    """Let a bot play; the version on the screen, which shows everything so far."""
    await client.join()
    answer = await client.ask("hand_over", bot="random")
    return int(answer["version"])


async def assert_waits(client: SeatClient, version: int) -> None:
    """However long it takes: nothing has been played when all questions are answered."""
    for number in range(QUESTIONS):
        await client.send("ping", id=str(number))
        await client.until(lambda message: message["type"] == "pong")
        assert client.state["version"] == version


def test_each_move_waits_for_the_screen(server: LiveServer) -> None:
    opened = server.open_table("person", "person")

    async def play() -> None:
        async with looking(server, opened) as ana, looking(server, opened, 1) as ben:
            await ben.join()
            version = await hand_over(ana)
            while ana.state["view"]["to_move"] == 0:  # it sets up: some moves
                await assert_waits(ana, version)
                await ana.send("shown", version=version)
                assert (await ana.next_state())["version"] == version + 1
                version += 1
            taken_back = await ana.ask("take_back")
            assert taken_back["version"] == version + 1  # nothing was played in between

    run_for_a_while(play())


def test_the_position_on_the_screen_is_taken_back(server: LiveServer) -> None:
    """Against bots, which do not wait, in the middle of the game."""
    opened = server.open_table("person", "random", "random")

    async def play() -> None:
        async with looking(server, opened) as ana:
            version = await hand_over(ana)
            for _ in range(12):
                await ana.send("shown", version=version)
                version = await own_turn(ana, version)
            taken_back = await ana.ask("take_back")
            assert taken_back["version"] == version + 1
            assert taken_back["view"]["to_move"] == 0
            assert (await ana.decide())["version"] == version + 2

    run_for_a_while(play())


async def own_turn(client: SeatClient, version: int) -> int:
    """The next version at which the bot of the first seat is to move."""
    while True:
        state = await client.next_state()
        if state["version"] > version and state["view"]["to_move"] == 0:
            return int(state["version"])


def test_no_client_that_does_not_tell_is_waited_for(server: LiveServer) -> None:
    opened = server.open_table("person", "random")

    async def play() -> None:
        async with SeatClient(server, opened["table"], opened["seats"][0]) as old:
            await hand_over(old)
            await old.until(lambda message: message.get("status") == "over")

    run_for_a_while(play())


def test_an_old_window_beside_a_new_one(server: LiveServer) -> None:
    """Only the new one is waited for; what the old one sees is not told to the server."""
    opened = server.open_table("person", "random")

    async def play() -> None:
        old = SeatClient(server, opened["table"], opened["seats"][0])
        async with looking(server, opened) as new, old:
            version = await hand_over(new)
            await old.state_at(version)
            await assert_waits(old, version)

    run_for_a_while(play())


def test_every_window_has_to_show_it(server: LiveServer) -> None:
    opened = server.open_table("person", "random")

    async def play() -> None:
        async with looking(server, opened) as one, looking(server, opened) as two:
            version = await hand_over(one)
            await one.send("shown", version=version)
            await assert_waits(one, version)
            await two.send("shown", version=version)
            await two.state_at(version + 1)

    run_for_a_while(play())


def test_nobody_is_waited_for_who_left(server: LiveServer) -> None:
    """The game goes on to its end, and a window that comes back is told where it stands."""
    opened = server.open_table("person", "random")

    async def play() -> None:
        async with SeatClient(server, opened["table"], opened["watch"]) as watching:
            async with looking(server, opened) as ana:
                version = await hand_over(ana)
            await watching.until(lambda message: message.get("status") == "over")
            assert watching.state["version"] > version

    run_for_a_while(play())


def test_who_comes_back_is_waited_for_at_once(server: LiveServer) -> None:
    """The hello says what is on the screen: the bot has no time to run ahead."""
    opened = server.open_table("person", "person")

    async def play() -> None:
        async with looking(server, opened, 1) as ben:
            await ben.join()
            async with looking(server, opened) as ana:
                version = await hand_over(ana)
                again = SeatClient(server, opened["table"], opened["seats"][0], shown=version - 1)
                async with again:
                    await again.state_at(version)
                    await ana.send("shown", version=version)
                    await assert_waits(again, version)

    run_for_a_while(play())


def test_after_giving_up_nobody_is_waited_for(server: LiveServer) -> None:
    opened = server.open_table("person", "random")

    async def play() -> None:
        async with looking(server, opened) as ana:
            await hand_over(ana)
            await ana.ask("give_up")
            await ana.until(lambda message: message.get("status") == "over")

    run_for_a_while(play())


def test_other_people_do_not_wait_for_ever(tmp_path: Path) -> None:
    """Somebody stopped the telling of the moves, and others want to play on."""
    hurry = "from coatl.server import bot_runner\nbot_runner.SCREEN_SECONDS = 0.01"
    with running_server(tmp_path / "data", hurry) as server:
        opened = server.open_table("person", "person")

        async def play() -> None:
            async with looking(server, opened) as ana, looking(server, opened, 1) as ben:
                await ben.join()
                await hand_over(ana)
                await ben.until(lambda message: bool((message.get("view") or {}).get("moves")))

        run_for_a_while(play())
