/** A hint in words, made from its moves and from the facts that speak for it. */

import { seatName } from "./names";
import type { Advice, Fact, Move, TableState } from "./protocol";
import { spacePieces } from "./supply";
import { TOKEN_NAMES } from "./tokens";
import { piecesAs, plain, rich, type Part } from "./words";
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
      case "token": return m.hint_token({ token: move.token ? TOKEN_NAMES[move.token]() : "" });
      case "drop": return m.hint_drop({ card });
      case "pass": return m.pass();
      default: return m.end_turn();
    }
  });
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
    const card = slot({ card: fact.card ?? "" });
    const worth = m.card_points({ points: fact.points ?? 0 });
    const before = fact.before ?? 0;
    const name = slot({ name: fact.kind === "keeps_from_adam" ? m.adam() : seatName(state, fact.seat) });
    switch (fact.kind) {
      case "completes": return m.hint_completes({ number, worth });
      case "fulfils": return m.hint_fulfils({ card, number, worth });
      case "closing": return typeof fact.before === "number" ? m.hint_closing({ number, points: fact.points ?? 0, before }) : m.hint_closing_new({ number, worth });
      case "nearer": return fact.missing ? m.hint_nearer({ card, number, n: fact.missing, before }) : m.hint_nearer_all({ card, number });
      case "fits": return m.hint_fits({ card, number, worth });
      case "suits_next": return m.hint_suits_next({ name, card, worth });
      case "takes_from":
      case "keeps_from_adam": return m.hint_takes_from({ name, card, pieces: slot(piecesAs(fact.pieces ?? [])) });
    }
  });
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
