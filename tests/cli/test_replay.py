"""`coatl replay`: a record told turn by turn, the table at one of its turns, and what is hidden."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest

from coatl import Game, RecordError
from coatl.events import Event
from coatl.players import make_player
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.deckfile import parse_deck
from tests.cli import program

pytestmark = program.compiled

TURN = re.compile(r"^Turn (\d+): ([^=\n]+)$", re.MULTILINE)
CARDS = {*standard_deck().prophecy_names, *standard_deck().temple_names}


def play(game: Game, most: int = 10_000, bot: str = "greedy") -> Game:
    """Bots play on to the end, or `most` decisions."""
    bots = [make_player(bot, new_chance(f"bot {seat}")) for seat in range(game.options.players)]
    for _ in range(most):
        if game.seat is None:
            break
        view = game.view(game.seat)
        game.play(bots[game.seat].choose(view, view.moves))
    return game


@lru_cache(maxsize=1)
def finished() -> Game:
    game = Game.new(players=2, seed=1)
    game.seats = ("Ana", "bot:greedy")
    return play(game)


@lru_cache(maxsize=1)
def unfinished() -> Game:
    """Random players draw more cards than they use, and their hands stay hidden."""
    return play(Game.new(players=2, seed=4), 90, bot="random")


@lru_cache(maxsize=1)
def solo() -> Game:
    return play(Game.new(solo=[1, 3], seed=5), bot="random")


def save(folder: Path, game: Game) -> Path:
    return program.write(folder, "game.coatl", game.record())


def told(folder: Path, game: Game, *arguments: str) -> str:
    return program.output("replay", save(folder, game), *arguments)


def card_words(text: str) -> set[str]:
    """Names of cards that stand in an output as words of their own."""
    return CARDS & set(re.split(r"[\s,;]+", text))


# ---------------------------------------------------------------- the whole game


def test_a_finished_game_is_told_turn_by_turn(tmp_path: Path) -> None:
    game = finished()
    text = told(tmp_path, game)
    titles = [(int(turn), who) for turn, who in TURN.findall(text)]
    assert titles == [(turn, ("greedy", "Ana")[turn % 2]) for turn in range(1, game.turn + 1)]
    for event in game.events(0):
        if event.kind == "coatl":
            who = ("Ana", "greedy")[event.seat or 0]
            assert f"  {who} completes Cóatl " in text
            assert f" {event.pieces} for {event.points} points" in text
        if event.source is not None and event.source.space is not None:
            assert event.source.space in text


def test_the_score_sheet(tmp_path: Path) -> None:
    game = finished()
    sheet = told(tmp_path, game).split("\nScore sheet: ")[1]
    points = game.scores()
    assert sheet.startswith("a third Cóatl is complete")
    for seat, name in enumerate(("Ana", "greedy")):
        assert f"\n{name}: {points[seat]} points\n" in sheet
        for coatl in game.view(seat).data.seats[seat].coatls:
            assert f" {coatl.pieces} " in sheet
            if coatl.complete:
                assert f"{coatl.pieces}  {coatl.value} points" in sheet
                assert {card.card for card in coatl.cards} <= card_words(sheet)
    (winner,) = game.outcome().winners
    name = ("Ana", "greedy")[winner]
    assert sheet.endswith(f"\n{name} wins with {points[winner]} points\n")


def test_incomplete_coatls_score_nothing(tmp_path: Path) -> None:
    open_ones = 0
    for game in (finished(), solo()):
        sheet = told(tmp_path, game).split("\nScore sheet: ")[1]
        tables = [game.view(seat).data.seats[seat] for seat in range(game.options.players)]
        coatls = [coatl for table in tables for coatl in table.coatls if not coatl.complete]
        for coatl in coatls:
            assert f" {coatl.pieces}  incomplete, scores nothing\n" in sheet
        assert sheet.count("incomplete") == len(coatls)
        open_ones += len(coatls)
    assert open_ones


@pytest.mark.slow
def test_started_as_a_shell_does(tmp_path: Path) -> None:
    file = save(tmp_path, finished())
    assert program.output("replay", file, quick=False) == program.output("replay", file)


def test_seats_without_names_are_numbered(tmp_path: Path) -> None:
    text = told(tmp_path, unfinished())
    assert {who for _, who in TURN.findall(text)} == {"Seat 1", "Seat 2"}


def test_two_of_a_name_are_numbered(tmp_path: Path) -> None:
    game = play(Game.new(players=3, seed=2), 12)
    game.seats = ("bot:greedy", "bot:greedy", "Ana")
    assert {who for _, who in TURN.findall(told(tmp_path, game))} <= {"Seat 1", "Seat 2", "Seat 3"}


def test_an_unfinished_game_ends_with_the_table(tmp_path: Path) -> None:
    game = unfinished()
    assert not game.over
    text = told(tmp_path, game)
    assert "Score sheet" not in text
    assert f"\nTurn {game.turn}: Seat {(game.seat or 0) + 1} ====" in text
    hands = {name for seat in (0, 1) for name in game.view(seat).data.seats[seat].hand}
    assert hands <= card_words(text.rpartition("====")[2])


def test_solo(tmp_path: Path) -> None:
    game = solo()
    text = told(tmp_path, game)
    who = ["A.D.A.M." if turn % 2 else "Seat 1" for turn in range(1, game.turn + 1)]
    assert [name for _, name in TURN.findall(text)] == who
    assert "  A.D.A.M. looks for " in text
    assert f"\nA.D.A.M.: {game.scores()[1]} points\n" in text
    winner = "A.D.A.M." if game.outcome().winners == (1,) else "Seat 1"
    assert f"\n{winner} wins with {max(game.scores())} points\n" in text


def test_a_deck_of_ones_own(tmp_path: Path) -> None:
    deck = program.write(tmp_path, "my.toml", program.SMALL_DECK)
    game = play(Game.new(players=2, deck=parse_deck(program.SMALL_DECK), seed=1), bot="random")
    file = save(tmp_path, game)
    assert "Score sheet: " in program.output("replay", file, "--deck", deck)
    assert "another deck" in program.failure("replay", file)
    printed = save(tmp_path, finished())
    assert "the printed cards" in program.failure("replay", printed, "--deck", deck)


# ---------------------------------------------------------------- one turn


@pytest.mark.parametrize("turn", [0, 1, 7, 22, None])
def test_the_table_at_a_turn(tmp_path: Path, turn: int | None) -> None:
    game = finished()
    turn = game.turn if turn is None else turn
    text = told(tmp_path, game, "--turn", str(turn))
    title = "Setup: Ana" if turn == 0 else f"Turn {turn}: {('greedy', 'Ana')[turn % 2]}"
    assert text.startswith(title)
    whole = told(tmp_path, game)
    after = whole.split(f"Turn {turn}: ")[-1].split("\n", 1)[1] if turn else whole
    for line in re.split(r"^(?:Turn|Score)", after, flags=re.MULTILINE)[0].splitlines():
        assert f"\n{line}" in text


def test_the_hands_at_a_turn(tmp_path: Path) -> None:
    """Open for all; with a seat, only its own."""
    game = next(step for step in Game.steps(finished().record()) if step.turn == 5)
    hands = [set(game.view(seat).data.seats[seat].hand) for seat in (0, 1)]
    unseen = hands[1] - set(game.view(0).data.seats[1].hand) - hands[0]
    assert unseen
    public = told(tmp_path, finished(), "--turn", "5")
    own = told(tmp_path, finished(), "--turn", "5", "--seat", "1")
    assert hands[0] | hands[1] <= card_words(public)
    assert hands[0] <= card_words(own)
    assert card_words(own).isdisjoint(unseen)
    assert "Ana (you): " in own


@pytest.mark.parametrize("turn", [0, 5])
def test_nothing_of_the_next_turn_is_told(tmp_path: Path, turn: int) -> None:
    assert f"Turn {turn + 1}: " not in told(tmp_path, finished(), "--turn", str(turn))


def test_a_turn_of_adam(tmp_path: Path) -> None:
    assert not told(tmp_path, solo(), "--turn", "11").startswith("Turn 12: ")


# ---------------------------------------------------------------- what a seat may know


def names_in(events: list[Event]) -> set[str]:
    return CARDS & {event.card for event in events if event.card is not None}


def known_to(game: Game, seat: int) -> set[str]:
    """Names of the cards that a seat has seen by now."""
    table = game.view(seat).to_json().decode()
    shown = {name for name in CARDS if f'"{name}"' in table}
    return shown | names_in(game.events(seat))


@pytest.mark.parametrize("seat", [0, 1])
def test_a_seat_is_told_only_what_it_knew(tmp_path: Path, seat: int) -> None:
    game = unfinished()
    secret = names_in(game.events(1 - seat)) - known_to(game, seat)
    assert secret, "nothing was hidden in this game"
    text = told(tmp_path, game, "--seat", str(seat + 1))
    assert card_words(text) <= known_to(game, seat)
    assert secret <= card_words(told(tmp_path, game))


def other_secret(game: Game, old: str, new: str) -> str:
    """The record of the same game with another card drawn face down."""
    pattern = re.compile(rf"(?<= ){re.escape(old)}(?=[ ,\n])")
    text = pattern.sub(new.replace("\\", r"\\"), game.record())
    digest = ""
    with suppress(RecordError):  # it has another digest than the record says
        for step in Game.steps(text):
            digest = step.digest
    return text.replace(game.digest, digest)


def test_another_hidden_card_changes_nothing_for_a_seat(tmp_path: Path) -> None:
    """Seat 2 holds a card that nobody saw; seat 1 is told the same if it were another one."""
    game = unfinished()
    holding = set(game.view(1).data.seats[1].hand) - known_to(game, 0)
    never_drawn = CARDS - set(re.split(r"[\s,]+", game.record())) - {"{Y}", "{R}", "{K}", "{G}"}
    old = min(holding)
    new = min(never_drawn & {card.name for card in standard_deck().prophecies if not card.promo})
    first = save(tmp_path, game)
    second = program.write(tmp_path, "other.coatl", other_secret(game, old, new))
    for arguments in (("--seat", "1"), ("--seat", "1", "--turn", str(game.turn))):
        assert program.output("replay", first, *arguments) == (
            program.output("replay", second, *arguments)
        )
    assert program.output("replay", first) != program.output("replay", second)


# ---------------------------------------------------------------- what is refused


def test_turns_and_seats_out_of_range(tmp_path: Path) -> None:
    file = save(tmp_path, finished())
    last = finished().turn
    turns = program.failure("replay", file, "--turn", str(last + 1))
    assert turns == f"the game has no turn {last + 1}; its turns are 0 (setup) to {last}"
    seats = program.failure("replay", file, "--seat", "3")
    assert seats == "the game has no seat 3; its seats are 1 to 2"
    assert "--turn" in program.failure("replay", file, "--turn", "-1")
    assert "--seat" in program.failure("replay", file, "--seat", "0")


def test_files_that_are_no_record(tmp_path: Path) -> None:
    program.write_binary(tmp_path, "binary")
    program.write(tmp_path, "empty", "")
    program.write(tmp_path, "deck.toml", program.SMALL_DECK)
    for name, reason in (
        ("missing", "No such file or directory"),
        (".", "Is a directory"),
        ("binary", "this is not a text file in UTF-8"),
        ("empty", "line 1: the record breaks off"),
        ("deck.toml", "line 1: expected 'Coatl record 1'"),
    ):
        message = program.failure("replay", name, cwd=tmp_path)
        assert message.startswith(f"{name}: {reason}")


@pytest.mark.parametrize(
    ("start", "old", "new", "reason"),
    [
        ("Coatl record", "1", "3", "format 3 is newer"),
        ("5.0 ", "5.0 ", "5.0 take b9, ", "'take b9': take names a space"),
        ("5.0 ", "5.0 ", "5.0 1:KKK, ", "you have no such Cóatl"),
        ("5.0 ", "5.0 ", "5.1 ", "this is turn 5 of seat 0"),
        ("Result: ", "third", "fourth", "the replay ends with"),
        ("Digest: ", ": ", ": 0", "the replay has another digest"),
    ],
)
def test_a_broken_record_is_refused_with_its_line(
    tmp_path: Path, start: str, old: str, new: str, reason: str
) -> None:
    lines = finished().record().splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith(start))
    lines[at] = lines[at].replace(old, new, 1)
    program.write(tmp_path, "game.coatl", "\n".join(lines))
    message = program.failure("replay", "game.coatl", cwd=tmp_path)
    assert message.startswith(f"game.coatl: line {at + 1}: ")
    assert reason in message


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("Players: 2", "Players: 9", "2 to 4 players"),
        ("Ana, bot:greedy", "Ana", "2 seats are to be named, not 1"),
        ("Ana, bot:greedy", "Ana, , Ben", "2 seats are to be named, not 3"),
    ],
)
def test_broken_headers(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = finished().record()
    assert old in text
    program.write(tmp_path, "game.coatl", text.replace(old, new))
    message = program.failure("replay", "game.coatl", cwd=tmp_path)
    assert message.startswith("game.coatl: line ")
    assert reason in message


def test_a_record_that_breaks_off(tmp_path: Path) -> None:
    lines = finished().record().splitlines(keepends=True)
    program.write(tmp_path, "game.coatl", "".join(lines[:20]))
    message = program.failure("replay", "game.coatl", cwd=tmp_path)
    assert message == "game.coatl: line 21: the record breaks off; expected 'Result: ...'"


def test_names_are_shown_as_they_are(tmp_path: Path) -> None:
    game = play(Game.new(players=2, seed=1), 12)
    game.seats = ("[/b]", "A[b]n:dog:a")
    text = told(tmp_path, game)
    assert "\n  A[b]n:dog:a takes " in text
    assert "[/b] takes " in text
    assert "\nA[b]n:dog:a: 0 points" in text
