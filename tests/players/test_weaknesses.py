"""The weaknesses of weaker bots, one by one: each shows where it can, and only if it is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from coatl.compiler.functions import DISABLED
from coatl.encode import layout as at
from coatl.game import Game
from coatl.moves import Move, MoveKind
from coatl.net.weights import load_policy
from coatl.options import Options
from coatl.players import weaknesses
from coatl.players.network import APPRENTICE, NOVICE, NetworkPlayer, Strength, ViewEvaluator
from coatl.players.weaknesses import ALWAYS, WEAKNESSES, Attention, Weakness, blanks
from coatl.rules.cards import standard_deck
from coatl.rules.chance import new_chance
from coatl.rules.pieces import BOARD_SPACES
from coatl.simulate import play_game
from coatl.view import View
from tests.players.small_network import new_game

pytestmark = pytest.mark.skipif(DISABLED, reason="the network needs compiled code")

BOTS_PAGE = Path(__file__).parent.parent.parent / "docs" / "bots.md"
PROPHECIES, TEMPLES = standard_deck().prophecy_names, standard_deck().temple_names
COLLECTING = (MoveKind.TAKE, MoveKind.PICK, MoveKind.DRAW)
GAMES = (Options(2, True, promo=True), Options(1, False, solo=()))


@cache
def positions() -> list[View]:
    """All positions with a choice of a game of two, and of a solo game."""
    found = []
    for options in GAMES:
        game, player = new_game(options, "weaknesses"), NetworkPlayer(new_chance(1))
        while game.seat is not None:
            view = game.view(game.seat)
            if len(view.moves) > 1:
                found.append(view)
            game.play(player.choose(view, view.moves))
    return found


def choices(*weak: Weakness, chance: float = ALWAYS) -> list[Move]:
    """What a player with these weaknesses alone chooses in each of those positions."""
    odds = tuple((weakness, chance) for weakness in weak)
    player = NetworkPlayer(new_chance("weak"), strength=Strength(odds=odds))
    return [player.choose(view, view.moves) for view in positions()]


def attentions(weakness: Weakness, chance: float) -> list[tuple[frozenset[str], frozenset[str]]]:
    """The names of the cards that the player of `choices` overlooks in each position."""
    attention, found = Attention({weakness: chance}, new_chance("weak")), []
    for view in positions():
        attention.begin(view)
        found.append(
            (
                frozenset(PROPHECIES[card] for card in attention.hidden_prophecies),
                frozenset(TEMPLES[card] for card in attention.hidden_temples),
            )
        )
    return found


# ---------------------------------------------------------------- what each of them forbids


def closes_a_coatl(view: View, move: Move) -> bool:
    if move.kind is not MoveKind.ADD or move.coatl is None:
        return False
    coatl, (piece,) = view.data.seats[view.seat].coatls[move.coatl].pieces, move.pieces
    return (piece[0] == "<" and coatl[-1] == ">") or (piece[-1] == ">" and coatl[0] == "<")


def misses_a_chance_to_close(view: View, move: Move) -> bool:
    closing = [other for other in view.moves if closes_a_coatl(view, other)]
    return bool(closing) and move not in closing


def assembles_with_room_left(view: View, move: Move) -> bool:
    board = view.data.seats[view.seat].board
    if view.data.phase != "main" or view.data.end or BOARD_SPACES - len(board) < 2:
        return False
    return move.kind not in COLLECTING and any(one.kind in COLLECTING for one in view.moves)


def stops_assembling(view: View, move: Move) -> bool:
    return view.data.phase == "assemble" and move.kind is MoveKind.DONE


def spends_a_token(view: View, move: Move) -> bool:
    return move.kind is MoveKind.TOKEN


FORBIDDEN: dict[Weakness, Callable[[View, Move], bool]] = {
    weaknesses.CLOSES_EARLY: misses_a_chance_to_close,
    weaknesses.HOARDS: assembles_with_room_left,
    weaknesses.USES_UP: stops_assembling,
    weaknesses.FORGETS_TOKENS: spends_a_token,
}


@pytest.mark.parametrize("weakness", FORBIDDEN, ids=lambda weakness: weakness.name)
def test_what_a_weak_player_never_does_and_others_do(weakness: Weakness) -> None:
    forbidden = FORBIDDEN[weakness]
    weak = [forbidden(*both) for both in zip(positions(), choices(weakness), strict=True)]
    usual = [forbidden(*both) for both in zip(positions(), choices(), strict=True)]
    assert not any(weak)
    assert sum(usual) >= 2


def test_a_weakness_that_leaves_nothing_to_do_is_ignored() -> None:
    """Who can only assemble does so, however much it would rather collect; and so on."""
    for weakness in FORBIDDEN:
        for view, move in zip(positions(), choices(weakness), strict=True):
            assert move in view.moves


# ---------------------------------------------------------------- overlooked cards


def names_overlooked_card(
    view: View, move: Move, hidden: tuple[frozenset[str], frozenset[str]]
) -> bool:
    return move.card in hidden[1 if move.kind is MoveKind.TEMPLE else 0]


def test_it_neither_takes_nor_lays_a_card_that_it_overlooks() -> None:
    weakness, chance = weaknesses.OVERLOOKS, 0.5
    missed = 0
    weak, usual = choices(weakness, chance=chance), choices()
    for view, hidden, move, other in zip(
        positions(), attentions(weakness, chance), weak, usual, strict=True
    ):
        if view.data.phase in ("setup", "future"):
            continue  # it goes through the whole hand there
        in_sight = [one for one in view.moves if not names_overlooked_card(view, one, hidden)]
        assert move in in_sight or not in_sight
        missed += other not in in_sight
    assert missed >= 20  # others choose such cards


def test_the_observation_shows_nothing_of_an_overlooked_card() -> None:
    evaluator = ViewEvaluator(load_policy())
    attention = Attention({weaknesses.OVERLOOKS: ALWAYS}, new_chance(1))
    for view in positions():
        attention.begin(view)
        evaluator.observe_known(attention.seen(view))
        seen = evaluator.observation
        assert not seen[at.ROW : at.UNSEEN].any()
        assert not seen[at.PILE_TOPS : at.PILE_SIZES].any()
        if view.data.phase not in ("setup", "future"):
            assert not seen[at.HAND : at.HAND_SIZE].any()
            assert seen[at.HAND_SIZE] == 1
            assert not seen[at.TEMPLES : at.TOKENS].any()


def test_the_view_stays_as_it_is() -> None:
    attention = Attention({weaknesses.OVERLOOKS: ALWAYS}, new_chance(1))
    for view in positions()[:40]:
        before = view.known.tobytes()
        attention.begin(view)
        attention.seen(view)
        assert view.known.tobytes() == before


def test_what_is_overlooked_is_drawn_once_a_turn() -> None:
    found: dict[tuple[int, int, int], set[tuple[frozenset[str], frozenset[str]]]] = {}
    for view, hidden in zip(positions(), attentions(weaknesses.OVERLOOKS, 0.4), strict=True):
        key = view.data.players, view.seat, view.data.turn
        found.setdefault(key, set()).add(hidden)
    assert all(len(of_a_turn) == 1 for of_a_turn in found.values())
    assert len(set.union(*found.values())) == len(found)  # another turn, another draw
    shares = [len(prophecies) / len(PROPHECIES) for (prophecies, _) in set.union(*found.values())]
    assert 0.35 < np.mean(shares) < 0.45


# ---------------------------------------------------------------- what is not looked at


BLANKED = [weakness for weakness in WEAKNESSES if weakness.blanked]


@pytest.mark.parametrize("weakness", BLANKED, ids=lambda weakness: weakness.name)
def test_fields_that_it_does_not_look_at_are_zero_and_others_stay(weakness: Weakness) -> None:
    evaluator = ViewEvaluator(load_policy())
    attention = Attention({weakness: ALWAYS}, new_chance(1))
    is_blank = blanks(weakness.blanked) == 0
    lost = 0
    for view in positions():
        legal = evaluator.observe(view)
        before = evaluator.observation.copy()
        attention.begin(view)
        assert attention.consider(evaluator.observation, legal) is legal
        assert not evaluator.observation[is_blank].any()
        assert (evaluator.observation == before)[~is_blank].all()
        lost += before[is_blank].any()
    assert lost > 20


def test_blanks_are_of_fields_that_there_are() -> None:
    factors = blanks(weaknesses.NO_COUNTING.blanked + weaknesses.NO_HANDS.blanked)
    assert not factors[at.UNSEEN : at.DECK].any()
    assert factors[at.DECK] == 1
    for other in range(at.N_OTHERS):
        first = at.OTHERS + other * at.OTHER_SIZE
        assert not factors[first + at.OTHER_HAND : first + at.OTHER_TEMPLE_COUNT].any()
        assert factors[first + at.OTHER_PRESENT] == 1
    with pytest.raises(ValueError, match="no fields"):
        blanks((("table", "tomorrow"),))


# ---------------------------------------------------------------- all of them


def test_each_is_tested_here_and_changes_what_is_chosen() -> None:
    assert {*FORBIDDEN, *BLANKED, weaknesses.OVERLOOKS} == set(WEAKNESSES)
    usual = choices()
    for weakness in WEAKNESSES:
        assert choices(weakness) != usual, weakness.name


def test_the_table_is_readable() -> None:
    assert len({weakness.name for weakness in WEAKNESSES}) == len(WEAKNESSES)
    assert all(weakness.person.endswith(".") for weakness in WEAKNESSES)
    assert {weakness for weakness, _ in NOVICE.odds} == set(WEAKNESSES)
    assert {weakness for weakness, _ in APPRENTICE.odds} < set(WEAKNESSES)
    for weakness, chance in (*NOVICE.odds, *APPRENTICE.odds):
        assert 0 < chance <= ALWAYS, weakness.name


def test_the_documentation_has_the_same_table() -> None:
    def cell(strength: Strength, weakness: Weakness) -> str:
        chance = dict(strength.odds).get(weakness)
        return "" if chance is None else "always" if chance == ALWAYS else f"{chance:.0%}"

    text = BOTS_PAGE.read_text("utf-8").partition("#### Weaknesses")[2].partition("**Weights.**")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in text.splitlines()]
    table = [(row[0], *row[2:]) for row in rows if len(row) == 4][2:]
    assert [(name, weak.replace(" ", ""), less) for name, weak, less in table] == [
        (one.name, cell(NOVICE, one), cell(APPRENTICE, one)) for one in WEAKNESSES
    ]


def test_a_weakness_shows_as_often_as_its_odds_say() -> None:
    """In a turn as a whole: it is not drawn again for the next decision."""
    weakness, chance = weaknesses.FORGETS_TOKENS, 0.3
    attention = Attention({weakness: chance}, new_chance("often"))
    game, shown = Game.new(players=2, seed=1), 0
    view = game.view(0)
    actions = ViewEvaluator(load_policy())
    for turn in range(1000):
        view.known[0].turn = turn
        attention.begin(view)
        first, again = (
            len(attention.consider(actions.observation, np.array([0, 121]))) for _ in range(2)
        )
        assert first == again
        shown += first == 1
    assert 250 < shown < 350


@pytest.mark.games
@pytest.mark.parametrize(("other", "least", "most"), [("greedy", 1, 7), ("random", 12, 16)])
def test_the_novice_can_be_beaten_and_still_plays(other: str, least: int, most: int) -> None:
    """Shares of many more games are in docs/strength.md."""
    won = 0
    for game in range(16):
        names = ["novice", other] if game % 2 == 0 else [other, "novice"]
        won += play_game(Options(2), names, "novice", game // 2).winners == (game % 2,)
    assert least <= won <= most
