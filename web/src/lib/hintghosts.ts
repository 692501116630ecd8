/** Where the pieces come to lie that a hint adds to a Cóatl: beside its ends, on the same wave (Serpent.svelte). */

import { parseCoatl, parsePiece, WIDTHS, type PieceData } from "../parts/pieces";
import type { HintGhosts } from "./hintplaces";
import type { Box } from "./popplace";

export interface GhostPiece extends PieceData {
  /** its place in the serpent: below 0 left of it */
  readonly i: number;
  /** px of the window */
  readonly left: number;
  readonly top: number;
  readonly height: number;
}

const UNITS = 64; // of a piece's height

/**
 * `room` is the box of the serpent's pieces, with the room that is kept at its left; what would lie outside `run`, the
 * part of the lane for the serpent, is left out.
 */
export function ghostPieces(room: Box, pieces: string, { left, right }: HintGhosts, run: Box): GhostPiece[] {
  const unit = room.height / UNITS;
  const row = pieces ? parseCoatl(pieces) : [];
  const width = (kinds: readonly PieceData[]) => kinds.reduce((sum, { kind }) => sum + WIDTHS[kind] * unit, 0);
  const found: GhostPiece[] = [];
  let x = room.left + room.width;
  right.map(parsePiece).forEach((piece, at) => {
    found.push({ ...piece, i: row.length + at, left: x, top: room.top, height: room.height });
    x += width([piece]);
  });
  x = room.left + room.width - width(row);
  left.map(parsePiece).forEach((piece, at) => {
    x -= width([piece]);
    found.push({ ...piece, i: -1 - at, left: x, top: room.top, height: room.height });
  });
  return found.filter((ghost) => ghost.left >= run.left && ghost.left + width([ghost]) <= run.left + run.width);
}
