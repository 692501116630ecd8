"""The entries of the rules: the few compiled functions that Python calls.

They take whole arrays and an index, which Numba passes much faster than single records. Decisions
must be legal, except for `advance` and `why_not`.
"""

from __future__ import annotations

from coatl.compiler.functions import kernel
from coatl.compiler.jit import entry, long_entry, side_entry
from coatl.compiler.packages import describe
from coatl.compiler.records import Int64s, RecordArray
from coatl.rules import legal, listing, scoring
from coatl.rules import setup as set_up_module
from coatl.rules.apply import apply as apply_decision
from coatl.rules.causes import ALLOWED
from coatl.rules.chance import Chance, Chances, below, restart
from coatl.rules.closing import closing_with_ends
from coatl.rules.decisions import STEP, Choices
from coatl.rules.json_texts import CLOSE, FINAL, Bytes, ViewTexts, put
from coatl.rules.knowledge import complete, redact
from coatl.rules.state import ADAM, FULFIL, OVER, States
from coatl.rules.tables import Cards, CardTables
from coatl.rules.view_writer import put_before_moves, put_decisions, put_last

describe(__name__, "the rules", 30)

ChoiceLists = RecordArray[Choices]
ViewTextTables = RecordArray[ViewTexts]  # of one element
MOST_DEALS = 100_000  # far more than it takes; what was seen to happen can be dealt

set_up = set_up_module.set_up
list_legal = listing.list_legal
why = legal.why
final_scores = scoring.final_scores
winners = scoring.winners
coatl_value = scoring.coatl_value


@side_entry
def new_game(cards: CardTables, states: States, i: int, bodies: int, chances: Chances) -> None:
    """Set up a game in a zeroed state whose options are set."""
    set_up(cards[0], states[i], bodies, chances[0])


@entry
def legal_decisions(cards: CardTables, states: States, i: int, choices: ChoiceLists) -> None:
    """Write the legal decisions to `choices[0]`."""
    list_legal(cards[0], states[i], choices[0])


@side_entry
def why_not(cards: CardTables, states: States, i: int, decision: int) -> int:
    """The `Cause` that forbids a decision, as a number; 0 if it is legal."""
    return why(cards[0], states[i], decision)


@entry
def apply(
    cards: CardTables, states: States, i: int, decision: int, chances: Chances, choices: ChoiceLists
) -> None:
    """Carry out a legal decision; `choices` is scratch."""
    apply_decision(cards[0], states[i], decision, chances[0], choices[0])


@entry
def advance(
    cards: CardTables, states: States, decision: int, chances: Chances, choices: ChoiceLists
) -> int:
    """Check a decision, carry it out with A.D.A.M.'s turn after it, and list what is legal then.

    All in one call, since a call from Python costs more than what it does. Returns how many draws
    were made, which `chances[0].drawn` then begins with. If the decision is not legal nothing is
    changed, and the cause that forbids it (a `Cause`) is returned, negated.
    """
    state, chance = states[0], chances[0]
    cause = why(cards[0], state, decision)
    if cause != ALLOWED:
        return -cause
    chance.n_drawn = 0
    apply_decision(cards[0], state, decision, chance, choices[0])
    while state.phase == ADAM:
        apply_decision(cards[0], state, STEP, chance, choices[0])
    list_legal(cards[0], state, choices[0])
    return int(chance.n_drawn)


@side_entry
def scores(cards: CardTables, states: States, i: int, out: Int64s) -> int:
    """Fill `out` (12 long) with points, cards and best Cóatl a seat; return the winners' bits."""
    final_scores(cards[0], states[i], out)
    return winners(states[i], out)


@side_entry
def coatl_values(
    cards: CardTables, states: States, i: int, seat: int, scratch: States, out: Int64s
) -> None:
    """For each Cóatl of a seat: what its cards are worth now, and what closing it would score.

    `out` is 6 long: three values, then three closings with no more than a head and a tail (-1 where
    that is not possible).
    """
    player = states[i].players[seat]
    for which in range(player.n_coatls):
        out[which] = coatl_value(cards[0], player.coatls[which])
        out[3 + which] = closing_with_ends(cards[0], states, i, seat, which, scratch)


@side_entry
def known_to(states: States, i: int, seat: int, out: States, j: int) -> None:
    """What a seat (or NOBODY) knows of a state, into `out[j]`; see `knowledge`."""
    out[j] = states[i]
    redact(out[j], seat)


