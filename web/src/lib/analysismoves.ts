/** Moves of an analysis, which are texts in the notation, as moves that can be told. */

import type { BetterMove, Move, MoveChance } from "./protocol";

const PIECE = "<?[KRBYG]>?";
const ADDED = new RegExp(`^(?:(${PIECE})\\+([1-9])|([1-9])\\+(${PIECE}))$`);
const LAID = /^([1-9]):([^@\s]+)(?:@[12])?$/;

/** `KR` are two segments, `<K` is a head, `K>` a tail. */
export const piecesIn = (text: string): string[] => text.match(/<[KRBYG]|[KRBYG]>|[KRBYG]/g) ?? [];

export function readMove(text: string, taken = ""): Move {
  const [word = "", ...rest] = text.split(" ");
  const base = { text, decision: -1 };
  const card = (rest[0] ?? "").split("@")[0] ?? "";
  switch (word) {
    case "take": return { ...base, kind: "take", pieces: piecesIn(taken) };
    case "pick": return { ...base, kind: "pick", card };
    case "drop": return { ...base, kind: "drop", card };
    case "new": return { ...base, kind: "begin", pieces: piecesIn(rest[0] ?? "") };
    case "token": return { ...base, kind: "token", token: rest[0] as NonNullable<Move["token"]> };
    case "draw":
    case "pass": return { ...base, kind: word };
  }
  const laid = LAID.exec(text);
  if (laid) return { ...base, kind: "fulfil", card: laid[2]!, coatl: Number(laid[1]) - 1 };
  const added = ADDED.exec(text);
  if (added) return { ...base, kind: "add", pieces: [added[1] ?? added[4]!], coatl: Number(added[2] ?? added[3]) - 1 };
  return { ...base, kind: "done" };
}

export const readChance = ({ move, taken = "" }: MoveChance): Move => readMove(move, taken);

/** The better moves of a turn; that they end somewhere goes without saying. */
export function readLine({ line, best }: BetterMove): Move[] {
  const moves = line.map((text, at) => readMove(text, at === 0 ? best.taken : ""));
  return moves.filter((move, at) => at === 0 || move.kind !== "done");
}
