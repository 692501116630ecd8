"""One running game: its options, moves, reasons, A.D.A.M. and the end."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from coatl import Game, IllegalMove, Move, NotationError
from coatl.compiler.functions import DISABLED
from coatl.events import Event
from coatl.options import Options, OptionsError
from coatl.rules.decisions import N_DECISIONS
from tests.game.games import MODES, any_move, at_position, bytes_of, new_game, play_on
from tests.game.shorthand import place_text
from tests.game.truth import truth_of
from tests.play import Mode

# ---------------------------------------------------------------- for the tests of this folder


# ---------------------------------------------------------------- options


def test_two_players_with_tokens_are_the_default() -> None:
    game = Game.new()
    assert (game.options.players, game.options.tokens, game.options.solo) == (2, True, None)
    assert (game.options.promo, game.options.fewer_bodies) == (False, False)
    assert (game.phase, game.seat, game.turn, game.over) == ("setup", 0, 0, False)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_options_reach_the_table(mode: Mode) -> None:
    game = new_game(mode)
    state = truth_of(game)
    assert (state.n_players, state.levels) == (mode.players, mode.levels)
    assert (state.with_tokens, state.with_promo) == (mode.tokens, mode.promo)
    assert state.fewer_bodies == mode.fewer
    assert game.position.split()[0] == ("solo" if mode.players == 1 else f"{mode.players}p")


WRONG_OPTIONS: list[tuple[dict[str, Any], str]] = [
    ({"players": 1}, "2 to 4 players"),
    ({"players": 5}, "2 to 4 players"),
    ({"players": 0}, "2 to 4 players"),
    ({"players": -2}, "2 to 4 players"),
    ({"players": 4, "fewer_bodies": True}, "R22"),
    ({"solo": [], "fewer_bodies": True}, "R22"),
    ({"solo": [], "players": 2}, "D1"),
    ({"solo": [], "tokens": True}, "D1"),
    ({"solo": [0]}, "D10"),
    ({"solo": [1, 6]}, "D10"),
    ({"solo": [-1]}, "D10"),
    ({"players": "2"}, "players is a whole number, not '2'"),
    ({"players": 2.0}, "players is a whole number, not 2.0"),
    ({"players": True}, "players is a whole number, not True"),
    ({"players": 1.0, "solo": []}, "players is a whole number, not 1.0"),
    ({"tokens": "yes"}, "tokens is True or False, not 'yes'"),
    ({"tokens": 1}, "tokens is True or False, not 1"),
    ({"tokens": 0, "solo": []}, "tokens is True or False, not 0"),
    ({"promo": "no"}, "promo is True or False, not 'no'"),
    ({"fewer_bodies": None}, "fewer_bodies is True or False, not None"),
    ({"solo": "13"}, "solo is a list of levels such as .*, not '13'"),
    ({"solo": ["1"]}, r"solo is a list of levels .*, not \['1'\]"),
    ({"solo": [1.0]}, r"solo is a list of levels .*, not \[1.0\]"),
    ({"solo": [True]}, r"solo is a list of levels .*, not \[True\]"),
    ({"solo": 3}, "solo is a list of levels .*, not 3"),
    ({"solo": [None, 1]}, "solo is a list of levels"),
    ({"seed": 1.5}, "a seed is a whole number or a line of text, not 1.5"),
    ({"seed": True}, "a seed is a whole number or a line of text, not True"),
    ({"seed": b"7"}, "a seed is a whole number or a line of text, not b'7'"),
    ({"seed": ""}, "a seed is a whole number or a line of text, not ''"),
    ({"seed": "a\nb"}, "a seed is a whole number or a line of text"),
]


@pytest.mark.parametrize(("options", "reason"), WRONG_OPTIONS, ids=str)
def test_options_that_do_not_go_together_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(OptionsError, match=reason):
        Game.new(**options)


@pytest.mark.parametrize(
    "options",
    [
        *((0,), (1,), (5,), (2.0,), ("2",), (None,)),
        *((4, True, False, True), (2, True, False, False, ()), (1, True, False, False, ())),
        *((1, False, False, False, (6,)), (1, False, False, False, (1, 1))),
        *((1, False, False, False, [1]), (1, False, False, False, (1.0,))),
    ],
)
def test_options_made_by_hand_are_checked_too(options: tuple[Any, ...]) -> None:
    with pytest.raises(OptionsError):
        Options(*options)


def test_levels_are_a_set() -> None:
    assert Game.new(solo=[3, 1, 3]).options.solo == (1, 3)
    assert Game.new(solo=(level for level in (5, 2))).options.solo == (2, 5)
    assert Game.new(players=1, solo=[]).options.solo == ()


def test_a_seed_gives_the_same_game() -> None:
    """A number and its text are the same seed; without a seed no two games are alike."""
    assert bytes_of(Game.new(seed=7)) == bytes_of(Game.new(seed="7"))
    assert bytes_of(Game.new(seed=7)) != bytes_of(Game.new(seed=8))
    one, other = play_on(Game.new(seed=7), 3, 60), play_on(Game.new(seed=7), 3, 60)
    assert one.record() == other.record()
    games = [Game.new() for _ in range(4)]
    assert len({game.seed for game in games}) == len({game.digest for game in games}) == 4


# ---------------------------------------------------------------- why not


def test_a_legal_move_has_no_reason_against_it() -> None:
    game = play_on(Game.new(seed=4), 4, 30)
    assert all(game.why(move) is None for move in game.legal_moves())
    assert all(game.why(move.text) is None for move in game.legal_moves())


@pytest.mark.parametrize("text", ["", "take", "take b9", "jump", "1:NOPE", "pick", "token", "9+K"])
def test_a_text_that_cannot_be_read_changes_nothing(text: str) -> None:
    game = play_on(Game.new(seed=4), 4, 30)
    before = game.record()
    for ask in (game.move, game.why, game.play):
        with pytest.raises(NotationError):
            ask(text)
    assert game.record() == before


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_illegal_decision_number_is_refused(mode: Mode) -> None:
    game, chooser = new_game(mode, 9), Random(9)
    for number in range(100):
        if number % 20 == 7:
            refuse_all_but_legal(game, chooser)
        if not game.over:
            game.play(any_move(game, chooser))


def refuse_all_but_legal(game: Game, chooser: Random) -> None:
    """`why` knows a clause for every other number; `play` refuses some of them with it."""
    legal = {move.decision for move in game.legal_moves()}
    before, length = bytes_of(game), len(game.record())
    others = [n for n in range(N_DECISIONS) if n not in legal]
    reasons = {n: game.why(game._state.move(n)) for n in others}
    assert all(game.why(game._state.move(n)) is None for n in legal)
    for n in chooser.sample(others, 4 if DISABLED else 20):
        with pytest.raises(IllegalMove) as refused:
            game.play(game._state.move(n))
        reason = reasons[n]
        assert reason is not None
        assert (refused.value.cause, refused.value.reason) == (reason.cause, reason.text)
    assert None not in reasons.values()
    assert (bytes_of(game), len(game.record())) == (before, length)


# ---------------------------------------------------------------- moves


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES[::3], ids=str)
def test_a_text_plays_what_its_move_plays(mode: Mode) -> None:
    """The same game, once in moves and once in words."""
    game, words, chooser = new_game(mode, 3), new_game(mode, 3), Random(3)
    while not game.over:
        assert game.legal_moves() == words.legal_moves()
        move = any_move(game, chooser)
        assert words.move(move.text) == move
        assert game.play(move) == words.play(move.text)
    assert game.record() == words.record()
    assert words.legal_moves() == ()


def test_a_move_kept_from_an_earlier_position_is_recorded_as_what_it_does() -> None:
    """Its number means another card now; the log must not believe a text that does not fit."""
    game = Game.new(seed=5)
    stale = Move("pick YG", at_position("2p row=YG,RK,YB,GB,KG,YK").move("pick YG").decision)
    while game.phase != "main":
        game.play("done" if game.why("done") is None else game.legal_moves()[0])
    try:
        game.play(stale)
    except (IllegalMove, NotationError):
        return
    assert Game.replay(game.record()).digest == game.digest


def test_the_turn_and_the_seat_go_on() -> None:
    game = at_position("3p")
    assert (game.seat, game.turn, game.phase) == (0, 1, "main")
    game.play("take b1")
    assert (game.seat, game.turn) == (1, 2)
    game.play("draw")
    assert (game.seat, game.turn, game.phase) == (1, 2, "pick")
    game.play("done")
    game.play("take h1")
    assert (game.seat, game.turn, game.phase) == (0, 4, "main")


# ---------------------------------------------------------------- A.D.A.M.


@pytest.mark.games
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode.players == 1], ids=str)
def test_adam_plays_by_himself_after_your_turn(mode: Mode) -> None:
    """His turns are the odd ones; nobody is ever asked for one of his steps."""
    game, chooser = new_game(mode, 2), Random(2)
    while not game.over:
        assert game.seat == 0
        assert game.phase != "adam"
        assert game.phase == "setup" or game.turn % 2 == 0
        turn = game.turn
        events = game.play(any_move(game, chooser))
        if game.turn > turn:
            assert took_a_turn(events)
            assert game.turn == turn + 2 or game.over


def took_a_turn(events: Sequence[Event]) -> bool:
    """Did A.D.A.M. take pieces?"""
    return any(place_text(event.target) == "adam.holding" for event in events)


def test_adam_takes_the_first_turn() -> None:
    game = Game.new(solo=[], seed=1)
    for _ in range(2):
        assert not took_a_turn(game.play(game.legal_moves()[0]))
    assert took_a_turn(game.play("done"))
    assert (game.phase, game.seat, game.turn) == ("main", 0, 2)


# ---------------------------------------------------------------- the end


def test_scores_while_the_game_goes_on() -> None:
    """Complete Cóatl count; there is no outcome yet."""
    game = at_position("2p | coatl=<KRRR>:{R} coatl=<BBBB | coatl=<KKK>:{K},noR/11")
    assert game.scores() == [2, 2 + 3]
    assert not game.over
    with pytest.raises(ValueError, match="not over"):
        game.outcome()


def test_scores_in_solo_are_yours_and_adams() -> None:
    game = at_position("solo | coatl=<KRRR>:{R} | cards=KKK fulfilled=YG,RRR")
    assert game.scores() == [2, 5 + 7]


@pytest.mark.games
@pytest.mark.parametrize("mode", MODES, ids=str)
def test_the_outcome_follows_from_its_numbers(mode: Mode) -> None:
    """F2: points, then cards, then the best Cóatl, then shared; D9: strictly more points."""
    for seed in range(1 if DISABLED else 3):
        game = play_on(new_game(mode, seed), seed)
        outcome = game.outcome()
        assert outcome.points == tuple(game.scores())
        assert outcome.end in ("third", "bodies", "passed")
        ranks = list(zip(outcome.points, outcome.cards, outcome.best_coatl, strict=True))
        if mode.players == 1:
            best = {0 if outcome.points[0] > outcome.points[1] else 1}
        else:
            best = {seat for seat, rank in enumerate(ranks) if rank == max(ranks)}
        assert outcome.winners == tuple(sorted(best))
        assert {seat for seat, rank in enumerate(outcome.ranks) if rank == 1} == best
        assert (outcome.decided_by == "shared") == (len(best) > 1)
        assert (game.seat, game.phase, game.legal_moves()) == (None, "over", ())


def test_after_the_end_nothing_can_be_played() -> None:
    game = play_on(Game.new(seed=2), 2)
    before = game.record()
    for text in ("take b1", "draw", "done", "pass", "new K"):
        with pytest.raises(IllegalMove) as refused:
            game.play(text)
        assert refused.value.clause == "E4"
    assert game.record() == before
    assert not game.can_undo
