"""Judges a turn: was there something better, by what the seat knew?

Before each decision of the turn the seat's knowledge is searched, and the assembly that scores most
(`coatl.solver`) is tried in any case. If another decision than the one played is preferred, both
get as many simulations as the preferred one has, so that they can be compared. Between two draws
what was lost is estimated in two ways: as the sum over the decisions, and as the chance at first
less that at last. The smaller one counts, if it is more than noise. What a draw changes is nobody's
fault, so each stretch between draws counts by itself.

How many points a turn cost is estimated in another way, by games that the network plays out to the
end: after what was played, and after what `artisan` would have played. That is rough for a single
turn, but no network says there how good a position is, so whoever plays can be compared by it.
"""

from __future__ import annotations

from dataclasses import dataclass

from coatl.analysis.chances import Cancelled, Stop
from coatl.analysis.course import Course, Decision, Turn, taken_by
from coatl.analysis.data import BetterMove, JudgedTurn, MoveChance
from coatl.analysis.depth import Depth
from coatl.moves import Move, MoveKind
from coatl.net.weights import Policy
from coatl.players.network import ARTISAN, NetworkPlayer
from coatl.rules.chance import new_chance
from coatl.search.playouts.playouts import Playouts
from coatl.search.search import Search
from coatl.state import State
from coatl.view import View

MOST_OTHERS = 2  # further moves that are told
MOST_MOVES = 40  # of a line


@dataclass(frozen=True)
class _Verdict:
    """One decision that was judged."""

    number: int
    view: View
    played: int
    best: int
    found: dict[int, tuple[int, float, float]]  # by decision: visits, chance, prior
    points_lost: float

    @property
    def loss(self) -> float:
        return self.found[self.best][1] - self.found[self.played][1]


