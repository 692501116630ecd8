"""What is handed out: a wheel and a source archive, and the program installed from them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import venv
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from coatl import __version__
from coatl.compiler.functions import DISABLED
from tests.cli import program

ROOT = Path(__file__).parent.parent
FIND_AND_DRAW = "import coatl; print(coatl.__file__); print(coatl.svg.card('KKK'))"
SMALLEST = "coatl.net"  # of the packages that are compiled
COMPILE = f"from coatl.compiler import jit; jit.load_all({SMALLEST!r})"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
PATIENCE = 300  # seconds; packages may have to be fetched
BESIDES = (  # files for those who work on it or host it
    *("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff"),
    *("Makefile", "Dockerfile", ".dockerignore", "compose.yaml"),
    *(".yamllint.yaml", ".pre-commit-config.yaml"),
)
NEEDED = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", *BESIDES)
FOLDERS = ("src", "web", "tests", "bench", "docs", "tools", "licenses", "requirements", "deploy")
NOT_IN_A_WHEEL = ("tests", "bench", "docs", "examples", "requirements", "deploy", *BESIDES)
KEPT_WHEELS = ROOT / ".cache" / "wheels"
MADE = ("__pycache__", "node_modules", "static", "paraglide")

pytestmark = [
    pytest.mark.games,
    pytest.mark.skipif(DISABLED, reason="has nothing to do with how the kernel runs"),
]


def call(
    command: Sequence[str | Path], cwd: Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run a program outside of the environment of the tests."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "NUMBA_", "COATL_", "VIRTUAL_ENV"))
    }
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=cwd,
        env=kept | changes,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # else what it started would keep the pipes open
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def succeed(command: Sequence[str | Path], cwd: Path, **changes: str) -> str:
    done = call(command, cwd, **changes)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture
def registry(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Building fetches hatchling, installing fetches what we depend on."""
    folder = tmp_path_factory.mktemp("registry")
    command = [*PIP, "download", "--no-deps", "--quiet", "hatchling>=1.27"]
    if call(command, folder).returncode != 0:
        pytest.skip("no package registry can be reached")


