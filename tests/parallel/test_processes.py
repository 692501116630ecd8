"""Work in several processes: results as they come, and no process left behind."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator, Iterator
from multiprocessing import active_children, connection, get_context
from pathlib import Path
from typing import cast

import pytest

from coatl.parallel.processes import TASKS_PER_PROCESS, ProcessDied, run_in_processes
from tests.parallel import work

PATIENCE = 120  # seconds


def test_every_task_has_its_result_once() -> None:
    found = list(run_in_processes(work.square, ((number,) for number in range(20)), 2))
    assert sorted(found) == [(number, number * number) for number in range(20)]
    assert list(run_in_processes(work.square, [], 2)) == []


def test_tasks_are_taken_as_they_are_needed() -> None:
    """A simulation may have a million."""
    taken = []

    def tasks() -> Iterator[tuple[int]]:
        for number in range(1000):
            taken.append(number)
            yield (number,)

    results = cast("Generator[tuple[int, int]]", run_in_processes(work.square, tasks(), 2))
    next(results)
    assert len(taken) == 2 * TASKS_PER_PROCESS
    results.close()


def test_what_the_work_raises_is_raised_here() -> None:
    with pytest.raises(LookupError, match="not 1"):
        list(run_in_processes(work.fail, [(1,)], 2))


def test_a_process_that_dies_is_one_clear_error() -> None:
    with pytest.raises(ProcessDied, match=r"^a process died$"):
        list(run_in_processes(work.die, [(1,), (2,)], 2))


def test_stopped_early_it_leaves_no_process_of_its_own_and_spares_others(tmp_path: Path) -> None:
    before = set(active_children())  # one of another test may not have ended yet
    other = get_context("spawn").Process(target=work.finish_the_first, args=(1, str(tmp_path)))
    other.start()
    try:
        tasks = [(number, str(tmp_path)) for number in (0, 2, 3)]
        results = cast("Generator[int]", run_in_processes(work.finish_the_first, tasks, 2))
        assert next(results) == 0
        ours = set(active_children()) - before - {other}
        assert len(ours) == 2
        results.close()
        for process in ours:  # the pool may be told of its end before us, so we cannot ask `join`
            assert connection.wait([process.sentinel], PATIENCE)
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def test_exiting_at_once_writes_what_was_printed() -> None:
    program = (
        "import threading, time\n"
        "from coatl.parallel.processes import exit_at_once\n"
        "threading.Thread(target=time.sleep, args=[1000]).start()\n"  # would be waited for
        "print('written', end='')\n"
        "exit_at_once(7)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout) == (7, b"written")
