"""Decks of one's own: the whole system works with them; a bad one is refused, and where."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from coatl import Deck, DeckError, Game, load_deck, prophecies
from coatl.compiler.functions import DISABLED
from coatl.notation import format_position, parse_position
from coatl.rules.cards import standard_deck
from coatl.rules.deckfile import parse_deck
from tests.game.decks import SMALL, deck_file
from tests.game.games import any_move, bytes_of, new_game, play_on
from tests.game.truth import truth_of
from tests.play import Mode

ODDITIES = """\
[[prophecy]]
colour = "black"
copies = 9
levels = { 1 = 1, 3 = 2 }
cards = ["K", "* *", "{KR}", "K+"]

[[temple]]
points = [1]
copies = 6
cards = ["no black"]
"""  # cards named like pieces, cards that want no colour at all


# ---------------------------------------------------------------- good ones


@pytest.mark.parametrize("given", ["text", "path", "deck"])
def test_a_deck_is_given_as_file_or_as_deck(tmp_path: Path, given: str) -> None:
    path = deck_file(tmp_path, SMALL)
    deck: Deck | str | Path = path
    if given != "path":
        deck = str(path) if given == "text" else load_deck(path)
    game = Game.new(deck=deck, seed=1)
    names = [card.name for card in game.deck.prophecies]
    assert names == ["{K}", "{R}", "{Y}", "KR", "Y+G", "B*B", "!G!"]
    assert [card.name for card in game.deck.temples] == ["noY/7", "R=Y/12", "4"]
    assert truth_of(game).n_deck == 3 * 4 + 4 * 3 - 6 - 7


@pytest.mark.games
@pytest.mark.parametrize("text", [SMALL, ODDITIES], ids=["small", "odd"])
@pytest.mark.parametrize("mode", [Mode(2, tokens=True), Mode(1), Mode(1, levels=17)], ids=str)
def test_whole_games_with_views_texts_and_records(mode: Mode, text: str) -> None:
    """Move texts read back, views and positions are made, the record replays at any point."""
    deck = parse_deck(text)
    for seed in range(1 if DISABLED else 4):
        game, chooser = new_game(mode, seed, deck), Random(seed)
        while not game.over:
            for move in game.legal_moves():
                assert game.move(move.text) == move
            for seat in (None, *range(mode.players)):
                assert msgspec.json.decode(game.view(seat).to_json())["players"] == mode.players
            assert format_position(truth_of(game), deck) == game.position
            game.play(any_move(game, chooser))
        assert Game.replay(game.record(), deck).record() == game.record()
        assert list(game.outcome().points) == game.scores()


@pytest.mark.games
@pytest.mark.parametrize("text", [SMALL, ODDITIES], ids=["small", "odd"])
@pytest.mark.parametrize("mode", [Mode(2, tokens=True), Mode(1)], ids=str)
def test_an_unfinished_record_replays_from_its_draws(mode: Mode, text: str) -> None:
    """Whatever the cards are called, a drawn card is not taken for a drawn piece."""
    deck = parse_deck(text)
    for seed in range(4):
        game = play_on(new_game(mode, seed, deck), seed, 30)
        again = Game.replay(game.record(), deck)
        assert bytes_of(again) == bytes_of(game)
        assert again.record() == game.record()


@pytest.mark.parametrize("text", [SMALL, ODDITIES], ids=["small", "odd"])
def test_positions_read_back(text: str) -> None:
    deck = parse_deck(text)
    for seed in range(6):
        game = play_on(new_game(Mode(2, tokens=True), seed, deck), seed, 25)
        assert parse_position(game.position, deck).tobytes() == bytes_of(game)


def test_as_many_temple_cards_as_a_deck_may_have() -> None:
    """Counts are bytes: 127 cards can be played with, more are refused."""
    deck = parse_deck(SMALL[: SMALL.index("[[temple]]")] + temples(14, 9))
    game = Game.new(deck=deck, seed=1)
    assert truth_of(game).n_pool + 2 == truth_of(game).pile_size.sum()
    assert truth_of(game).pile_size.sum() == 14 * 9 - 2
    too_many = parse_deck(SMALL[: SMALL.index("[[temple]]")] + temples(30, 9))
    with pytest.raises(DeckError, match="270 Temple cards; 127 at most"):
        Game.new(deck=too_many, seed=1)


def temples(kinds: int, copies: int) -> str:
    """Temple cards that ask for 3, 4, 5 … pieces."""
    cards = ", ".join(f'"{n}"' for n in range(3, 3 + kinds))
    return f"[[temple]]\npoints=[3]\ncopies={copies}\ncards=[{cards}]"


def test_digests_tell_decks_apart() -> None:
    """Any difference that matters: a pattern, points, copies, card colour, the promo flag."""
    one = parse_deck(SMALL)
    assert one.digest == parse_deck(SMALL.replace("# A deck", "# The deck")).digest
    changes = [
        ('"K R"', '"R K"'),
        ("4 = 3", "4 = 4"),
        ("copies = 3", "copies = 2"),
        ('"blue"', '"green"'),
        ("no Y / 7", "no Y / 8"),
        ("[5]", "[6]"),
        ('colour = "red"', 'colour = "red"\npromo = true'),
        ("points = [5]", "points = [5]\npromo = true"),
    ]
    digests = [parse_deck(SMALL.replace(old, new, 1)).digest for old, new in changes]
    assert len({one.digest, standard_deck().digest, *digests}) == len(changes) + 2


# ---------------------------------------------------------------- bad ones: file, line and reason

BAD = [
    # what is replaced, by what, the line, the reason
    ('colour = "blue"', 'colour = "pink"', 10, "not 'pink'"),
    ('colour = "blue"', "colour = 3", 10, "colour is one of"),
    ('colour = "blue"', "", 9, "colour is one of"),
    ('"K R"', '"K Q"', 13, "'Q"),
    ('"{K}"', '"{KX}"', 7, "unknown colour 'X'"),
    ("{ 1 = 1, 2 = 3 }", "{ 2 = 3, 1 = 1 }", 12, "levels out of order"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 3, 2 = 3 }", 12, "levels out of order"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 3, 2 = 1 }", 12, "levels out of order"),
    ("{ 1 = 1, 2 = 3 }", "{}", 12, "levels is like"),
    ("{ 1 = 1, 2 = 3 }", "3", 12, "levels is like"),
    ("{ 1 = 1, 2 = 3 }", "{ 0 = 1 }", 12, "1 to 31 times"),
    ("{ 1 = 1, 2 = 3 }", "{ 99 = 1 }", 12, "1 to 31 times"),
    ("{ 1 = 1, 2 = 3 }", "{ a = 1 }", 12, "1 to 31 times"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 0 }", 12, "points is a number from 1 to 99"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 100 }", 12, "points is a number"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = true }", 12, "points is a number"),
    ("{ 1 = 1, 2 = 3 }", "{ 1 = 1.5 }", 12, "points is a number"),
    ("{ 1 = 1, 2 = 3 }", '{ 1 = "2" }', 12, "points is a number"),
    ('"K R"', '""', 13, "empty pattern"),
    ('"K R"', '"   "', 13, "empty pattern"),
    ('"{K}"', '"{}"', 7, "a set is written like"),
    ('"{K}"', '"{K"', 7, "a set is written like"),
    ('"K R"', '"K-R"', 13, "unknown colour '-'"),
    ('"K R"', '"!K"', 13, "no piece to match"),
    ('"K R"', '"K !K R"', 13, "either end"),
    ('"K R"', f'"{"K " * 14}"', 13, "can never be met 2 times"),
    ('"K R"', f'"{"* " * 62}"', 13, "can never be met 2 times"),
    ('"{K}"', '"{KKKKKKK}"', 7, "can never be met 4 times"),
    ("copies = 3", "copys = 3", 11, "unknown field 'copys'"),
    ("copies = 3", "copies = 0", 11, "copies is a number from 1 to 9, not 0"),
    ("copies = 3", "copies = 10", 11, "copies is a number"),
    ("copies = 3", 'copies = "3"', 11, "copies is a number"),
    ("copies = 3", "promo = 1", 11, "promo is true or false"),
    ('"B * B"', '"K  R"', 13, "two cards are named 'KR'"),
    ('"B * B"', '"{K}"', 13, "two cards are named '{K}'"),
    ('cards = ["4"]', 'cards = ["no Y/7"]', 22, "points for 1"),
    ('cards = ["4"]', "cards = []", 22, "cards is a list of texts"),
    ('cards = ["4"]', "cards = [4]", 22, "cards is a list of texts"),
    ('cards = ["4"]', "", 20, "an entry needs cards"),
    ('cards = ["4"]', 'cards = ["2"]', 22, "never has 2 pieces"),
    ('cards = ["4"]', 'cards = ["500"]', 22, "never has 500 pieces"),
    ('cards = ["4"]', 'cards = ["K=K"]', 22, "compares a colour with itself"),
    ('cards = ["4"]', 'cards = ["K=Q"]', 22, "unknown colour 'Q'"),
    ('cards = ["4"]', 'cards = ["no pink"]', 22, "unknown colour 'pink'"),
    ('cards = ["4"]', 'cards = ["many pieces"]', 22, "cannot read the Temple requirement"),
    ('cards = ["4"]', 'cards = [""]', 22, "cannot read the Temple requirement"),
    ('cards = ["4"]', 'cards = ["/"]', 22, "cannot read the Temple requirement"),
    ("points = [5]", "points = 5", 21, "points is a list"),
    ("points = [5]", "points = []", 21, "points is a list"),
    ("points = [5]", "points = [0]", 21, "points is a number from 1 to 99"),
    ("points = [3, 7]", "points = [7, 3]", 16, "points out of order"),
    ("points = [5]", "colour = 1\npoints = [5]", 21, "unknown field 'colour'"),
    ("[[temple]]\npoints = [5]", "[[temples]]\npoints = [5]", 20, "unknown section 'temples'"),
    ("[[temple]]\npoints = [5]", "[rules]\npoints = [5]", 20, "unknown section 'rules'"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), BAD)
def test_a_bad_deck_is_refused_with_file_line_and_reason(
    tmp_path: Path, old: str, new: str, line: int, reason: str
) -> None:
    assert SMALL.count(old) >= 1
    path = deck_file(tmp_path, SMALL.replace(old, new, 1))
    with pytest.raises(DeckError) as refused:
        Game.new(deck=path)
    message = str(refused.value)
    assert message.startswith(f"{path}, line {line}: ")
    assert reason in message


def test_bad_toml_names_file_and_line(tmp_path: Path) -> None:
    path = deck_file(tmp_path, SMALL.replace("copies = 3", "copies = = 3"))
    with pytest.raises(DeckError, match="line 11") as refused:
        load_deck(path)
    assert str(refused.value).startswith(str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere.toml", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(DeckError) as refused:
            Game.new(deck=path)
        assert str(refused.value).startswith(str(path))


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes("# Cóatl\n".encode("latin-1"))
    with pytest.raises(DeckError, match="UTF-8") as refused:
        Game.new(deck=str(path))
    assert str(refused.value).startswith(str(path))


FEW_PROPHECIES = SMALL.replace("copies = 4", "").replace("copies = 3", "")
FEW_TEMPLES = SMALL.replace("copies = 2", "")
TOO_FEW: list[tuple[str, Mode, str]] = [
    (FEW_PROPHECIES, Mode(2), "13 Prophecy cards are needed; the deck has 7"),
    (FEW_PROPHECIES, Mode(1), "15 Prophecy cards are needed; the deck has 7"),
    (SMALL.replace("copies = 4", ""), Mode(3), "18 Prophecy"),
    (SMALL.replace("copies = 4", "copies = 2"), Mode(4), "24 Prophecy"),
    (FEW_TEMPLES, Mode(2), "4 Temple cards are needed; the deck has 3"),
    (SMALL.replace("[5]", "[5]\npromo = true"), Mode(3), "5 Temple cards are needed"),
    (SMALL[: SMALL.index("[[temple]]")], Mode(1), "2 Temple cards are needed; the deck has 0"),
    ("", Mode(2), "13 Prophecy cards are needed; the deck has 0"),
]


@pytest.mark.parametrize(("text", "mode", "reason"), TOO_FEW)
def test_too_few_cards_for_the_players(tmp_path: Path, text: str, mode: Mode, reason: str) -> None:
    """The file is named as for any other fault."""
    path = deck_file(tmp_path, text)
    with pytest.raises(DeckError) as refused:
        Game.new(
            players=None if mode.players == 1 else mode.players,
            solo=[] if mode.players == 1 else None,
            deck=path,
        )
    assert reason in str(refused.value)
    assert str(refused.value).startswith(str(path))


def test_too_many_cards() -> None:
    cards = ", ".join(f'"{card.pattern.text}"' for card in prophecies())
    text = SMALL.replace('"{K}", "{R}", "{Y}"', cards).replace("copies = 4", "copies = 9")
    text = text.replace('"K R", "Y+ G", "B * B", "!G G !G"', '"K B * B"')
    text = text.replace("{ 2 = 2, 4 = 3 }", "{ 1 = 2 }")
    with pytest.raises(DeckError, match="127 at most"):
        Game.new(deck=parse_deck(text))


def test_a_promo_card_counts_only_in_a_game_with_promo() -> None:
    deck = parse_deck(SMALL.replace("copies = 4", "copies = 4\npromo = true"))
    assert Game.new(deck=deck, promo=True).options.promo
    with pytest.raises(DeckError, match="the deck has 12"):
        Game.new(deck=deck)


# ---------------------------------------------------------------- whatever stands in the file


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5000,
        "a = " + "9" * 5000,
        SMALL.replace("{ 1 = 1, 2 = 3 }", "{ " + "9" * 5000 + " = 1 }"),
        SMALL.replace("{ 1 = 1, 2 = 3 }", '{ "²" = 1 }'),
        SMALL.replace("{ 1 = 1, 2 = 3 }", '{ "٣" = 0 }'),
        'prophecy = "x"',
        "prophecy = [1]",
        "[prophecy]\ncolour = 'red'",
        "prophecy = [{ colour = 'red' }]",
        'temple = """\n[[temple]]\n"""',
        '[[prophecy]]\ncolour = """\n[[temple]]\n"""',
        "colour = 1979-05-27T07:32:00Z",
        SMALL.replace('"blue"', "1979-05-27"),
        SMALL.replace('"blue"', "[]"),
        SMALL.replace('"K R"', "nan"),
    ],
    ids=lambda text: text[:20],
)
def test_odd_texts_give_deck_errors_only(text: str) -> None:
    with pytest.raises(DeckError):
        parse_deck(text)


def test_a_pattern_too_complicated_is_refused_at_once() -> None:
    """A set of 24 pieces of each colour would have ten million states; this one has 32768."""
    text = SMALL.replace("{ 2 = 2, 4 = 3 }", "{ 1 = 2 }").replace(
        '"{K}"', '"{' + "".join(colour * 7 for colour in "KRBYG") + '}"'
    )
    with pytest.raises(DeckError, match="too complicated"):
        parse_deck(text)


ODD = [
    *'{}[]"=,/!*+#\n\\\0 KRBYGQ0123456789é',
    "[[temple]]\n",
    "[[prophecy]]\n",
    "no ",
    "copies",
    '""',
]


def mutate(text: str, chooser: Random) -> str:
    for _ in range(chooser.choice((1, 1, 2, 4))):
        at = chooser.randrange(len(text) + 1)
        size = chooser.choice((0, 1, 1, 3, 30))
        text = text[:at] + chooser.choice(["", *ODD]) + text[at + size :]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_a_spoilt_deck_is_refused_or_can_be_played(seed: int) -> None:
    chooser = Random(seed)
    taken = 0
    for _ in range(20 if DISABLED else 150):
        text = mutate(SMALL, chooser)
        try:
            game = Game.new(deck=parse_deck(text, "spoilt.toml"), seed=1)
        except DeckError:
            continue
        taken += 1
        if not DISABLED:
            play_on(game, seed, 40)
            assert Game.replay(game.record(), game.deck).digest == game.digest
    assert taken or DISABLED
