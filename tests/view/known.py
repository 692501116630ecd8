"""Games in which what a seat cannot know is changed, for the tests of views and secrets."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from coatl.compiler.functions import DISABLED
from coatl.game import Game
from coatl.options import Options
from coatl.rules.cards import Deck
from coatl.rules.chance import new_chance
from coatl.rules.state import NONE, PlayerRecord, StateRecord, States
from tests.game.truth import replace_truth

GAMES = 1

EVERY = 40 if DISABLED else 3  # positions looked at: one in so many

OPTIONS = [
    Options(2, tokens=True),
    Options(2, tokens=False, fewer_bodies=True),
    Options(3, tokens=True, promo=True),
    Options(4, tokens=True),
    Options(4, tokens=False, promo=True),
    Options(1, tokens=False, solo=()),
    Options(1, tokens=False, promo=True, solo=(1, 3, 5)),
]


def name_of(options: Options) -> str:
    return f"{options.players}p-{'-'.join(options.names)}-{options.solo}"


every_mode = pytest.mark.parametrize("options", OPTIONS, ids=name_of)


def seats_of(game: Game) -> list[int | None]:
    """Every seat, and a spectator."""
    return [*range(game.options.players), None]


def with_truth(game: Game, states: States) -> Game:
    """A game of the same table at the same moment in which the truth is another one."""
    twin = Game(game.options, game.deck, new_chance("twin"), None)
    replace_truth(twin, states)
    return twin


def game_at(position: str, deck: Deck | None = None, seed: int = 1) -> Game:
    """A game in the middle of which a position stands."""
    return Game.from_position(position, seed, deck)


def elements(counts: Any) -> list[int]:
    return [card for card, n in enumerate(counts.tolist()) for _ in range(n)]


def set_hand(player: PlayerRecord, cards: list[tuple[int, int]]) -> None:
    """Cards with whether they were seen, in the order the state keeps them in."""
    for k, (card, seen) in enumerate(sorted(cards, key=lambda held: (held[0], -held[1]))):
        player.hand[k], player.seen[k] = card, seen


def hand_of(player: PlayerRecord) -> list[tuple[int, int]]:
    n = int(player.n_hand)
    return list(zip(player.hand[:n].tolist(), player.seen[:n].tolist(), strict=True))


def temples_of(player: PlayerRecord) -> list[tuple[int, int]]:
    n = int(player.n_temples)
    return list(zip(player.temples[:n].tolist(), player.temples_seen[:n].tolist(), strict=True))


def others_of(state: StateRecord, seat: int | None) -> list[PlayerRecord]:
    return [state.players[i] for i in range(state.n_players) if i != seat]


def redeal(states: States, seat: int | None, rng: random.Random) -> States:
    """Shuffle all that a seat cannot see (H1, H2) and deal it again to the same places."""
    altered: States = states.copy()
    state = altered[0]
    redeal_prophecies(state, others_of(state, seat), rng)
    redeal_temples(state, others_of(state, seat), rng)
    return altered


def redeal_prophecies(state: StateRecord, others: list[PlayerRecord], rng: random.Random) -> None:
    hidden = elements(state.deck)
    for player in others:
        hidden += [card for card, seen in hand_of(player) if not seen]
        if not state.reshuffled:
            hidden += player.buried[: player.n_buried].tolist()
    rng.shuffle(hidden)
    for player in others:
        held = [card if card[1] else (hidden.pop(), 0) for card in hand_of(player)]
        set_hand(player, held)
        if not state.reshuffled:
            rebury(state, player, hidden)
    for card in range(len(state.deck)):
        state.deck[card] = hidden.count(card)


def rebury(state: StateRecord, player: PlayerRecord, hidden: list[int]) -> None:
    """Other setup discards for a player."""
    n = int(player.n_buried)
    for card in player.buried[:n].tolist():
        state.discard[card] -= 1
    buried = sorted(hidden.pop() for _ in range(n))
    player.buried[:n] = buried
    for card in buried:
        state.discard[card] += 1


def redeal_temples(state: StateRecord, others: list[PlayerRecord], rng: random.Random) -> None:
    hidden = elements(state.pool)
    for player in others:
        hidden += [temple for temple, seen in temples_of(player) if not seen]
    rng.shuffle(hidden)
    for player in others:
        held = sorted(card if card[1] else (hidden.pop(), 0) for card in temples_of(player))
        for k, (temple, seen) in enumerate(held):
            player.temples[k], player.temples_seen[k] = temple, seen
    for temple in range(len(state.pool)):
        state.pool[temple] = hidden.count(temple)


def positions(options: Options, games: int = GAMES, every: int = EVERY) -> Iterator[Game]:
    """Random games, stopped now and then; the same object goes on."""
    for seed in range(games):
        game = Game.new(
            players=options.players if options.solo is None else None,
            tokens=options.tokens if options.solo is None else None,
            solo=options.solo,
            promo=options.promo,
            fewer_bodies=options.fewer_bodies,
            seed=f"secrets {seed}",
        )
        rng = random.Random(seed)
        while not game.over:
            if rng.randrange(every) == 0:
                yield game
            game.play(rng.choice(game.legal_moves()))
        yield game


OF_PIECES = {"supply", "bag", "board", "gone", "holding", "pieces", "missing", "lacks"}


def strings_in(value: object) -> Iterator[str]:
    """Every text in decoded JSON but those made of pieces, where ``YG`` is not a card."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in OF_PIECES:
                yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)


def cards_named(data: object, deck: Deck) -> set[str]:
    """Every card that a text in decoded JSON names, alone or in a move such as ``1:KKK@2``."""
    names = set(deck.prophecy_ids) | set(deck.temple_ids)
    found = set()
    for text in strings_in(data):
        if text.startswith("token pick"):
            continue  # of pieces
        last = text.split()[-1] if text.split() else ""
        for word in (text, last, last.partition(":")[2]):
            found |= {word, word.partition("@")[0]} & names
    return found


def cards_that_may_be_named(state: StateRecord, deck: Deck, seat: int | None) -> set[str]:
    """By the truth: what lies open, what was seen, and what the seat itself holds or held."""
    prophecies = [card for card in state.row.tolist() if card != NONE]
    temples = [top for top in state.pile_top.tolist() if top != NONE]
    prophecies += state.adam.cards[: state.adam.n_cards].tolist() + elements(state.adam.fulfilled)
    discarded = Counter(elements(state.discard))
    for i in range(state.n_players):
        player = state.players[i]
        own = i == seat
        prophecies += [card for card, seen in hand_of(player) if own or seen]
        temples += [temple for temple, seen in temples_of(player) if own or seen]
        buried = player.buried[: player.n_buried].tolist()
        if own:
            prophecies += buried
        elif not state.reshuffled:
            discarded.subtract(buried)
        for coatl in (player.coatls[k] for k in range(player.n_coatls)):
            prophecies += coatl.cards[: coatl.n_cards].tolist()
            temples += [] if coatl.temple == NONE else [int(coatl.temple)]
    prophecies += list(discarded.elements())
    return {deck.prophecies[card].name for card in prophecies} | {
        deck.temples[card].name for card in temples
    }
