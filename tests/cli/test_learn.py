"""`coatl learn`: every lesson to its end, wrong turns, leaving and going on, the list."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from coatl.cli.progress import Place, Progress
from coatl.lessons import LESSONS, NEXT, load_lesson, load_words, path_to
from coatl.lessons.words import CommandWords
from coatl.rulebook import LANGUAGES, Language
from tests.cli import program
from tests.cli.terminal_driver import TAB, Terminal

pytestmark = program.compiled


def learn(file: Path, *lines: str, lesson: str = "", lang: str = "en", **options: bool) -> str:
    """What is written while somebody types these lines; no-break spaces as others, in one line."""
    arguments = [*([lesson] if lesson else []), "--lang", lang, "--progress", str(file)]
    arguments += [f"--{name}" for name, wanted in options.items() if wanted]
    done = program.quick_run("learn", *arguments, input="".join(f"{line}\n" for line in lines))
    assert (done.code, done.err) == (0, "")
    return done.out


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def kept(file: Path) -> dict[str, Place]:
    found = json.loads(file.read_text("utf-8"))
    return {name: Place(tuple(place["path"]), place["step"]) for name, place in found.items()}


def typed(name: str) -> list[str]:
    """A whole lesson, as one types it."""
    path = path_to(name, len(load_lesson(name).steps))
    return ["" if item == NEXT else item for item in path]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_to_the_end(tmp_path: Path, name: str, language: Language) -> None:
    file = tmp_path / "progress.json"
    text = flat(learn(file, *typed(name), lesson=name, lang=language))
    words = load_words(name, language)
    for step in words.steps.values():
        assert flat(step.title) in text
    over = {"en": "The lesson is over.", "fr": "La leçon est finie.", "de": "ist zu Ende."}
    assert over[language] in text
    assert kept(file)[name].step == len(load_lesson(name).steps)


@pytest.mark.parametrize("name", LESSONS)
def test_everything_is_shown(tmp_path: Path, name: str) -> None:
    lines = ["show"] * len(typed(name))
    assert "The lesson is over." in learn(tmp_path / "p.json", *lines, lesson=name)


def test_a_wrong_turn_and_back(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    text = flat(learn(file, "", "take b4", "take b2", "", "take b2"))
    assert flat(load_words("first", "en").steps["take"].wrong["space"]) in text
    assert text.count("Press Enter to take it back.") == 2  # the second time, it is nobody's turn
    assert "step 3 of 10: Read a card" in text
    assert kept(file)["first"].path == (NEXT, "take b2")


def test_back(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    learn(file, "", "take b2", "", "pick !GG!", "back")
    assert kept(file)["first"] == Place((NEXT, "take b2", NEXT), 3)
    learn(file, "back")
    assert kept(file)["first"] == Place((NEXT, "take b2"), 2)
    learn(file, "back", "back", "back")
    assert kept(file)["first"] == Place((), 0)


def test_leaving_and_going_on(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    first = learn(file, "", "take b2", "quit", "show")
    assert first.endswith("Go on later with: coatl learn first\n")
    assert "step 3 of 10" in learn(file)
    assert "step 1 of 10" in learn(file, restart=True)
    assert "step 3 of 10" in learn(file)  # what was done is kept until something else is


def test_the_next_lesson_comes_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    progress = Progress(file)
    progress.keep("first", Place((), 10))
    assert "Sacrifice tokens, step 1 of 6" in learn(file)
    progress.keep("tokens", Place((), 6))
    progress.keep("solo", Place((), 5))
    assert "First lesson, step 1 of 10" in learn(file)
    assert "Sacrifice tokens, step 1 of 6" in learn(file, lesson="tokens")


@pytest.mark.parametrize("content", ["", "no JSON", "[]", '{"first": 3}', "\x00"])
def test_a_damaged_file_begins_anew(tmp_path: Path, content: str) -> None:
    file = tmp_path / "p.json"
    file.write_text(content, "utf-8")
    assert "step 2 of 10" in learn(file, "")
    assert kept(file)["first"] == Place((NEXT,), 1)


@pytest.mark.parametrize("path", [("take b9",), (NEXT, "take b3"), (NEXT, NEXT)])
def test_a_path_of_another_version(tmp_path: Path, path: tuple[str, ...]) -> None:
    """The step is found again by its number."""
    file = tmp_path / "p.json"
    Progress(file).keep("first", Place(path, 4))
    assert "step 5 of 10" in learn(file)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("", "utf-8")
    file = tmp_path / "taken" / "p.json"
    done = program.quick_run("learn", "--progress", str(file), input="\n")
    assert done.code == 2
    assert done.err.startswith("coatl: ")
    assert done.err.count("\n") == 1


def test_questions(tmp_path: Path) -> None:
    lines = ["", "why take b3", "take b3", "what?", "moves", "cards", "board", "help", "2"]
    text = flat(learn(tmp_path / "p.json", *lines))
    assert "take b3 is not allowed: there is nothing in that space (T1, " in text
    assert "> take b3 there is nothing in that space (T1, " in text
    assert "'what?'" in text
    assert "GGRR (in your hand): From head to tail two green then two red: 4 points." in text
    assert all(f" {name} " in text for name in CommandWords.__struct_fields__)
    assert "You take R, R from b2" in text  # number 2 of the list


def test_a_move_where_nothing_is_to_be_done(tmp_path: Path) -> None:
    text = learn(tmp_path / "p.json", "take b2")
    assert text.count("Press Enter to go on.") == 2


def test_cards_in_the_language(tmp_path: Path) -> None:
    text = flat(learn(tmp_path / "p.json", "cards", lang="de"))
    assert "einmal 2 Punkte, zweimal 6" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list(tmp_path: Path, language: Language) -> None:
    file = tmp_path / "p.json"
    Progress(file).keep("first", Place((), 10))
    Progress(file).keep("tokens", Place((NEXT,), 1))
    text = learn(file, lang=language, list=True)
    for name in LESSONS:
        assert flat(load_words(name, language).title) in flat(text)
    first, tokens, solo = [line for line in text.splitlines() if not line.startswith(" ")]
    assert first.rstrip().endswith({"en": "done", "fr": "finie", "de": "fertig"}[language])
    assert tokens.rstrip().endswith("6")
    assert solo.rstrip().endswith("3 min")


def test_in_a_terminal(tmp_path: Path) -> None:
    """With keys: Enter, a move that Tab completes, and leaving."""
    with Terminal("learn", "--progress", tmp_path / "p.json") as terminal:
        terminal.read("step 1 of 10")
        terminal.answer("", "step 2 of 10")
        terminal.read("> ")
        terminal.press(f"take b2{TAB}")
        terminal.answer("", "step 3 of 10")
        terminal.enter("quit")
        assert "Go on later with: coatl learn first" in terminal.last_words()
        assert terminal.code == 0
