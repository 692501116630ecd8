"""A whole game is drawn from a view, and from nothing else (H1)."""

from __future__ import annotations

import re
from functools import cache

import pytest

from coatl import Game, NotationError, View, svg
from coatl.players import make_player
from coatl.rules.chance import new_chance
from coatl.rules.deckfile import parse_deck
from coatl.svg import supply
from coatl.view import ViewData
from tests.svg import reading

Options = tuple[int, tuple[int, ...] | None, bool]
MODES: list[Options] = [
    (2, None, False),
    (3, None, True),
    (4, None, False),
    (1, (), True),
    (1, (1, 3, 5), False),
]
TURNS = (0, 1, 14, 30)
moments = pytest.mark.parametrize("turn", TURNS)
modes = pytest.mark.parametrize("mode", MODES, ids=str)


@cache
def played(mode: Options, turn: int) -> Game:
    """A game between bots in its setup, at its beginning, in its middle."""
    players, solo, promo = mode
    game = Game.new(None if solo is not None else players, solo=solo, promo=promo, seed=4)
    bots = [make_player("greedy", new_chance(seat)) for seat in range(players)]
    while game.turn < turn and not game.over:
        seat = game.seat
        assert seat is not None
        view = game.view(seat)
        game.play(bots[seat].choose(view, view.moves))
    return game


def seats_of(game: Game) -> list[int | None]:
    return [None, *range(game.options.players)]


@modes
@moments
def test_every_view(mode: Options, turn: int) -> None:
    game = played(mode, turn)
    for seat in seats_of(game):
        data = game.view(seat).data
        root = reading.read(svg.game(game, seat))
        assert reading.title(root).startswith(f"Cóatl, turn {data.turn}: ")
        assert f"Turn {data.turn}" in reading.texts(root)
        check_pieces(data, reading.counted(root))
        check_cards(data, reading.counted(root))


def check_pieces(data: ViewData, drawn: dict[str, int]) -> None:
    """Every head in sight is drawn; with those of the bags and of the name at the top."""
    heads = [piece for seat in data.seats for piece in seat.board if piece.startswith("<")]
    heads += [f"<{colour}" for space in ("h1", "h2") for colour in data.supply[space]]
    heads += [one.pieces[:2] for seat in data.seats for one in seat.coatls]
    if data.adam is not None:
        heads += [*data.adam.holding, *(piece for c in data.adam.cards for piece in c.pieces)]
    for colour in "KRBYG":
        extra = 2 if colour == "G" else 1
        assert drawn.get(f"head-{colour}", 0) == heads.count(f"<{colour}") + extra


def check_cards(data: ViewData, drawn: dict[str, int]) -> None:
    """What the view knows lies face up, all the rest face down."""
    open_cards = [name for name in data.row if name is not None]
    temples = [pile.top for pile in data.piles if pile.top is not None]
    hidden = hidden_temples = 0
    for seat in data.seats:
        open_cards += seat.hand
        temples += seat.temples
        hidden += seat.hand_size - len(seat.hand)
        hidden_temples += seat.temple_count - len(seat.temples)
    if data.adam is not None:
        open_cards += [one.card for one in data.adam.cards]
    assert sum(drawn.get(f"frame-{colour}", 0) for colour in "KRBYG") == len(open_cards)
    assert drawn.get("frame-T", 0) == len(temples)
    assert drawn.get("prophecy-back", 0) == hidden + (data.deck > 0)
    assert drawn.get("temple-back", 0) == hidden_temples


@modes
def test_a_game_is_drawn_as_a_spectator_sees_it(mode: Options) -> None:
    game = played(mode, 14)
    spectator = game.view()
    assert svg.game(game) == svg.game(spectator) == svg.game(spectator.data)
    own = game.view(0)
    assert svg.game(game, 0) == svg.game(own) == svg.game(own.data)
    assert svg.game(game, 0) != svg.game(game)


def test_only_the_owner_sees_a_new_hand() -> None:
    """At setup all hands are secret (R13): others see as many backs, whatever the cards are."""
    game = Game.new(2, seed=3)
    hand = game.view(0).data.seats[0].hand
    own = reading.counted(reading.read(svg.game(game, 0)))
    other = reading.counted(reading.read(svg.game(game, 1)))
    spectator = reading.counted(reading.read(svg.game(game)))
    their_hand = game.view(1).data.seats[1].hand
    assert own["prophecy-back"] == len(their_hand) + 1
    assert other["prophecy-back"] == len(hand) + 1
    assert spectator["prophecy-back"] == len(hand) + len(their_hand) + 1


