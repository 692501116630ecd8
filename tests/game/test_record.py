"""Records: a game as text that replays bit for bit, or is refused with line and reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from random import Random

import pytest

from coatl import Deck, Game, RecordError
from coatl.compiler.functions import DISABLED
from coatl.events import Event
from coatl.game.record import FROM_SETUP, VERSION
from coatl.rules.deckfile import parse_deck
from tests.game.games import MODES, any_move, new_game, play_on
from tests.game.records import changed, line_number, refused, same
from tests.play import Mode

FEW = MODES[::5] if not DISABLED else MODES
Seen = list[tuple[bytes, list[Event]]]


@lru_cache(maxsize=1)
def own_deck() -> Deck:
    """A deck of one's own: the printed cards of three families, each three times."""
    return parse_deck(
        """
        [[prophecy]]
        colour = "red"
        copies = 3
        levels = { 2 = 2, 4 = 3 }
        cards = ["{Y}", "{R}", "{K}", "{G}", "{B}"]
        [[prophecy]]
        colour = "blue"
        copies = 3
        levels = { 1 = 1, 2 = 3 }
        cards = ["Y G", "R K", "Y B", "G B"]
        [[temple]]
        points = [3, 7]
        copies = 2
        cards = ["no Y / 7", "no K / 8", "R=Y / 12"]
        """
    )


@lru_cache(maxsize=8)
def finished(players: int = 2) -> str:
    """The record of a whole game with a few undos."""
    mode = Mode(players, tokens=players > 1)
    return play_on(new_game(mode, "a whole game"), 11, undo=0.1).record()


@lru_cache(maxsize=8)
def unfinished(reveal_seed: bool = False) -> str:
    return play_on(new_game(Mode(2, tokens=True), "half"), 5, 60, undo=0.1).record(reveal_seed)


# ---------------------------------------------------------------- there and back


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_finished_game_replays_bit_for_bit(mode: Mode) -> None:
    game = play_on(new_game(mode, "whole"), 1, undo=0.1)
    again = Game.replay(game.record())
    same(game, again)
    assert again.record() == game.record()
    assert again.outcome() == game.outcome()
    assert again.seed == "whole"


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_an_unfinished_game_replays_without_its_seed(mode: Mode) -> None:
    """From its commitment and what was drawn; it can be read, and not gone on with."""
    game = play_on(new_game(mode, "the secret"), 2, 50, undo=0.1)
    text = game.record()
    assert game.over or "the secret" not in text
    again = Game.replay(text)
    same(game, again)
    assert again.record() == text
    if not game.over:
        assert again.seed is None
        with pytest.raises(ValueError, match="without its seed"):
            again.play(again.legal_moves()[0])


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_an_unfinished_game_goes_on_from_its_seed(mode: Mode) -> None:
    """The replayed game draws what the first one draws."""
    game = play_on(new_game(mode, "going on"), 3, 50, undo=0.1)
    again = Game.replay(game.record(reveal_seed=True))
    same(game, again)
    play_on(game, 4)
    play_on(again, 4)
    same(game, again)
    assert game.record() == again.record()


@pytest.mark.games
@pytest.mark.parametrize("mode", [Mode(2, tokens=True), Mode(1)], ids=str)
@pytest.mark.parametrize("most", [0, 40, 5000])
def test_a_deck_of_ones_own(mode: Mode, most: int) -> None:
    game = play_on(new_game(mode, 3, own_deck()), 3, most, undo=0.1)
    text = game.record()
    same(game, Game.replay(text, own_deck()))
    assert Game.replay(text, own_deck()).record() == text
    assert "another deck" in refused(text).reason
    assert "printed cards" in refused(finished(), own_deck()).reason


@pytest.mark.parametrize("mode", FEW, ids=str)
def test_a_game_not_yet_begun(mode: Mode) -> None:
    game = new_game(mode, 5)
    same(game, Game.replay(game.record()))
    same(game, Game.replay(game.record(reveal_seed=True)))


@pytest.mark.parametrize("seed", ["", " ", "7 ", " 7", "a\nPlayers: 3", "é#, x", "\u2028", "0 #"])
def test_any_seed_that_is_taken_can_be_recorded(seed: str) -> None:
    """Or it is not taken in the first place."""
    try:
        game = Game.new(seed=seed)
    except ValueError:
        return
    game.play("done")
    same(game, Game.replay(game.record(reveal_seed=True)))


def test_a_record_without_undo_of_its_last_move_can_take_it_back() -> None:
    game = new_game(Mode(2), 5)
    game.play(game.legal_moves()[0])
    again = Game.replay(game.record(reveal_seed=True))
    game.undo()
    again.undo()
    same(game, again)
    assert game.record() == again.record()


