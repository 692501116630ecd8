/**
 * The legal moves of a view, sorted by what a person would touch. No rule is in here: a move's text
 * is read (docs/notation.md), never made up.
 */

export type Side = "left" | "right";

export interface Placing {
  readonly coatl: number; // from 0
  readonly side: Side;
  readonly move: string;
}

export interface Choices {
  /** supply space -> move */
  readonly takes: ReadonlyMap<string, string>;
  /** place in the row, from 0 -> move */
  readonly picks: ReadonlyMap<number, string>;
  readonly draw: string | null;
  /** piece on the board -> move that begins a Cóatl with it */
  readonly begins: ReadonlyMap<string, string>;
  /** piece on the board -> where it may be added */
  readonly adds: ReadonlyMap<string, readonly Placing[]>;
  /** Prophecy card in hand -> the Cóatl it may be laid on, from 0, with the move */
  readonly lays: ReadonlyMap<string, readonly { coatl: number; move: string }[]>;
  /** Temple cards that may be laid, with pile 1, 2 or 0 for the hand */
  readonly temples: readonly { card: string; pile: number; move: string }[];
  /** what Perfect Pick may take, `<K`, `K>` or two colours -> move */
  readonly perfect: ReadonlyMap<string, string>;
  readonly future: string | null;
  /** pile, from 0 -> move */
  readonly priest: ReadonlyMap<number, string>;
  readonly drops: ReadonlyMap<string, string>;
  readonly done: string | null;
  readonly pass: string | null;
}

export interface Tops {
  readonly row: readonly (string | null)[];
  readonly piles: readonly { readonly top: string | null }[];
  readonly temples: readonly string[];
}

export function readChoices(moves: readonly string[], table: Tops): Choices {
  const takes = new Map<string, string>();
  const picks = new Map<number, string>();
  const begins = new Map<string, string>();
  const adds = new Map<string, Placing[]>();
  const lays = new Map<string, { coatl: number; move: string }[]>();
  const temples: { card: string; pile: number; move: string }[] = [];
  const perfect = new Map<string, string>();
  const priest = new Map<number, string>();
  const drops = new Map<string, string>();
  let draw: string | null = null;
  let future: string | null = null;
  let done: string | null = null;
  let pass: string | null = null;
  for (const move of moves) {
    const [word = "", second = "", third = ""] = move.split(" ");
    if (word === "take") takes.set(second, move);
    else if (word === "pick") picks.set(placeInRow(second, table.row), move);
    else if (word === "draw") draw = move;
    else if (word === "new") begins.set(second, move);
    else if (word === "drop") drops.set(second, move);
    else if (word === "done") done = move;
    else if (word === "pass") pass = move;
    else if (word === "token" && second === "pick") perfect.set(third, move);
    else if (word === "token" && second === "future") future = move;
    else if (word === "token" && second === "priest") priest.set(Number(third) - 1, move);
    else if (word.includes(":")) readLaying(move, table, lays, temples);
    else readAdding(move, adds);
  }
  return {
    takes, picks, draw, begins, adds, lays, temples, perfect, future, priest, drops, done, pass,
  };
}

function placeInRow(text: string, row: Tops["row"]): number {
  const at = text.lastIndexOf("@");
  return at >= 0 ? Number(text.slice(at + 1)) - 1 : row.indexOf(text);
}

function readLaying(
  move: string,
  table: Tops,
  lays: Map<string, { coatl: number; move: string }[]>,
  temples: { card: string; pile: number; move: string }[],
): void {
  const colon = move.indexOf(":");
  const coatl = Number(move.slice(0, colon)) - 1;
  const at = move.lastIndexOf("@");
  const card = move.slice(colon + 1, at > colon ? at : undefined);
  const tops = table.piles.map((pile) => pile.top);
  if (at > colon) temples.push({ card, pile: Number(move.slice(at + 1)), move });
  else if (table.temples.includes(card)) temples.push({ card, pile: 0, move });
  else if (tops.includes(card)) temples.push({ card, pile: tops.indexOf(card) + 1, move });
  else lays.set(card, [...(lays.get(card) ?? []), { coatl, move }]);
}

function readAdding(move: string, adds: Map<string, Placing[]>): void {
  const right = /^([1-9])\+(\S+)$/.exec(move);
  const left = /^(\S+)\+([1-9])$/.exec(move);
  const piece = right?.[2] ?? left?.[1];
  const coatl = Number(right?.[1] ?? left?.[2]) - 1;
  if (piece === undefined || Number.isNaN(coatl)) return;
  const side: Side = right ? "right" : "left";
  adds.set(piece, [...(adds.get(piece) ?? []), { coatl, side, move }]);
}
