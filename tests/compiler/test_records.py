"""Records as bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from coatl.compiler.records import copy_records
from coatl.rules.chance import new_chance
from coatl.rules.state import STATE, new_states


def test_copied_records_are_equal_and_apart() -> None:
    states = new_states(3)
    states.view(np.uint8)[:] = np.arange(3 * STATE.itemsize) % 251
    copies = new_states(3)
    copy_records(copies[1:], states[:2])
    assert copies[1:].tobytes() == states[:2].tobytes()
    assert copies[:1].tobytes() == bytes(STATE.itemsize)
    states.view(np.uint8)[:] = 0
    assert any(copies[1:].tobytes())


def test_only_records_alike_are_copied() -> None:
    states = new_states(2)
    others: tuple[Any, ...] = (new_states(3), new_states(0), new_chance(1))
    for wrong in others:
        with pytest.raises(ValueError, match="as many records of the same type"):
            copy_records(states, wrong)
    locked = new_states(2)
    locked.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        copy_records(locked, states)