# ---------------------------------------------------------------- step by step


def look(game: Game, since: int) -> Seen:
    """What each seat and a spectator see now, and what they were told since."""
    seats = (None, *range(game.options.players))
    return [(game.view(seat).to_json(), game.events(seat, since)) for seat in seats]


@pytest.mark.games
@pytest.mark.parametrize("reveal_seed", [False, True])
@pytest.mark.parametrize("mode", MODES[::2], ids=str)
def test_step_by_step_every_seat_sees_what_it_saw_live(mode: Mode, reveal_seed: bool) -> None:
    game = new_game(mode, 17)
    live = [look(game, 0)]
    told = 0

    def watch(running: Game) -> None:
        nonlocal told
        live.append(look(running, told))
        told = len(running.events())

    play_on(game, 17, 80, undo=0.1, after=watch)
    replayed = []
    told = 0
    for step in Game.steps(game.record(reveal_seed)):
        replayed.append(look(step, told))
        told = len(step.events())
    assert replayed == live


# ---------------------------------------------------------------- what a record looks like


def test_headers_and_footers() -> None:
    lines = finished().splitlines()
    assert lines[0] == f"Coatl record {FROM_SETUP}"
    assert lines[1:4] == ["Players: 2", "Options: tokens", "Seed: a whole game"]
    assert re.fullmatch(r"Commitment: [0-9a-f]{64}", lines[4])
    assert lines[5].startswith("0 # ")
    assert lines[6].startswith("0.0 ")
    assert re.fullmatch(r"Result: (third|bodies|passed); points \d+ \d+; winners .+", lines[-2])
    assert re.fullmatch(r"Digest: [0-9a-f]{32}", lines[-1])


def test_solo_headers() -> None:
    text = Game.new(solo=[1, 3], promo=True, seed=1).record()
    assert text.splitlines()[1:4] == ["Players: solo", "Options: promo", "Levels: 1 3"]


def test_the_seed_is_told_when_the_game_is_over_or_on_request() -> None:
    assert "Seed:" not in unfinished()
    assert "\nSeed: half\n" in unfinished(reveal_seed=True)
    assert "\nResult: unfinished\n" in unfinished()


def test_one_line_a_turn() -> None:
    heads = re.findall(r"^(\d+\.\d) ", finished(3), re.MULTILINE)
    assert len(set(heads)) == len(heads)
    assert heads[:4] == ["0.0", "0.1", "0.2", "1.0"]


# ---------------------------------------------------------------- broken records


def records() -> list[str]:
    """One of each kind: with the seed, without it, solo."""
    return [finished(), unfinished(), unfinished(reveal_seed=True), finished(1)]


def some_lines(text: str) -> list[tuple[int, str]]:
    """Every line with its number; a few in plain Python, which is slow."""
    return list(enumerate(text.splitlines(), 1))[:: 9 if DISABLED else 1]


def turns(text: str) -> Iterator[tuple[int, str, str, list[str]]]:
    """Number, head, moves and draws of every line of a turn."""
    for number, line in some_lines(text):
        found = re.fullmatch(r"(\d+\.\d) ([^#]*?)(?: # (.*))?", line)
        if found:
            yield number, found[1], found[2], (found[3] or "").split()


@pytest.mark.parametrize("kind", range(4))
def test_truncated_after_any_line(kind: int) -> None:
    text = records()[kind]
    lines = text.splitlines()
    for number in range(len(lines)):
        error = refused("\n".join(lines[:number]))
        assert "breaks off" in error.reason or "missing" in error.reason
        assert error.line == number + 1


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_a_line_left_out(kind: int) -> None:
    """Any line but the seed, without which the game still replays from its draws."""
    text = records()[kind]
    for number, line in some_lines(text):
        if not line.startswith("Seed: "):
            refused(changed(text, number, None))
        else:
            assert Game.replay(changed(text, number, None)).digest == Game.replay(text).digest


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_a_line_given_twice(kind: int) -> None:
    text = records()[kind]
    for number, line in some_lines(text):
        refused(changed(text, number, f"{line}\n{line}"))


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_any_changed_turn_or_seat(kind: int) -> None:
    text = records()[kind]
    for number, head, moves, draws in turns(text):
        turn, seat = map(int, head.split("."))
        drawn = f" # {' '.join(draws)}" if draws else ""
        other = f"{turn + 1}.{seat}" if number % 2 else f"{turn}.{seat + 1}"
        error = refused(changed(text, number, f"{other} {moves}{drawn}"))
        assert (error.line, error.reason) == (number, f"this is turn {turn} of seat {seat}")


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_any_changed_draw(kind: int) -> None:
    """Another piece or card, one too few, one too many, two swapped."""
    text = records()[kind]
    chooser = Random(kind)
    setup = line_number(text, "0 # ")
    words = text.splitlines()[setup - 1].removeprefix("0 # ").split()
    bound = "\nSeed: " in text  # without the seed two draws into one hand may change places
    for draws in spoilt(words, chooser, bound):
        refused(changed(text, setup, f"0 # {' '.join(draws)}"))
    for number, head, moves, words in turns(text):
        for draws in spoilt(words, chooser, bound):
            drawn = f" # {' '.join(draws)}" if draws else ""
            assert refused(changed(text, number, f"{head} {moves}{drawn}")).line >= number