def test_every_seat_has_its_points_and_coatl() -> None:
    game = played((4, None, False), 30)
    root = reading.read(svg.game(game))
    seats = game.view().data.seats
    worth = [str(one.value) for seat in seats for one in seat.coatls]
    assert worth
    shown = reading.texts(root)
    assert not [
        text for text in [*worth, *(str(seat.points) for seat in seats)] if text not in shown
    ]
    assert shown.count("complete") == sum(one.complete for seat in seats for one in seat.coatls)
    assert shown.count("open") == sum(not one.complete for seat in seats for one in seat.coatls)


def test_whose_turn_it_is() -> None:
    assert "Seat 0 chooses the cards to keep" in reading.texts(
        reading.read(svg.game(played((2, None, False), 0)))
    )
    game = Game.new(2, seed=4)
    while not game.over:
        game.play(game.legal_moves()[0])
    assert "The game is over" in reading.texts(reading.read(svg.game(game)))


def test_names_are_text_and_nothing_else() -> None:
    name = "<b>&\"'\x07\ud800 ]]>"
    root = reading.read(svg.game(played((2, None, False), 1), names=[name, "x" * 100]))
    texts = reading.texts(root)
    assert "<b>&\"'\ufffd\ufffd ]]>" in texts
    assert "x" * 23 + "…" in texts


def test_a_game_brings_its_names() -> None:
    game = Game.new(2, seed=4)
    game.seats = ["Ana", "bot:greedy"]
    texts = reading.texts(reading.read(svg.game(game, 0)))
    assert {"Ana", "bot:greedy", "as Ana sees it"} <= set(texts)
    assert "Ben" in reading.texts(reading.read(svg.game(game, names=["Ben", "Cleo"])))


def test_an_id_means_the_same_in_every_drawing() -> None:
    """So that several drawings can stand in one page."""
    games = [played(mode, turn) for mode in MODES for turn in (1, 30)]
    drawings = [*(svg.game(game) for game in games), svg.card("KKK"), svg.coatl("<KRRB", ["{R}"])]
    known: dict[str, str] = {}
    for drawing in drawings:
        for id, text in reading.definitions(reading.read(drawing)).items():
            assert known.setdefault(id, text) == text


def test_the_cards_of_another_deck() -> None:
    deck = parse_deck(
        """
        [[prophecy]]
        colour = "red"
        copies = 6
        levels = { 1 = 2, 2 = 5 }
        cards = ["K G", "G K"]

        [[prophecy]]
        colour = "blue"
        levels = { 1 = 8 }
        cards = ["K * G", "Y * G"]

        [[temple]]
        points = [2, 6]
        copies = 4
        cards = ["no K / 7"]
        """,
        "deck",
    )
    game = Game.new(2, seed=1, deck=deck)
    assert svg.game(game) == svg.game(game.view().data, deck=deck)
    with pytest.raises(NotationError, match="no card is named"):
        svg.game(game.view().data)


def test_what_cannot_be_drawn() -> None:
    game = played((2, None, False), 1)
    view: View = game.view(0)
    with pytest.raises(ValueError, match="a view is that of one seat already"):
        svg.game(view, 1)
    with pytest.raises(ValueError, match="seats are 0 to 1, not 2"):
        svg.game(game, 2)
    with pytest.raises(ValueError, match="2 names are needed, not 3"):
        svg.game(game, names=["a", "b", "c"])
    with pytest.raises(TypeError, match="a Game, a View or its data can be drawn, not str"):
        svg.game("2p")  # type: ignore[arg-type]


def test_spent_tokens_are_faint() -> None:
    game = Game.from_position("2p tokens | tokens=pick | tokens=-")
    root = reading.read(svg.game(game))
    faint = [
        use.attrib["href"]
        for group in root.iter(f"{reading.SVG}g")
        if group.attrib.get("opacity") in (".38", "0.38")
        for use in group.iter(f"{reading.SVG}use")
    ]
    spent = [re.sub(r".*-token-|-[ms]$", "", name) for name in faint]
    assert spent == ["future", "priest", "pick", "future", "priest"]


def test_C4_the_spaces_lie_where_they_lie_on_the_stone() -> None:
    """Body segments clockwise from the upper left, heads on the left, tails on the right."""
    middle = supply.SIZE / 2
    places = {
        space: ("left" if well.x < middle else "right", "up" if well.y < middle else "down")
        for space, well in supply._WELLS.items()
    }
    assert [places[space] for space in ("b1", "b2", "b4", "b5")] == [
        ("left", "up"),
        ("right", "up"),
        ("right", "down"),
        ("left", "down"),
    ]
    assert (places["b3"][0], places["b6"][0]) == ("right", "left")
    assert [places[space] for space in ("h1", "h2")] == [("left", "up"), ("left", "down")]
    assert [places[space] for space in ("t1", "t2")] == [("right", "up"), ("right", "down")]
