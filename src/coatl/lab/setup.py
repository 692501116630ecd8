"""What a run of the lab plays: which bot, how many games at which tables, with which cards."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from coatl.options import Options, OptionsError
from coatl.players.registry import needs_weights, player_names
from coatl.rules.cards import Deck, standard_deck


class Setup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was asked for. A folder of results belongs to one setup; only `games` may change."""

    bot: str
    players: tuple[int, ...]  # numbers of players, such as 2, 3, 4
    games: tuple[int, ...]  # of each number of players
    seed: str = "1"
    tokens: bool = True
    promo: bool = False
    fewer_bodies: bool = False
    random_first_pick: bool = False  # one seat a game takes its first face-up card at random
    deck: str = ""  # the file of a deck of one's own
    deck_digest: str = ""  # tells decks apart, whatever their files are called

    def options(self, players: int) -> Options:
        return Options.make(players, self.tokens, None, self.promo, self.fewer_bodies)

    def check(self, deck: Deck) -> None:
        """Raises `OptionsError` or `DeckError` with what is wrong, in one line."""
        if not self.players:
            raise OptionsError("numbers of players are 2, 3 and 4, such as 2,3")
        for number in self.players:
            if number == 1:
                raise OptionsError(
                    "the lab compares seats, so it plays with 2 to 4 players; "
                    "coatl simulate --solo and coatl arena --solo play against A.D.A.M."
                )
            if self.players.count(number) > 1:
                raise OptionsError(f"{number} players are named twice")
            self.options(number)
            deck.check_enough_for(number, self.promo)
        if len(self.games) != len(self.players):
            raise OptionsError(
                f"{len(self.games)} numbers of games for {len(self.players)} numbers of players; "
                "name one for all, or one for each"
            )
        if min(self.games) < 1:
            raise OptionsError(f"at least one game, not {min(self.games)}")
        if needs_weights(self.bot) and deck != standard_deck():
            able = [name for name in player_names() if not needs_weights(name)]
            raise OptionsError(
                f"{self.bot} knows the printed cards only; "
                f"a deck of your own can be played by {', '.join(able)}, or a bot of your own"
            )

    @property
    def total(self) -> int:
        return sum(self.games)

    def wanted(self) -> Iterator[tuple[int, int]]:
        """All games as (players, number), numbers of players in turn.

        So an interrupted run has some of each.
        """
        for game in range(max(self.games)):
            for players, games in zip(self.players, self.games, strict=True):
                if game < games:
                    yield players, game