def spoilt(words: list[str], chooser: Random, swap: bool) -> Iterator[list[str]]:
    yield [*words, "K"]
    if words:
        at = chooser.randrange(len(words))
        yield words[:at] + words[at + 1 :]
        yield [*words[:at], "nonsense", *words[at + 1 :]]
        yield [*words[:at], "<K" if words[at] != "<K" else "KKK", *words[at + 1 :]]
        other = (at + 1) % len(words)
        if swap and words[at] != words[other]:
            swapped = list(words)
            swapped[at], swapped[other] = swapped[other], swapped[at]
            yield swapped


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_any_changed_move(kind: int) -> None:
    """A move that cannot be read, is not allowed, or leads elsewhere, in every turn."""
    text, chooser = records()[kind], Random(kind)
    for number, head, moves, draws in turns(text):
        drawn = f" # {' '.join(draws)}" if draws else ""
        words = moves.split(", ")
        words[chooser.randrange(len(words))] = chooser.choice(("jump", "take b7", "step"))
        error = refused(changed(text, number, f"{head} {', '.join(words)}{drawn}"))
        assert error.line == number
        extra = chooser.choice(("undo", "pass"))
        refused(changed(text, number, f"{head} {moves}, {extra}{drawn}"))


@pytest.mark.games
def test_another_legal_move_is_noticed() -> None:
    """What it leads to differs from the rest of the record, from its result or its digest."""
    text = finished()
    original, chooser = Game.replay(text), Random(1)
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\d+\.\d take", line):
            space = chooser.choice([s for s in ("b1", "b2", "b4", "h1", "t2") if s not in line])
            assert refused(changed(text, number, re.sub(r"take \S+", f"take {space}", line)))
    assert original.over


@pytest.mark.parametrize("kind", range(4))
def test_a_changed_result_or_digest(kind: int) -> None:
    text = records()[kind]
    result, digest = line_number(text, "Result:"), line_number(text, "Digest:")
    for other in ("third; points 99 0; winners 0", "nothing", "", "passed"):
        error = refused(changed(text, result, f"Result: {other}"))
        assert error.line == result
    assert refused(changed(text, digest, f"Digest: {'0' * 32}")).line == digest
    assert refused(changed(text, digest, "Digest: ")).line == digest


def test_an_unfinished_game_is_not_finished_and_the_other_way_round() -> None:
    text = finished()
    number = line_number(text, "Result:")
    assert "the replay ends with" in refused(changed(text, number, "Result: unfinished")).reason


def test_a_changed_seed_or_commitment() -> None:
    for text in (finished(), unfinished(reveal_seed=True)):
        seed, commitment = line_number(text, "Seed:"), line_number(text, "Commitment:")
        assert "commitment" in refused(changed(text, seed, "Seed: another")).reason
        assert "commitment" in refused(changed(text, commitment, f"Commitment: {'0' * 64}")).reason


@pytest.mark.parametrize("commitment", ["hello", "", "0" * 63, "g" * 64])
def test_a_commitment_is_a_hash(commitment: str) -> None:
    text = unfinished()
    number = line_number(text, "Commitment:")
    refused(changed(text, number, f"Commitment: {commitment}"))


BROKEN_HEADERS = [
    ("Coatl record", "", 1, "expected"),
    ("Coatl record", "Chess record 1", 1, "expected"),
    ("Coatl record", "Coatl record 0", 1, "no format 0"),
    ("Coatl record", "Coatl record x", 1, "expected"),
    ("Players", "Players: 5", None, "2 to 4 players"),
    ("Players", "Players: -2", None, "Players is 2, 3, 4 or solo"),
    ("Players", "Players: solo", None, "D1"),
    ("Players", "Players: 999999999999", None, "Players is"),
    ("Players", "Players: 2\nPlayers: 2", 3, "twice"),
    ("Players", "Players: 2\nLevels: 1", None, "D10"),
    ("Options", "Options: tokens cheating", None, "'cheating'"),
    ("Options", "Options: tokens\nColour: red", 4, "no header"),
    ("Options", "Options: tokens\nnonsense", 4, "no header"),
    ("Seed", "Seed: a whole game\nDeck: 123", None, "another deck"),
    ("Commitment", "Levels: 1", None, "Commitment is missing"),
    ("Digest", "Digest: 1\nmore", None, "nothing may follow"),
    ("Result", "Rseult: third", None, "expected 'Result"),
]


