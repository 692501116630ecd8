"""Analyses where several processes serve one database: one of them makes each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coatl import analysis
from coatl.server import analyses, leases
from coatl.server.analyses import Asker
from coatl.server.manager import TableManager
from coatl.server.protocol import RequestError, ServerCode
from coatl.server.store import hash_token
from tests.cli.program import compiled
from tests.server.engines import PostgresEngine, postgres_engine
from tests.server.harness import run_for_a_while
from tests.server.slow_analysis import STEPS, SlowAnalysis
from tests.server.test_sharing import managers, until

pytestmark = [compiled, pytest.mark.slow]
ANA = Asker("192.0.2.1", token=hash_token("Ana"))
BEN = Asker("192.0.2.2", token=hash_token("Ben"))
BEGUN = ("waiting", "running")


@pytest.fixture
def engine() -> Iterator[PostgresEngine]:
    with postgres_engine() as engine:
        yield engine


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> type[SlowAnalysis]:
    SlowAnalysis.forget()
    monkeypatch.setattr(analysis, "Analysis", SlowAnalysis)
    monkeypatch.setattr(analyses, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(leases, "SECONDS", 3600.0)  # however slow this machine is
    return SlowAnalysis


async def status(manager: TableManager, asker: Asker = ANA) -> str:
    return (await manager.analyses.state("a", asker)).status


async def begin(manager: TableManager, asker: Asker = ANA, id: str = "a") -> str:
    return (await manager.analyses.ask(id, "record", "quick", asker)).status


def test_one_process_makes_it_and_the_others_tell_of_it(engine: PostgresEngine) -> None:
    async def play() -> None:
        async with managers(engine) as (one, other):
            assert await begin(one) in BEGUN
            SlowAnalysis.allow(2)
            await until(lambda: SlowAnalysis.made and SlowAnalysis.made[0].done == 2)
            assert await begin(other, BEN) == "running"
            assert other.analyses.count == 0
            SlowAnalysis.allow()
            await until(lambda: not one.analyses.count)
            assert await status(other) == "done"
            assert len(SlowAnalysis.made) == 1

    run_for_a_while(play())


def test_it_is_cancelled_at_another_process(engine: PostgresEngine) -> None:
    async def play() -> None:
        async with managers(engine) as (one, other):
            await begin(one)
            await until(lambda: SlowAnalysis.made)
            assert (await other.analyses.cancel("a", ANA)).status != "running"
            SlowAnalysis.allow(1)  # after this step it looks
            await until(lambda: not one.analyses.count)
            assert await status(one) == await status(other) == "stopped"
            SlowAnalysis.allow()
            await begin(other)
            await until(lambda: not other.analyses.count)
            assert (await status(one), SlowAnalysis.made[-1].first) == ("done", 1)

    run_for_a_while(play())


def test_a_visitor_has_one_at_all_processes(engine: PostgresEngine) -> None:
    async def play() -> None:
        async with managers(engine) as (one, other):
            await begin(one)
            with pytest.raises(RequestError) as refused:
                await begin(other, id="b")
            assert refused.value.code == ServerCode.ONE_ANALYSIS
            assert await begin(other, BEN, "b") in BEGUN
            SlowAnalysis.allow(2 * STEPS)
            await until(lambda: not one.analyses.count and not other.analyses.count)
            assert await begin(other, id="c") in BEGUN
            SlowAnalysis.allow()

    run_for_a_while(play())


def test_what_a_process_found_before_it_died_is_gone_on_with(engine: PostgresEngine) -> None:
    async def play() -> None:
        async with managers(engine) as (one, other):
            await begin(one)
            SlowAnalysis.allow(1)
            await until(lambda: SlowAnalysis.made and SlowAnalysis.made[0].done == 1)
            await until(lambda: one.analyses._stored.load_found("a"))
            engine.query("DELETE FROM leases")  # as they end when nobody renews them
            assert await status(other) == "stopped"
            assert await begin(other) in BEGUN
            # The first process is alive here: it must not finish before the other one has read.
            await until(lambda: len(SlowAnalysis.made) == 2)
            assert SlowAnalysis.made[1].first == 1
            SlowAnalysis.allow(2 * STEPS)
            await until(lambda: not other.analyses.count)
            assert await status(other) == "done"

    run_for_a_while(play())
