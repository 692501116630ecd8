/** Moves, places, events and states as the server sends them. */

import type { GameEvent, Move, SeatView, Spot, TableState, ViewData } from "../src/lib/protocol";

const made = (text: string, kind: Move["kind"], more: Partial<Move> = {}): Move => ({ text, decision: 0, kind, ...more });

export const take = (space: string): Move => made(`take ${space}`, "take", { space });
export const pick = (card: string, place: number, text = `pick ${card}`): Move => made(text, "pick", { card, place });
export const begin = (piece: string): Move => made(`new ${piece}`, "begin", { pieces: [piece] });
export const addLeft = (piece: string, coatl: number): Move =>
  made(`${piece}+${coatl + 1}`, "add", { pieces: [piece], coatl, side: "left" });
export const addRight = (coatl: number, piece: string): Move =>
  made(`${coatl + 1}+${piece}`, "add", { pieces: [piece], coatl, side: "right" });
export const fulfil = (coatl: number, card: string): Move => made(`${coatl + 1}:${card}`, "fulfil", { coatl, card });
export const fromHand = (coatl: number, card: string): Move => made(`${coatl + 1}:${card}`, "temple", { coatl, card });
export const fromPile = (coatl: number, card: string, pile: number): Move =>
  made(`${coatl + 1}:${card}@${pile + 1}`, "temple", { coatl, card, pile });
export const perfect = (...pieces: string[]): Move => made(`token pick ${pieces.join("")}`, "token", { token: "pick", pieces });
export const priest = (pile: number): Move => made(`token priest ${pile + 1}`, "token", { token: "priest", pile });
export const drop = (card: string): Move => made(`drop ${card}`, "drop", { card });
export const FUTURE: Move = made("token future", "token", { token: "future" });
export const [DRAW, DONE, PASS] = (["draw", "done", "pass"] as const).map((kind) => made(kind, kind)) as [Move, Move, Move];

export const supply = (space: string): Spot => ({ kind: "supply", space });
export const board = (seat: number): Spot => ({ kind: "board", seat });
export const hand = (seat: number): Spot => ({ kind: "hand", seat });
export const coatl = (seat: number, at: number): Spot => ({ kind: "coatl", seat, at });
export const row = (at: number): Spot => ({ kind: "row", at });
export const pile = (at: number): Spot => ({ kind: "pile", at });
export const adamCard = (at: number): Spot => ({ kind: "adam_card", at });
export const [BAG, DECK, DISCARD, GONE, HOLDING, FULFILLED] = (
  ["bag", "deck", "discard", "gone", "adam_holding", "adam_fulfilled"] as const
).map((kind) => ({ kind })) as [Spot, Spot, Spot, Spot, Spot, Spot];

/** The event of a decision; without a move it is hidden. */
export const decided = (seat: number, move?: Move): GameEvent => ({ kind: "move", seat, ...(move ? { move } : {}) });
/** `at`: the position in a Cóatl; undefined where it begins one, or does not come to one. */
export const piece = (seat: number | null, text: string, source: Spot, target: Spot, at?: number): GameEvent =>
  ({ kind: "piece", seat, piece: text, source, target, ...(at === undefined ? {} : { at }) });
export const prophecy = (seat: number | null, card: string | null, source: Spot, target: Spot): GameEvent =>
  ({ kind: "prophecy", seat, card, source, target });

export const seatView = (more: Partial<SeatView> = {}): SeatView =>
  ({ board: [], hand_size: 0, hand: [], temple_count: 0, temples: [], tokens: [], coatls: [], points: 0, ...more });
/** A game of two in which seat 0 looks and is to move. */
export const viewData = (more: Partial<ViewData> = {}): ViewData => ({
  seat: 0, players: 2, options: [], levels: [], turn: 1, phase: "main", to_move: 0, actions_left: 1, supply: {}, bag: {},
  row: [null, null, null, null, null, null], deck: 10, discards: [], discard_count: 0, piles: [], seats: [seatView(), seatView()],
  moves: [], ...more,
});
export const tableState = (more: Partial<TableState> = {}): TableState => ({
  type: "state", table: "table-1", version: 1, status: "playing", place: 0, seat: 0,
  places: ["Ana", "Ben"].map((name) => ({ kind: "person", name, ready: true, connected: true })),
  seating: [0, 1], promise: "", can_undo: false, events: [], first_event: 0, view: viewData(), ...more,
});
