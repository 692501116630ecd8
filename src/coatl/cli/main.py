"""`coatl`: the commands and their options. What they do lives in the modules beside this one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from coatl._version import __version__
from coatl.cli import console
from coatl.cli.database_commands import database_app
from coatl.cli.puzzles_commands import puzzles_app
from coatl.cli.server_options import ConfigFile, Data, Database
from coatl.cli.tables_commands import tables_app
from coatl.players.registry import player_names

app = typer.Typer(
    name="coatl",
    help="Cóatl, the board game: play, simulate, score, replay. An unofficial fan project.",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
deck_app = typer.Typer(help="Decks of your own.")
app.add_typer(deck_app, name="deck")
app.add_typer(database_app, name="database")
app.add_typer(tables_app, name="tables")
app.add_typer(puzzles_app, name="puzzles")


def complete_bots(incomplete: str) -> list[str]:
    """Names for the end of a list such as ``greedy,ran``."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in player_names() if name.startswith(last)]


def complete_rules(incomplete: str) -> list[str]:
    """Ids of clauses and chapters."""
    from coatl.rulebook import load

    book = load("en")
    ids = [*(chapter.id for chapter in book.chapters), *(item.id for item in book.items)]
    return [id for id in ids if id.lower().startswith(incomplete.lower())]


def complete_lessons(incomplete: str) -> list[str]:
    from coatl.lessons import LESSONS

    return [name for name in LESSONS if name.startswith(incomplete)]


def complete_languages(incomplete: str) -> list[str]:
    from coatl.rulebook import LANGUAGES

    return [language for language in LANGUAGES if language.startswith(incomplete)]


Tokens = Annotated[
    bool | None, typer.Option("--tokens/--no-tokens", help="Sacrifice tokens (S6); not in solo.")
]
Promo = Annotated[bool, typer.Option("--promo", help="Add the promo pack.")]
FewerBodies = Annotated[
    bool, typer.Option("--fewer-bodies", help="Fewer body segments, for 2 or 3 players (R22).")
]
Ray = Annotated[
    str,
    typer.Option(metavar="ADDRESS", help="On a Ray cluster; local: one of this machine's cores."),
]
Solo = Annotated[bool, typer.Option("--solo", help="The solo game against A.D.A.M.")]
Levels = Annotated[
    str | None,
    typer.Option("--levels", help="A.D.A.M.'s levels, such as 13 (D10); means --solo."),
]
Deck = Annotated[
    Path | None, typer.Option("--deck", metavar="FILE", help="A deck of your own (TOML).")
]
Lang = Annotated[
    str | None,
    typer.Option(
        metavar="LANGUAGE",
        help="en, fr or de; else that of your locale.",
        autocompletion=complete_languages,
    ),
]
Seed = Annotated[
    str | None, typer.Option("--seed", help="The same seed gives the same game everywhere.")
]
Bots = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="NAMES",
        help="Bots, such as planner,greedy; module:Class for your own.",
        autocompletion=complete_bots,
    ),
]


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"coatl {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def entrance(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("play")
def play_command(
    terminal: Annotated[
        bool,
        typer.Option(
            "--terminal", help="In the terminal. The options below are for it and mean it."
        ),
    ] = False,
    people: Annotated[
        str | None,
        typer.Option(metavar="N|NAMES", help="People at this machine: how many, or Ana,Ben."),
    ] = None,
    bots: Bots = None,
    solo: Solo = False,
    levels: Levels = None,
    tokens: Tokens = None,
    promo: Promo = False,
    fewer_bodies: FewerBodies = False,
    deck: Deck = None,
    seed: Seed = None,
    load: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a saved game.")
    ] = None,
    hints: Annotated[
        bool, typer.Option("--hints", help="Hints also where several people play.")
    ] = False,
    plain: Annotated[
        bool,
        typer.Option(
            "--plain",
            envvar="COATL_PLAIN",
            help="Line by line, for screen readers; so it is in a pipe.",
        ),
    ] = False,
) -> None:
    """Play: in the browser, or in the terminal; against bots, with people, or solo."""
    from coatl.cli.play_request import PlayRequest

    request = PlayRequest(
        people=people,
        bots=bots,
        solo=solo,
        levels=levels,
        tokens=tokens,
        promo=promo,
        fewer_bodies=fewer_bodies,
        deck=deck,
        seed=seed,
        load=load,
        hints=hints,
        plain=plain,
    )
    if not terminal and request.is_empty:
        from coatl.cli.serve import play_in_browser

        play_in_browser()
    else:
        from coatl.cli.play import play

        play(request)


