"""Build the Dockerfile without a container engine, start the server in it, and ask it.

`make try-image` is for machines where no container can run. It needs Linux and root: each stage is
an overlay over this machine's own files, which takes the place of the base image and stays as it
is, and every `RUN` is executed in there. The server is then started with a root that cannot be
written to, as the user that the Dockerfile names and without any rights. What that leaves out: the
base image, the layers, and what an engine or a proxy does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.try_server import TryError, open_table, wait_for

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".cache" / "image"
INSIDE = "--inside"  # of a mount namespace of its own, which takes all mounts away when it ends
PATIENCE = 60.0  # seconds until it answers
OURS = ("PYTHON", "COATL_", "NUMBA_", "VIRTUAL_ENV")
_VARIABLE = re.compile(r"\$\{(\w+)\}|\$(\w+)")


class ImageError(Exception):
    """The image cannot be built, or does not do what it should."""


@dataclass
class Stage:
    """One `FROM` of the Dockerfile: files, and what holds in there."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "0:0"
    volume: str = ""
    health: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def filled_in(self, text: str) -> str:
        known = {"PATH": os.environ["PATH"]} | self.arguments | self.env
        return _VARIABLE.sub(lambda found: known.get(found[1] or found[2], ""), text)


def instructions(text: str) -> Iterator[tuple[str, str]]:
    """Keywords of a Dockerfile with what follows them, in one line each."""
    kept = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in kept.replace("\\\n", " ").splitlines():
        if line.strip():
            keyword, _, rest = line.strip().partition(" ")
            yield keyword, " ".join(rest.split())


def context_files(rules: str, root: Path = ROOT) -> Iterator[Path]:
    """The files that `.dockerignore` lets into the image; its last rule that fits decides."""
    lines = [line for line in rules.splitlines() if line and not line.startswith("#")]
    patterns = [(line.startswith("!"), line.removeprefix("!").strip("/")) for line in lines]
    chosen = {pattern.split("/")[0] for is_let_in, pattern in patterns if is_let_in}
    for folder, folders, files in os.walk(root):
        here = Path(folder).relative_to(root)
        if here == Path():
            folders[:] = chosen.intersection(folders)
        else:  # what is left out as a whole is not looked into
            folders[:] = [name for name in folders if _may_hold(here / name, patterns)]
        folders.sort()
        yield from (
            root / here / name for name in sorted(files) if _is_let_in(here / name, patterns)
        )


def _may_hold(folder: Path, patterns: list[tuple[bool, str]]) -> bool:
    """Can there be anything in a folder that is let in?"""
    start = f"{folder.as_posix()}/"
    named = any(is_let_in and pattern.startswith(start) for is_let_in, pattern in patterns)
    return named or _is_let_in(folder, patterns)


def _is_let_in(file: Path, patterns: list[tuple[bool, str]]) -> bool:
    names = [file.as_posix(), *(parent.as_posix() for parent in file.parents)][:-1]
    is_let_in = True
    for decision, pattern in patterns:
        anywhere = pattern.removeprefix("**/")
        if pattern == "*" or pattern in names or (anywhere != pattern and anywhere in file.parts):
            is_let_in = decision
    return is_let_in


# ---------------------------------------------------------------- building


def call(*command: str | Path) -> None:
    done = subprocess.run([str(part) for part in command], check=False)
    if done.returncode != 0:
        raise ImageError(f"{' '.join(map(str, command))} failed")


def new_stage(number: int) -> Stage:
    """An overlay over this machine, in which everybody may use its Python."""
    folder = FOLDER / str(number)
    upper, work, root = folder / "upper", folder / "work", folder / "root"
    for one in (upper, work, root):
        one.mkdir(parents=True)
    layers = f"lowerdir=/,upperdir={upper},workdir={work}"
    call("mount", "-t", "overlay", "overlay", "-o", layers, root)
    for system in ("proc", "dev"):
        call("mount", "--rbind", f"/{system}", root / system)
    for parent in Path(sys.executable).resolve().parents:
        if parent != Path("/"):
            (root / parent.relative_to("/")).chmod(0o755)
    return Stage(root)


def copy(stage: Stage, words: list[str], others: Mapping[str, Stage]) -> None:
    """From another stage, or the files that belong to the image."""
    *sources, target = [word for word in words if not word.startswith("--")]
    to = stage.root / f"{stage.folder}/{target}".removeprefix("/")
    if target.startswith("/"):
        to = stage.root / target.removeprefix("/")
    origin = next((word.removeprefix("--from=") for word in words if word.startswith("--")), "")
    if origin:
        shutil.copytree(others[origin].root / sources[0].removeprefix("/"), to, symlinks=True)
        return
    for file in context_files((ROOT / ".dockerignore").read_text("utf-8")):
        name = file.relative_to(ROOT)
        if sources == ["."]:
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, to / name)
        elif name.as_posix() in sources:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, to)