@pytest.mark.parametrize(("start", "line", "number", "reason"), BROKEN_HEADERS)
def test_broken_headers_and_footers(start: str, line: str, number: int | None, reason: str) -> None:
    text = finished()
    error = refused(changed(text, line_number(text, start), line))
    assert reason in error.reason
    if number is not None:
        assert error.line == number


@pytest.mark.parametrize("version", [VERSION + 1, 999])
def test_a_newer_format_says_so(version: int) -> None:
    error = refused(f"Coatl record {version}\nwhatever comes then\n")
    assert error.line == 1
    assert "newer" in error.reason
    assert str(version) in error.reason


@pytest.mark.parametrize("text", ["", "\n", "\0", "{}", "Coatl", "\ufeffCoatl record 1", "0 # K"])
def test_what_is_no_record_at_all(text: str) -> None:
    assert refused(text).line == 1


def test_a_turn_after_the_end() -> None:
    text = finished()
    number = line_number(text, "Result:")
    last = text.splitlines()[number - 2]
    turn, seat = map(int, re.match(r"(\d+)\.(\d)", last).groups())  # type: ignore[union-attr]
    late = f"{turn + 1}.{1 - seat} take b1\n" + text.splitlines()[number - 1]
    assert refused(changed(text, number, late)).reason == "the game is over before this turn"


def test_line_ends_and_blank_lines_at_the_end_do_not_matter() -> None:
    text = finished()
    for other in (text.replace("\n", "\r\n"), text.rstrip(), f"{text}\n \n"):
        same(Game.replay(other), Game.replay(text))


# ---------------------------------------------------------------- fuzz

ODD = [*"KRBYG<>#,.:@+ 0123456789\n\r\t\0é٣\u2028", "undo", "done", "take b1", "Seed: 1\n", "{K}"]


def mutate(text: str, chooser: Random) -> str:
    """A few characters or lines changed, left out, doubled, moved."""
    for _ in range(chooser.choice((1, 1, 1, 2, 5))):
        at = chooser.randrange(len(text) + 1)
        size = chooser.choice((0, 1, 1, 2, 20))
        lines = text.splitlines(keepends=True)
        kind = chooser.randrange(6)
        if kind < 4:
            text = text[:at] + ("", *ODD)[chooser.randrange(len(ODD) + 1)] + text[at + size :]
        elif kind == 4 and lines:
            lines.pop(chooser.randrange(len(lines)))
            text = "".join(lines)
        elif lines:
            lines.insert(chooser.randrange(len(lines)), chooser.choice(lines))
            text = "".join(lines)
    return text


def replayed_or_refused(text: str) -> Game | RecordError:
    try:
        return Game.replay(text)
    except RecordError as error:
        return error


@pytest.mark.games
@pytest.mark.parametrize("kind", range(4))
def test_a_spoilt_record_is_refused_or_is_the_same_game(kind: int) -> None:
    text = records()[kind]
    digest, chooser = Game.replay(text).digest, Random(kind)
    accepted = 0
    for _ in range(15 if DISABLED else 200):
        spoilt_text = mutate(text, chooser)
        found = replayed_or_refused(spoilt_text)
        if isinstance(found, RecordError):
            assert 1 <= found.line <= len(spoilt_text.splitlines()) + 1
        else:
            accepted += 1
            assert found.digest == digest
            assert Game.replay(found.record(reveal_seed=True)).digest == digest
    assert accepted < 100


def test_any_text_is_refused_or_read() -> None:
    """Lines of a record in any order."""
    chooser, lines = Random(1), finished().splitlines()
    for _ in range(20 if DISABLED else 200):
        text = "\n".join(chooser.choices(lines, k=chooser.randrange(1, 30)))
        refused(f"{lines[0]}\n{text}" if chooser.random() < 0.8 else text)


def test_moves_are_drawn_from_legal_ones_only() -> None:
    """The games above do get somewhere: undos and every phase occur in them."""
    game, chooser, phases = new_game(Mode(2, tokens=True), 3), Random(3), set()
    while not game.over:
        phases.add(game.phase)
        game.play(any_move(game, chooser))
    assert {"setup", "main", "pick", "assemble", "fulfil"} <= phases
    assert ", undo" in finished()
