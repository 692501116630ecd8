"""What `make try-image` reads: the Dockerfile, and which files belong to the image."""

from __future__ import annotations

from pathlib import Path

from tools.try_image import Stage, context_files, instructions

ROOT = Path(__file__).parents[2]


def test_instructions_are_read_whole_and_without_comments() -> None:
    text = '# About.\nARG A=1\n\nRUN one \\\n    && two\n# more\nCMD ["x"]\n'
    assert list(instructions(text)) == [("ARG", "A=1"), ("RUN", "one && two"), ("CMD", '["x"]')]


def test_variables_are_filled_in_as_the_dockerfile_means_them() -> None:
    stage = Stage(Path(), env={"CPU": "v3"}, arguments={"CPU": "v2", "PYTHON": "3.11"})
    assert stage.filled_in("${CPU} $PYTHON ${UNKNOWN}.") == "v3 3.11 ."


def test_only_files_that_are_let_in_belong_to_the_image(tmp_path: Path) -> None:
    for name in ("a/one", "a/made/two", "a/b/__pycache__/three", "c", "d/lock", "d/other"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    rules = "# About.\n*\n!a\n!d/lock\na/made\n**/__pycache__\n"
    found = [file.relative_to(tmp_path).as_posix() for file in context_files(rules, tmp_path)]
    assert found == ["a/one", "d/lock"]


def test_the_image_is_made_from_sources_and_nothing_that_was_made() -> None:
    rules = (ROOT / ".dockerignore").read_text("utf-8")
    names = {file.relative_to(ROOT).as_posix() for file in context_files(rules)}
    assert {"pyproject.toml", "web/package-lock.json", "requirements/image.lock"} <= names
    assert "src/coatl/rules/cards.toml" in names
    assert not {name for name in names if "node_modules" in name or "/static/" in name}
    assert "Makefile" not in names