class TurnJudge:
    """Judges one turn; a seed gives the same judgement on the same machine and build."""

    def __init__(
        self,
        policy: Policy,
        course: Course,
        turn: Turn,
        depth: Depth,
        seed: str,
        stop: Stop,
        lines: bool = True,
    ) -> None:
        """`lines`: also find out how a better move would have gone on."""
        self._course, self._turn, self._depth, self._stop = course, turn, depth, stop
        self._chances, self._lines = new_chance(f"{seed} lines"), lines
        self._seed = seed
        self._search = Search(policy, new_chance(seed), depth.settings)
        self._artisan = NetworkPlayer(new_chance(f"{seed} artisan"), policy, ARTISAN)
        self._playouts = Playouts(policy)

    def judge(self) -> JudgedTurn:
        """Raises `Cancelled`."""
        turn = self._turn
        stretches: list[list[_Verdict]] = [[]]
        for number, decision in enumerate(turn.decisions):
            verdict = self._judge_decision(number, decision)
            if verdict is not None:
                stretches[-1].append(verdict)
            if decision.drew:
                stretches.append([])
        margin = self._depth.margin
        losses = [_loss(stretch, margin) for stretch in stretches]
        lossy = [stretch for stretch, loss in zip(stretches, losses, strict=True) if loss]
        wrong = [verdict for stretch in lossy for verdict in stretch if verdict.loss >= margin]
        verdicts = [verdict for stretch in stretches for verdict in stretch]
        return JudgedTurn(
            turn=turn.number,
            seat=turn.seat,
            moves=tuple(decision.move.text for decision in turn.decisions),
            chance=self._chance_at_start(verdicts),
            choices=len(verdicts),
            loss=sum(losses),
            better=self._better(max(wrong, key=lambda verdict: verdict.loss)) if wrong else None,
            points_lost=sum(verdict.points_lost for verdict in verdicts),
        )

    def _judge_decision(self, number: int, decision: Decision) -> _Verdict | None:
        """None where there was nothing to choose."""
        state = self._course.state(decision.before)
        actions = _by_meaning(state)
        if len(set(actions.values())) < 2:
            return None
        view = state.view(self._turn.seat)
        self._search.run(view, self._stop)
        self._check()
        played = actions[decision.move.decision]
        best = self._preferred()
        closing = self._try_closing(view)
        if closing is not None and self._chance_of(closing) > self._chance_of(best):
            best = closing
        if best != played:
            self._compare(best, played)
            if self._chance_of(played) >= self._chance_of(best):
                best = played
        usual = actions[self._artisan.choose(view, view.moves).decision]
        points = 0.0 if usual == played else self._points_lost(number, view, usual, played)
        return _Verdict(number, view, played, best, self._search.visits(), points)

    def _points_lost(self, number: int, view: View, usual: int, played: int) -> float:
        """How much further ahead the seat ends with the usual decision, on average."""
        deals = new_chance(f"{self._seed} deals {number}")  # the same for both
        leads = []
        for decision in (usual, played):
            games = self._depth.games
            leads.append(self._playouts.lead(view, decision, games, deals, self._stop))
            self._check()
        return leads[0] - leads[1]

    def _preferred(self) -> int:
        """The decision with the most visits; of equals the one with the better prior."""
        found = self._search.visits()
        return max(found, key=lambda decision: (found[decision][0], found[decision][2]))

    def _chance_of(self, decision: int) -> float:
        return self._search.visits()[decision][1]

    def _try_closing(self, view: View) -> int | None:
        """The decision that begins the best assembly, if it closes anything and can be made now.

        A search with few simulations may not try what the network thinks little of, and miss the
        one way to win: it is made to try this.
        """
        assembly = view.best_assembly()
        if not assembly.closed or assembly.moves[0].decision not in self._search.visits():
            return None
        decision = assembly.moves[0].decision
        self._search.force(decision, self._depth.compared, self._stop)
        self._check()
        return decision

    def _compare(self, best: int, played: int) -> None:
        visits = max(self._depth.compared, self._search.visits()[best][0])
        for decision in (best, played):
            self._search.force(decision, visits, self._stop)
            self._check()

    def _check(self) -> None:
        if self._stop[0]:
            raise Cancelled

    def _chance_at_start(self, verdicts: list[_Verdict]) -> float:
        if verdicts:
            return min(1.0, verdicts[0].found[verdicts[0].best][1])
        view = self._course.state(self._turn.decisions[0].before).view(self._turn.seat)
        chance = self._search.estimate(view, self._depth.samples, self._stop)
        self._check()
        return chance

    def _better(self, verdict: _Verdict) -> BetterMove:
        found, state = verdict.found, self._course.state(self._before(verdict))
        played = self._turn.decisions[verdict.number].move
        told = (verdict.best, verdict.played)
        enough = found[verdict.played][0] // 2
        others = sorted(
            (d for d, (visits, _, _) in found.items() if visits >= enough and d not in told),
            key=lambda decision: -found[decision][1],
        )

        def named(decision: int) -> MoveChance:
            return self._told(state.move(decision), verdict, found[decision][1])

        return BetterMove(
            decision=verdict.number,
            played=self._told(played, verdict, found[verdict.played][1]),
            best=named(verdict.best),
            line=self._line(verdict),
            others=tuple(named(decision) for decision in others[:MOST_OTHERS]),
        )

    def _told(self, move: Move, verdict: _Verdict, chance: float) -> MoveChance:
        return MoveChance(move.text, chance, taken_by(self._before(verdict), move))

    def _before(self, verdict: _Verdict) -> bytes:
        return self._turn.decisions[verdict.number].before

    def _line(self, verdict: _Verdict) -> tuple[str, ...]:
        """The best move and those that follow in the turn, until something is drawn.

        Played on a guess at what is hidden: as long as nothing is drawn it makes no difference.
        """
        state = verdict.view.sample(self._chances)
        seat, turn, decision = self._turn.seat, state.turn, verdict.best
        line: list[str] = []
        while len(line) < MOST_MOVES:
            line.append(state.move(decision).text)
            if not self._lines:
                break
            drawn = state.advance(decision)
            if drawn or state.seat != seat or state.turn != turn:
                break
            if len(set(_by_meaning(state).values())) < 2:
                decision = state.legal[0]
            else:
                self._search.run(state.view(seat), self._stop)
                self._check()
                decision = self._preferred()
        return tuple(line)


def _loss(stretch: list[_Verdict], margin: float) -> float:
    """What was lost between two draws; 0 if that may be noise."""
    if not stretch:
        return 0.0
    single = sum(verdict.loss for verdict in stretch if verdict.loss >= margin)
    first, last = stretch[0], stretch[-1]
    whole = first.found[first.best][1] - last.found[last.played][1]
    loss = min(single, whole)
    return loss if loss >= margin else 0.0


def _by_meaning(state: State) -> dict[int, int]:
    """For each legal decision the first that does the same, as a search knows it.

    Two spaces of the supply with the same pieces are one choice (`coatl.encode.meanings`).
    """
    first: dict[object, int] = {}
    return {
        move.decision: first.setdefault(_meaning(state, move), move.decision)
        for move in state.moves()
    }


def _meaning(state: State, move: Move) -> object:
    """What a move does, where its number names a place."""
    match move.kind:
        case MoveKind.TAKE:
            return (
                move.kind,
                str(move.space)[0],
                state.records["supply"][0][move.decision].tobytes(),
            )
        case MoveKind.PICK | MoveKind.TEMPLE:
            return move.kind, move.coatl, move.card
        case MoveKind.TOKEN if move.pile is not None:
            return move.token, state.pile_top[move.pile]
    return move.decision
