"""`GET /metrics`: who may see it, and that its figures are what happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from coatl import __version__
from coatl.server.figures import Histogram
from coatl.server.metrics import resident_memory
from tests.server.fuzzing import LocalServer, compiled, local_server
from tests.server.harness import SeatClient, clients_of, run_for_a_while, wait_until

pytestmark = compiled

PROXIED = {"X-Forwarded-For": "192.0.2.1"}  # as a proxy on this machine tells the address
TOKEN = "a-secret-of-the-operator"
Figures = dict[str, float]
Serve = Callable[..., LocalServer]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(local_server(tmp_path / "data", **settings))


def figures(server: LocalServer) -> Figures:
    """All samples, such as `coatl_tables{status=playing}`, by an independent parser."""
    status, text = server.request("GET", "/metrics")
    assert status == 200
    found: Figures = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sample.labels.items())
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


# ---------------------------------------------------------------- who may see it


def test_there_is_no_such_page_unless_it_is_asked_for(serve: Serve) -> None:
    server = serve(COATL_METRICS_TOKEN=TOKEN)
    status, answer = server.request("GET", "/metrics", token=TOKEN)
    assert (status, answer["code"]) == (404, "not_found")


def test_other_machines_need_the_token(serve: Serve) -> None:
    server = serve(COATL_METRICS="1", COATL_METRICS_TOKEN=TOKEN)
    unknown = server.request("GET", "/no-such-page", headers=PROXIED)
    for token in (None, "", "wrong", TOKEN[:-1], "é"):
        assert server.request("GET", "/metrics", token=token, headers=PROXIED) == unknown
    assert server.request("GET", "/metrics", token=TOKEN, headers=PROXIED)[0] == 200
    assert server.request("GET", "/metrics")[0] == 200


@pytest.mark.parametrize("token", [None, "", "x"])
def test_without_a_token_only_this_machine_may(serve: Serve, token: str | None) -> None:
    server = serve(COATL_METRICS="1")
    assert server.request("GET", "/metrics", token=token, headers=PROXIED)[0] == 404
    assert server.request("GET", "/metrics")[0] == 200


# ---------------------------------------------------------------- what it tells


def test_the_figures_are_what_happened(serve: Serve) -> None:
    server = serve(COATL_METRICS="1", COATL_TABLES_PER_MINUTE="1", COATL_TABLE_BURST="1")
    before = figures(server)
    assert before[f"coatl_info{{version={__version__},protocol=2}}"] == 1
    assert before["coatl_entries_stored_total"] == before["coatl_commit_seconds_count"] == 0
    opened = server.open_table("person", "greedy", draw_seats=False)
    assert server.request("POST", "/api/tables", {"places": []})[0] == 429
    playing = play_a_turn(server, opened["table"], opened["seats"][0], opened["watch"])
    decisions = run_for_a_while(playing)
    after = figures(server)
    assert after["coatl_decisions_total{by=people}"] == decisions
    assert after["coatl_decisions_total{by=bots}"] >= 1
    assert after["coatl_change_seconds_count"] == 1 + decisions  # the person also came
    assert after["coatl_bot_thinking_seconds_count"] >= 1
    assert after["coatl_entries_stored_total"] >= 4
    assert 2 <= after["coatl_commit_seconds_count"] <= after["coatl_entries_stored_total"]
    assert after["coatl_commit_seconds_bucket{le=+Inf}"] == after["coatl_commit_seconds_count"]
    assert after["coatl_refusals_total{what=request,code=too_fast}"] == 1
    assert after["coatl_uptime_seconds"] > before["coatl_uptime_seconds"]
    assert after["process_cpu_seconds_total"] > before["process_cpu_seconds_total"]


async def play_a_turn(server: LocalServer, table: str, token: str, watch: str) -> int:
    """Until the bot has decided something; how many decisions the person made."""
    async with (
        SeatClient(server, table, token) as seat,
        SeatClient(server, table, watch) as spectator,
    ):
        await spectator.next_state()
        await seat.next_state()
        await seat.join()
        here = figures(server)
        assert here["coatl_tables{status=playing}"] == 1
        assert here["coatl_sockets{role=seat}"] == here["coatl_sockets{role=spectator}"] == 1
        decisions = 0
        while not figures(server)["coatl_decisions_total{by=bots}"]:
            if seat.moves:
                await seat.decide()
                decisions += 1
            else:
                await seat.next_state()
    wait_until(lambda: figures(server)["coatl_sockets{role=seat}"] == 0, "the seat is left")
    return decisions


def test_labels_tell_nothing_about_people(serve: Serve) -> None:
    server = serve(COATL_METRICS="1", COATL_METRICS_TOKEN=TOKEN)
    opened = server.open_table("person", "person")

    async def come() -> None:
        first, second = clients_of(server, opened)
        async with first, second:
            await first.ask("join", nonce="0" * 64, name="Xochitl")
            _, text = server.request("GET", "/metrics")
            for secret in ("Xochitl", opened["table"], *opened["seats"], "127.0.0.1", TOKEN):
                assert secret not in text

    run_for_a_while(come())


def test_the_figures_of_workers_are_told_apart(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COATL_WORKER_NUMBER", "3")
    server = serve(COATL_METRICS="1")
    found = figures(server)
    assert all("{worker=3" in name for name in found)
    assert found["coatl_decisions_total{worker=3,by=bots}"] == 0


def test_failures_are_counted(serve: Serve) -> None:
    server = serve(COATL_METRICS="1")
    server.store.file.unlink()
    assert server.request("GET", "/readyz")[0] == 503
    opening = {"places": [{"kind": "person"}, {"kind": "person"}]}
    assert server.request("POST", "/api/tables", opening)[0] == 503
    found = figures(server)
    assert found["coatl_write_failures_total"] == 2
    assert server.request("GET", "/api/tables/unknown", token="x")[0] == 503
    assert figures(server)["coatl_read_failures_total"] == 1


def test_buckets_hold_what_took_no_longer() -> None:
    histogram = Histogram((1.0, 2.0))
    for seconds in (0.5, 1.0, 1.5, 2.5):
        histogram.observe(seconds)
    assert (histogram.counts, histogram.total) == ([2, 1, 1], 5.5)


def test_memory() -> None:
    memory = resident_memory()
    assert memory is None or memory > 1_000_000
