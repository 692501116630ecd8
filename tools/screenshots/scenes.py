"""Every screen and dialog that is drawn: the states of section 12 of the design, and a few more.

A scene with `-crowded` in its name is the same with names of 40 letters, Cóatl of 16 pieces and
full hands; `-bare` is with nothing in the hand and on the board.
"""

from __future__ import annotations

from dataclasses import dataclass

from coatl.moves import Token
from tools.screenshots import acts, games, settings
from tools.screenshots.acts import Act
from tools.screenshots.settings import Setting

TABLE = "#/table/{table}"
REPLAY = "#/replay/{table}"
HOME = ""


@dataclass(frozen=True)
class Scene:
    """A screen: the table it stands at, and what is done there before the picture is taken."""

    name: str
    setting: Setting | None = None
    act: Act = acts.wait_for_table
    address: str = TABLE
    places: tuple[int, ...] = (0,)  # the seats of the window; without any a spectator's
    tables: tuple[Setting, ...] = ()  # other tables that the browser remembers
    changes: bool = False  # it sends moves, so that each window needs a table of its own
    moves: bool = False  # with motion, at a pace to watch
    whole: bool = False  # the whole page, not only what is in sight
    phone_only: bool = False


TABLE_SCENES = (
    Scene("setup", settings.SETUP),
    Scene("setup-solo", settings.SOLO_SETUP),
    Scene("table-early", settings.EARLY),
    Scene("table-assembly", settings.ASSEMBLY, acts.choose_a_piece),
    Scene("hint", settings.HINTED, acts.ask_for_a_hint, changes=True),
    Scene("table-crowded", settings.CROWDED),
    Scene("table-assembly-crowded", settings.CROWDED, acts.choose_a_piece),
    Scene("table-bare", settings.BARE),
    Scene("opponent", settings.FOUR),
    Scene("opponent-crowded", settings.CROWDED_FOUR),
    Scene("final", settings.FINAL),
    Scene("final-crowded", settings.CROWDED_FINAL),
    Scene("curtain", settings.MIDDLE, acts.wait_for("[data-curtain]"), places=(1, 0)),
    Scene("curtain-crowded", settings.CROWDED_FOUR, acts.wait_for("[data-curtain]"), places=(0, 1)),
    Scene("spectator", settings.MIDDLE, places=()),
    Scene("spectator-crowded", settings.CROWDED, places=()),
    Scene("adam", settings.SOLO, acts.let_adam_play, changes=True, moves=True),
    Scene("adam-crowded", settings.CROWDED_SOLO, acts.let_adam_play, changes=True, moves=True),
    Scene("solo-crowded", settings.CROWDED_SOLO),
)

DIALOG_SCENES = (
    Scene("choose", settings.CHOOSING, acts.ask_to_draw, changes=True),
    Scene("choose-bare", settings.BARE, acts.ask_to_draw, changes=True),
    Scene("drawn", settings.CHOOSING, acts.draw, changes=True),
    Scene("drawn-bare", settings.BARE, acts.draw, changes=True),
    Scene("future", settings.EARLY, acts.see_the_future, changes=True),
    Scene("future-crowded", settings.CROWDED, acts.see_the_future, changes=True),
    Scene("pick", settings.EARLY, acts.choose_perfect_pair),
    Scene("pick-crowded", settings.CROWDED, acts.choose_perfect_pair),
    Scene("priest", settings.EARLY, acts.look_at_token(Token.PRIEST)),
    Scene("completion", settings.COMPLETION),
    Scene("completion-crowded", settings.CROWDED_COMPLETION),
    Scene("completion-bare", settings.BARE_COMPLETION),
    Scene("hand-raised", settings.MIDDLE, acts.raise_hand, phone_only=True),
    Scene("hand-raised-crowded", settings.CROWDED, acts.raise_hand, phone_only=True),
    Scene("hand-raised-bare", settings.BARE, acts.raise_hand, phone_only=True),
    Scene("tab-prophecies", settings.CROWDED, acts.open_tab("prophecies"), phone_only=True),
    Scene("tab-temples", settings.CROWDED, acts.open_tab("temples"), phone_only=True),
    Scene("card-pop", settings.ASSEMBLY, acts.read_hand_card),
    Scene("card-pop-crowded", settings.CROWDED, acts.read_hand_card),
    Scene("card-pop-laid", settings.CROWDED, acts.read_laid_card),
    Scene("temple-pop-crowded", settings.CROWDED, acts.read_temple_card),
    Scene("why-not-pop", settings.CROWDED, acts.ask_why_not),
    Scene("why-rule", settings.CROWDED, acts.open_the_rule),
    Scene("help-sheet", settings.MIDDLE, acts.open_help("now")),
    Scene("help-signs", settings.MIDDLE, acts.open_help("signs")),
    Scene("help-keys", settings.MIDDLE, acts.open_help("keys")),
    Scene("take-pop", settings.MIDDLE, acts.ask_to_take),
    Scene("take-pop-crowded", settings.CROWDED, acts.ask_to_take),
    Scene("menu", settings.MIDDLE, acts.open_menu),
    Scene("menu-crowded", settings.CROWDED, acts.open_menu),
    Scene("settings", settings.MIDDLE, acts.open_settings(acts.wait_for_table)),
    Scene("give-up", settings.CROWDED, acts.ask_to_give_up),
    Scene("player", settings.MIDDLE, acts.look_at_a_player),
    Scene("player-crowded", settings.CROWDED, acts.look_at_a_player),
    Scene("log", settings.MIDDLE, acts.read_log),
    Scene("log-crowded", settings.CROWDED_FOUR, acts.read_log),
)

