/** The legal moves of a view, sorted by what a person would touch. No rule is in here. */

import type { Move, MoveKind, Token } from "./protocol";

export interface Choices {
  /** by supply space */
  readonly takes: ReadonlyMap<string, Move>;
  /** by place in the row, from 0 */
  readonly picks: ReadonlyMap<number, Move>;
  readonly draw: Move | null;
  /** by piece on the board */
  readonly begins: ReadonlyMap<string, Move>;
  /** by piece on the board: everywhere it may be added */
  readonly adds: ReadonlyMap<string, readonly Move[]>;
  /** by Prophecy card in hand: on every Cóatl it may be laid on */
  readonly lays: ReadonlyMap<string, readonly Move[]>;
  readonly temples: readonly Move[];
  /** what Perfect Pick may take */
  readonly perfect: readonly Move[];
  readonly future: Move | null;
  /** by pile, from 0 */
  readonly priest: ReadonlyMap<number, Move>;
  /** by card in hand */
  readonly drops: ReadonlyMap<string, Move>;
  readonly done: Move | null;
  readonly pass: Move | null;
}

const known = new WeakMap<readonly Move[], Choices>();

/** The choices among these moves, read once for each list of them. */
export function choicesOf(moves: readonly Move[]): Choices {
  const found = known.get(moves) ?? readChoices(moves);
  known.set(moves, found);
  return found;
}

export function readChoices(moves: readonly Move[]): Choices {
  const all = (kind: MoveKind) => moves.filter((move) => move.kind === kind);
  const tokens = (token: Token) => moves.filter((move) => move.kind === "token" && move.token === token);
  const piece = (move: Move) => move.pieces?.[0];
  const card = (move: Move) => move.card;
  return {
    takes: byKey(all("take"), (move) => move.space),
    picks: byKey(all("pick"), (move) => move.place),
    draw: all("draw")[0] ?? null,
    begins: byKey(all("begin"), piece),
    adds: groups(all("add"), piece),
    lays: groups(all("fulfil"), card),
    temples: all("temple"),
    perfect: tokens("pick"),
    future: tokens("future")[0] ?? null,
    priest: byKey(tokens("priest"), (move) => move.pile),
    drops: byKey(all("drop"), card),
    done: all("done")[0] ?? null,
    pass: all("pass")[0] ?? null,
  };
}

type Key<K> = (move: Move) => K | null | undefined;

function groups<K>(moves: readonly Move[], keyOf: Key<K>): Map<K, Move[]> {
  const found = new Map<K, Move[]>();
  for (const move of moves) {
    const key = keyOf(move);
    if (key !== null && key !== undefined) found.set(key, [...(found.get(key) ?? []), move]);
  }
  return found;
}

function byKey<K>(moves: readonly Move[], keyOf: Key<K>): Map<K, Move> {
  return new Map([...groups(moves, keyOf)].flatMap(([key, [move]]) => (move ? [[key, move] as const] : [])));
}