@side_entry
def completed(
    cards: CardTables,
    known: States,
    i: int,
    seat: int,
    out: States,
    j: int,
    chances: Chances,
    choices: ChoiceLists,
) -> None:
    """A full state that agrees with what a seat knows, into `out[j]`; each is equally likely.

    Whoever closed a Cóatl holds a card for it (A8, R9): a deal without one is dealt again.
    """
    for _ in range(MOST_DEALS):
        out[j] = known[i]
        complete(out[j], seat, chances[0])
        if out[j].phase != FULFIL or out[j].current == seat:
            return
        list_legal(cards[0], out[j], choices[0])
        if choices[0].n > 0:
            return


@kernel
def list_final(
    cards: Cards,
    known: States,
    seat: int,
    scratch: States,
    chance: Chance,
    choices: ChoiceLists,
) -> int:
    """Of the legal decisions of a seat whose turn it is, those that cannot be taken back.

    They are the ones that draw something or end the turn. Tried out on a completion of what the
    seat knows: whether something is drawn depends on the sizes of bags and decks, which are public
    (H1). `choices[0]` gets them; `choices[1]` is scratch, as are two `scratch` states.
    """
    scratch[0] = known[0]
    complete(scratch[0], seat, chance)
    list_legal(cards, scratch[0], choices[0])
    kept = 0
    for at in range(choices[0].n):
        decision = int(choices[0].items[at])
        scratch[1] = scratch[0]
        chance.n_drawn = 0
        apply_decision(cards, scratch[1], decision, chance, choices[1])
        same_turn = scratch[1].turn == scratch[0].turn and scratch[1].current == seat
        if chance.n_drawn > 0 or not same_turn or scratch[1].phase in (ADAM, OVER):
            choices[0].items[kept] = decision
            kept += 1
    return kept


@entry
def final_decisions(
    cards: CardTables,
    known: States,
    seat: int,
    scratch: States,
    chances: Chances,
    choices: ChoiceLists,
) -> int:
    """How many decisions of a seat cannot be taken back; they are in `choices[0]`."""
    return list_final(cards[0], known, seat, scratch, chances[0], choices)


@entry
def write_view(
    cards: CardTables,
    texts: ViewTextTables,
    states: States,
    seat: int,
    room: States,
    chances: Chances,
    choices: ChoiceLists,
    out: Bytes,
) -> int:
    """Write the view that a seat (or NOBODY) has of `states[0]` as JSON to `out`, and return its
    length.

    It is made from what the seat knows, which is written to `room[0]`; two more states there are
    scratch, as is the rest, as for `final_decisions`. Not for solo games: -1 says that nothing was
    written.
    """
    if states[0].n_players == 1:
        return -1
    known, scratch = room[0:1], room[1:3]
    known[0] = states[0]
    redact(known[0], seat)
    state = known[0]
    at = put_before_moves(cards[0], texts[0], known, seat, scratch, out)
    if state.current == seat and state.phase not in (ADAM, OVER):
        list_legal(cards[0], state, choices[0])
        at = put_decisions(texts[0], state, choices[0], int(choices[0].n), True, out, at)
        n = list_final(cards[0], known, seat, scratch, chances[0], choices)
        if n > 0:
            at = put(texts[0], FINAL, out, at)
            at = put_decisions(texts[0], state, choices[0], n, False, out, at)
    at = put(texts[0], CLOSE, out, at)
    return put_last(texts[0], state, out, at)


@long_entry
def random_games(
    cards: CardTables,
    states: States,
    n_games: int,
    first_stream: int,
    bodies: int,
    chances: Chances,
    choosers: Chances,
    choices: ChoiceLists,
) -> int:
    """Play games with the options of `states[0]` to their end at random, each in `states[1]`.

    Every seat has a generator of its own in `choosers`. Game number g uses stream
    `first_stream + g` of all generators. Returns the number of decisions that players made
    (A.D.A.M.'s steps are not decisions).
    """
    state, chance, legal_now = states[1], chances[0], choices[0]
    decisions = 0
    for game in range(n_games):
        restart(chance, first_stream + game)
        for seat in range(len(choosers)):
            restart(choosers[seat], first_stream + game)
        states[1] = states[0]
        set_up(cards[0], state, bodies, chance)
        while state.phase != OVER:
            list_legal(cards[0], state, legal_now)
            n = int(legal_now.n)
            at = below(choosers[state.current], n) if n > 1 else 0
            decisions += 0 if state.phase == ADAM else 1
            apply_decision(cards[0], state, int(legal_now.items[at]), chance, legal_now)
    return decisions
