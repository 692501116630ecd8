"""A table: its places, its game, its version, and what each place may do. The log is the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TypeVar

from coatl.errors import IllegalMove, NotationError
from coatl.events import Event
from coatl.fairness import Fairness, derive_seed, draw_lots, is_secret, promise_of
from coatl.game import Game
from coatl.reasons import Reason, reason_of
from coatl.rules.causes import Cause
from coatl.rules.scoring import DecidedBy
from coatl.table import ending
from coatl.table.ending import Rank
from coatl.table.entries import (
    AnyEntry,
    BotFailed,
    Decided,
    Entry,
    Freed,
    GaveUp,
    HandedOver,
    Hinted,
    Joined,
    Opened,
    PlaceKind,
    Rematched,
    TakenBack,
    Undone,
)
from coatl.table.errors import Code, TableError
from coatl.table.opening import new_game, options_of
from coatl.table.places import (
    Place,
    check_bot,
    check_new_name,
    check_places,
    check_stand_in,
    free_name,
)
from coatl.table.status import Note, NoteKind, Status
from coatl.view import View

SUBSTITUTE_BOT = "greedy"  # plays on for a bot that failed, and for a person who gave up
AWAY_SECONDS = 60.0  # before the owner may hand a seat to a bot
# What may be done again and again is bounded, and with it the log. More than anybody needs:
MOST_UNDOS = 500  # of a place
MOST_HAND_OVERS = 30  # of a place; each leaves two notes, which every state carries
MOST_HINTS = 100  # of a place: turns with one; each leaves a note
MOST_FREED = 30  # places, in all


_E = TypeVar("_E", bound=Entry)
Turn = tuple[int, int | None]  # its number, and whose it is


class Table:
    """Folds a log. The methods that change something check first, then return the new entry."""

    def __init__(self, opened: Opened, secret: str) -> None:
        self.opened = opened
        self.options = options_of(opened)
        self.places = [Place(spec.kind, spec.name, spec.bot) for spec in opened.places]
        check_places(opened.places)
        if opened.practice is None and promise_of(secret) != opened.promise:
            raise TableError(Code.BAD_OPTIONS, "the promise is not that of the secret")
        self._secret = secret
        self.version = 1
        self.game: Game | None = None
        self.seating: tuple[int, ...] = ()  # seat -> place
        self.notes: list[Note] = []
        self.rematch: str | None = None
        self._done: dict[tuple[int, str], int] = {}  # (place, client's id) -> version
        self._counts: Counter[tuple[type[Entry], int]] = Counter()  # entries of a place
        self._hinted: Turn | None = None  # the last one with a hint
        self._bot_turn: Turn | None = None  # the last one in which a bot has decided something
        self._start_when_ready()

    @classmethod
    def rebuild(cls, entries: Iterable[AnyEntry], secret: str) -> Table:
        """The table of a log; raises `ValueError` if it is not one."""
        log = iter(entries)
        first = next(log, None)
        if not isinstance(first, Opened):
            raise ValueError("the log of a table begins with its opening")
        table = cls(first, secret)
        for entry in log:
            table.follow(entry)
        return table

    def follow(self, entry: Entry) -> None:
        """Do what the next entry of the log says, which was checked before it was written."""
        self._apply(entry)
        self.version += 1

    # -------------------------------------------------------------- where it stands

    @property
    def status(self) -> Status:
        if self.game is None:
            return Status.WAITING
        return Status.OVER if self.game.over else Status.PLAYING

    @property
    def to_move(self) -> int | None:
        """The place whose decision it is."""
        if self.game is None or self.game.seat is None:
            return None
        return self.seating[self.game.seat]

    @property
    def bot_to_move(self) -> str | None:
        """The bot whose decision it is; None if a person's, or the game is not on."""
        place = self.to_move
        return None if place is None else self.places[place].bot

    def is_turn_of(self, place: int | None) -> bool:
        """Is it the decision of the person at a place (and not of a bot that sits in)?"""
        return place is not None and self.to_move == place and self.places[place].bot is None

    @property
    def has_people(self) -> bool:
        """Does a person play for themselves, at any place?"""
        return any(at.kind == PlaceKind.PERSON and at.bot is None for at in self.places)

    def has_other_people(self, place: int) -> bool:
        """Does a person play at another place than this one?"""
        others = (at for number, at in enumerate(self.places) if number != place)
        return any(at.kind == PlaceKind.PERSON and at.bot is None for at in others)

    @property
    def has_hints(self) -> bool:
        """May people ask for hints? One person always may; several if that was agreed on."""
        people = sum(spec.kind != PlaceKind.BOT for spec in self.opened.places)
        return self.opened.hints or people == 1

    @property
    def _turn(self) -> Turn:
        game = self.game
        assert game is not None
        return game.turn, game.seat

    def seat_of(self, place: int | None) -> int | None:
        """The seat of a place in the game; None for spectators and before the start."""
        return self.seating.index(place) if place is not None and self.seating else None

    def view(self, place: int | None) -> View | None:
        """What a place may know; None before the game begins."""
        return None if self.game is None else self.game.view(self.seat_of(place))

    def events(self, place: int | None, since: int = 0) -> list[Event]:
        return [] if self.game is None else self.game.events(self.seat_of(place), since)

    def done_before(self, place: int, id: str) -> int | None:
        """The version a client's id led to, if it was carried out before."""
        return self._done.get((place, id))

    # -------------------------------------------------------------- coming

    def join(
        self, place: int, nonce: str, name: str | None = None, id: str | None = None
    ) -> Joined:
        """A person sits down, once."""
        at = self._place(place)
        if at.kind == PlaceKind.BOT or at.nonce is not None:
            raise TableError(Code.TAKEN)
        if not is_secret(nonce):
            raise TableError(Code.BAD_NONCE)
        if name:
            check_new_name(name)
        taken = {other.name for other in self.places if other is not at}
        chosen = free_name(name or at.name or f"Player {place + 1}", taken)
        return self._do(Joined(place, chosen, nonce, id))

    def is_for_anybody(self, place: int) -> bool:
        """Was a place opened for whoever comes first?"""
        return self.opened.places[place].kind == PlaceKind.OPEN

    def free(self, place: int) -> Freed:
        """Whoever took an open place loses it again, before the game begins."""
        self._place(place)
        if self.game is not None:
            raise TableError(Code.STARTED)
        if not self.is_for_anybody(place):
            raise TableError(Code.NO_PERSON, "only an open place can be freed")
        if sum(self._counts[Freed, number] for number in range(len(self.places))) >= MOST_FREED:
            raise TableError(Code.TOO_OFTEN)
        return self._do(Freed(place))

    def _start_when_ready(self) -> None:
        if self.game is not None or not all(place.is_ready for place in self.places):
            return
        nonces = {n: place.nonce for n, place in enumerate(self.places) if place.nonce is not None}
        seed = derive_seed(self._secret, nonces)
        count = len(self.places)
        lots = draw_lots(seed, count) if self.opened.draw_seats else tuple(range(count))
        self.seating = lots
        self.game = new_game(self.opened, self.options, seed)
        self.game.seats = [self.places[place].record_name for place in lots]
        if self.opened.practice is None:
            self.game.fairness = Fairness(
                self.opened.promise, self._secret, nonces, lots, self.opened.draw_seats
            )

    # -------------------------------------------------------------- playing

    def decide(self, place: int, move: str, version: int, id: str | None = None) -> Decided:
        """A person's decision, made at a version; check `done_before` first."""
        game = self._my_turn(place, version)
        return self._play(game, place, move, id)

    def _play(self, game: Game, place: int, move: str, id: str | None) -> Decided:
        """Let the game check and carry out a decision in one go."""
        try:
            self._carry_out(game, place, move)
        except NotationError as error:
            raise TableError(Code.UNREADABLE, str(error)) from None
        except IllegalMove as error:
            raise TableError(Code.ILLEGAL, error.reason, error.clause, error.cause) from None
        self._remember(place, id)
        self.version += 1
        return Decided(place, game.last_move or move, id)

    def _carry_out(self, game: Game, place: int, move: str) -> None:
        at = self.places[place]
        if at.bot is None:
            game.play(move)
            return
        turn = self._turn
        game.play(move)
        self._bot_turn = turn
        if at.returns and self._turn != turn:
            self._come_back(place)

    def can_undo(self, place: int | None) -> bool:
        """Would `undo` take something back for the person at a place?"""
        if place is None or self.game is None or not self.is_turn_of(place):
            return False
        return self.game.can_undo and self._counts[Undone, place] < MOST_UNDOS

    def undo(self, place: int, version: int, id: str | None = None) -> Undone:
        game = self._my_turn(place, version)
        if self._counts[Undone, place] >= MOST_UNDOS:
            raise TableError(Code.TOO_OFTEN)
        if not game.can_undo:
            why = reason_of(Cause.T0_UNDO)
            raise TableError(Code.NOTHING_TO_UNDO, clause=why.clause, cause=why.cause)
        return self._do(Undone(place, id))

    def why(self, place: int | None, move: str) -> Reason:
        """Why a move is not allowed to a place whose turn it is; an empty reason if it is."""
        game = self._running()
        if place is None or self.to_move != place:
            raise TableError(Code.NOT_YOUR_TURN)
        try:
            reason = game.why(move)
        except NotationError as error:
            raise TableError(Code.UNREADABLE, str(error)) from None
        return reason if reason is not None else Reason("", "", "")

    def _my_turn(self, place: int, version: int) -> Game:
        self._check_version(version)
        game = self._running()
        if self._place(place).bot is not None:
            raise TableError(Code.BOT_PLAYS)
        if self.to_move != place:
            raise TableError(Code.NOT_YOUR_TURN)
        return game

    def _check_version(self, version: int) -> None:
        if version > self.version:
            raise TableError(Code.AHEAD)
        if version < self.version:
            raise TableError(Code.STALE)

    def _running(self) -> Game:
        if self.game is None:
            raise TableError(Code.NOT_STARTED)
        if self.game.over:
            raise TableError(Code.OVER)
        return self.game

    def bot_decides(self, place: int, move: str) -> Decided:
        """A bot's decision; raises `TableError` if it is not a legal one."""
        if self.to_move != place or self.places[place].bot is None:
            raise TableError(Code.NOT_YOUR_TURN)
        return self._play(self._running(), place, move, None)

    def bot_failed(self, place: int, reason: str) -> BotFailed:
        """A bot could not play; the substitute goes on."""
        self._running()
        return self._do(BotFailed(place, reason, SUBSTITUTE_BOT))

    # -------------------------------------------------------------- hints

    def check_hint(self, place: int | None) -> None:
        """Raises `TableError` unless the person at a place may have a hint now."""
        if place is None:
            raise TableError(Code.NOT_YOUR_TURN)
        self._my_turn(place, self.version)
        if not self.has_hints:
            raise TableError(Code.HINTS_OFF)
        if self._counts[Hinted, place] >= MOST_HINTS and not self.was_hinted:
            raise TableError(Code.TOO_OFTEN)

    @property
    def was_hinted(self) -> bool:
        """Has there been a hint in this turn?"""
        return self.game is not None and self._hinted == self._turn

    def hint(self, place: int, version: int) -> Hinted:
        """A person is given a hint for a version; an entry only for the first one of a turn."""
        self._check_version(version)
        self.check_hint(place)
        if self.was_hinted:
            raise TableError(Code.TOO_OFTEN)
        return self._do(Hinted(place))

    # -------------------------------------------------------------- leaving and coming back

    def hand_over(
        self,
        place: int,
        bot: str,
        by_owner: bool = False,
        away_seconds: float = 0.0,
        id: str | None = None,
    ) -> HandedOver:
        """A bot plays for a seat: the seat asks, or the owner once it has been away."""
        at = self._person(place)
        self._running()
        if at.bot is not None:
            raise TableError(Code.BOT_PLAYS)
        if by_owner and away_seconds < AWAY_SECONDS:
            raise TableError(Code.NOT_AWAY)
        if self._counts[HandedOver, place] >= MOST_HAND_OVERS:
            raise TableError(Code.TOO_OFTEN)
        check_bot(bot)
        if not self.has_hints:
            check_stand_in(bot)
        return self._do(HandedOver(place, bot, by_owner, id))

    def take_back(self, place: int, id: str | None = None) -> TakenBack:
        """The person plays on; where hints are off, not before the bot has ended its turn."""
        at = self._person(place)
        self._running()
        if at.gave_up is not None:
            raise TableError(Code.GAVE_UP)
        if at.bot is None:
            raise TableError(Code.NO_BOT)
        if at.returns:
            raise TableError(Code.BOT_PLAYS, "the bot plays its turn to the end first")
        is_in_bots_turn = self.to_move == place and self._bot_turn == self._turn
        return self._do(TakenBack(place, id, is_in_bots_turn and not self.has_hints))

    def give_up(self, place: int, id: str | None = None) -> GaveUp:
        at = self._person(place)
        self._running()
        if at.gave_up is not None:
            raise TableError(Code.GAVE_UP)
        return self._do(GaveUp(place, SUBSTITUTE_BOT, id))

    # -------------------------------------------------------------- the end

    def standing(self) -> list[Rank]:
        """Who came where (F2)."""
        return ending.standing(self._finished().outcome(), self.seating, self.places)

    def verdict(self) -> tuple[DecidedBy, tuple[int, ...]] | None:
        """How the first place was decided (F2), and between which places; None if one stayed."""
        return ending.verdict(self._finished().outcome(), self.seating, self.places)

    def record(self) -> str:
        """The record of a game that is over."""
        return self._finished().record()

    def plan_rematch(self, promise: str, this: str) -> tuple[Opened, tuple[int, ...]]:
        """The opening of a rematch, and the old place of each new one."""
        self._finished()
        order = ending.rematch_order(self.opened, self.seating)
        return ending.rematch_opening(self.opened, self.places, order, promise, this), order

    def rematched(self, table: str, id: str | None = None) -> Rematched:
        self._finished()
        return self._do(Rematched(table, id))

    def _finished(self) -> Game:
        if self.game is None or not self.game.over:
            raise TableError(Code.NOT_OVER)
        return self.game

    # -------------------------------------------------------------- folding the log

    def _do(self, entry: _E) -> _E:
        self.follow(entry)
        return entry

    def _place(self, place: int) -> Place:
        if not 0 <= place < len(self.places):
            raise TableError(Code.NO_PERSON)
        return self.places[place]

    def _person(self, place: int) -> Place:
        at = self._place(place)
        if at.kind == PlaceKind.BOT or at.nonce is None:
            raise TableError(Code.NO_PERSON)
        return at

    def _remember(self, place: int, id: str | None) -> None:
        if id is not None:
            self._done[place, id] = self.version + 1

    def _note(self, kind: NoteKind, place: int, text: str) -> None:
        assert self.game is not None
        self.notes.append(Note(self.version + 1, kind, place, text, self.game.event_count))

    def _come_back(self, place: int) -> None:
        at = self.places[place]
        at.bot, at.returns = None, False
        self._note(NoteKind.BACK, place, "")

    def _apply(self, entry: Entry) -> None:
        """Change the table as an entry says; it was checked before it was written."""
        match entry:
            case Joined(place, name, nonce, id):
                at = self.places[place]
                at.kind, at.name, at.nonce = PlaceKind.PERSON, name, nonce
                self._start_when_ready()
                self._remember(place, id)
            case Freed(place):
                self._counts[Freed, place] += 1
                spec = self.opened.places[place]
                self.places[place] = Place(spec.kind, spec.name, spec.bot)
                self._done = {at: version for at, version in self._done.items() if at[0] != place}
            case Decided(place, move, id):
                self._carry_out(self._running(), place, move)
                self._remember(place, id)
            case Undone(place, id):
                self._counts[Undone, place] += 1
                self._running().undo()
                self._remember(place, id)
            case Hinted(place):
                self._counts[Hinted, place] += 1
                self._hinted = self._turn
                self._note(NoteKind.HINT, place, "")
            case Rematched(table):
                self.rematch = table
            case _:
                self._apply_change_of_player(entry)

    def _apply_change_of_player(self, entry: Entry) -> None:
        match entry:
            case HandedOver(place, bot, by_owner, id):
                self._counts[HandedOver, place] += 1
                self.places[place].bot = bot
                self._note(NoteKind.HAND, place, "owner" if by_owner else "")
                self._remember(place, id)
            case TakenBack(place, id, after_turn):
                if after_turn:
                    self.places[place].returns = True
                else:
                    self._come_back(place)
                self._remember(place, id)
            case GaveUp(place, bot, id):
                self.places[place].bot = bot
                self.places[place].gave_up = self.version + 1
                self.places[place].returns = False
                self._note(NoteKind.GIVE_UP, place, "")
                self._remember(place, id)
            case BotFailed(place, reason, bot):
                self.places[place].bot = bot
                self._note(NoteKind.BOT_FAILED, place, reason)
            case _:
                raise ValueError(f"a table cannot be {type(entry).__name__} again")
