/** A hint in words, made from its moves and from the facts that speak for it. */

import type { Colour } from "../parts/pieces";
import { seatName } from "./names";
import type { Advice, Fact, Move, TableState } from "./protocol";
import { spacePieces } from "./supply";
import { TOKEN_NAMES } from "./tokens";
import { piecesAs, plain, rich, type Part, type Slot } from "./words";
import { m } from "../paraglide/messages";

/** What a move does, as something to do. */
export function moveParts(move: Move, state: TableState): Part[] {
  return rich((slot) => {
    const card = slot({ card: move.card ?? "" });
    const pieces = slot(piecesAs(piecesOf(move, state)));
    const number = (move.coatl ?? 0) + 1;
    switch (move.kind) {
      case "take": return m.hint_take({ pieces });
      case "pick": return m.hint_pick({ card });
      case "draw": return m.hint_draw();
      case "begin": return m.hint_begin({ piece: pieces });
      case "add": return m.hint_add({ piece: pieces, number });
      case "fulfil":
      case "temple": return m.hint_lay({ card, number });
      case "token": return tokenWords(move, state, slot);
      case "drop": return m.hint_drop({ card });
      case "pass": return m.pass();
      default: return m.end_turn();
    }
  });
}

/** A token, and what it is sacrificed for: pieces, or the Temple card on top of a pile. */
function tokenWords(move: Move, state: TableState, slot: Slot): string {
  const token = move.token ? TOKEN_NAMES[move.token]() : "";
  const temple = typeof move.pile === "number" ? state.view?.piles[move.pile]?.top : null;
  const what = temple ? [{ card: temple }] : piecesAs(move.pieces ?? []);
  return what.length ? m.hint_token_for({ token, what: slot(what) }) : m.hint_token({ token });
}

/** What is taken from the supply, as it lies there now; else what the move names. */
function piecesOf(move: Move, state: TableState): readonly string[] {
  return move.kind === "take" && state.view ? spacePieces(state.view, move.space ?? "") : (move.pieces ?? []);
}

/** What to do first, and what after it; ending the turn goes without saying where something else is done. */
export function stepParts(advice: Advice, state: TableState): Part[][] {
  const told = advice.moves.filter((move, at) => at === 0 || move.kind !== "done");
  return told.map((move) => moveParts(move, state));
}

export const titleOf = (advice: Advice, state: TableState): string => plain(stepParts(advice, state)[0] ?? []);

/** A sentence for one thing that speaks for a move. */
export function factParts(fact: Fact, state: TableState): Part[] {
  return rich((slot) => {
    const number = (fact.coatl ?? 0) + 1;
    const where = typeof fact.coatl === "number" ? m.hint_on({ number }) : m.hint_on_new();
    const card = slot({ card: fact.card ?? "" });
    const n = fact.missing ?? 0;
    const worth = m.card_points({ points: fact.points ?? 0 });
    const before = fact.before ?? 0;
    const name = slot({ name: fact.kind === "keeps_from_adam" ? m.adam() : seatName(state, fact.seat) });
    switch (fact.kind) {
      case "completes": return m.hint_completes({ number, worth });
      case "fulfils": return m.hint_fulfils({ card, number, worth });
      case "closing": return typeof fact.before === "number" ? m.hint_closing({ number, points: fact.points ?? 0, before }) : m.hint_closing_new({ number, worth });
      case "nearer": return n ? m.hint_nearer({ card, where, n, before }) : m.hint_nearer_all({ card, where });
      case "grows": return m.hint_grows({ card, where, n, before });
      case "needs": return n ? m.hint_needs({ card, where, n }) : m.hint_needs_all({ card, where });
      case "end": return endWords(fact);
      case "room": return m.hint_room({ n: fact.count ?? 0, before });
      case "no_card_met": return m.hint_no_card_met();
      case "few_cards": return fact.count ? m.hint_few_cards({ n: fact.count }) : m.hint_no_cards();
      case "fits": return m.hint_fits({ card, number, worth });
      case "suits_next": return m.hint_suits_next({ name, card, worth });
      case "takes_from":
      case "keeps_from_adam": return m.hint_takes_from({ name, card, pieces: slot(piecesAs(fact.pieces ?? [])) });
      default: return weakerWords(fact, { where, card, pieces: slot(piecesAs(fact.pieces ?? [])) });
    }
  });
}

/** A fact that is told only where no stronger one is. */
function weakerWords(fact: Fact, { where, card, pieces }: { where: string; card: string; pieces: string }): string {
  const [number, first] = [(fact.coatl ?? 0) + 1, fact.pieces?.[0] ?? ""];
  const [n, before, count] = [fact.missing ?? 0, fact.before ?? 0, fact.count ?? 0];
  switch (fact.kind) {
    case "nearer_row": return m.hint_nearer_row({ card, where, n, before });
    case "later": return m.hint_later({ card, number });
    case "gets_end": return first.startsWith("<") ? m.hint_gets_head({ number }) : m.hint_gets_tail({ number });
    case "row_far": return m.hint_row_far({ n });
    case "drops_farthest": return m.hint_drops_farthest({ card, n, before });
    case "share_colour": return m.hint_share_colour({ colour: first as Colour });
    case "temples": return m.hint_temples({ n: count });
    case "ends_needed": return first.startsWith("<") ? m.hint_heads_needed({ n: count, before }) : m.hint_tails_needed({ n: count, before });
    case "last_pieces": return m.hint_last_pieces({ pieces });
    case "hand_full": return m.hint_hand_full();
    case "few_pieces": return count ? m.hint_few_pieces({ n: count }) : m.hint_no_pieces();
    case "equal": return m.hint_equal();
    default: return m.hint_nothing_to_lay();
  }
}

/** A head or tail that is lacking. */
function endWords({ coatl, pieces = [] }: Fact): string {
  const isHead = pieces[0]?.startsWith("<");
  if (typeof coatl !== "number") return isHead ? m.hint_board_no_head() : m.hint_board_no_tail();
  return isHead ? m.hint_no_head({ number: coatl + 1 }) : m.hint_no_tail({ number: coatl + 1 });
}

/** 0.486 is 49. */
export const percent = (chance: number | null | undefined): number | null => (typeof chance === "number" ? Math.round(100 * chance) : null);

/** All of it, as it is read aloud. */
export function spokenHint(advice: Advice, now: number | null | undefined, state: TableState): string {
  const steps = stepParts(advice, state).map(plain).join(", ");
  const facts = (advice.facts ?? []).map((fact) => plain(factParts(fact, state)));
  const [before, then] = [percent(now), percent(advice.chance)];
  const chance = before === null || then === null ? m.hint_only() : m.hint_chance_words({ now: before, then });
  return [`${steps}.`, ...facts, chance].join(" ");
}