@app.command("learn")
def learn_command(
    lesson: Annotated[
        str | None,
        typer.Argument(
            metavar="LESSON",
            help="first, tokens or solo; else the next one that you have not finished.",
            autocompletion=complete_lessons,
        ),
    ] = None,
    lang: Lang = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="Show the lessons and how far you are.")
    ] = False,
    restart: Annotated[bool, typer.Option("--restart", help="From the beginning.")] = False,
    progress: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where you are (otherwise in your data folder)."),
    ] = None,
) -> None:
    """Learn the game step by step: the lessons of the page, in the terminal."""
    from coatl.cli.learn import learn, list_lessons

    if list_all:
        list_lessons(lang, progress)
    else:
        learn(lesson, lang, progress, restart)


@app.command("simulate")
def simulate_command(
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    players: Annotated[
        int | None, typer.Option(help="2 to 4 (otherwise as many as bots, or 2).")
    ] = None,
    bots: Bots = None,
    solo: Solo = False,
    levels: Levels = None,
    tokens: Tokens = None,
    promo: Promo = False,
    fewer_bodies: FewerBodies = False,
    deck: Deck = None,
    seed: Seed = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Let bots play many games, and show how they went."""
    from coatl.cli.options import read_bots, read_options
    from coatl.cli.simulate import simulate
    from coatl.rules.deckfile import load_deck

    names = read_bots(bots)
    options = read_options(
        players if players is not None or solo or levels is not None else max(len(names), 2),
        solo=solo,
        levels=levels,
        tokens=tokens,
        promo=promo,
        fewer_bodies=fewer_bodies,
    )
    simulate(options, names, games, seed, jobs, None if deck is None else load_deck(deck), json)


@app.command("arena")
def arena_command(
    players: Annotated[
        str,
        typer.Option(metavar="NAMES", help="Such as planner,greedy.", autocompletion=complete_bots),
    ],
    games: Annotated[int, typer.Option(min=1, help="Of every match.")] = 400,
    seats: Annotated[
        int, typer.Option(min=2, max=4, help="At 3 or 4 one player meets a table of the other.")
    ] = 2,
    solo: Annotated[
        str | None,
        typer.Option(metavar="LEVELS", help="Against A.D.A.M., such as base,1,12345 (D10)."),
    ] = None,
    tokens: Tokens = None,
    promo: Promo = False,
    fewer_bodies: FewerBodies = False,
    jobs: Annotated[int, typer.Option(min=1, help="Processes that share the work.")] = 1,
    seed: Annotated[str, typer.Option(help="The same seed gives the same games.")] = "1",
    seconds: Annotated[
        float, typer.Option(min=0.0, help="A player of your own may take for a decision.")
    ] = 60.0,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Where results go, and where an earlier run is continued."
        ),
    ] = None,
    records: Annotated[bool, typer.Option("--records", help="Keep every game in DIR.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    ray: Ray = "",
) -> None:
    """Measure players against each other: the same deals for all, seats rotated."""
    from coatl.arena.command import ArenaRequest, make_setup
    from coatl.cli.arena import show_arena

    request = ArenaRequest(
        players=players,
        games=games,
        seats=seats,
        solo=solo,
        tokens=tokens is not False,
        promo=promo,
        fewer_bodies=fewer_bodies,
        seed=seed,
        seconds=seconds,
        records=records,
    )
    show_arena(make_setup(request), out, jobs, json, ray)


@app.command("ratings")
def ratings_command(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILES", help="Such as DIR/matches.csv of an arena.")
    ],
) -> None:
    """Rate players by one fit over the results of several arenas."""
    from coatl.cli.arena import show_ratings

    show_ratings(files)


@app.command("lab")
def lab_command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where games and report go.")],
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who plays all seats (artisan); module:Class for your own.",
            autocompletion=complete_bots,
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option(metavar="NUMBERS", help="Such as 2 or 2,3,4, which is usual.")
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBERS", help="With each number of players (4000), or such as 6000,3000,3000."
        ),
    ] = None,
    tokens: Tokens = None,
    promo: Annotated[bool | None, typer.Option("--promo", help="Add the promo pack.")] = None,
    fewer_bodies: Annotated[
        bool | None,
        typer.Option("--fewer-bodies", help="Fewer body segments, for 2 or 3 players (R22)."),
    ] = None,
    random_first_pick: Annotated[
        bool | None,
        typer.Option("--random-first", help="One seat a game takes its first card by lot."),
    ] = None,
    deck: Deck = None,
    seed: Seed = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "--cores", min=1, help="Processes that share the work.")
    ] = 1,
    ray: Ray = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")] = False,
) -> None:
    """Find out what cards, openings and lengths are worth: many games of a bot against itself."""
    from coatl.cli.lab import show_lab
    from coatl.lab.command import LabRequest

    request = LabRequest(
        out=out,
        bot=bot,
        players=players,
        games=games,
        seed=seed,
        deck=deck,
        tokens=tokens,
        promo=promo,
        fewer_bodies=fewer_bodies,
        random_first_pick=random_first_pick,
        resume=resume,
    )
    show_lab(request, jobs, ray)


@app.command("score")
def score_command(
    serpent: Annotated[str, typer.Argument(metavar="SERPENT", help="A Cóatl such as '<KRRBGY>'.")],
    promo: Promo = False,
    deck: Deck = None,
) -> None:
    """Show all cards that a Cóatl satisfies, with points and the pieces used."""
    from coatl.cli.cards import show_scores

    show_scores(serpent, deck, promo)


@app.command("cards")
def cards_command(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES", help="Cards such as RGRG; else all.")
    ] = None,
    deck: Deck = None,
    lang: Lang = None,
) -> None:
    """Say what cards ask for, in words: those named, or all."""
    from coatl.cli.cards import show_cards

    show_cards(names or [], deck, lang)


@app.command("rules")
def rules_command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAMES",
            help="Clauses such as A8, or chapters such as assemble; else the contents.",
            autocompletion=complete_rules,
        ),
    ] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Rules that have all these words.")
    ] = None,
    lang: Lang = None,
) -> None:
    """Read the rules: by clause, by chapter, or by words in them."""
    from coatl.cli.rules import show_rules

    show_rules(names or [], search, lang)


@app.command("bots")
def bots_command() -> None:
    """List the bots: how strong they are, and how they play."""
    from coatl.cli.bots import show_bots

    show_bots()


@app.command("replay")
def replay_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (.coatl).")],
    turn: Annotated[
        int | None, typer.Option(min=0, help="Show the table at the start of this turn.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=1, help="As this seat saw it; otherwise all cards are open.")
    ] = None,
    deck: Deck = None,
) -> None:
    """Show a recorded game turn by turn, or the table at one of its turns."""
    from coatl.cli.replay import replay

    replay(file, turn, seat, deck)


@app.command("analyse")
def analyse_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (.coatl).")],
    depth: Annotated[str, typer.Option(metavar="DEPTH", help="quick, normal or deep.")] = "normal",
    seat: Annotated[
        list[int] | None,
        typer.Option(min=1, help="Judge the turns of this seat; again for another. Else all."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    html: Annotated[
        bool, typer.Option("--html", help="Print a page that needs no other file.")
    ] = False,
    svg: Annotated[bool, typer.Option("--svg", help="Print the curve of the chances.")] = False,
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            "--language",
            metavar="LANGUAGE",
            help="en, fr or de; else that of your locale.",
            autocompletion=complete_languages,
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep what is found there, and go on from it."),
    ] = None,
) -> None:
    """Analyse a finished game: everybody's chances, turning points, better moves, grades."""
    from coatl.cli.analyse import AnalysisRequest, analyse

    forms = [name for name, asked in (("json", json), ("html", html), ("svg", svg)) if asked]
    if len(forms) > 1:
        raise console.Failure("one of --json, --html and --svg")
    form = forms[0] if forms else "text"
    analyse(AnalysisRequest(file, depth, seat or (), lang, form, keep))


@app.command("serve")
def serve_command(
    host: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="To listen on (127.0.0.1); 0.0.0.0 is every one of this machine.",
        ),
    ] = None,
    port: Annotated[int | None, typer.Option(help="To listen on (8642); 0: a free one.")] = None,
    data: Data = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What the server is called, such as coatl.example.",
        ),
    ] = None,
    database: Database = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Processes that serve together; for PostgreSQL."),
    ] = None,
    metrics: Annotated[
        bool | None, typer.Option("--metrics", help="Figures for Prometheus at /metrics.")
    ] = None,
    drain: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="When stopped: take nothing new for so long, then close (0).",
        ),
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Serve tables over HTTP and WebSocket, kept in one SQLite file or in PostgreSQL."""
    from coatl.cli.serve import serve_tables

    given: dict[str, object] = {"host": host, "port": port, "data": data, "metrics": metrics}
    given |= {"database": database, "workers": workers, "drain_seconds": drain}
    given |= {"names": tuple(name) if name else None}
    serve_tables(given, config)


@app.command("verify")
def verify_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record (.coatl).")],
    promise: Annotated[
        str | None, typer.Option(help="The promise that you noted at the start.")
    ] = None,
    nonce: Annotated[str | None, typer.Option(help="The nonce that you added.")] = None,
) -> None:
    """Check that the chance of a recorded game was fair, and that its replay agrees."""
    from coatl.cli.verify import verify

    verify(file, promise, nonce)


@app.command("warmup")
def warmup_command(
    only: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Such as rules or rules,encode,net; else everything."),
    ] = None,
) -> None:
    """Compile everything now, so that nothing is compiled when it is first used."""
    from coatl.cli.warmup import warm_up

    warm_up(only)


@app.command("train")
def train_command(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the checkpoint goes.")],
    minutes: Annotated[float, typer.Option(min=0.1, help="How long, evaluation included.")] = 10.0,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint in DIR.")
    ] = False,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Begin a new run with the weights of a policy.npz."),
    ] = None,
    plan: Annotated[
        float, typer.Option(min=0.0, help="Minutes of all runs together (0: this run is all).")
    ] = 0.0,
    games: Annotated[int, typer.Option(min=0, help="Games in parallel (0: as usual).")] = 0,
    players: Annotated[
        str, typer.Option(metavar="SIZES", help="Such as 2 or 2,3,4,1 (1: solo); else all.")
    ] = "",
    device: Annotated[str, typer.Option(help="auto, cpu or cuda.")] = "auto",
    seed: Annotated[int, typer.Option(help="Of the weights at first, and of the deals.")] = 1,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any other setting.")
    ] = None,
    ray: Ray = "",
) -> None:
    """Teach a network to play by self-play (needs the extra: train)."""
    from coatl.cli.train import TrainingRequest, train_network

    request = TrainingRequest(
        out=out,
        minutes=minutes,
        resume=resume,
        start=start,
        plan=plan,
        games=games,
        players=players,
        device=device,
        seed=seed,
        settings=settings or [],
        cluster=ray,
    )
    train_network(request)


@deck_app.callback(invoke_without_command=True)
def deck_entrance(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@deck_app.command("check")
def deck_check_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A deck (TOML).")],
) -> None:
    """Say whether a deck can be played with, or which line is wrong."""
    from coatl.cli.cards import check_deck

    check_deck(file)


def main() -> None:
    """Run a command; what the user can fix is reported in one line."""
    if sys.stdout is None:  # closed by `>&-`: then there is nobody to write to
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # letters that cannot be shown or read are `?`
    try:
        code = app(prog_name="coatl", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # `coatl cards | head`: nobody reads on
        write_no_more()
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(console.INTERRUPTED)
    except typer.TyperException as error:
        console.fail(f"{error.format_message()} (coatl --help tells more)")
    except Exception as error:
        if isinstance(error, console.expected_errors()):
            if isinstance(error, OSError):
                write_no_more()
            console.fail(console.describe(error))
        raise
    sys.exit(code if isinstance(code, int) else 0)


def write_no_more() -> None:
    """Standard output is gone or full; Python would try once more at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
