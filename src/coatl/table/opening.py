"""What is played at a new table: the options of its game, and the game itself."""

from __future__ import annotations

from coatl.errors import NotationError, PositionError
from coatl.game import Game
from coatl.options import Options, OptionsError
from coatl.table.entries import Opened, PlaceKind, Practice
from coatl.table.errors import Code, TableError


def options_of(opened: Opened) -> Options:
    """The game's options; raises `TableError`."""
    if opened.practice is not None:
        return _practised_options(opened, opened.practice)
    solo = opened.levels
    players = len(opened.places)
    try:
        if solo is None:
            return Options.make(players, opened.tokens, None, opened.promo, opened.fewer_bodies)
        return Options.make(players, None, solo, opened.promo, opened.fewer_bodies)
    except OptionsError as error:
        raise TableError(Code.BAD_OPTIONS, str(error)) from None


def _practised_options(opened: Opened, practice: Practice) -> Options:
    """Those of the position: one person practises, alone or with bots; nothing is promised."""
    try:
        options = Game.from_position(practice.position, 0, draws=practice.draws).options
    except (NotationError, PositionError) as error:
        raise TableError(Code.BAD_POSITION, str(error)) from None
    others = (opened.tokens, opened.promo, opened.fewer_bodies, opened.levels, opened.draw_seats)
    if others != (True, False, False, None, False):
        raise TableError(Code.BAD_OPTIONS, "the options of a practice table are in its position")
    if len(opened.places) != options.players:
        message = f"the position has {options.players} seats, the table {len(opened.places)}"
        raise TableError(Code.BAD_OPTIONS, message)
    if [spec.kind for spec in opened.places if spec.kind != PlaceKind.BOT] != [PlaceKind.PERSON]:
        raise TableError(Code.BAD_OPTIONS, "one person practises, with bots or alone")
    if opened.promise:
        raise TableError(Code.BAD_OPTIONS, "a practice table promises nothing")
    return options


def new_game(opened: Opened, options: Options, seed: str) -> Game:
    """The game of a table at which everybody has joined."""
    practice = opened.practice
    if practice is not None:
        return Game.from_position(practice.position, seed, draws=practice.draws)
    return Game.new(
        players=options.players,
        tokens=options.tokens if options.solo is None else None,
        solo=options.solo,
        promo=options.promo,
        fewer_bodies=options.fewer_bodies,
        seed=seed,
    )
