"""A process that has the kernel loaded and forks a `coatl` for each order it is given.

Starting the program takes a second, most of it for importing the compiler and loading the kernel,
and the tests start it some hundred times. A fork has its own arguments, folder, environment and
files. What is ours has been imported, too, unless the order has it imported anew.

It listens at the socket whose path is its argument, and ends with its standard input.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import select
import signal
import socket
import sys
import termios
import traceback
import warnings
from contextlib import suppress
from importlib import import_module
from typing import NoReturn, TextIO, TypedDict, cast

OTHERS = (  # what the program imports that is not ours
    *("typer.main", "typer.rich_utils", "pydantic.type_adapter", "pydantic.functional_validators"),
    *("rich.progress", "rich.table", "msgspec.json", "concurrent.futures.process", "asyncio"),
    *("uvicorn.main", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.auto"),
    *("uvicorn.protocols.websockets.websockets_sansio_impl", "starlette.applications"),
    *("starlette.responses", "starlette.websockets", "sqlalchemy.dialects.sqlite.pysqlite"),
    *("alembic.command", "ssl", "webbrowser", "multiprocessing.connection", "alembic.config"),
    *("typer._adapters", "pydantic.fields", "pydantic.types", "pydantic.plugin._loader"),
    *("starlette.staticfiles", "uvicorn.loops.uvloop", "platformdirs", "gzip", "encodings.idna"),
    *("concurrent.futures.thread", "urllib.request"),
)
OURS = (  # what the commands import when they are called
    *("coatl.cli.play", "coatl.cli.learn", "coatl.cli.simulate", "coatl.cli.cards"),
    *("coatl.cli.rules", "coatl.cli.bots", "coatl.cli.replay", "coatl.cli.serve"),
    *("coatl.cli.verify", "coatl.cli.main", "coatl.server.app"),
)


class Order(TypedDict):
    """One run: what `main` finds in its process. Three open files come with it."""

    arguments: list[str]
    cwd: str
    env: dict[str, str]
    prelude: str  # Python that is run first
    imports_anew: bool  # what is ours, since the prelude changes it
    controls_terminal: bool  # its files are a terminal's, which is to be its own


def serve(address: str) -> None:
    """Until the process that wants the forks has ended."""
    for name in OTHERS:
        with suppress(ImportError):  # another version of a library may do without one of them
            import_module(name)
    from coatl.compiler import jit
    from coatl.compiler.packages import compiled_packages
    from coatl.rules.cards import standard_deck
    from coatl.view.texts import view_texts

    jit.load_all()
    compiled_packages()  # remembers which sources each has, which a server asks for
    view_texts(standard_deck())  # is remembered, and half of what a server does when it starts
    kept = set(sys.modules)
    for name in OURS:
        import_module(name)
    anew = [name for name in set(sys.modules) - kept if name.startswith("coatl.")]
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how those who watch have ended
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [])
            if sys.stdin in ready:
                return
            connection, _ = listening.accept()
            with connection:
                if fork() == 0:
                    listening.close()
                    watch(connection, anew)


def fork() -> int:
    with warnings.catch_warnings():  # later Pythons warn of threads, which are NumPy's
        warnings.simplefilter("ignore")
        return os.fork()


def watch(connection: socket.socket, anew: list[str]) -> NoReturn:
    """Start what is ordered, tell its number and, when it has ended, its exit code.

    `anew` are modules that are forgotten if the order has them imported anew.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, files, _, _ = socket.recv_fds(connection, 1, 3)
    order: Order = json.loads(connection.makefile().readline())
    child = fork()
    if child == 0:
        connection.close()
        for name in anew if order["imports_anew"] else ():
            del sys.modules[name]
        obey(order, files)
    for file in files:
        os.close(file)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the program
    with suppress(BrokenPipeError):  # who ordered it does not wait for its end
        connection.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        connection.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def obey(order: Order, files: list[int]) -> NoReturn:
    """Be a `coatl`. What Python does at its end is left out, since that takes longer than we do."""
    if order["controls_terminal"]:
        os.setsid()
        fcntl.ioctl(files[0], termios.TIOCSCTTY, 0)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout = fresh(0, "r"), fresh(1, "w")
    sys.stderr = fresh(2, "w")
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    sys.argv = ["coatl", *order["arguments"]]
    code = exit_code(order["prelude"])
    atexit._run_exitfuncs()
    with suppress(BrokenPipeError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def fresh(number: int, mode: str) -> TextIO:
    """A file as Python opens it when it starts; ours have been read from and written to."""
    return cast("TextIO", open(number, mode, encoding="utf-8", closefd=False))


def exit_code(prelude: str) -> int:
    try:
        exec(prelude, {"__name__": "prelude"})
        from coatl.cli.main import main

        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    serve(sys.argv[1])
