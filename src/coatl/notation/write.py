"""Writing a position: exactly what reading needs to get the same bytes again."""

from __future__ import annotations

from collections.abc import Sequence

from coatl.notation.counts import default_actions, default_picked, default_turn
from coatl.notation.fields import NOTHING, SEEN, write_pieces
from coatl.rules import state as st
from coatl.rules.cards import Deck, standard_deck
from coatl.rules.pieces import COLOURS, FIRST_HEAD_SPACE, N_SPACES, SPACES
from coatl.rules.state import NONE, Adam, Coatl, PlayerRecord, StateRecord


def format_position(state: StateRecord, deck: Deck | None = None) -> str:
    """A position as text, in one line; `parse_position` reads it back to the same bytes."""
    writer = _Writer(deck or standard_deck())
    sections = [writer.table(state)]
    for seat in range(state.n_players):
        sections.append(writer.player(state, state.players[seat]))
    if state.n_players == 1:
        sections.append(writer.adam(state.adam))
    return " | ".join(section.strip() for section in sections).strip()


class _Writer:
    def __init__(self, deck: Deck) -> None:
        self.deck = deck

    def table(self, state: StateRecord) -> str:
        words = ["solo" if state.n_players == 1 else f"{state.n_players}p"]
        flags = {
            "tokens": state.with_tokens,
            "promo": state.with_promo,
            "fewer": state.fewer_bodies,
        }
        words += [name for name, is_set in flags.items() if is_set]
        if state.levels:
            words.append("levels=" + "".join(str(n + 1) for n in range(5) if state.levels >> n & 1))
        words += self.turn(state)
        words.append("supply=" + ",".join(_space(state, space) for space in range(N_SPACES)))
        if state.gone.any():
            words.append(f"gone={write_pieces(state.gone.tolist())}")
        row = ("-" if card == NONE else self.prophecy(card) for card in state.row)
        words.append("row=" + ",".join(row))
        words += self.discards(state)
        words.append("piles=" + ",".join(self.pile(state, pile) for pile in range(st.N_PILES)))
        return " ".join(words)

    def turn(self, state: StateRecord) -> list[str]:
        phase = int(state.phase)
        words = [f"seat={state.current + 1}", f"phase={st.PHASES[phase]}", f"turn={state.turn}"]
        defaults = {
            "pending": (state.pending + 1, 0),
            "picked": (state.picked, default_picked(phase)),
            "actions": (state.actions_left, default_actions(phase)),
            "passes": (state.passes, 0),
            "trigger": (state.trigger + 1, 0),
            "left": (state.turns_left, 0),
        }
        if state.turn == default_turn(phase):
            words.pop()
        words += [f"{name}={value}" for name, (value, usual) in defaults.items() if value != usual]
        if state.second_action:
            words.append("second")
        if state.end != st.END_NONE:
            words.append(f"end={st.ENDS[state.end]}")
        return words

    def discards(self, state: StateRecord) -> list[str]:
        """The discards that everyone saw; those of the setup stand with their owners."""
        discard = state.discard.tolist()
        words = []
        if state.reshuffled:
            words.append("reshuffled")
            if state.recycled.any():
                words.append("recycled=" + self.counted(state.recycled.tolist()))
        else:
            for seat in range(state.n_players):
                player = state.players[seat]
                for card in player.buried[: player.n_buried]:
                    discard[card] -= 1
        if any(discard):
            words.append("discard=" + self.counted(discard))
        return words

    def counted(self, counts: Sequence[int]) -> str:
        return ",".join(self.prophecy(card) for card, n in enumerate(counts) for _ in range(n))

    def pile(self, state: StateRecord, pile: int) -> str:
        top = int(state.pile_top[pile])
        return NOTHING if top == NONE else f"{self.temple(top)}:{state.pile_size[pile]}"

    def player(self, state: StateRecord, player: PlayerRecord) -> str:
        words = []
        if player.n_pieces:
            words.append(f"board={write_pieces(player.pieces.tolist())}")
        if player.n_hand:
            words.append("hand=" + ",".join(self.hand(player)))
        if player.n_old:
            words.append(f"old={player.n_old}")
        if player.n_temples:
            names = [
                self.temple(player.temples[k]) + SEEN * int(player.temples_seen[k])
                for k in range(player.n_temples)
            ]
            words.append("temples=" + ",".join(names))
        if player.n_buried:
            buried = player.buried[: player.n_buried]
            words.append("buried=" + ",".join(self.prophecy(card) for card in buried))
        if state.with_tokens and not player.tokens.all():
            left = [name for name, there in zip(st.TOKENS, player.tokens, strict=True) if there]
            words.append("tokens=" + (",".join(left) or NOTHING))
        words += [f"coatl={self.coatl(player.coatls[i])}" for i in range(player.n_coatls)]
        return " ".join(words)

    def hand(self, player: PlayerRecord) -> list[str]:
        return [
            self.prophecy(player.hand[k]) + SEEN * int(player.seen[k]) for k in range(player.n_hand)
        ]

    def coatl(self, coatl: Coatl) -> str:
        names = [self.prophecy(card) for card in coatl.cards[: coatl.n_cards]]
        if coatl.temple != NONE:
            names.append(self.temple(coatl.temple))
        return coatl_pieces(coatl) + (":" + ",".join(names) if names else "")

    def adam(self, adam: Adam) -> str:
        words = []
        if adam.step != st.LOOK:
            words.append(f"step={st.ADAM_STEPS[adam.step]}")
        if adam.looking:
            words.append(f"looking={adam.looking + 1}")
        if adam.space != NONE:
            words.append(f"space={SPACES[adam.space]}")
        if adam.n_cards:
            cards = [self.adam_card(adam, which) for which in range(adam.n_cards)]
            words.append("cards=" + ",".join(cards))
        if adam.holding.any():
            words.append(f"holding={write_pieces(adam.holding.tolist())}")
        if adam.fulfilled.any():
            words.append("fulfilled=" + self.counted(adam.fulfilled.tolist()))
        return " ".join(words)

    def adam_card(self, adam: Adam, which: int) -> str:
        name = self.prophecy(adam.cards[which])
        pieces = adam.pieces[which].tolist()
        return f"{name}({write_pieces(pieces)})" if any(pieces) else name

    def prophecy(self, card: int) -> str:
        return self.deck.prophecies[card].name

    def temple(self, card: int) -> str:
        return self.deck.temples[card].name


def coatl_pieces(coatl: Coatl) -> str:
    """The pieces of a Cóatl, head to tail: ``<KRB`` has a head and no tail yet."""
    letters = "".join(COLOURS[colour] for colour in coatl.colours[: coatl.length])
    return "<" * int(coatl.has_head) + letters + ">" * int(coatl.has_tail)


def _space(state: StateRecord, space: int) -> str:
    wanted = 2 if space < FIRST_HEAD_SPACE else 1
    colours = [int(colour) for colour in state.supply[space][:wanted]]
    return NOTHING if colours[0] == NONE else "".join(COLOURS[colour] for colour in colours)
