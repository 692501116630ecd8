"""Chances, better moves and grades: what they are made from, and that they can be interrupted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from coatl import Game
from coatl.analysis import DEPTHS, Analysis, AnalysisError, Cancelled, from_json, to_json
from coatl.analysis.analysis import weights_name
from coatl.analysis.calibration import WEIGHTS, corrected, normalised, shown_chances
from coatl.analysis.chances import spectator_means
from coatl.analysis.course import read_course
from coatl.analysis.data import ChancePoint, JudgedTurn
from coatl.analysis.grades import find_turning_points, grade
from coatl.analysis.turns import _by_meaning, _loss, _Verdict
from coatl.compiler.functions import DISABLED
from coatl.net.weights import Policy, load_policy
from coatl.options import Options
from coatl.players import make_player
from coatl.rules.chance import new_chance
from coatl.search.search import Search
from coatl.state import State
from tests.analysis.games import missed_win, short_record
from tests.players.small_network import new_game, small_policy

pytestmark = pytest.mark.skipif(DISABLED, reason="the search needs compiled code")

OLD = Path(__file__).parents[1] / "data" / "0.1"


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    return small_policy(tmp_path_factory.mktemp("weights"))


# ---------------------------------------------------------------- chances


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_chances_add_up_to_1_and_end_with_the_result(players: int, policy: Policy) -> None:
    record = short_record(players)
    report = Analysis.of_record(record, "quick", seats=(), policy=policy).run()
    course = read_course(record)
    assert len(report.course) == len(course.played) + 1
    for point in report.course:
        assert len(point.chances) == max(players, 2)
        assert sum(point.chances) == pytest.approx(1)
        assert min(point.chances) >= 0
    assert report.course[-1].chances == course.shares
    assert report.course[-1].points == report.points
    assert [point.turn for point in report.course[1:]] == [turn.number for turn in course.played]


def test_F2_a_shared_win_counts_in_part() -> None:
    game = Game.new(players=3, seed=7)
    while not game.over:
        game.play(game.legal_moves()[0])
    course = read_course(game.record())
    assert course.outcome.winners == (0, 1, 2)
    assert course.shares == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def dealt_anew(state: State, seed: str) -> State:
    """The same table, as far as a spectator can see."""
    return state.view(None).sample(new_chance(seed))


def test_H1_a_spectators_chances_do_not_depend_on_hidden_cards(policy: Policy) -> None:
    course = read_course(short_record(3))
    state, stop = course.state(course.start), np.zeros(1, np.int8)
    other = dealt_anew(state, "another deal")
    assert state.position != other.position
    first, second = (spectator_means(policy, one, 6, "seed", stop) for one in (state, other))
    assert first == second
    assert first != spectator_means(policy, state, 6, "another seed", stop)


def test_H1_a_turn_is_judged_by_what_its_seat_knew(policy: Policy) -> None:
    """The truth, of which the seat knows a part, is put behind its back."""
    course = read_course(short_record(2))
    turn = course.played[0]
    view = course.state(turn.decisions[0].before).view(turn.seat)
    hidden = view.sample(new_chance("another truth"))
    search = Search(policy, new_chance("one"), DEPTHS["quick"].settings)
    again = Search(policy, new_chance("one"), DEPTHS["quick"].settings)
    stop = np.zeros(1, np.int8)
    search.run(view, stop)
    again.run(hidden.view(turn.seat), stop)
    assert search.visits() == again.visits()


def test_chances_are_divided_by_their_sum() -> None:
    assert normalised([0.6, 0.2]) == pytest.approx((0.75, 0.25))
    assert normalised([0.0, 0.0]) == (0.5, 0.5)
    assert shown_chances([0.6, 0.2], WEIGHTS) == normalised([0.6, 0.2])


def test_in_solo_adam_has_the_rest() -> None:
    assert shown_chances([0.3], "another network") == pytest.approx((0.3, 0.7))
    chance, rest = shown_chances([0.3], WEIGHTS)
    assert chance == corrected(0.3) == pytest.approx(0.049, abs=0.001)
    assert chance + rest == 1


def test_the_correction_keeps_the_order_and_the_ends() -> None:
    line = [corrected(chance / 20) for chance in range(21)]
    assert line == sorted(line)
    assert line[0] < 0.001
    assert line[-1] > 0.99


def test_the_correction_is_for_the_network_that_we_ship() -> None:
    assert weights_name(load_policy().for_game(1)) == WEIGHTS, (
        "fit it anew: python -m tools.calibration"
    )


def test_the_winner_of_a_decided_game_is_known(policy: Policy) -> None:
    """Once nobody can change anything, even a network that knows nothing says who wins."""
    game = Game.from_position(
        "2p seat=2 turn=41 end=third trigger=1 left=0"
        " | coatl=<KRRB>:!RR! coatl=<BYG>:YG coatl=<RKG>:RK | board=G>",
        seed=1,
    )
    chances = spectator_means(policy, game.state, 2, "seed", np.zeros(1, np.int8))
    assert chances[0] == 1
    assert chances[1] < 0.5  # this seat has something to decide, so the network is asked


# ---------------------------------------------------------------- better moves


def test_a_win_that_was_passed_up_is_found() -> None:
    report = Analysis.of_record(missed_win(), "quick").run()
    (turning,) = report.turning_points
    assert (turning.turn, turning.seat) == (41, 1)
    assert turning.kind in ("drop", "missed")  # it depends on what the network thought before
    (judged,) = report.turns
    assert judged.better is not None
    assert judged.better.best.move == "1+G>"
    assert judged.better.line == ("1+G>", "done")
    assert judged.better.played.move == "take b1"
    assert judged.better.played.taken == "KR"
    assert judged.better.played.chance == 0
    assert judged.loss > 0.9
    assert judged.points_lost == 4  # 1 ahead instead of 3 behind
    assert [(one.seat, one.turns, one.worst) for one in report.grades] == [(0, 0, None), (1, 1, 41)]


def test_the_win_itself_is_as_good_as_it_gets() -> None:
    game = Game.replay(missed_win())
    start = next(Game.steps(game.record())).position
    better = Game.from_position(start, seed=1)
    better.play("1+G>")
    better.play("done")
    (judged,) = Analysis.of_record(better.record(), "quick").run().turns
    assert (judged.loss, judged.better) == (0, None)
    assert judged.chance > 0.9


MODES = [Options(2, True), Options(3, True, promo=True), Options(1, False, solo=(1, 2, 3, 4, 5))]


@pytest.mark.parametrize("options", MODES, ids=repr)
def test_moves_that_do_the_same_are_one_choice(options: Options) -> None:
    """The search tells moves apart as `coatl.encode.meanings` does."""
    game, driver = new_game(options, "meanings"), make_player("random", new_chance("driver"))
    merged = 0
    while game.seat is not None:
        state = game.state
        observation = state.observation()
        standing = _by_meaning(state)
        expected = observation.decisions[observation.mask == 1].tolist()
        assert sorted(set(standing.values())) == sorted(expected)
        merged += len(standing) - len(expected)
        view = game.view(game.seat)
        game.play(driver.choose(view, view.moves))
    assert merged


def verdict(best: float, played: float) -> _Verdict:
    view = Game.new(players=2, seed=1).view(0)
    return _Verdict(0, view, 2, 1, {1: (10, best, 0.5), 2: (10, played, 0.5)}, 0.0)


@pytest.mark.parametrize(
    ("chances", "loss"),
    [
        ([], 0),
        ([(0.5, 0.47)], 0),  # noise
        ([(0.5, 0.4)], 0.1),
        ([(0.5, 0.4), (0.4, 0.2)], 0.3),
        ([(0.5, 0.4), (0.6, 0.5)], 0),  # it came to no harm after all
        ([(0.5, 0.47), (0.47, 0.44)], 0),  # each for itself is noise
    ],
)
def test_the_smaller_estimate_of_a_loss_counts(
    chances: list[tuple[float, float]], loss: float
) -> None:
    stretch = [verdict(best, played) for best, played in chances]
    assert _loss(stretch, 0.05) == pytest.approx(loss)


# ---------------------------------------------------------------- grades, turning points


def judged(
    turn: int, loss: float, choices: int = 1, seat: int = 0, points: float | None = None
) -> JudgedTurn:
    return JudgedTurn(turn, seat, ("done",), 0.5, choices, loss, points_lost=points)


def test_a_grade_is_of_the_turns_with_something_to_choose() -> None:
    turns = [judged(1, 0.2), judged(2, 0.9, seat=1), judged(3, 0.0), judged(5, 0.0, choices=0)]
    found = grade(0, turns)
    assert (found.turns, found.best_share, found.worst) == (2, 0.5, 1)
    assert found.mean_loss == pytest.approx(0.1)
    assert grade(2, turns).turns == 0


def test_a_grade_in_points_has_a_margin() -> None:
    found = grade(0, [judged(1, 0.2, points=3), judged(3, 0, points=-1), judged(5, 0, 0, points=9)])
    assert found.points_lost == 1
    assert found.points_margin == pytest.approx(1.96 * 8**0.5 / 2**0.5)
    single = grade(0, [judged(1, 0.2, points=3)])
    assert (single.points_lost, single.points_margin) == (3, None)
    earlier = grade(0, [judged(1, 0.2), judged(3, 0)])  # of a version that did not estimate it
    assert (earlier.points_lost, earlier.points_margin) == (None, None)


def test_turning_points_are_the_largest_changes_and_losses() -> None:
    course = [ChancePoint(0, None, "setup", (0.5, 0.5), (0, 0))]
    for turn, chance in enumerate((0.7, 0.7, 0.4, 0.45), 1):
        course.append(ChancePoint(turn, 0, "take", (chance, 1 - chance), (0, 0)))
    found = find_turning_points(course, [judged(2, 0.3), judged(3, 0.1), judged(4, 0.01)])
    assert [(point.turn, point.kind) for point in found] == [
        (1, "gain"),
        (2, "missed"),
        (3, "drop"),
    ]
    assert [point.loss for point in found] == [None, 0.3, 0.1]


# ---------------------------------------------------------------- step by step


def test_resuming_gives_the_same_as_one_go(policy: Policy) -> None:
    record = short_record(2)
    whole = Analysis.of_record(record, "quick", policy=policy)
    report = whole.run()
    assert whole.progress == 1
    assert not whole.step()
    kept = Analysis.of_record(record, "quick", policy=policy).save()
    steps = 0
    while True:
        part = Analysis.resume(record, kept, policy)
        assert part.done == steps
        if not part.step():
            break
        steps, kept = steps + 1, part.save()
    assert steps == whole.steps
    assert part.report() == report


def test_a_cancelled_step_is_not_done(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    record = short_record(2)
    analysis = Analysis.of_record(record, "quick", policy=policy)
    while not analysis.report().turns:
        analysis.step()
    kept, run = analysis.save(), Search.run

    def cancelled(search: Search, *arguments: object) -> None:
        analysis.cancel()  # as another thread would
        run(search, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Search, "run", cancelled)
    with pytest.raises(Cancelled):
        analysis.run()
    monkeypatch.undo()
    with pytest.raises(Cancelled):
        analysis.step()
    assert analysis.save() == kept
    report = Analysis.resume(record, kept, policy).run()
    assert report == Analysis.of_record(record, "quick", policy=policy).run()


def test_a_cancelled_chance_is_not_done(policy: Policy) -> None:
    course = read_course(short_record(2))
    with pytest.raises(Cancelled):
        spectator_means(policy, course.state(course.start), 2, "seed", np.ones(1, np.int8))


def test_what_was_kept_of_another_game_is_refused(policy: Policy) -> None:
    kept = Analysis.of_record(short_record(2), "quick", policy=policy).save()
    with pytest.raises(AnalysisError, match="another game"):
        Analysis.resume(short_record(3), kept, policy)
    with pytest.raises(AnalysisError, match="another game"):
        Analysis.resume(short_record(2), kept)  # another network
    with pytest.raises(AnalysisError, match="another version"):
        Analysis.resume(short_record(2), kept.replace(b"[8,60,", b"[8,70,"), policy)
    earlier = kept.replace(b"[8,60,0.03,8]", b"[8,60,0.03]")  # of version 1.0
    for damaged in (earlier, kept[:-5]):
        with pytest.raises(AnalysisError, match="cannot be read"):
            Analysis.resume(short_record(2), damaged, policy)


def test_a_report_is_read_back_from_its_json() -> None:
    report = Analysis.of_record(missed_win(), "quick").run()
    assert from_json(to_json(report)) == report
    with pytest.raises(ValueError, match="version 9"):
        from_json(to_json(report).replace(b'"version":1', b'"version":9'))


# ---------------------------------------------------------------- records


@pytest.mark.parametrize("name", ["over", "solo"])
def test_records_of_an_earlier_version_can_be_analysed(name: str, policy: Policy) -> None:
    record = (OLD / f"{name}.coatl").read_text("utf-8")
    report = Analysis.of_record(record, "quick", seats=(), policy=policy).run()
    assert report.course[0].turn == (0 if name == "over" else 1)  # in solo A.D.A.M. has had his
    assert report.course[-1].chances == read_course(record).shares


def test_what_was_taken_back_is_left_out(policy: Policy) -> None:
    game = Game.from_position(missed_start(), seed=1)
    game.play("new K")
    game.undo()
    game.play("take b1")
    (turn,) = read_course(game.record()).turns
    assert [decision.move.text for decision in turn.decisions] == ["take b1"]
    assert game.record() != missed_win()
    found = [
        Analysis.of_record(text, "quick", policy=policy).run()
        for text in (game.record(), missed_win())
    ]
    assert found[0].turns == found[1].turns


def missed_start() -> str:
    return next(Game.steps(missed_win())).position


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Game.new(players=2, seed=1).record(), "not over"),
        ("Coatl record 1\nPlayers: 2\nDeck: 1234\n", "printed cards"),
    ],
)
def test_games_that_cannot_be_analysed(record: str, message: str) -> None:
    with pytest.raises(AnalysisError, match=message):
        read_course(record)


def test_wrong_depths_and_seats(policy: Policy) -> None:
    with pytest.raises(AnalysisError, match="quick, normal, deep"):
        Analysis.of_record(missed_win(), "endless", policy=policy)
    with pytest.raises(AnalysisError, match="0 to 1"):
        Analysis.of_record(missed_win(), "quick", seats=(2,), policy=policy)
