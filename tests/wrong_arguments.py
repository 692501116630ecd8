"""Calls public functions with thousands of wrong arguments, in a process of its own.

What goes wrong in compiled code ends the process, or never comes back. Arguments: a seed, how many
calls, and a file that always holds the call under way.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from coatl import Game
from coatl.compiler.records import Int8, copy_records, record_array
from coatl.encode.meanings import N_ACTIONS
from coatl.env.batch import Batch
from coatl.env.modes import training_mix
from coatl.env.seats import action_of, choose_with_player, view_of
from coatl.env.stepping import ILLEGAL
from coatl.net.weights import Policy, load_policy, save_random_policy
from coatl.options import Options
from coatl.players.montecarlo import MonteCarloPlayer
from coatl.players.network import NetworkPlayer, Strength, ViewEvaluator
from coatl.players.planner import PlannerPlayer, PlannerWeights
from coatl.players.registry import make_player
from coatl.players.search import SearchPlayer
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import join_chances, new_chance, numbers_below, set_script, words
from coatl.rules.decisions import N_DECISIONS
from coatl.rules.state import new_states
from coatl.search.batched.search import BatchedSearch
from coatl.search.search import Search
from coatl.search.settings import SearchSettings
from coatl.simulate import play_game, play_out, player_chances, random_results

OURS = (ValueError, TypeError)
DTYPES = ("i1", "i2", "i4", "i8", "u1", "u2", "u8", ">i2", ">i8", "f2", "f4", "f8", "c8", "?", "O")
NUMBERS: tuple[Any, ...] = (
    *(-1, 0, 1, 2, 3, 5, 7, 255, -(2**15), 2**15, -(2**31), 2**31 - 1, 2**32, 2**63, -(2**63)),
    *(2**64, 10**30, True, 0.5, 2.0, -1.5, 1e300, float("nan"), float("inf"), -float("inf")),
    *(None, "3", "", b"3", bytes(32), (), [], [1], {}, 1j, np.int8(-1), np.int64(2), np.uint64(9)),
    *(np.float32("nan"), np.array(3), np.array([3]), object()),
)
FEW: tuple[Any, ...] = (
    -(10**30),
    -1,
    0,
    1,
    2,
    3,
    2.0,
    "3",
    None,
    float("nan"),
    np.int64(2),
    [],
    np.array(3),
)
Call = tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]


class Wrong:
    """Makes calls, most of them wrong."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.draw = np.random.default_rng(seed)
        path = folder / "small.npz"
        save_random_policy(path)
        self.file = path.read_bytes()
        self.damaged = folder / "damaged.npz"
        self.policy = load_policy(path)
        self.batch = Batch(training_mix(6), 1)
        self.fresh = Batch([Options(2)] * 3)
        self.batched = BatchedSearch(5, SearchSettings(simulations=4), 1)
        self.batch.reset()
        self.game = Game.new(players=2, seed="wrong")
        cards = standard_deck()
        own = Game.new(players=2, deck=Deck(cards.prophecies[::-1], cards.temples), seed="own deck")
        self.views = [*(self.game.view(seat) for seat in (0, 1, None)), own.view(0)]
        self.evaluator = ViewEvaluator(self.policy)
        self.search = Search(self.policy, new_chance(1), SearchSettings(simulations=4))
        self.players = [
            *(make_player(name, new_chance(1)) for name in ("greedy", "planner", "montecarlo:4")),
            NetworkPlayer(new_chance(1), self.policy, Strength(1.0)),
            SearchPlayer(new_chance(1), self.policy, SearchSettings(simulations=4)),
        ]
        self.makers = [value for name, value in vars(Wrong).items() if name.startswith("call_")]

    def make(self) -> Call:
        found: Call = self.pick(self.makers)(self)
        return found

    # ------------------------------------------------------------ arguments

    def pick(self, choices: Sequence[Any]) -> Any:
        return choices[int(self.draw.integers(len(choices)))]

    def number(self) -> Any:
        return self.pick(NUMBERS)

    def few(self) -> Any:
        """A number of things to make: never so many that it would take long."""
        return self.pick(FEW)

    def array(self, *shape: int, dtype: str = "i2") -> Any:
        """An array that is nearly right: of another type, shape, order, or read only."""
        odds = self.draw.random(6)
        if odds[0] < 0.3:
            dtype = self.pick(DTYPES)
        if odds[1] < 0.2:
            shape = self.pick([(), (0,), (1,), (*shape, 1), (shape[0] + 1, *shape[1:]), (2, 3)])
        content = self.draw.integers(-3, N_ACTIONS + 3, shape)
        with np.errstate(all="ignore"):
            made = np.asarray(content).astype(dtype)
            if odds[2] < 0.2 and made.dtype.kind == "f":
                made = np.full_like(made, self.pick([np.nan, np.inf, -np.inf, 3e38]))
        if odds[3] < 0.2 and made.ndim:
            made = np.repeat(made, 2, axis=-1)[..., ::2]
        if odds[4] < 0.1:
            made = np.asfortranarray(made)
        if odds[5] < 0.1:
            made.flags.writeable = False
        return self.pick([made, made, made, made.tolist(), self.number()])

    def legal(self) -> Any:
        actions = np.zeros(self.batch.n, np.int64)
        self.batch.random_actions(actions)
        return actions

    def nearly_legal(self) -> Any:
        actions = self.legal()
        place = int(self.draw.integers(self.batch.n))
        actions[place] = self.pick([-1, -(2**15), N_ACTIONS, 2**16, 2**40, actions[place - 1]])
        return actions

    def options(self) -> Any:
        made = [Options(2), Options(3), Options(1, False, solo=(1, 3)), Options(2, promo=True)]
        return self.pick([*made, *made, self.number()])

    def allocate(self) -> Any:
        def wrong(shape: tuple[int, ...], dtype: Any) -> Any:
            return self.array(*shape, dtype=np.dtype(dtype).str)

        return self.pick([np.zeros, wrong, np.empty, self.number()])

    def chances(self) -> Any:
        made = join_chances([new_chance(1), new_chance(2)])
        locked = new_chance(1)
        locked.flags.writeable = False
        wrong = (made[:0], made[::-1], made.reshape(1, 2), locked, np.zeros(3), self.number())
        return self.pick([made, made, *wrong])

    # ------------------------------------------------------------ calls

    def call_step(self) -> Call:
        actions = self.pick([self.array, self.legal, self.nearly_legal])
        given = actions(self.batch.n) if actions == self.array else actions()
        return self.step, (given,), {}

    def step(self, actions: Any) -> None:
        """One that is carried out was legal, one that is refused changes nothing."""
        before, decisions = self.everything(), self.batch.decisions.copy()
        try:
            self.batch.step(actions)
        except OURS:
            assert before == self.everything()
            raise
        assert all(action >= 0 for action in actions)
        assert (decisions[np.arange(self.batch.n), actions] != ILLEGAL).all()

    def everything(self) -> list[bytes]:
        batch = self.batch
        games = batch._games
        kept = (games.states, games.chances, games.deals, games.decisions, games.caches)
        return [array.tobytes() for array in (*kept, *batch._output)]

    def call_step_early(self) -> Call:
        return self.fresh.step, (np.zeros(3, np.int16),), {}

    def call_random_actions(self) -> Call:
        batch = self.pick([self.batch, self.batch, self.fresh])
        return batch.random_actions, (self.array(batch.n),), {}

    def call_weights(self) -> Call:
        names = ("win", "points", "open_points", "rivals", "convex", "complete", "solo_points")
        return self.fresh.set_weights, (), {self.pick(names): self.number()}

    def call_write_to_outputs(self) -> Call:
        """Whoever writes there, or means other arrays by the names, changes no game."""
        batch = self.batch
        batch.masks[:] = self.draw.integers(-128, 127, batch.masks.shape)
        batch.movers[:] = self.pick([-100, 3, 100])
        return setattr, (batch, "rewards", self.array(batch.n, 4)), {}

    def call_batch(self) -> Call:
        options = self.pick([[self.options()] * 2, [], [self.options(), self.options()], "ab", 3])
        more = {"seed": self.number(), "threads": self.number(), "allocate": self.allocate()}
        return Batch, (options,), {name: more[name] for name in more if self.draw.random() < 0.3}

    def call_mix(self) -> Call:
        shares = self.pick([None, None, {2: self.number()}, {"two": 1}, {7: 1}])
        return training_mix, (self.few(), self.pick([1, -1, None, 2.5]), shares), {}

    def call_options(self) -> Call:
        five = [self.number() for _ in range(5)]
        return self.pick([Options, Options.make]), tuple(five), {}

    def call_seats(self) -> Call:
        decision = self.pick([self.number(), int(self.draw.integers(-2, N_DECISIONS + 2))])
        batch, game = self.pick([self.batch, self.batch, self.fresh]), self.number()
        if self.draw.random() < 0.5:
            return action_of, (batch, self.pick([0, 1, game]), decision), {}
        return view_of, (batch, game), {}

    def call_choose_in_batch(self) -> Call:
        return choose_with_player, (self.batch, self.number(), self.players[0]), {}

    def call_chance(self) -> Call:
        script = self.pick([(), [1, 2], [self.number()], self.number(), [1] * 600])
        return new_chance, (self.number(), self.number(), script), {}

    def call_script(self) -> Call:
        return set_script, (self.chances(), self.pick([[1], [self.number()], self.number()])), {}

    def call_numbers(self) -> Call:
        out = self.array(4, dtype="i8")
        return self.pick([numbers_below, words]), (self.chances(), self.number(), out), {}

    def call_player_chances(self) -> Call:
        return player_chances, (self.number(), self.number(), self.number()), {}

    def call_play_game(self) -> Call:
        names = self.pick([["random"] * 2, ["random"], ["random"] * 5, [], "no", [self.number()]])
        deck = self.pick([None, None, self.number()])
        return play_game, (self.options(), names, self.number(), self.number(), deck), {}

    def call_play_out(self) -> Call:
        return play_out, (self.game, self.pick([[], self.players[:1], self.players[:3]])), {}

    def call_random_results(self) -> Call:
        deck = self.pick([None, None, self.number()])
        given = (self.options(), self.number(), self.few(), self.pick([0, 1, self.number()]), deck)
        return random_results, given, {}

    def call_settings(self) -> Call:
        names = tuple(SearchSettings.__dataclass_fields__)
        return SearchSettings, (), {self.pick(names): self.number() for _ in range(2)}

    def call_batched(self) -> Call:
        more = {"threads": self.number(), "allocate": self.allocate()}
        chosen = {name: more[name] for name in more if self.draw.random() < 0.3}
        settings = self.pick([SearchSettings(simulations=4), SearchSettings(simulations=1)])
        return BatchedSearch, (self.few(), settings, self.number()), chosen

    def call_batched_goes_on(self) -> Call:
        search = self.batched
        search.root_masks[:] = self.draw.integers(-1, 2, search.root_masks.shape)
        for answers in (search.logits, search.values):
            answers[:] = self.draw.standard_normal(answers.shape)
            if self.draw.random() < 0.3:
                answers[self.draw.integers(search.n)] = self.pick([np.nan, np.inf, -np.inf, -3e38])
        batch = self.pick([self.batch, self.batch, self.fresh, self.number()])
        return self.pick([(search.begin, (batch,), {}), (search.advance, (), {})])  # type: ignore[no-any-return]

    def call_policy(self) -> Call:
        matrices, vectors = self.policy.matrices, self.policy.vectors
        sizes = self.policy.sizes.copy()
        sizes[self.pick(sizes.dtype.names or ())] = self.pick([-1, 0, 8, 16, 2048, 2**40])
        given = (
            self.pick([matrices, matrices[:-1], matrices[::-1], matrices.astype(float)]),
            self.pick([vectors, vectors[:-1], vectors[::-1], self.array(9, dtype="f4")]),
            self.pick([sizes, self.policy.sizes, sizes[:0]]),
        )
        return Policy, (*given, {}, Path()), {}

    def call_load_damaged(self) -> Call:
        damaged = bytearray(self.file)
        for _ in range(self.pick([1, 5, 50])):
            damaged[int(self.draw.integers(len(damaged)))] = int(self.draw.integers(256))
        cut = self.pick([len(damaged), len(damaged), int(self.draw.integers(len(damaged)))])
        self.damaged.write_bytes(bytes(damaged[:cut]))
        os.utime(self.damaged, ns=(0, int(self.draw.integers(1, 1 << 60))))  # it is read again
        return self.ask_damaged, (), {}

    def ask_damaged(self) -> None:
        """What can be loaded can be asked, whatever it answers."""
        policy = load_policy(self.damaged)
        view = self.game.view(self.game.seat)
        SearchPlayer(new_chance(1), policy, SearchSettings(simulations=4)).choose(view, view.moves)

    def call_choose(self) -> Call:
        view, legal = self.pick(self.views), self.game.legal_moves()
        moves = self.pick([legal, legal[:2], legal[::-1], (), view.moves])
        return self.pick(self.players).choose, (view, moves), {}

    def call_observe(self) -> Call:
        return self.evaluator.observe, (self.pick(self.views),), {}

    def call_search(self) -> Call:
        return self.search.run, (self.pick(self.views), self.array(1, dtype="i1")), {}

    def call_planner(self) -> Call:
        names = ["win", "open_coatl", "opponent_can_end"]
        weights = PlannerWeights(**{self.pick(names): self.number()})
        discount = {"missing_piece": self.pick([0.5, self.number()])}
        return PlannerPlayer, (new_chance(1), weights), discount

    def call_playouts(self) -> Call:
        return MonteCarloPlayer.with_number, (self.number(),), {}

    def call_players(self) -> Call:
        name = self.pick(["greedy", "planner", "montecarlo", "random", "priest:0", "greedy:3"])
        return make_player, (name, self.chances()), {}

    def call_copy(self) -> Call:
        two, locked = new_states(2), new_states(2)
        locked.flags.writeable = False
        others = (two, two[:1], two[::2], locked, new_chance(1), np.zeros(2), record_array(Odd, 2))
        return copy_records, (self.pick(others), self.pick(others)), {}


class Odd:
    """A record of another type."""

    one: Int8


def main(seed: int, count: int, under_way: str) -> None:
    wrong = Wrong(seed, Path(under_way).parent)
    refused: dict[str, int] = {}
    file = os.open(under_way, os.O_RDWR | os.O_CREAT)
    for _ in range(count):
        call, given, named = wrong.make()
        name = getattr(call, "__qualname__", repr(call))
        text = f"{name}(*{given!r}, **{named!r})".encode(errors="replace")[:4000]
        os.ftruncate(file, 0)
        os.pwrite(file, text, 0)
        try:
            call(*given, **named)
        except OURS:
            refused[name] = refused.get(name, 0) + 1
    for _ in range(100):
        wrong.batch.step(wrong.legal())
    print(sum(refused.values()), *sorted(refused))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
