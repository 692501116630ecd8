# pupil.py
import numpy as np

from coatl import State

HIDDEN = 64
SCALE = 8  # numbers of an observation are small, but not that small


def watch(teacher, games):
    """Games of a teacher against itself: what it sees, what is legal, what it does."""
    seen, legal, chosen = [], [], []
    for game in range(games):
        state = State.new(players=2, seed=f"lesson {game}")
        while not state.over:
            view = state.view(state.seat)
            decision = teacher.choose(view, view.moves).decision
            look = state.observation()
            actions = np.flatnonzero(look.mask)
            if len(actions) > 1:
                seen.append(look.values / SCALE)
                legal.append(look.mask.astype(bool))
                chosen.append(next(one for one in actions if look.decisions[one] == decision))
            state.apply(decision)
    return np.array(seen, np.float32), np.array(legal), np.array(chosen)


class Network:
    """Observations to the odds of each action, with one hidden layer."""

    def __init__(self, inputs, actions, seed=1):
        random = np.random.default_rng(seed)
        self.first = random.normal(0, 0.02, (inputs, HIDDEN)).astype(np.float32)
        self.second = random.normal(0, 0.1, (HIDDEN, actions)).astype(np.float32)
        self.speed_first, self.speed_second = 0 * self.first, 0 * self.second

    def forward(self, seen, legal):
        hidden = np.maximum(seen @ self.first, 0)
        logits = np.where(legal, hidden @ self.second, -1e9)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True)

    def learn(self, seen, legal, chosen, rate=0.1):
        """One step downhill on how surprised it is by what the teacher did; that, on average."""
        hidden, odds = self.forward(seen, legal)
        rows = np.arange(len(chosen))
        surprise = -np.log(odds[rows, chosen] + 1e-9).mean()
        odds[rows, chosen] -= 1  # now the gradient of the surprise
        back = (odds @ self.second.T) * (hidden > 0)
        self.speed_second = 0.9 * self.speed_second + hidden.T @ odds / len(chosen)
        self.speed_first = 0.9 * self.speed_first + seen.T @ back / len(chosen)
        self.second -= rate * self.speed_second
        self.first -= rate * self.speed_first
        return float(surprise)


def train(network, lesson, steps, seed=1):
    """Learn from random handfuls of what was watched; how surprised it was, step by step."""
    random = np.random.default_rng(seed)
    handfuls = (random.integers(0, len(lesson[2]), 128) for _ in range(steps))
    return [network.learn(*(part[some] for part in lesson)) for some in handfuls]


class Pupil:
    """Plays what its network prefers."""

    network = None  # set it before it plays

    def __init__(self, chances):
        self.chances = chances

    def choose(self, view, moves):
        if len(moves) == 1:
            return moves[0]
        look = view.sample(self.chances).observation()  # the same for all samples of a view
        _, odds = self.network.forward(look.values[None] / SCALE, look.mask[None] > 0)
        decision = look.decisions[odds[0].argmax()]
        return next(move for move in moves if move.decision == decision)
