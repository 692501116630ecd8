"""Who sits where: names for the record, which change nothing else about a game."""

from __future__ import annotations

import pytest

from coatl import Game, RecordError
from tests.game.games import new_game, play_on
from tests.game.records import changed, line_number, refused, same
from tests.play import Mode

TWO = Mode(2, tokens=True)
NAMES = [
    ("Ana", "bot:greedy"),
    ("A", "B"),
    ("Ana María", "Ñandú Ó."),
    ("x" * 40, "y: z"),
    ("[b]", "Seat 1"),
    ("bot:mine.bots:Bot", "bot:mine.bots:Bot"),
    ("Seed: 7", "0"),
    ("猫", "🐍"),
]
BAD = [
    "",
    " ",
    " Ana",
    "Ana ",
    "A,na",
    "A#na",
    "#",
    ",",
    "x" * 41,
    "A\nna",
    "A\tna",
    "A\0",
    "A\u2028",
]


def seated(seats: tuple[str, ...], moves: int = 30, mode: Mode = TWO) -> Game:
    game = play_on(new_game(mode, "seats"), 1, moves)
    game.seats = seats
    return game


@pytest.mark.parametrize("seats", NAMES, ids=str)
@pytest.mark.parametrize("reveal_seed", [False, True])
def test_there_and_back(seats: tuple[str, ...], reveal_seed: bool) -> None:
    game = seated(seats)
    text = game.record(reveal_seed)
    assert f"\nSeats: {seats[0]}, {seats[1]}\n" in text
    again = Game.replay(text)
    assert again.seats == seats
    assert again.record(reveal_seed) == text
    same(game, again)


@pytest.mark.parametrize("players", [1, 3, 4])
def test_every_table(players: int) -> None:
    names = tuple(f"Player {n}" for n in range(players))
    game = seated(names, mode=Mode(players))
    assert Game.replay(game.record()).seats == names


def test_nobody_has_to_say() -> None:
    game = play_on(new_game(TWO, "seats"), 1, 30)
    assert game.seats == ()
    assert "Seats" not in game.record()
    assert Game.replay(game.record()).seats == ()


def test_names_change_neither_digest_nor_commitment() -> None:
    game = play_on(new_game(TWO, "seats"), 1, 30)
    before = game.digest, game.commitment, game.position, game.view(0).to_json()
    plain = game.record()
    game.seats = ("Ana", "Ben")
    assert (game.digest, game.commitment, game.position, game.view(0).to_json()) == before
    number = line_number(game.record(), "Seats")
    assert changed(game.record(), number, None) == plain


def test_they_stay_when_the_game_goes_on() -> None:
    game = Game.replay(seated(("Ana", "Ben")).record(reveal_seed=True))
    play_on(game, 2)
    assert game.over
    assert game.seats == ("Ana", "Ben")
    assert Game.replay(game.record()).seats == ("Ana", "Ben")


def test_the_steps_of_a_record_have_them() -> None:
    text = seated(("Ana", "Ben"), 5).record()
    assert {game.seats for game in Game.steps(text)} == {("Ana", "Ben")}


def test_any_iterable_will_do_and_is_copied() -> None:
    game, names = new_game(TWO), ["Ana", "Ben"]
    game.seats = names
    names[0] = "Zoe"
    assert game.seats == ("Ana", "Ben")
    game.seats = (name for name in ("C", "D"))
    assert game.seats == ("C", "D")


@pytest.mark.parametrize("seats", [(), ("Ana",), ("Ana", "Ben", "Zoe")], ids=str)
def test_a_wrong_count_is_refused(seats: tuple[str, ...]) -> None:
    game = new_game(TWO)
    with pytest.raises(ValueError, match=f"2 seats are to be named, not {len(seats)}"):
        game.seats = seats
    assert game.seats == ()


@pytest.mark.parametrize("name", BAD, ids=repr)
def test_bad_names_are_refused(name: str) -> None:
    game = seated(("Ana", "Ben"))
    for seats in ((name, "Zoe"), ("Zoe", name)):
        with pytest.raises(ValueError, match="1 to 40 characters, no comma and no #"):
            game.seats = seats
    assert game.seats == ("Ana", "Ben")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("Ana", "2 seats are to be named, not 1"),
        ("Ana, Ben, Zoe", "2 seats are to be named, not 3"),
        ("Ana,", "1 to 40 characters"),
        (", Ana", "1 to 40 characters"),
        ("Ana, B#n", "1 to 40 characters"),
        (f"Ana, {'x' * 41}", "1 to 40 characters"),
        ("Ana, B\x07n", "1 to 40 characters"),
    ],
)
def test_bad_names_in_a_record(value: str, reason: str) -> None:
    text = seated(("Ana", "Ben")).record()
    number = line_number(text, "Seats")
    assert reason in refused(changed(text, number, f"Seats: {value}")).reason


def test_seats_given_twice() -> None:
    text = seated(("Ana", "Ben")).record()
    number = line_number(text, "Seats")
    error = refused(changed(text, number, "Seats: Ana, Ben\nSeats: Ana, Ben"))
    assert (error.line, error.reason) == (number + 1, "Seats is given twice")


@pytest.mark.parametrize("line", ["Seats:", "Seats: ", "Seats"])
def test_an_empty_header(line: str) -> None:
    text = seated(("Ana", "Ben")).record()
    number = line_number(text, "Seats")
    assert refused(changed(text, number, line)).line == number


def test_spaces_around_names_do_not_matter_in_a_record() -> None:
    text = seated(("Ana", "Ben")).record()
    number = line_number(text, "Seats")
    for line in ("Seats: Ana,Ben", "Seats:   Ana ,  Ben  "):
        assert Game.replay(changed(text, number, line)).seats == ("Ana", "Ben")


def test_the_line_of_the_header_is_blamed() -> None:
    text = seated(("Ana", "Ben")).record()
    number = line_number(text, "Seats")
    with pytest.raises(RecordError) as error:
        Game.replay(changed(text, number, "Seats: Ana"))
    assert error.value.line == number
