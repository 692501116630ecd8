"""Section 4 of the rules: what the cards ask for and what they are worth (Q1-Q7, C3, R1, R4).

Each test names the clause it is about. The automata are held against `brute_force`, which tries a
pattern on every span of a Cóatl.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from coatl.rules import patterns
from coatl.rules.cards import (
    DeckError,
    Matches,
    Prophecy,
    Temple,
    prophecies,
    standard_deck,
    temples,
)
from coatl.rules.deckfile import parse_deck
from coatl.rules.tables import COUNTED, card_tables
from tests.rules import brute_force
from tests.rules.brute_force import COLOURS, PROPHECIES, TEMPLES, Times

LONGEST = 7  # every Cóatl of up to so many pieces is tried
SEED = "section 4"

every_card = pytest.mark.parametrize(
    "card", range(len(PROPHECIES)), ids=[card.pattern for card in PROPHECIES]
)
every_temple = pytest.mark.parametrize(
    "temple", range(len(TEMPLES)), ids=["/".join(temple.requirements) for temple in TEMPLES]
)


def named(name: str) -> Prophecy:
    return next(card for card in prophecies(promo=True) if card.name == name)


def temple_named(name: str) -> Temple:
    return next(card for card in temples(promo=True) if card.name == name)


@cache
def all_coatls(length: int) -> Times:
    """Every Cóatl of a length, as numbers [piece, which]."""
    return np.array(list(product(range(len(COLOURS)), repeat=length)), np.int64).T


def table_times(transition: Times, start: int, coatls: Times) -> Times:
    """Run a transition table (row + COUNTED where a match is counted) on all Cóatl at once."""
    row = np.full(coatls.shape[1], start, np.int64)
    times = np.zeros_like(row)
    for piece in [*coatls, np.full_like(row, patterns.END)]:
        entry = transition[row, piece]
        row = entry % COUNTED
        times += entry // COUNTED
    return times


def kernel_times(card: int, coatls: Times) -> Times:
    """Times met as the kernel counts them."""
    tables = card_tables(standard_deck())[0]
    return table_times(tables.transition.astype(np.int64), int(tables.start[card]), coatls)


def automaton_times(pattern: patterns.Pattern, most_times: int, coatls: Times) -> Times:
    """Times met as the automaton of any pattern counts them."""
    rows = patterns.compile_pattern(pattern, most_times).rows
    table = [[following + COUNTED * counted for following, counted in row] for row in rows]
    return table_times(np.array(table, np.int64), 0, coatls)


def samples(card: int, n: int, shortest: int, longest: int, purpose: str) -> list[str]:
    """Some Cóatl in which a card is met now and then; always the same ones."""
    pattern = PROPHECIES[card].pattern
    random = Random(f"{SEED} {purpose} {pattern}")
    lengths = [random.randint(shortest, longest) for _ in range(n)]
    return [brute_force.sample(random, pattern, length) for length in lengths]


# ------------------------------------------------------------------ C3: the decks


def test_C3_the_prophecy_cards_are_those_of_the_list_in_its_order() -> None:
    """C3: colour, pattern, copies and points of every card, promo pack last."""
    cards = [
        (card.pattern.text, card.colour, card.copies, dict(card.levels), card.promo)
        for card in prophecies(promo=True)
    ]
    assert cards == [(c.pattern, c.colour, c.copies, dict(c.levels), c.promo) for c in PROPHECIES]


def test_C3_54_prophecy_cards_49_of_them_different() -> None:
    """C3: 54 Prophecy cards, of which only the red ones exist twice."""
    cards = prophecies()
    assert len(cards) == len({card.name for card in cards}) == 49
    assert sum(card.copies for card in cards) == 54
    assert {card.colour for card in cards if card.copies == 2} == {"red"}
    assert {card.copies for card in cards if card.colour != "red"} == {1}


def test_C3_15_temple_cards_once_each() -> None:
    """C3: 15 Temple cards, all different."""
    cards = temples()
    assert len(cards) == len({card.name for card in cards}) == 15
    assert {card.copies for card in cards} == {1}


def test_C3_the_promo_pack_is_6_prophecy_and_5_temple_cards_once_each() -> None:
    """C3: promo cards exist once; they come after the cards of the base game."""
    assert prophecies(promo=True)[:49] == prophecies()
    assert temples(promo=True)[:15] == temples()
    assert [card.copies for card in prophecies(promo=True)[49:]] == [1] * 6
    assert [card.copies for card in temples(promo=True)[15:]] == [1] * 5


def test_C3_places_in_the_list_are_card_ids() -> None:
    """C3: the order of CARDS.md numbers the cards."""
    assert prophecies()[24].name == "RGRG"
    assert temples()[3].name == "noB/10"
    deck = standard_deck()
    assert [deck.prophecy_ids[card.name] for card in deck.prophecies] == list(range(55))
    assert [deck.temple_ids[card.name] for card in deck.temples] == list(range(20))


# ------------------------------------------------------------------ Q1, Q2


def test_Q1_head_and_tail_count_like_any_piece_of_their_colour() -> None:
    """Q1: the head is one of the three yellow pieces, the tail closes the pair."""
    assert named("{Y}").points("<YRYYB>") == 2
    assert named("YG").points("<YG>") == 1
    assert named("!YY!").points("<YY>") == 2


@every_card
def test_Q1_a_card_looks_at_colours_only(card: int) -> None:
    """Q1: whether an end is closed by a head or a tail never changes the points."""
    for coatl in samples(card, 10, 2, 14, "Q1"):
        found = {
            prophecies(promo=True)[card].points(text)
            for text in (coatl, f"<{coatl}", f"{coatl}>", f"<{coatl}>")
        }
        assert len(found) == 1, coatl


def test_Q2_a_mirror_image_is_no_match() -> None:
    """Q2: patterns are read from head to tail."""
    assert (named("YG").points("YG"), named("YG").points("GY")) == (1, 0)
    assert (named("RGRG").points("RGRG"), named("RGRG").points("GRGR")) == (5, 0)
    assert (named("YK+R").points("YKKR"), named("YK+R").points("RKKY")) == (2, 0)
    assert (named("YKRGB").points("YKRGB"), named("YKRGB").points("BGRKY")) == (7, 0)


@every_card
def test_Q2_only_symmetrical_cards_score_a_reversed_coatl_alike(card: int) -> None:
    """Q2: a reversed Cóatl may score differently, unless the pattern is its own mirror image."""
    pattern = PROPHECIES[card].pattern
    symmetrical = pattern.startswith("{") or pattern.split() == pattern.split()[::-1]
    forward = all_coatls(6)
    same = bool((kernel_times(card, forward) == kernel_times(card, forward[::-1])).all())
    assert same == symmetrical


# ------------------------------------------------------------------ Q3: counting


@every_card
def test_Q3_every_short_coatl_is_counted_as_brute_force_counts_it(card: int) -> None:
    """Q3: as many disjoint matches as possible, on every Cóatl of up to seven pieces.

    A set is counted as far as its highest level only, so counts are compared up to there.
    """
    top = max(PROPHECIES[card].levels)
    for length in range(LONGEST + 1):
        coatls = all_coatls(length)
        expected = brute_force.times_of_all(PROPHECIES[card].pattern, coatls)
        wrong = np.minimum(kernel_times(card, coatls), top) != np.minimum(expected, top)
        assert not wrong.any(), "".join(COLOURS[c] for c in coatls[:, wrong.argmax()])


@every_card
def test_Q3_long_coatls_are_counted_as_brute_force_counts_them(card: int) -> None:
    """Q3: the same for some Cóatl of 8 to 40 pieces, through the Python side of the cards."""
    levels = PROPHECIES[card].levels
    seen = set()
    for coatl in samples(card, 40, 8, 40, "long"):
        times = brute_force.times(PROPHECIES[card].pattern, coatl)
        seen.add(times)
        assert prophecies(promo=True)[card].points(coatl) == brute_force.points(levels, times)
        counted = prophecies(promo=True)[card].automaton.count([COLOURS.index(c) for c in coatl])
        assert min(counted, max(levels)) == min(times, max(levels)), coatl
    assert max(seen) >= max(levels)  # the samples do reach the highest level


@every_card
def test_Q3_the_kernel_has_the_automata_of_the_cards(card: int) -> None:
    """Q3: the tables of the kernel are the very automata of the Python side."""
    tables = card_tables(standard_deck())[0]
    first = int(tables.start[card])
    for state, row in enumerate(prophecies(promo=True)[card].automaton.rows):
        entries = [first + following + COUNTED * counted for following, counted in row]
        assert tables.transition[first + state, : patterns.END + 1].tolist() == entries


@every_card
def test_Q3_the_shortcut_of_the_kernel_never_denies_points(card: int) -> None:
    """Q3: where `wanted` calls a Cóatl hopeless, brute force finds no level reached either."""
    wanted = int(card_tables(standard_deck())[0].wanted[card])
    lowest = min(PROPHECIES[card].levels)
    for length in range(LONGEST + 1):
        coatls = all_coatls(length)
        enough = np.ones(coatls.shape[1], np.bool_)
        for colour in range(len(COLOURS)):
            enough &= (coatls == colour).sum(axis=0) >= (wanted >> 8 * colour) % 256
        times = brute_force.times_of_all(PROPHECIES[card].pattern, coatls)
        assert not (times[~enough] >= lowest).any()


@pytest.mark.parametrize(
    "pattern",
    [
        *("Y", "Y+", "*", "*+", "* R", "Y * Y", "Y+ R+", "Y *+", "Y * *+ Y", "Y+ * Y+", "{YYG}"),
        *("R Y !Y", "R Y !R", "!R Y+", "!Y Y+ !Y", "Y+ !Y", "!K Y+ !G", "!Y * *+ !G", "!Y *+ Y"),
        *("!R R+ Y R+ !R", "Y R Y !R", "!Y R Y R", "*+ !Y"),
    ],
)
def test_Q3_patterns_of_other_decks_are_counted_as_brute_force_counts_them(pattern: str) -> None:
    """Q3, Q5, Q6: the notation means the same where no printed card uses it so."""
    read = patterns.parse(pattern)
    for length in range(LONGEST + 1):
        coatls = all_coatls(length)
        expected = brute_force.times_of_all(pattern, coatls)
        wrong = automaton_times(read, LONGEST, coatls) != expected
        assert not wrong.any(), "".join(COLOURS[c] for c in coatls[:, wrong.argmax()])
        for pieces in coatls.T[:: 1 + coatls.shape[1] // 50]:
            found = patterns.spans(read, pieces.tolist())
            assert len(found) == brute_force.times(pattern, "".join(COLOURS[c] for c in pieces))


def test_Q3_repeated_patterns_do_not_overlap() -> None:
    """Q3: within one card a piece is used at most once."""
    assert named("YYY").matches("YYYYY").times == 1
    assert named("YYY").matches("YYYYYY").times == 2
    assert named("RGRG").matches("RGRGRG").times == 1
    assert named("GY+G").matches("GYGYG").times == 1
    assert named("GY+G").matches("GYGGYG").times == 2


def test_Q3_different_cards_may_use_the_same_pieces() -> None:
    """Q3, with the example of F3: 4 + 5 + 5 points and 3 of the Temple card."""
    coatl = "BBKBBRYBBYY"
    cards = [named("BBYY"), named("!BB!"), named("{B}")]
    assert [card.points(coatl) for card in cards] == [4, 5, 5]
    assert temple_named("noG/9").points(coatl, cards) == 3


@every_card
def test_Q3_permuting_the_colours_of_card_and_coatl_alike_changes_nothing(card: int) -> None:
    """Q3: no colour is special. Swaps of two colours generate all permutations."""
    original = prophecies(promo=True)[card]
    coatls = samples(card, 8, 4, 16, "swap")
    for a, b in combinations(COLOURS, 2):
        swap = str.maketrans(a + b, b + a)
        text = PROPHECIES[card].pattern.translate(swap)
        swapped = replace(original, pattern=patterns.parse(text))
        for coatl in coatls:
            assert swapped.points(coatl.translate(swap)) == original.points(coatl), (text, coatl)


# ------------------------------------------------------------------ Q4: levels


@every_card
def test_Q4_the_highest_level_reached_counts_once(card: int) -> None:
    """Q4: points by times met, in Python and in the tables of the kernel."""
    levels = PROPHECIES[card].levels
    table = card_tables(standard_deck())[0].points[card].tolist()
    for times, points in enumerate(table):
        assert points == brute_force.points(levels, times)
        assert points == prophecies(promo=True)[card].points_for(times)


def test_Q4_below_the_lowest_and_beyond_the_last_level() -> None:
    """Q4: nothing below the first level, nothing more beyond the last."""
    assert [named("{Y}").points("Y" * n) for n in range(9)] == [0, 0, 0, 2, 3, 4, 5, 5, 5]
    assert [named("YG").points("YG" * n) for n in range(6)] == [0, 1, 3, 5, 5, 5]
    assert [named("YYY").points("YYY" * n) for n in range(5)] == [0, 3, 7, 7, 7]
    assert [named("{YYGGR}").points("YYGGR" * n) for n in range(4)] == [0, 3, 3, 3]


def test_Q4_points_by_example() -> None:
    """Q4: the function the tests trust."""
    assert [brute_force.points({1: 2, 3: 6}, times) for times in range(5)] == [0, 2, 2, 6, 6]


# ------------------------------------------------------------------ Q5, R1: X over a colour


def test_Q5_the_neighbours_of_an_isolated_pair_are_of_another_colour() -> None:
    """Q5: two of a colour, no more, wherever they are."""
    card = named("!YY!")
    assert [card.points("Y" * n) for n in range(6)] == [0, 0, 2, 0, 0, 0]
    assert card.points("RYYB") == card.points("RYY") == card.points("YYB") == 2
    assert card.points("RYYYB") == card.points("YRY") == 0


def test_Q5_a_neighbour_is_not_used_up() -> None:
    """Q5: one piece may stand between two isolated pairs, and may belong to another match."""
    assert named("!YY!").points("YYRYY") == 5
    assert named("!YY!").matches("YYRYYRYYY").positions == ((0, 1), (3, 4))


def test_R1_an_isolated_pair_at_an_open_end_counts_until_it_is_broken() -> None:
    """R1, Q5: "or there is no piece there"; a later piece may break the pair."""
    card = named("!GG!")
    assert card.points("RGG") == card.points("GGR") == card.points("GG") == 2
    assert card.points("RGGG") == 0
    assert card.points("RGGK") == 2


# ------------------------------------------------------------------ Q6, R4: infinity


def test_Q6_infinity_on_a_colour_is_one_or_more_pieces_of_it() -> None:
    """Q6: at least one, all of that colour."""
    card = named("YK+R")
    assert [card.points(f"Y{'K' * n}R") for n in range(5)] == [0, 2, 2, 2, 2]
    assert card.points("YKGKR") == 0
    assert card.points("YKKRYKR") == 6
    assert [named("GY+G").points(f"G{'Y' * n}G") for n in range(4)] == [0, 2, 2, 2]


def test_Q6_white_infinity_is_any_pieces_of_any_colours() -> None:
    """Q6: the colours of the card itself included."""
    card = named("KY*+YK")
    for between in ("K", "Y", "R", "GB", "KY", "YK", "RGBKYYKRGB"):
        assert card.points(f"KY{between}YK") == 4
    assert card.points("KYRRRYG") == 0


def test_R4_white_infinity_is_at_least_one_piece() -> None:
    """R4, Q6: nothing in between is not enough."""
    for a, b in ("KY", "GK", "KB", "YR", "RB"):
        card = named(f"{a}{b}*+{b}{a}")
        assert card.points(f"{a}{b}{b}{a}") == 0
        assert card.points(f"{a}{b}{b}{b}{a}") == 4
        assert card.points(f"{a}{b}{a}{b}{a}") == 4


# ------------------------------------------------------------------ Q7: Temple cards


def test_Q7_the_temple_cards_are_those_of_the_list_in_its_order() -> None:
    """Q7: requirements and points of every card, promo pack last."""
    cards = [(card.name, card.levels, card.promo) for card in temples(promo=True)]
    names = ["/".join(temple.requirements).replace(" ", "") for temple in TEMPLES]
    assert cards == [(n, t.points, t.promo) for n, t in zip(names, TEMPLES, strict=True)]


@every_temple
def test_Q7_temple_points_are_those_of_brute_force(temple: int) -> None:
    """Q7: every number of requirements met is met by some sample."""
    card, printed = temples(promo=True)[temple], TEMPLES[temple]
    random = Random(f"{SEED} temple {temple}")
    seen = set()
    for _ in range(1500):
        alphabet = random.sample(COLOURS, random.randint(2, 5))
        coatl = "".join(random.choices(alphabet, k=random.randint(1, 14)))
        laid = random.sample(prophecies(), random.randint(0, 4))
        expected = brute_force.temple_points(printed, coatl, {c.colour for c in laid})
        assert card.points(coatl, laid) == expected, coatl
        seen.add(expected)
    assert seen == {0, *printed.points}


def test_Q7_no_piece_of_a_colour_and_exactly_n_pieces() -> None:
    """Q7: head and tail are counted; one met is 3 points, both are 7."""
    card = temple_named("noB/10")
    assert card.points("<KRRYGKRRYG>") == 7
    assert card.points("<KRRYGKRRYB>") == card.points("<KRRYGKRRY>") == 3
    assert card.points("<KRRYGKRRB>") == 0
    assert card.met("<KRRYGKRRYB>") == (False, True)


def test_Q7_as_many_of_one_colour_as_of_another_at_least_one_each() -> None:
    """Q7: none of either is not enough."""
    card = temple_named("R=Y/12")
    assert card.points("RGGY") == card.points("YYRR") == 3
    assert card.points("GGG") == card.points("RGG") == card.points("RRY") == 0
    assert card.points("RYGGGGGGGGGG") == 7
    assert card.points("GGGGGGGGGGGG") == 3


def test_Q7_a_promo_temple_card_may_look_at_the_prophecy_cards() -> None:
    """Q7: "no blue Prophecy card on this Cóatl", three requirements for 3, 6 and 10 points."""
    card = temple_named("noblue/R=B/10")
    blue, green = named("YG"), named("YK+R")
    assert card.points("GGG", [blue]) == 0
    assert card.points("GGG") == card.points("GGG", [green]) == card.points("RB", [blue]) == 3
    assert card.points("RB", [green]) == card.points("RBGGGGGGGG", [blue, green]) == 6
    assert card.points("RBGGGGGGGG", [green]) == 10


# ------------------------------------------------------------------ matches and what is lacking


def assert_matches_well(card: int, coatl: str, matches: Matches) -> None:
    """The positions of `matches` are right: inside, disjoint, as many as possible, fitting."""
    pattern, levels = PROPHECIES[card].pattern, PROPHECIES[card].levels
    times = brute_force.times(pattern, coatl)
    used = [position for match in matches.positions for position in match]
    assert matches.times == len(matches.positions) == times
    assert len(used) == len(set(used))
    assert set(used) <= set(range(len(coatl)))
    assert matches.points == brute_force.points(levels, times)
    for match in matches.positions:
        if pattern.startswith("{"):
            assert sorted(coatl[i] for i in match) == sorted(pattern.strip("{}"))
        else:
            assert match == tuple(range(match[0], match[-1] + 1))
            assert (match[0], match[-1] + 1) in brute_force.spans(pattern, coatl)


@every_card
def test_Q3_matches_names_the_pieces_of_as_many_matches_as_possible(card: int) -> None:
    """Q3: `matches` agrees with brute force and with `points`."""
    for coatl in ["", *samples(card, 40, 1, 24, "matches")]:
        matches = prophecies(promo=True)[card].matches(coatl)
        assert_matches_well(card, coatl, matches)
        assert matches.points == prophecies(promo=True)[card].points(coatl)
        assert matches.positions == prophecies(promo=True)[card].matches(f"<{coatl}>").positions


def test_Q6_matches_names_the_match_that_ends_first_with_the_fewest_pieces() -> None:
    """Q6: of several matches with an infinity that end together, the shortest is shown."""
    assert named("KY*+YK").matches("KYKYRYKRYK").positions == ((2, 3, 4, 5, 6),)
    assert named("YK+R").matches("YYKKRR").positions == ((1, 2, 3, 4),)


@every_card
def test_Q4_matches_names_the_next_level(card: int) -> None:
    """Q4: the lowest level not yet reached, and none after the last."""
    levels = PROPHECIES[card].levels
    for coatl in ["", *samples(card, 40, 1, 24, "next level")]:
        matches = prophecies(promo=True)[card].matches(coatl)
        above = [level for level in levels if level > matches.times]
        assert matches.next_times == min(above, default=None)
        assert matches.next_points == (levels[min(above)] if above else None)
        assert above or matches.lacks is None


def check_lack(card: int, coatl: str, left_open: bool, right_open: bool, limit: int) -> None:
    """What is lacking reaches the next level, lies at open ends, and nothing shorter would do."""
    pattern = PROPHECIES[card].pattern
    text = ("" if left_open else "<") + coatl + ("" if right_open else ">")
    matches = prophecies(promo=True)[card].matches(text)
    if matches.next_times is None or matches.lacks is None:
        return
    left, right = matches.lacks.left, matches.lacks.right
    assert left_open or not left, text
    assert right_open or not right, text
    assert brute_force.times(pattern, left + coatl + right) >= matches.next_times, text
    shorter = min(limit, len(left + right) - 1)
    assert shorter >= 0
    enough = brute_force.fewest_additions(
        pattern, coatl, matches.next_times, left_open, right_open, shorter
    )
    assert enough is None, (text, matches.lacks)


@every_card
def test_A4_what_is_lacking_is_the_fewest_pieces_at_open_ends(card: int) -> None:
    """A4, Q4: nothing goes beyond a head or a tail; no addition of up to three pieces is better."""
    for coatl in ["", *samples(card, 6, 1, 9, "lacks")]:
        for left_open, right_open in ((True, True), (True, False), (False, True)):
            check_lack(card, coatl, left_open, right_open, limit=3)


@every_card
def test_A4_nothing_can_be_added_to_a_closed_coatl(card: int) -> None:
    """A4: with head and tail there, a next level may exist but lacks nothing that would fit."""
    for coatl in samples(card, 10, 3, 14, "closed"):
        assert prophecies(promo=True)[card].matches(f"<{coatl}>").lacks is None


@every_card
def test_A4_an_open_end_can_always_reach_the_next_level(card: int) -> None:
    """A4: a piece of another colour and then the whole pattern always does, at either end."""
    for coatl in ["", *samples(card, 10, 1, 14, "open")]:
        for text in (coatl, f"<{coatl}", f"{coatl}>"):
            matches = prophecies(promo=True)[card].matches(text)
            assert (matches.lacks is None) == (matches.next_times is None), text


def test_Q5_too_many_in_a_row_lack_a_separator_and_a_pair() -> None:
    """Q5: three yellow pieces are no isolated pair; another colour and two yellow ones help."""
    lacks = named("!YY!").matches("<YYY").lacks
    assert lacks is not None
    assert lacks.left == ""
    assert len(lacks.right) == 3
    assert lacks.right[0] != "Y"
    assert lacks.right[1:] == "YY"


def test_Q5_what_a_pair_lacks_does_not_break_it() -> None:
    """Q5: the addition is judged with the whole Cóatl, pairs already there included."""
    lacks = named("!YY!").matches("YY").lacks
    assert lacks is not None
    whole = lacks.left + "YY" + lacks.right
    assert len(whole) == 5
    assert named("!YY!").points(whole) == 5


# ------------------------------------------------------------------ what cannot be read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty pattern"),
        ("  ", "empty pattern"),
        ("Y X", "unknown colour 'X'"),
        ("y g", "unknown colour 'y'"),
        ("Y + K", "unknown colour '\\+'"),
        ("{YYX}", "unknown colour 'X'"),
        ("{YYG", "a set is written like {YYG}, not '{YYG'"),
        ("{}", "a set is written like {YYG}, not '{}'"),
        ("Y {G}", "cannot read '{G}' in pattern 'Y {G}'"),
        ("Y !", "cannot read '!' in pattern 'Y !'"),
        ("!G", "pattern '!G' has no piece to match"),
        ("Y !R G", "may stand at either end of a pattern only"),
        ("!Y !R G", "may stand at either end of a pattern only"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_refused_with_a_reason(text: str, message: str) -> None:
    with pytest.raises(patterns.PatternError, match=message):
        patterns.parse(text)


def test_a_coatl_that_cannot_be_read_is_refused_with_a_reason() -> None:
    with pytest.raises(ValueError, match="a Cóatl is written in the letters KRBYG, not 'KRX'"):
        named("YG").points("KRX")


@pytest.mark.parametrize(
    "requirement",
    ["no", "R==Y", "RY", "-3", "no X", "R=X", "no KR"],
)
def test_Q7_a_temple_requirement_that_cannot_be_read_is_refused(requirement: str) -> None:
    """Q7: each requirement is one of the four kinds, with colours that exist."""
    text = f'[[temple]]\npoints = [3, 7]\ncards = ["{requirement} / 7"]'
    with pytest.raises((DeckError, patterns.PatternError)):
        parse_deck(text)
