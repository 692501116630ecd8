"""The bounded memory keeps what is in use."""

from __future__ import annotations

from coatl.memory import Memory


def test_what_is_asked_for_is_never_forgotten() -> None:
    memory: Memory[int, str] = Memory(10)
    memory.keep(-1, "in use")
    for number in range(1000):
        memory.keep(number, str(number))
        if number % 5 == 0:
            assert memory.get(-1) == "in use"


def test_it_is_bounded_and_keeps_the_latest() -> None:
    memory: Memory[int, str] = Memory(10)
    for number in range(1000):
        memory.keep(number, str(number))
        assert len(memory) <= 20
    assert [memory.get(number) for number in range(990, 1000)] == [str(n) for n in range(990, 1000)]
    assert memory.get(5) is None


def test_clear_forgets_all() -> None:
    memory: Memory[str, int] = Memory(3)
    for name in "abcdef":
        memory.keep(name, 1)
    memory.clear()
    assert len(memory) == 0
    assert memory.get("f") is None
