"""Wrong arguments raise ValueError or TypeError: nothing crashes, hangs or goes unnoticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from coatl.compiler.functions import DISABLED
from tests.cli.program import environment

CALLS = 1500
PATIENCE = 600  # seconds; it takes three
FUZZED = (  # some of those that have to refuse something
    *("Batch", "Batch.random_actions", "Batch.set_weights", "Batch.step"),
    *("BatchedSearch", "BatchedSearch.advance", "SearchSettings", "Policy", "SearchPlayer.choose"),
    *("action_of", "new_chance", "numbers_below"),
    *("play_game", "random_results", "training_mix", "view_of", "Wrong.step", "Wrong.ask_damaged"),
)


@pytest.mark.skipif(DISABLED, reason="plain Python cannot crash")
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_no_wrong_argument_gets_through(tmp_path: Path, seed: int) -> None:
    under_way = tmp_path / "call"
    command = [sys.executable, "-m", "tests.wrong_arguments", str(seed), str(CALLS), str(under_way)]
    root = Path(__file__).parent.parent
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"this call does not come back: {under_way.read_text()}")
    if done.returncode != 0:
        pytest.fail(f"{done.returncode} in {under_way.read_text()}\n{done.stderr}")
    refused, *names = done.stdout.split()
    assert int(refused) > CALLS // 2
    assert set(FUZZED) <= set(names)
