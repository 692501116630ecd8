"""`make attack`: that its attacks attack, and that they end by themselves."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from bench.attack import doors, run, tables
from bench.attack.target import ATTACKER, SERVER, Target
from tests.server.fuzzing import LocalServer, compiled, local_server

pytestmark = compiled
SECONDS = 0.1


def has_address() -> bool:
    """Linux has all of 127.0.0.0/8; others have to be told."""
    with socket.socket() as probe:
        try:
            probe.bind((ATTACKER, 0))
        except OSError:
            return False
    return True


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    folder = tmp_path_factory.mktemp("attack") / "data"
    with local_server(folder, COATL_MESSAGES_PER_SECOND="1", COATL_MESSAGE_BURST="1") as server:
        yield server


@pytest.mark.skipif(not has_address(), reason="the attacker has no address of its own here")
@pytest.mark.parametrize(
    ("attack", "refusal"),
    [
        (doors.pings, "socket too_fast"),
        (doors.many_headers, "connection too_large"),
        (doors.other_names, "request wrong_host"),
        (doors.not_http, "connection bad_request"),
    ],
)
def test_attacks_attack(server: LocalServer, attack: run.Attack, refusal: str) -> None:
    before = server.refusals.totals[refusal]
    target = Target(server.port, SECONDS)
    while server.refusals.totals[refusal] == before:  # a busy machine may need a second try
        attack(target)
        target.begin += SECONDS
    assert target.tally


def test_attacks_stay_on_this_machine() -> None:
    assert SERVER == "127.0.0.1"
    assert len(run.ATTACKS) == len(doors.ATTACKS) + len(tables.ATTACKS)
