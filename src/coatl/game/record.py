"""Records (`.coatl`): a game as text that people can read and that replays bit for bit.

A header, the draws of the setup, one line a turn, and a footer::

    Coatl record 1
    Players: 2
    Options: tokens
    Seats: Ana, bot:greedy <- who sat there, if anybody has said so
    Seed: 7
    0 # B K ... <- drawn at setup
    0.0 drop KKK, done
    1.0 take b3
    2.1 pick YG, draw, done # YK+R GB <- drawn in this turn, A.D.A.M.'s turn after it included
    Result: third; points 31 28; winners 0
    Digest: 5d41402abc4b2a76b9719d911017c592

While a game is unfinished its seed is replaced by ``Commitment:``; it then replays from the draws.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from coatl import fairness
from coatl.errors import IllegalMove, NotationError, PositionError, RecordError
from coatl.game.names import is_printable
from coatl.notation import parse_position
from coatl.options import Options, OptionsError
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.chance import (
    CARD_DRAWN,
    MAX_SCRIPT,
    PIECE_DRAWN,
    TEMPLE_DRAWN,
    Chances,
    new_chance,
    seed_key,
    set_script,
)
from coatl.rules.pieces import KIND_OF_TEXT, KIND_TEXTS

VERSION = 2  # the newest; a record names the oldest that can hold it
FROM_SETUP, FROM_POSITION = 1, 2
_TITLE = re.compile(r"Coatl record (\d{1,6})")
_TURN = re.compile(r"(?P<turn>\d{1,5})\.(?P<seat>\d) (?P<moves>[^#]+?)(?: # (?P<draws>.+))?")
_SETUP = re.compile(r"0 # (?P<draws>.+)")
_HEADERS = (
    "Players",
    "Options",
    "Levels",
    "Deck",
    "Position",
    "Draws",
    "Seats",
    "Seed",
    "Commitment",
    *fairness.HEADERS,
)
_SEAT = re.compile(r"[^\s,#]([^,#]{0,38}[^\s,#])?")


@dataclass
class Line:
    """One turn of one seat: its moves, and what was drawn in it."""

    turn: int
    seat: int
    moves: list[str]
    draws: list[str]


@dataclass
class Record:
    options: Options
    seed: str | None
    commitment: str
    deck: str | None  # digest of a deck of one's own
    setup_draws: list[str]
    lines: list[Line] = field(default_factory=list)
    result: str = "unfinished"
    digest: str = ""
    seats: tuple[str, ...] = ()
    fairness: fairness.Fairness | None = None  # of a game at a table
    position: str | None = None  # that the game began from; None: the setup
    forced: list[str] = field(default_factory=list)  # draws that were given with it


def check_seats(seats: tuple[str, ...], players: int) -> None:
    """Names of people, or ``bot:greedy``: one a seat; raises `ValueError` if they cannot be."""
    if len(seats) != players:
        raise ValueError(f"{players} seats are to be named, not {len(seats)}")
    for name in seats:
        if not is_printable(name) or not _SEAT.fullmatch(name):
            raise ValueError(f"a seat's name has 1 to 40 characters, no comma and no #: {name!r}")


def draw_words(deck: Deck, draws: Iterable[int]) -> list[str]:
    """Results of draws as words: pieces and card names."""
    words = []
    for draw in draws:
        if draw >= TEMPLE_DRAWN:
            words.append(deck.temples[draw - TEMPLE_DRAWN].name)
        elif draw >= CARD_DRAWN:
            name = deck.prophecies[draw - CARD_DRAWN].name
            words.append(f"card:{name}" if name in KIND_OF_TEXT else name)
        else:
            words.append(KIND_TEXTS[draw - PIECE_DRAWN])
    return words


def draw_number(deck: Deck, word: str) -> int:
    """The inverse of `draw_words` for one word."""
    if word in KIND_OF_TEXT:
        return PIECE_DRAWN + KIND_OF_TEXT[word]
    if word.removeprefix("card:") in deck.prophecy_ids:
        return CARD_DRAWN + deck.prophecy_ids[word.removeprefix("card:")]
    if word in deck.temple_ids:
        return TEMPLE_DRAWN + deck.temple_ids[word]
    raise NotationError(f"nothing that can be drawn is called {word!r}")


def read_draws(deck: Deck, words: Iterable[str]) -> list[int]:
    """The inverse of `draw_words`; raises `NotationError`."""
    draws = [draw_number(deck, word) for word in words]
    if len(draws) > MAX_SCRIPT:
        raise NotationError(f"{len(draws)} draws in one line, where {MAX_SCRIPT} are the most")
    return draws


def format_record(record: Record) -> str:
    options = record.options
    version = FROM_SETUP if record.position is None else FROM_POSITION
    lines = [f"Coatl record {version}"]
    lines.append("Players: " + ("solo" if options.solo is not None else str(options.players)))
    if options.names:
        lines.append("Options: " + " ".join(options.names))
    if options.solo:
        lines.append("Levels: " + " ".join(map(str, options.solo)))
    if record.deck is not None:
        lines.append(f"Deck: {record.deck}")
    if record.position is not None:
        lines.append(f"Position: {record.position}")
    if record.forced:
        lines.append(f"Draws: {' '.join(record.forced)}")
    if record.seats:
        lines.append(f"Seats: {', '.join(record.seats)}")
    if record.seed is not None:
        lines.append(f"Seed: {record.seed}")
    lines.append(f"Commitment: {record.commitment}")
    if record.fairness is not None:
        lines += fairness.format_fairness(record.fairness)
    if record.position is None:
        lines.append("0 # " + " ".join(record.setup_draws))
    for line in record.lines:
        comment = f" # {' '.join(line.draws)}" if line.draws else ""
        lines.append(f"{line.turn}.{line.seat} {', '.join(line.moves)}{comment}")
    lines += [f"Result: {record.result}", f"Digest: {record.digest}", ""]
    return "\n".join(lines)


class RecordReader:
    """Reads a record and holds its replay against it, line by line."""

    def __init__(self, text: str, deck: Deck) -> None:
        self.deck = deck
        self._lines = text.splitlines()
        self._at = 0
        self._numbers: list[int] = []
        self._header_lines: dict[str, int] = {}
        self._read_title()
        headers = self._read_headers()
        draws: list[str] = []
        if "Position" not in headers:
            setup = self._match(_SETUP, "the draws of the setup, like '0 # B K ...'")
            draws = setup["draws"].split()
        self.record = self._make_record(headers, draws)
        self._setup_line = self._at
        self._read_turns()
        self.record.result = self._footer("Result")
        self.record.digest = self._footer("Digest")
        if any(line.strip() for line in self._lines[self._at :]):
            raise RecordError(self._at + 1, "nothing may follow the digest")

    # -------------------------------------------------------------- reading

    def _next(self, expected: str) -> str:
        if self._at >= len(self._lines):
            raise RecordError(self._at + 1, f"the record breaks off; expected {expected}")
        self._at += 1
        return self._lines[self._at - 1].rstrip()

    def _match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        line = self._next(expected)
        found = pattern.fullmatch(line)
        if found is None:
            raise RecordError(self._at, f"expected {expected}, not {line[:60]!r}")
        return found

    def _read_title(self) -> None:
        version = int(self._match(_TITLE, f"'Coatl record {FROM_SETUP}'")[1])
        if version > VERSION:
            raise RecordError(1, f"format {version} is newer than this program reads ({VERSION})")
        if version < 1:
            raise RecordError(1, "there is no format 0")
        self._version = version

    def _read_headers(self) -> dict[str, str]:
        headers: dict[str, str] = {}
        while self._at < len(self._lines) and not self._lines[self._at][:1].isdecimal():
            if self._lines[self._at].startswith("Result: "):
                break  # a game from a position in which nothing was decided
            line = self._next("a header")
            name, colon, value = line.partition(": ")
            if not colon or name not in _HEADERS:
                raise RecordError(self._at, f"{line[:60]!r} is no header of a record")
            if name in headers:
                raise RecordError(self._at, f"{name} is given twice")
            headers[name] = value
            self._header_lines[name] = self._at
        for name in ("Players", "Commitment"):
            if name not in headers:
                raise RecordError(self._at + 1, f"the header {name} is missing")
        return headers

    def _make_record(self, headers: dict[str, str], draws: list[str]) -> Record:
        try:
            options = read_options(headers)
        except (OptionsError, ValueError) as error:
            raise RecordError(self._at, str(error)) from None
        wanted = headers.get("Deck")
        if wanted is not None and wanted != self.deck.digest:
            raise RecordError(self._at, "this game was played with another deck than the one given")
        if wanted is None and self.deck is not standard_deck():
            raise RecordError(self._at, "this game was played with the printed cards")
        if not re.fullmatch("[0-9a-f]{64}", headers["Commitment"]):
            raise RecordError(self._at, "a commitment has 64 hexadecimal digits")
        record = Record(options, headers.get("Seed"), headers["Commitment"], wanted, draws)
        record.position = headers.get("Position")
        record.forced = headers.get("Draws", "").split()
        self._check_position(record)
        try:
            if "Seats" in headers:
                record.seats = tuple(name.strip() for name in headers["Seats"].split(","))
                check_seats(record.seats, options.players)
        except ValueError as error:
            raise RecordError(self._header_lines["Seats"], str(error)) from None
        try:
            record.fairness = fairness.read_fairness(headers, options.players)
        except ValueError as error:
            raise RecordError(self._header_lines["Commitment"], str(error)) from None
        return record

    def _check_position(self, record: Record) -> None:
        """A game from a position needs format 2, and its options are those of the position."""
        if record.position is None:
            if record.forced:
                raise RecordError(self._header_lines["Draws"], "Draws belong to a Position")
            return
        line = self._header_lines["Position"]
        if self._version < FROM_POSITION:
            raise RecordError(line, f"a Position needs format {FROM_POSITION}")
        try:
            state = parse_position(record.position, self.deck)[0]
        except (NotationError, PositionError) as error:
            raise RecordError(line, str(error)) from None
        if Options.of_state(state) != record.options:
            raise RecordError(line, "the position has other options than the record")
        with self.blaming(self._header_lines.get("Draws", line)):
            read_draws(self.deck, record.forced)

    def _read_turns(self) -> None:
        while self._at < len(self._lines) and self._lines[self._at][:1].isdecimal():
            found = self._match(_TURN, "a turn like '3.0 take b1'")
            moves = [move.strip() for move in found["moves"].split(",")]
            draws = (found["draws"] or "").split()
            self.record.lines.append(Line(int(found["turn"]), int(found["seat"]), moves, draws))
            self._numbers.append(self._at)

    def _footer(self, name: str) -> str:
        line = self._next(f"'{name}: ...'")
        if not line.startswith(f"{name}: "):
            raise RecordError(self._at, f"expected '{name}: ...', not {line[:60]!r}")
        return line.removeprefix(f"{name}: ")

    # -------------------------------------------------------------- replaying

    def chances(self) -> Chances:
        """From the seed; without it the recorded draws are forced."""
        record = self.record
        if record.seed is not None:
            return new_chance(record.seed)
        chances = new_chance(bytes(32))
        if record.position is None:
            self._set_script(chances, record.setup_draws, self._setup_line)
        return chances

    def script(self, chances: Chances, number: int, line: Line) -> None:
        if self.record.seed is None:
            self._set_script(chances, line.draws, number)

    def _set_script(self, chances: Chances, words: list[str], number: int) -> None:
        with self.blaming(number):
            set_script(chances, read_draws(self.deck, words))

    def lines(self) -> Iterator[tuple[int, Line]]:
        yield from zip(self._numbers, self.record.lines, strict=True)

    def check_setup(self, draws: list[str], commitment: str) -> None:
        if self.record.seed is not None and commitment != self.record.commitment:
            raise RecordError(self._setup_line, "the commitment is not that of the seed")
        if draws != self.record.setup_draws:
            raise RecordError(self._setup_line, "the setup draws are not those of the seed")

    def check_turn(self, number: int, line: Line, turn: int, seat: int | None) -> None:
        if seat is None:
            raise RecordError(number, "the game is over before this turn")
        if (line.turn, line.seat) != (turn, seat):
            raise RecordError(number, f"this is turn {turn} of seat {seat}")

    def check_draws(self, number: int, line: Line, draws: list[str]) -> None:
        if draws != line.draws:
            drawn = " ".join(draws) or "nothing"
            raise RecordError(number, f"the replay draws {drawn} in this turn")

    def check_end(self, result: str, digest: str) -> None:
        if result != self.record.result:
            raise RecordError(self._at - 1, f"the replay ends with {result!r}")
        if digest != self.record.digest:
            raise RecordError(self._at, "the replay has another digest")

    @contextmanager
    def blaming(self, number: int) -> Iterator[None]:
        """Say in which line of the record something went wrong."""
        try:
            yield
        except IllegalMove as error:
            raise RecordError(number, f"{error.move}: {error.reason} ({error.clause})") from None
        except NotationError as error:
            raise RecordError(number, str(error)) from None


def read_options(headers: dict[str, str]) -> Options:
    players = headers["Players"]
    names = headers.get("Options", "").split()
    unknown = set(names) - {"tokens", "promo", "fewer_bodies"}
    if unknown:
        raise OptionsError(f"there is no option {min(unknown)!r}")
    levels = headers.get("Levels", "").split()
    if not all(level.isdecimal() for level in levels):
        raise OptionsError(f"levels are numbers, not {' '.join(levels)!r}")
    if players != "solo" and (not players.isdecimal() or len(players) > 2):
        raise OptionsError(f"Players is 2, 3, 4 or solo, not {players!r}")
    solo = [int(level) for level in levels] if players == "solo" else None
    if solo is None and levels:
        raise OptionsError("levels are for solo (D10)")
    return Options.make(
        None if solo is not None else int(players),
        "tokens" in names if solo is None else ("tokens" in names or None),
        solo,
        "promo" in names,
        "fewer_bodies" in names,
    )


def commitment_of(seed: str) -> str:
    """What binds a game to its seed without telling it."""
    return hashlib.sha256(b"coatl commitment " + seed_key(seed)).hexdigest()