@pytest.fixture
def built(registry: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel, built from a copy of the work tree."""
    folder = tmp_path_factory.mktemp("built")
    copy = folder / "copy"
    copy.mkdir()
    for name in NEEDED:
        shutil.copy(ROOT / name, copy)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns(*MADE))
    build = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir")
    succeed([*build, folder, copy], folder)
    add_wheel(folder, only(folder, "*.tar.gz"))
    return folder


def add_wheel(folder: Path, archive: Path) -> None:
    """The wheel is made from the source archive, page and all, with nothing but what that asks for.

    That takes longest of all tests, so one that was made from the same files is used again.
    """
    kept = KEPT_WHEELS / digest_of(archive)
    if not kept.exists():
        make = (*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir")
        succeed([*make, folder, archive], folder)
        keep_wheel(only(folder, "*.whl"), kept)
    else:
        shutil.copy(only(kept, "*.whl"), folder)


def digest_of(archive: Path) -> str:
    """Of everything in the source archive that a wheel could be made of, and of this Python."""
    digest = hashlib.sha256(sys.version.encode())
    with tarfile.open(archive) as opened:
        for member in sorted(opened.getmembers(), key=lambda member: member.name):
            if member.name.split("/")[1] not in NOT_IN_A_WHEEL:
                content = opened.extractfile(member)
                assert content is not None, member.name
                digest.update(f"\0{member.name} {member.mode} {member.size}\0".encode())
                digest.update(content.read())
    return digest.hexdigest()


def keep_wheel(wheel: Path, kept: Path) -> None:
    """Instead of the one before; whole or not at all."""
    shutil.rmtree(KEPT_WHEELS, ignore_errors=True)
    unfinished = kept.with_suffix(".unfinished")
    unfinished.mkdir(parents=True)
    shutil.copy(wheel, unfinished)
    unfinished.rename(kept)


def only(folder: Path, pattern: str) -> Path:
    (found,) = folder.glob(pattern)
    return found


def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def sources(built: Path) -> set[str]:
    """Every file of the package, as it is named in a wheel."""
    source = built / "copy" / "src"
    return {str(file.relative_to(source)) for file in source.rglob("*") if file.is_file()}


def test_what_is_handed_out(built: Path, tmp_path: Path) -> None:
    """One test, so that several processes do not each build it."""
    check_that_the_wheel_holds_the_package_and_nothing_else(built)
    check_the_metadata(built)
    check_that_the_source_archive_holds_what_is_needed_to_work_on_it(built)
    check_that_the_source_archive_is_the_same_again(built)
    check_that_a_page_that_cannot_be_built_is_said(built)
    check_the_installed_program(built, tmp_path)


def check_that_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    wheel = only(built, "*.whl")
    assert wheel.name == f"coatl-{__version__}-py3-none-any.whl"
    names = wheel_names(wheel)
    ours = {name for name in names if not name.startswith(f"coatl-{__version__}.dist-info/")}
    assert {"coatl/py.typed", "coatl/rules/cards.toml", "coatl/cli/main.py"} <= ours
    assert {"coatl/drawings/pieces.svg", "coatl/drawings/tokens.css"} <= ours
    page = {name for name in ours if name.startswith("coatl/static/")}
    assert "coatl/static/index.html" in page
    assert {Path(name).suffix for name in page} >= {".js", ".css", ".woff2"}
    assert "coatl/static/assets/alegreya-sans-OFL.txt" in page
    with zipfile.ZipFile(wheel) as archive:
        licences = archive.read("coatl/static/assets/code-licences.txt").decode()
    assert {"svelte", "qr"} <= set(re.findall(r"^(\S+) \d+\.\d+\.\d+$", licences, re.MULTILINE))
    assert ours - page == sources(built)
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert any(name.endswith("licenses/alegreya-sans-OFL.txt") for name in names - page)


def check_the_metadata(built: Path) -> None:
    with zipfile.ZipFile(only(built, "*.whl")) as archive:
        folder = f"coatl-{__version__}.dist-info"
        metadata = archive.read(f"{folder}/METADATA").decode()
        assert "coatl = coatl.cli.main:main" in archive.read(f"{folder}/entry_points.txt").decode()
    assert f"\nVersion: {__version__}\n" in metadata
    assert "\nRequires-Python: >=3.11\n" in metadata
    assert "\nLicense-Expression: MIT AND OFL-1.1\n" in metadata
    assert "\n# Cóatl\n" in metadata
    address = re.search(r"^Project-URL: Repository, (\S+)$", metadata, re.MULTILINE)
    assert address is not None
    links = re.findall(r"\]\(([^)\s]+)\)", metadata)
    assert [link for link in links if "://" not in link] == []
    assert f"{address[1]}/raw/v{__version__}/docs/pictures/table.webp" in links
    needed = {line.split()[1] for line in metadata.splitlines() if line.startswith("Requires-Dist")}
    assert {"numpy>=2.0", "numba>=0.62", "typer>=0.28", "rich>=14.3"} <= needed


def check_that_the_source_archive_holds_what_is_needed_to_work_on_it(built: Path) -> None:
    with tarfile.open(only(built, "*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {*NEEDED, "src/coatl/rules/cards.toml", "tests/play.py", "docs/rules.md"} <= names
    assert "licenses/alegreya-sans-OFL.txt" in names
    assert {f"src/{name}" for name in sources(built)} <= names
    assert {"web/package-lock.json", "web/node-version.txt", "web/src/main.ts"} <= names
    assert not [name for name in names if {".venv", *MADE} & set(name.split("/"))]


def check_that_the_source_archive_is_the_same_again(built: Path) -> None:
    """From another folder, with other times. `make reproducible` compares wheels, too."""
    again = built / "again"
    shutil.copytree(built / "copy", again, copy_function=shutil.copy)
    build = (sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir")
    succeed([*build, again / "dist", again], built)
    first, second = only(built, "*.tar.gz"), only(again / "dist", "*.tar.gz")
    assert second.read_bytes() == first.read_bytes()


def check_that_a_page_that_cannot_be_built_is_said(built: Path) -> None:
    """With a lock file that npm refuses; an environment of its own would change nothing."""
    copy = built / "broken"
    shutil.copytree(built / "copy", copy, ignore=shutil.ignore_patterns("tests", "docs"))
    (copy / "web" / "package-lock.json").write_text("{", encoding="utf-8")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir")
    done = call([*build, copy, copy], built)
    assert done.returncode != 0
    assert "The page could not be built: npm ci failed." in done.stdout + done.stderr
    assert not list(copy.glob("*.whl"))


def check_the_installed_program(built: Path, tmp_path: Path) -> None:
    """In an empty environment, away from the work tree."""
    programs = install(only(built, "*.whl"), tmp_path / "environment")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    printed = succeed([programs / "python", "-c", FIND_AND_DRAW], elsewhere)
    found, _, drawing = printed.partition("\n")
    assert Path(found).is_relative_to(tmp_path)
    assert drawing.startswith("<svg ")
    assert succeed([programs / "coatl", "--version"], elsewhere) == f"coatl {__version__}\n"
    assert "simulate" in succeed([programs / "python", "-m", "coatl", "--help"], elsewhere)
    assert "Three black in a row" in succeed([programs / "coatl", "cards"], elsewhere)
    check_that_it_compiles(programs / "python", elsewhere)
    check_game(programs / "coatl", elsewhere)
    check_page(programs / "coatl", elsewhere)


def install(wheel: Path, environment: Path) -> Path:
    """The folder with the programs of a new environment."""
    venv.create(environment, with_pip=False)  # ours can install there, too
    programs = environment / "bin"
    install = ("--python", programs / "python", "install", "--quiet", "--no-compile")
    succeed([*PIP, *install, wheel], environment)
    return programs


def check_that_it_compiles(python: Path, folder: Path) -> None:
    """It says so; the second time it finds the cache.

    The rules take most of a minute, and are the same as in the work tree: they stay as Python here.
    """
    cache = folder / "cache"
    first = call([python, "-c", COMPILE], folder, COATL_CACHE_DIR=str(cache))
    assert first.returncode == 0, first.stderr
    assert first.stderr.startswith("Compiling the network for this machine, once")
    assert first.stderr.count("\n") == 1
    assert list(cache.iterdir())
    second = call([python, "-c", COMPILE], folder, COATL_CACHE_DIR=str(cache))
    assert (second.returncode, second.stderr) == (0, "")


def check_game(coatl: Path, folder: Path) -> None:
    """It is the same as here, where it is compiled."""
    options = ["simulate", "--games", "1", "--seed", "1", "--json"]
    there = json.loads(succeed([coatl, *options], folder, NUMBA_DISABLE_JIT="1"))
    here = json.loads(program.output(*options))
    assert (there["games"], there["interrupted"]) == (1, False)
    assert there["seats"] == here["seats"]


def check_page(coatl: Path, folder: Path) -> None:
    """It is served by a program that knows of no Node."""
    log = folder / "log"
    command = [str(coatl), "serve", "--port", "0", "--data", str(folder / "data")]
    bare = {"PATH": str(folder), "NUMBA_DISABLE_JIT": "1", "HOME": str(folder)}
    with log.open("w") as errors:
        server = subprocess.Popen(command, cwd=folder, env=bare, stderr=errors)
    try:
        address = f"http://127.0.0.1:{wait_for_port(server, log)}"
        page = fetch(address)
        assert '<div id="app">' in page
        (script,) = re.findall(r'src="(/assets/[^"]+\.js)"', page)
        (first_screen,) = set(re.findall(r"assets/page-[\w-]+\.js", fetch(address + script)))
        assert "Cóatl" in fetch(f"{address}/{first_screen}")
    finally:
        server.terminate()
        server.wait(30)


def wait_for_port(server: subprocess.Popen[bytes], log: Path) -> int:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        found = re.search(r'"port": ?(\d+)', log.read_text(encoding="utf-8"))
        if found:
            return int(found[1])
        time.sleep(0.05)
    raise AssertionError(log.read_text(encoding="utf-8"))


def fetch(address: str) -> str:
    """It tells its port a moment before it listens."""
    for _ in range(600):
        with suppress(urllib.error.URLError), urllib.request.urlopen(address, timeout=30) as answer:
            return str(answer.read().decode("utf-8"))
        time.sleep(0.05)
    raise AssertionError(f"{address} does not answer")