def run(stage: Stage, line: str) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    began = time.monotonic()
    script = f"cd {stage.folder} && {line}"
    done = subprocess.run(
        ["chroot", str(stage.root), "/bin/sh", "-c", script],
        env=kept | stage.arguments | stage.env,
        check=False,
    )
    if done.returncode != 0:
        raise ImageError(f"RUN {line} failed")
    print(f"{time.monotonic() - began:6.1f} s  {line[:90]}", flush=True)


def build(text: str) -> Stage:
    """The last stage."""
    stages: dict[str, Stage] = {}
    stage = Stage(Path())
    for keyword, rest in instructions(text):
        if keyword == "FROM":
            stage = new_stage(len(stages))
            stages[rest.partition(" AS ")[2] or "last"] = stage
        elif keyword == "ARG":
            name, _, value = rest.partition("=")
            stage.arguments[name] = os.environ.get(f"IMAGE_{name}", value)
        elif keyword == "ENV":
            for one in rest.split():
                name, _, value = one.partition("=")
                stage.env[name] = stage.filled_in(value.strip('"'))
        elif keyword == "WORKDIR":
            stage.folder = rest
            (stage.root / rest.removeprefix("/")).mkdir(parents=True, exist_ok=True)
        elif keyword == "COPY":
            copy(stage, rest.split(), stages)
        elif keyword == "RUN":
            run(stage, rest)
        elif keyword == "USER":
            stage.user = rest
        elif keyword == "VOLUME":
            stage.volume = rest
        elif keyword == "HEALTHCHECK":
            stage.health = json.loads(rest.partition(" CMD ")[2])
        elif keyword in ("ENTRYPOINT", "CMD"):
            stage.command += json.loads(rest)
        elif keyword != "EXPOSE":
            raise ImageError(f"{keyword}: this tool does not know it")
    return stage


# ---------------------------------------------------------------- starting


def lock_down(stage: Stage) -> None:
    """As `--read-only --tmpfs /tmp` and an empty volume do."""
    user, group = stage.user.split(":")
    volume = stage.root / stage.volume.removeprefix("/")
    if volume.stat().st_uid != int(user):
        raise ImageError(f"{stage.volume} does not belong to {user}")
    call("mount", "-o", "remount,ro", stage.root)
    call("mount", "-t", "tmpfs", "tmpfs", stage.root / "tmp")
    owner = f"uid={user},gid={group},mode=0700"
    call("mount", "-t", "tmpfs", "-o", owner, "tmpfs", volume)


def as_user(stage: Stage, command: list[str]) -> list[str]:
    user, group = stage.user.split(":")
    rights = ["--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    chosen = ["setpriv", f"--reuid={user}", f"--regid={group}", *rights]
    return ["chroot", str(stage.root), *chosen, "--", *command]


def start(stage: Stage) -> None:
    """Print how long it takes to answer; fails if it compiles, writes or is not healthy."""
    env = {"PATH": os.environ["PATH"]} | stage.env
    log = FOLDER / "log"
    began = time.monotonic()
    with log.open("wb") as file:
        server = subprocess.Popen(as_user(stage, stage.command), env=env, stderr=file)
    try:
        for path in ("/", "/readyz"):
            wait_for(f"http://127.0.0.1:8642{path}", server, began + PATIENCE)
            print(f"{time.monotonic() - began:6.2f} s  until {path} answers", flush=True)
        open_table("http://127.0.0.1:8642")
        print(f"{time.monotonic() - began:6.2f} s  until a table is open", flush=True)
        if subprocess.run(as_user(stage, stage.health), env=env, check=False).returncode != 0:
            raise ImageError("the health check fails")
        write = ["touch", "/opt/coatl/x"]
        done = subprocess.run(as_user(stage, write), stderr=subprocess.PIPE, check=False)
        if done.returncode == 0:
            raise ImageError("its files can be written to")
    except TryError as error:
        raise ImageError(f"{error}\n{log.read_text('utf-8', errors='replace')}") from None
    finally:
        server.terminate()
        server.wait(60)
    if "Compiling" in log.read_text("utf-8"):
        raise ImageError("it compiled what the image should bring along")


def try_image() -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8642)) == 0:
            raise ImageError("something else uses port 8642")
    shutil.rmtree(FOLDER, ignore_errors=True)
    stage = build((ROOT / "Dockerfile").read_text("utf-8"))
    lock_down(stage)
    start(stage)
    start(stage)


def main() -> None:
    if INSIDE not in sys.argv:
        namespace = ["unshare", "--mount", "--propagation", "private"]
        again = [sys.executable, "-m", "tools.try_image", INSIDE]
        sys.exit(subprocess.run([*namespace, *again], cwd=ROOT, check=False).returncode)
    try:
        try_image()
    except ImageError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
