/** The supply and the boards read aloud: what lies in their spaces, and whether it can be taken or placed. */

import type { Choices } from "../choices";
import { pieceName } from "../names";
import type { ViewData } from "../protocol";
import { numberOf, spacePieces } from "../supply";
import { m } from "../../paraglide/messages";
import { headed, listed } from "./joined";

/** Pieces by name: "red segment, black head". */
export const spokenPieces = (pieces: readonly string[]): string => pieces.map(pieceName).join(", ");

/** A space to look at; in solo with the number by which A.D.A.M. goes. */
export function spokenSpace(view: ViewData, space: string): string {
  const pieces = spokenPieces(spacePieces(view, space));
  return pieces || view.adam ? numbered(view, space, pieces || m.space_empty()) : m.space_is_empty();
}

/** A space of the supply that can be pressed: what that does. */
export function spokenTake(view: ViewData, space: string, mine: boolean, { takes }: Choices): string {
  const pieces = spokenPieces(spacePieces(view, space));
  if (!pieces || !mine) return spokenSpace(view, space);
  const what = m.space_holds({ pieces });
  return numbered(view, space, takes.has(space) ? what : m.why_not({ what }));
}

const numbered = (view: ViewData, space: string, what: string): string =>
  view.adam ? headed(m.space_number({ number: numberOf(space) }), what) : what;

/** "Board of Ben: red segment, black head" */
export const spokenBoard = (name: string, pieces: readonly string[]): string =>
  headed(m.board_of({ name }), spokenPieces(pieces) || m.space_empty());

/** "Your board, 3 of 8 spaces taken" */
export const spokenOwnBoard = (taken: number, all: number): string => listed(m.your_board(), m.board_taken({ n: taken, all }));

/** A piece of your board; whether it fits anywhere is told in your turn. */
export function spokenPiece(piece: string, mine: boolean, { begins, adds }: Choices): string {
  const fits = begins.has(piece) || adds.has(piece);
  return listed(pieceName(piece), mine && !fits && m.not_possible());
}
