"""The last action of a seat is worked out, not guessed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import Options
from coatl.players import last_action, make_player
from coatl.players.last_action import best_last_move, is_last_action
from coatl.players.search import SearchPlayer
from coatl.rules.chance import new_chance
from coatl.rules.state import END_BODIES, END_THIRD, MAIN
from coatl.simulate import play_moves
from tests.players.small_network import new_game, views_of_two_truths

pytestmark = pytest.mark.skipif(DISABLED, reason="the solver needs compiled code")

# Seat 2 can close Cóatl with its last action: 5 points with G> on the open one, or 10 and more.
ENDING = (
    "2p seat=2 turn=41 end=third trigger=1 left={left}"
    " | coatl=<KRB>:RB coatl=<BYG>:YG coatl=<RKG>:RK | board=G>,K coatl=<KRRGYYBB:!RR!,!YY!"
)

BODIES = {f"take b{space}" for space in range(1, 7)}


def at_the_end(left: int = 0) -> Game:
    return Game.from_position(ENDING.format(left=left), seed=1)


def last_turns(options: Options, games: int) -> Iterator[Game]:
    """Games of greedy players, where a seat's last turn begins."""
    for number in range(games):
        game = new_game(options, f"last {number}")
        players = [make_player("greedy", new_chance(f"{number} {n}")) for n in range(4)]
        turn = -1
        while game.seat is not None:
            view = game.view(game.seat)
            if game.turn != turn and view.known[0].phase == MAIN and is_last_action(view):
                turn = game.turn
                yield game.copy()
            game.play(players[game.seat].choose(view, view.moves))


def test_E2_a_final_turn_after_the_third_coatl_is_the_last() -> None:
    assert is_last_action(at_the_end().view(1))
    assert not is_last_action(Game.new(players=2, seed=1).view(0))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_one_last_turn_and_nothing_after_it(players: int) -> None:
    """E2, E3: whose Cóatl ended the game has none; all others have one, and the game ends."""
    endings: dict[int, int] = {}
    for number in range(8):
        game, last = new_game(Options(players, True, fewer_bodies=players < 4), f"{number}"), []
        bots = [make_player("greedy", new_chance(f"{number} {n}")) for n in range(players)]
        while game.seat is not None:
            view = game.view(game.seat)
            if view.known[0].phase == MAIN:
                if is_last_action(view):
                    last.append((game.seat, game.turn))
                else:
                    assert game.seat not in dict(last), "a turn after the last one"
            if number % 2 and (bodies := [one for one in view.moves if one.text in BODIES]):
                game.play(bodies[0])
            else:
                game.play(bots[game.seat].choose(view, view.moves))
        end = int(game.state.records[0].end)
        assert len(set(last)) == len(dict(last)), "two last turns of a seat"
        assert len(dict(last)) == players - (end == END_THIRD)
        endings[end] = endings.get(end, 0) + 1
    assert endings.keys() == {END_THIRD, END_BODIES}


def test_the_best_ending_is_found_and_played() -> None:
    game = at_the_end()
    while game.seat is not None:
        view = game.view(game.seat)
        move = best_last_move(view, new_chance("any"))
        game.play(view.moves[0] if move is None else move)
    best = at_the_end().best_assembly(1).value
    assert game.scores()[1] == best > 0


def finished(game: Game) -> int:
    """What the seat scores if it ends its turn as it is told to."""
    seat, turn = game.seat, game.turn
    assert seat is not None
    while game.seat == seat and game.turn == turn:
        move = best_last_move(game.view(seat), new_chance("any"))
        game.play(_finish(game) if move is None else move)
    return game.scores()[seat]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_scores_at_least_the_best_assembly(players: int) -> None:
    for game in last_turns(Options(players, players < 4), 6):
        assert game.seat is not None
        assert finished(game.copy()) >= game.best_assembly(game.seat).value


def test_tokens_and_first_actions_score_more(monkeypatch: pytest.MonkeyPatch) -> None:
    games = list(last_turns(Options(2, True), 45))
    most = sum(finished(game.copy()) for game in games)
    less: dict[str, object] = {"TOKENS": set(), "GATHERING": set(), "MOST_STEPS": 2}
    for name, value in less.items():
        with monkeypatch.context() as changed:
            changed.setattr(last_action, name, value)
            assert sum(finished(game.copy()) for game in games) < most, name


def _finish(game: Game) -> str:
    """Ends an action, or does anything, where nothing more can be scored."""
    moves = [move.text for move in game.legal_moves()]
    return next((move for move in moves if move in ("done", "pass")), moves[0])


def test_it_does_not_look_at_hidden_cards() -> None:
    asked = 0
    for _, view, other in views_of_two_truths(400, "hidden", Options(2, True)):
        if is_last_action(view):
            asked += 1
            assert is_last_action(other)
            answers = {best_last_move(seen, new_chance("c")) for seen in (view, other)}
            assert len(answers) == 1
    assert asked


def test_what_it_guesses_of_hidden_cards_changes_nothing() -> None:
    for game in last_turns(Options(2, True), 12):
        view = game.view(game.seat)
        assert len({best_last_move(view, new_chance(guess)) for guess in range(6)}) == 1


@pytest.mark.parametrize("bot", ["artisan", "priest:10", "high-priest:10"])
def test_strong_bots_play_their_last_action_by_it(bot: str) -> None:
    game = at_the_end()
    play_moves(game, [make_player("greedy", new_chance(1)), make_player(bot, new_chance(2))])
    assert game.scores()[1] == at_the_end().best_assembly(1).value


def test_a_last_action_needs_no_search() -> None:
    player = make_player("priest:10", new_chance(2))
    assert isinstance(player, SearchPlayer)
    start = Game.new(players=2, seed=1)
    assert start.seat is not None
    for game, searched in [(start, True), (at_the_end(), False)]:
        view = game.view(game.seat)
        player.choose(view, view.moves)
        assert (player.simulations > 0) is searched


def test_A11_the_cards_of_the_third_coatl_are_the_last_action() -> None:
    """Whose third Cóatl it is has no other turn, so that its cards are all that counts."""
    third = "2p phase=fulfil pending=3 | hand=RK coatl=<BYG>:YG coatl=<GRB>:RB coatl=<RKB> |"
    second = "2p phase=fulfil pending=2 | hand=RK coatl=<BYG>:YG coatl=<RKB> |"
    for words, last in [(third, True), (second, False)]:
        assert is_last_action(Game.from_position(words, seed=1).view(0)) is last
    game = Game.from_position(third, seed=1)
    assert str(best_last_move(game.view(0), new_chance(1))) == "3:RK"


def test_nothing_is_answered_where_turns_follow_or_nothing_can_be_scored() -> None:
    assert best_last_move(Game.new(players=2, seed=1).view(0), new_chance(1)) is None
    bare = ENDING.format(left=0).partition(" | board")[0]
    nothing = Game.from_position(f"{bare} | board=G> coatl=<K", seed=1)
    assert best_last_move(nothing.view(1), new_chance(1)) is None