OTHER_SCENES = (
    Scene("home", None, acts.wait_for_home, HOME, whole=True),
    Scene("home-waiting", settings.MIDDLE, acts.show_home(games.FEW), HOME),
    Scene(
        "home-tables",
        settings.MY_TABLES[0],
        acts.open_finished,
        HOME,
        tables=settings.MY_TABLES[1:],
        whole=True,
    ),
    Scene(
        "home-tables-crowded",
        settings.MY_CROWDED_TABLES[0],
        acts.open_finished,
        HOME,
        tables=settings.MY_CROWDED_TABLES[1:],
        whole=True,
    ),
    Scene("home-settings", None, acts.open_settings(acts.wait_for_home), HOME),
    Scene("opponents", None, acts.wait_for("[data-at-table]"), "#/opponents", whole=True),
    Scene("opponents-met", None, acts.choose_opponents(games.FEW), HOME, whole=True),
    Scene("new-friends", None, acts.open_form("friends"), HOME, whole=True),
    Scene("new-device", None, acts.open_form("device"), HOME, whole=True),
    Scene("new-solo", None, acts.open_solo_form, HOME, whole=True),
    Scene("waiting", None, acts.open_waiting_room("Ana", "Ben"), HOME),
    Scene("waiting-crowded", None, acts.LONG_WAITING_ROOM, HOME),
    Scene("arrive", None, acts.arrive_by_link, HOME),
    Scene("arrive-crowded", None, acts.give_a_long_name, HOME),
    Scene("no-seat", None, acts.wait_for("main.notice"), "#/table/nobodyknows"),
    Scene("end", settings.OVER, acts.look_at_the_end, whole=True),
    Scene("end-crowded", settings.CROWDED_OVER, acts.look_at_the_end, whole=True),
    Scene("end-solo", settings.SOLO_OVER, acts.look_at_the_end, whole=True),
    Scene("replay", settings.TWO_OVER, acts.go_to_the_middle, REPLAY, whole=True),
    Scene(
        "replay-analysed",
        settings.TWO_OVER,
        acts.analyse_and_go_to_a_turning_point,
        REPLAY,
        whole=True,
    ),
    Scene("end-analysed", settings.TWO_OVER, acts.analyse, whole=True),
    Scene("replay-crowded", settings.CROWDED_OVER, acts.go_to_the_middle, REPLAY, whole=True),
    Scene("games", None, acts.show_games(games.FEW), HOME, whole=True),
    Scene("games-crowded", None, acts.show_games(games.MANY), HOME, whole=True),
    Scene("games-bare", None, acts.show_games(games.FIRST), HOME, whole=True),
    Scene("games-none", None, acts.show_games([]), HOME),
    Scene("rules", None, acts.wait_for("#part-assemble"), "#/rules"),
    Scene("rules-whole", None, acts.wait_for("#part-assemble"), "#/rules", whole=True),
    Scene("rules-clause", None, acts.wait_for("#rule-A8.marked"), "#/rules/A8"),
    Scene("rules-legend", None, acts.wait_for("[data-sign=Q5]"), "#/rules/signs"),
    Scene("rules-search", None, acts.search_for("2"), "#/rules"),
    Scene("cards", None, acts.wait_for("[data-card-link]"), "#/cards", whole=True),
    Scene("card-open", None, acts.wait_for("[data-fails]"), "#/cards/YK%2BR"),
    Scene("card-temple", None, acts.wait_for("[data-fails]"), "#/cards/noblue%2FR%3DB%2F10"),
    Scene("replay-file", None, acts.wait_for("main.notice"), "#/replay"),
)

LEARN = "#/learn"

LESSON_SCENES = (
    Scene("learn", None, acts.wait_for("[data-lesson]"), LEARN, whole=True),
    Scene("lesson", None, acts.take_up_lesson("first", "take"), LEARN),
    Scene("lesson-read", None, acts.take_up_lesson("first", "goal"), LEARN),
    Scene("lesson-astray", None, acts.take_up_lesson("first", "take", "take b1"), LEARN),
    Scene("lesson-build", None, acts.take_up_lesson("first", "build"), LEARN),
    Scene("lesson-lay", None, acts.take_up_lesson("first", "lay"), LEARN),
    Scene("lesson-free", None, acts.take_up_lesson("first", "turns"), LEARN),
    Scene("lesson-tokens", None, acts.take_up_lesson("tokens", "priest"), LEARN),
    Scene("lesson-solo", None, acts.take_up_lesson("solo", "foresee"), LEARN),
    Scene("lesson-over", None, acts.take_up_lesson("first", "", "next"), LEARN),
)

PUZZLE_SCENES = (
    Scene("puzzle", None, acts.choose_in_puzzle, "#/puzzle", whole=True),
    *(
        Scene(
            f"puzzle-{kind}", None, acts.wait_for("[data-puzzle]"), f"#/puzzle/{number}", whole=True
        )
        for kind, number in acts.first_puzzles().items()
    ),
    Scene("puzzle-solved", None, acts.solve_puzzle, "#/puzzle/1", whole=True),
    Scene("puzzles", None, acts.wait_for("[data-number='2']"), "#/puzzles"),
)

SCENES = TABLE_SCENES + DIALOG_SCENES + OTHER_SCENES + LESSON_SCENES + PUZZLE_SCENES
