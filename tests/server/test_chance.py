"""Nobody can choose the chance of a game, or change it afterwards: `coatl verify` finds it."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import permutations
from pathlib import Path

import pytest

from coatl import Game
from coatl.errors import RecordError
from coatl.fairness import (
    Fairness,
    derive_seed,
    draw_lots,
    format_fairness,
    is_secret,
    new_secret,
    promise_of,
    read_fairness,
)
from tests.cli.program import compiled, quick_run
from tests.server.harness import clients_of, run_for_a_while, shared_server
from tests.table.making import play_to_the_end, started


def sha256(*parts: str) -> str:
    return hashlib.sha256(b"".join(map(bytes.fromhex, parts))).hexdigest()


# ---------------------------------------------------------------- as docs/fairness.md says


def test_the_promise_and_the_seed_are_plain_hashes() -> None:
    secret, first, second = new_secret(), new_secret(), new_secret()
    assert is_secret(secret)
    assert promise_of(secret) == sha256(secret)
    assert derive_seed(secret, {}) == sha256(secret)
    assert derive_seed(secret, {2: second, 0: first}) == sha256(secret, first, second)
    assert derive_seed(secret, {0: second, 2: first}) == sha256(secret, second, first)


def test_lots_give_every_order_equally_often() -> None:
    """3000 seeds, each order of three within five standard deviations of 500."""
    orders = Counter(draw_lots(f"seed {number}", 3) for number in range(3000))
    assert set(orders) == set(permutations(range(3)))
    assert all(abs(count - 500) < 5 * 20.5 for count in orders.values())


@compiled
def test_the_promise_comes_before_any_nonce() -> None:
    """At a real server: the promise is in the answer to opening, and is kept at the end."""
    server = shared_server()
    opened = server.open_table("person", "random", "person", draw_seats=True)
    nonces = [secrets.token_hex(32) for _ in range(2)]

    async def play() -> list[str]:
        promises = [opened["promise"]]
        ana, eve = clients_of(server, opened)
        async with ana, eve:
            for client, nonce in ((ana, nonces[0]), (eve, nonces[1])):
                promises.append((await client.next_state())["promise"])
                promises.append((await client.ask("join", nonce=nonce))["promise"])
            for client in (ana, eve):
                await client.ask("hand_over", bot="random")
            await ana.until(lambda message: message.get("status") == "over")
            fairness = ana.state["fairness"]
        assert fairness["nonces"] == {"0": nonces[0], "2": nonces[1]}
        assert sha256(fairness["secret"]) == opened["promise"]
        assert fairness["seed"] == sha256(fairness["secret"], *nonces)
        assert tuple(ana.state["seating"]) == draw_lots(fairness["seed"], 3)
        return promises

    assert set(run_for_a_while(play())) == {opened["promise"]}
    record = server.request("GET", f"/api/tables/{opened['table']}/record", token=opened["owner"])
    assert f"Promise: {opened['promise']}\n" in record[1]


@compiled
def test_no_two_tables_have_the_same_secret() -> None:
    server = shared_server()
    promises = {server.open_table("person", "person")["promise"] for _ in range(5)}
    assert len(promises) == 5


# ---------------------------------------------------------------- what verify finds


@lru_cache(maxsize=1)
def record() -> str:
    return play_to_the_end(started("person", "person", "random", draw_seats=True)).record()


def header(name: str) -> str:
    found = re.search(rf"^{name}: (.*)$", record(), re.MULTILINE)
    assert found is not None
    return found[1]


def with_header(name: str, value: str) -> str:
    assert header(name) != value
    return record().replace(f"{name}: {header(name)}\n", f"{name}: {value}\n")


def other_secret() -> str:
    return with_header("Secret", "ab" * 32)


def other_promise() -> str:
    return with_header("Promise", "ab" * 32)


def other_secret_and_promise() -> str:
    """A server that made up a secret afterwards."""
    return other_secret().replace(header("Promise"), promise_of("ab" * 32))


def other_nonce() -> str:
    return with_header("Nonces", f"0={'ab' * 32}, {header('Nonces').split(', ')[1]}")


def nonce_left_out() -> str:
    return with_header("Nonces", header("Nonces").split(", ")[0])


def nonces_exchanged() -> str:
    first, second = (part.partition("=")[2] for part in header("Nonces").split(", "))
    return with_header("Nonces", f"0={second}, 1={first}")


def other_seating() -> str:
    how, *places = header("Seating").split()
    assert how == "lot"
    return with_header("Seating", " ".join([how, *reversed(places)]))


def other_seed() -> str:
    return with_header("Seed", "ab" * 32)


def other_seed_and_commitment() -> str:
    commitment = Game.new(seed="ab" * 32).commitment
    return other_seed().replace(header("Commitment"), commitment)


def other_setup_draws() -> str:
    first, second = re.search(r"^0 # (\S+) (\S+)", record(), re.MULTILINE).groups()  # type: ignore[union-attr]
    other = "K" if first != "K" else "R"
    return record().replace(f"0 # {first} {second}", f"0 # {other} {second}")


def other_draw() -> str:
    found = re.search(r"^(\d+\.\d .* # )(\S+)(.*)$", record(), re.MULTILINE)
    assert found is not None
    other = "K" if found[2] != "K" else "R"
    return record().replace(found[0], f"{found[1]}{other}{found[3]}")


CHANGES: dict[str, tuple[Callable[[], str], str]] = {
    "secret": (other_secret, "the secret is not the one that was promised"),
    "promise": (other_promise, "the secret is not the one that was promised"),
    "secret and promise": (other_secret_and_promise, "the seed does not come from the secret"),
    "nonce": (other_nonce, "the seed does not come from the secret and the nonces"),
    "a nonce less": (nonce_left_out, "the seed does not come from the secret and the nonces"),
    "nonces exchanged": (nonces_exchanged, "the seed does not come from the secret and the nonces"),
    "seating": (other_seating, "the seats were not drawn by the seed"),
    "seed": (other_seed, "the commitment is not that of the seed"),
    "seed and commitment": (other_seed_and_commitment, "the setup draws are not those of the seed"),
    "setup draws": (other_setup_draws, "the setup draws are not those of the seed"),
    "a draw": (other_draw, "the replay draws"),
}


def problems_of(text: str) -> str:
    """What is wrong with a record; empty if nothing is."""
    try:
        game = Game.replay(text)
    except RecordError as error:
        return str(error)
    assert game.seed is not None
    assert game.fairness is not None
    return "; ".join(game.fairness.problems(game.seed))


def test_nothing_is_wrong_with_the_record() -> None:
    assert problems_of(record()) == ""


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_found(change: str) -> None:
    make, words = CHANGES[change]
    assert make() != record()
    assert words in problems_of(make())


@pytest.mark.slow
@compiled
def test_the_program_finds_them_too(tmp_path: Path) -> None:
    file = tmp_path / "game.coatl"
    file.write_text(record(), encoding="utf-8")
    done = quick_run("verify", file, "--promise", header("Promise"))
    assert (done.code, done.err) == (0, "")
    for make, words in CHANGES.values():
        file.write_text(make(), encoding="utf-8")
        done = quick_run("verify", file)
        assert (done.code, done.out) == (2, "")
        assert words in done.err.replace("\n", " ")
        assert done.err.count("\n") == 1


@compiled
def test_without_a_seed_nothing_is_proved(tmp_path: Path) -> None:
    """The draws would be forced, so such a record shows no more than that its moves were legal."""
    file = tmp_path / "game.coatl"
    text = record().replace(f"Seed: {header('Seed')}\n", "")
    assert Game.replay(text).seed is None
    file.write_text(text, encoding="utf-8")
    done = quick_run("verify", file)
    assert done.code == 2
    assert "does not say where its chance came from" in done.err


# ---------------------------------------------------------------- the lines of a record


def test_the_lines_are_read_as_they_were_written() -> None:
    for nonces in ({}, {0: "ab" * 32}, {0: "ab" * 32, 3: "cd" * 32}):
        for by_lot in (False, True):
            fairness = Fairness("12" * 32, "34" * 32, nonces, (2, 0, 3, 1), by_lot)
            lines = dict(line.split(": ", 1) for line in format_fairness(fairness))
            assert read_fairness(lines, 4) == fairness
    assert read_fairness({}, 4) is None


BAD_LINES = {
    "Promise": ["", "12" * 31, "XY" * 32],
    "Secret": ["", "12" * 33],
    "Nonces": ["", "0", f"9={'ab' * 32}", f"0={'ab' * 31}", f"0={'ab' * 32},1={'ab' * 32}"],
    "Seating": ["", "lot", "lot 0 0", "lot 0 1 2", "drawn 0 1", "0 1"],
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD_LINES.items() for value in values]
)
def test_lines_that_cannot_be_read(name: str, value: str) -> None:
    fairness = Fairness("12" * 32, "34" * 32, {0: "ab" * 32}, (1, 0), True)
    lines = dict(line.split(": ", 1) for line in format_fairness(fairness))
    with pytest.raises(ValueError, match=r"hexadecimal|Seating|Nonces"):
        read_fairness({**lines, name: value}, 2)
    del lines[name]
    with pytest.raises(ValueError, match=f"the header {name} is missing"):
        read_fairness(lines, 2)
