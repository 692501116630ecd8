"""A process that has the kernel loaded and forks a `coatl` for each line it is given.

Starting the program takes a second, most of it for importing the compiler and loading the kernel,
and the tests start it some hundred times. A fork has its own arguments, folder, environment and
files, and imports what is ours besides the rules.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from typing import NoReturn, TextIO, TypedDict, cast

OTHERS = (  # what the commands import that is not ours
    *("typer.main", "typer.rich_utils", "pydantic.type_adapter", "pydantic.functional_validators"),
    *("rich.progress", "msgspec.json", "concurrent.futures.process"),
)


class Order(TypedDict):
    """One run: what `main` finds in its process."""

    arguments: list[str]
    cwd: str
    env: dict[str, str]
    files: list[str]  # paths of standard input, output and error


def serve() -> None:
    """Answer each order (a line of JSON) with the exit code of its fork."""
    for name in OTHERS:
        with suppress(ImportError):  # a version of Typer may do without one of them
            import_module(name)
    from coatl.compiler import jit

    jit.load_all()
    gc.freeze()
    for line in sys.stdin:
        with warnings.catch_warnings():  # later Pythons warn of threads, which are NumPy's
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            obey(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def obey(order: Order) -> NoReturn:
    """Be a `coatl`. What Python does at its end is left out, since that takes longer than we do."""
    for number, path in enumerate(order["files"]):
        file = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_TRUNC)
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = fresh(0, "r"), fresh(1, "w")
    sys.stderr = fresh(2, "w")
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.argv = ["coatl", *order["arguments"]]
    code = exit_code()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def fresh(number: int, mode: str) -> TextIO:
    """A file as Python opens it when it starts; ours have been read from and written to."""
    return cast("TextIO", open(number, mode, encoding="utf-8", closefd=False))


def exit_code() -> int:
    from coatl.cli.main import main

    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve()
