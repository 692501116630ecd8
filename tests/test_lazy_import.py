"""The names of `coatl` load when they are first used, and are those of their modules."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import coatl

HEAVY = ("numba", "numpy", "llvmlite")


def home(value: Any) -> ModuleType:
    """The module a class or function was made in."""
    return import_module(value.__module__)


@pytest.mark.parametrize("name", coatl.__all__)
def test_every_name_resolves_to_that_of_its_module(name: str) -> None:
    value = getattr(coatl, name)
    if name == "__version__":
        assert value == import_module("coatl._version").__version__
    elif name in coatl._MODULES:
        assert value is sys.modules[f"coatl.{name}"]
    else:
        assert getattr(home(value), name) is value
        assert value.__module__.startswith("coatl.")


@pytest.mark.parametrize("name", coatl._HOME_OF)
def test_homes_are_where_names_are_defined(name: str) -> None:
    module = import_module(coatl._HOME_OF[name])
    assert getattr(coatl, name) is getattr(module, name)
    assert getattr(coatl, name).__module__ == module.__name__


def test_all_names_have_a_home() -> None:
    assert {*coatl._HOME_OF, *coatl._MODULES, "__version__"} == set(coatl.__all__)
    assert coatl.__all__ == sorted(coatl.__all__)


@pytest.mark.parametrize("name", ["Gaem", "numpy_of_its_own", "__nothing__"])
def test_an_unknown_name_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'coatl' has no attribute '{name}'"):
        getattr(coatl, name)
    assert not hasattr(coatl, name)


def test_a_type_checker_knows_which_names_there_are() -> None:
    """mypy, which `make check` runs, complains of a comment that ignores no error."""
    with pytest.raises(AttributeError):
        coatl.Batch  # type: ignore[attr-defined]  # noqa: B018
    assert coatl.Game.__name__ == "Game"


def test_an_unknown_name_cannot_be_imported() -> None:
    with pytest.raises(ImportError, match="cannot import name 'Gaem' from 'coatl'"):
        exec("from coatl import Gaem")


def test_dir_lists_every_name() -> None:
    assert set(coatl.__all__) <= set(dir(coatl))
    assert dir(coatl) == sorted(dir(coatl))


def test_a_star_import_gives_every_name() -> None:
    names: dict[str, Any] = {}
    exec("from coatl import *", names)
    assert set(coatl.__all__) <= set(names)


def loaded_after(code: str) -> set[str]:
    """The packages that a fresh Python has loaded after some code."""
    probe = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=120, check=True
    )
    names: list[str] = json.loads(done.stdout)
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize(
    "code",
    [
        "import coatl; coatl.__version__; dir(coatl)",
        "from coatl.players import player_names; player_names()",
        "from coatl.players.registry import UnknownPlayer",
        "import coatl.cli.main",
        "import coatl.cli.serve",  # or it would take longer until the page comes
        "from coatl import IllegalMove",
    ],
)
def test_what_needs_no_kernel_loads_no_compiler(code: str) -> None:
    assert loaded_after(code).isdisjoint(HEAVY)


def test_drawing_a_card_loads_no_compiler() -> None:
    """Reading the deck needs NumPy."""
    loaded = loaded_after("import coatl; coatl.svg.card('KKK'); coatl.svg.coatl('<KR', ['{R}'])")
    assert loaded.isdisjoint({"numba", "llvmlite"})


def test_the_probe_would_notice() -> None:
    assert loaded_after("from coatl import Game").issuperset(HEAVY)
