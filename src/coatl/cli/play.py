"""`coatl play`: who sits at the table, and the game that they play there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

from coatl.cli.console import Failure, read_text
from coatl.cli.options import allow_own_bots, read_bots, read_levels, read_options
from coatl.cli.play_request import PlayRequest
from coatl.cli.terminal.prompt import Prompt
from coatl.cli.terminal.session import TerminalSeat, TerminalSession
from coatl.compiler import jit
from coatl.errors import RecordError
from coatl.game import Game
from coatl.game.record import check_seats
from coatl.players.registry import UnknownPlayer, make_player, player_names
from coatl.simulate import player_chances
from coatl.text.board import YOU
from coatl.text.drawing import make_console

BOT = "bot:"  # before the name of a bot among the seats of a record
DEFAULT_OPPONENT = "greedy"  # nothing more has to be compiled for it
MOST_SEATS = 4
HOW_TO_GET_TEXTUAL = "install Textual: pip install 'textual>=8,<9'"


def play(request: PlayRequest) -> None:
    console = make_console()
    prompt = Prompt(console)
    if prompt.interactive and not console.is_dumb_terminal and not request.plain:
        if find_spec("textual") is not None:
            from coatl.cli.application.app import play_in_application

            play_in_application(request)
            return
        print(f"coatl: in plain mode; for the table, {HOW_TO_GET_TEXTUAL}", file=sys.stderr)
    if request.is_empty and prompt.interactive:
        try:
            ask_for_request(request, prompt)
        except (EOFError, KeyboardInterrupt):
            console.print("\nGoodbye.")
            return
    game = load_game(request) if request.load is not None else new_game(request)
    jit.load_all()
    TerminalSession(game, take_seats(game), console, request.hints).run()


def ask_for_request(request: PlayRequest, prompt: Prompt) -> None:
    """A few questions; Enter gives what the rulebook suggests for a first game."""
    people = _ask_number(prompt, "How many people play at this machine?", 1, 1, MOST_SEATS)
    request.people = str(people)
    fewest = 1 if people == 1 else 0
    bots = 0
    if people < MOST_SEATS:
        question = "How many bots join?" + (" (0: solo against A.D.A.M.)" if people == 1 else "")
        bots = _ask_number(prompt, question, fewest, 0, MOST_SEATS - people)
    if people == 1 and bots == 0:
        request.solo, request.people = True, None
        request.levels = _ask_until(prompt, "A.D.A.M.'s levels, such as 13 [none]: ", read_levels)
        return
    if bots:
        names = ", ".join(player_names())
        question = f"Which bot: {names}? [{DEFAULT_OPPONENT}] "
        name = _ask_until(
            prompt, question, lambda text: read_bots(text or DEFAULT_OPPONENT), player_names()
        )
        name = name or DEFAULT_OPPONENT
        request.bots = ",".join([name] * bots)
    with_tokens = prompt.ask("Sacrifice tokens? Better not in a first game. [n] ", ["y", "n"])
    request.tokens = with_tokens.lower().startswith("y")


def _ask_number(prompt: Prompt, question: str, default: int, least: int, most: int) -> int:
    while True:
        answer = prompt.ask(f"{question} [{default}] ") or str(default)
        if answer.isdecimal() and least <= int(answer[:9]) <= most:
            return int(answer)
        print(f"A number from {least} to {most}, please.")


def _ask_until(
    prompt: Prompt, question: str, read: Callable[[str], object], options: Sequence[str] = ()
) -> str:
    """An answer that `read` accepts."""
    while True:
        answer = prompt.ask(question, options)
        try:
            read(answer)
        except (Failure, UnknownPlayer) as error:
            print(f"{error}.")
        else:
            return answer


# ---------------------------------------------------------------- a new game


def new_game(request: PlayRequest) -> Game:
    bots = read_bots(request.bots)
    if request.is_solo and bots:
        raise Failure("solo is you against A.D.A.M., without bots (D1)")
    people = read_people(request.people)
    if len(people) == 1 and not bots and not request.is_solo:
        bots = [DEFAULT_OPPONENT]  # nobody plays alone by accident
    seats = [*people, *(BOT + name for name in bots)]
    options = read_options(
        len(seats),
        solo=request.solo,
        levels=request.levels,
        tokens=request.tokens,
        promo=request.promo,
        fewer_bodies=request.fewer_bodies,
    )
    try:
        check_seats(tuple(seats), options.players)
    except ValueError as error:
        raise Failure(str(error)) from None
    game = Game.new(
        players=options.players,
        tokens=options.tokens if options.solo is None else None,
        solo=options.solo,
        promo=options.promo,
        fewer_bodies=options.fewer_bodies,
        deck=request.deck,
        seed=request.seed,
    )
    game.seats = seats
    return game


def read_people(text: str | None) -> list[str]:
    """Names of the people: as given, or ``You``, or ``Player 1`` and so on."""
    if text is not None and not text.strip().isdecimal():
        names = [name.strip() for name in text.split(",")]
        if len(set(names)) < len(names):
            raise Failure(f"two people have the same name: {text}")
        if len(names) > 1 and YOU in names:
            raise Failure(f"{YOU!r} cannot be a name where several people play")
        if any(name.startswith(BOT) for name in names):
            raise Failure(f"a person's name cannot begin with {BOT!r}; bots go to --bots")
        return names
    number = int(text.strip()[:9]) if text is not None else 1
    if not 1 <= number <= MOST_SEATS:
        raise Failure(f"1 to {MOST_SEATS} people, not {number}")
    return [YOU] if number == 1 else [f"Player {n}" for n in range(1, number + 1)]


# ---------------------------------------------------------------- a saved game


def load_game(request: PlayRequest) -> Game:
    assert request.load is not None
    text = read_text(request.load)
    allowed = PlayRequest(
        load=request.load,
        deck=request.deck,
        bots=request.bots,
        people=request.people,
        plain=request.plain,
    )
    if request != allowed:
        raise Failure("a saved game has its options; with --load go --deck, --people and --bots")
    try:
        game = Game.replay(text, request.deck)
    except RecordError as error:
        raise Failure(f"{request.load}: {error}") from None
    if game.over:
        raise Failure(f"{request.load}: this game is over; coatl replay shows it")
    if game.seed is None:
        raise Failure(f"{request.load}: the record has no seed, so the game cannot go on")
    if request.people is not None or request.bots is not None or not game.seats:
        game.seats = other_seats(game, request)
    return game


def other_seats(game: Game, request: PlayRequest) -> list[str]:
    bots = read_bots(request.bots)
    if request.people is None and request.bots is None:
        return [YOU, *[BOT + DEFAULT_OPPONENT] * (game.options.players - 1)]
    seats = [*read_people(request.people), *(BOT + name for name in bots)]
    if len(seats) != game.options.players:
        raise Failure(f"the saved game has {game.options.players} seats, not {len(seats)}")
    return seats


def take_seats(game: Game) -> list[TerminalSeat]:
    """The seats of a game as people and bots; equal bots have their seat's number in the name."""
    allow_own_bots()
    bots = [name.removeprefix(BOT) for name in game.seats if name.startswith(BOT)]
    seats = []
    for number, name in enumerate(game.seats):
        if not name.startswith(BOT):
            seats.append(TerminalSeat(name))
            continue
        kind = name.removeprefix(BOT)
        shown = kind if bots.count(kind) == 1 else f"{kind} {number + 1}"
        try:
            bot = make_player(kind, player_chances(game.seed or "", number, 0))
        except UnknownPlayer as error:
            raise Failure(str(error)) from None
        except Exception as error:  # a stranger's bot can raise anything
            raise Failure(f"{kind}: making it raised {error!r}") from None
        seats.append(TerminalSeat(shown, bot))
    return seats
