/** A Cóatl read aloud: where it is open, its pieces from head to tail, and its points as the view tells them. */

import type { CoatlView } from "../protocol";
import { pieceName } from "../names";
import { parseCoatl, type Colour, type PieceData } from "../../parts/pieces";
import { m } from "../../paraglide/messages";
import { clauses, headed, listed } from "./joined";

/**
 * "Cóatl 2, open at the right: black head, red, red, blue; 3 points now; would score 8 points closed". What closing it
 * would bring is told where it is known exactly; while it is being completed, a view knows.
 */
export function spokenCoatl(name: string, coatl: CoatlView, closing: number | null = null): string {
  const cards = (coatl.cards ?? []).length + (coatl.temple ? 1 : 0);
  const pieces = parseCoatl(coatl.pieces).map(inSerpent).join(", ");
  const points = coatl.complete ? m.card_points({ points: coatl.value }) : cards > 0 && m.worth_now({ points: coatl.value });
  return headed(listed(name, openness(coatl)), clauses(pieces, cards > 0 && m.cards_on_it({ n: cards }), points, prospect(coatl, closing)));
}

/** What closing it would bring; while it is being completed, the most that it can. */
function prospect(coatl: CoatlView, closing: number | null): string {
  const isClosed = /^<.*>$/.test(coatl.pieces);
  const points = isClosed ? coatl.closing : closing;
  if (coatl.complete || typeof points !== "number") return "";
  return (isClosed ? m.at_best_points : m.points_if_closed)({ points });
}

/** A Cóatl that is being completed: "8 points now, at best 20 points" */
export const spokenBest = (now: number, best: number): string =>
  listed(m.worth_now({ points: now }), best > now && m.at_best_points({ points: best }));

/** Between head and tail the colour is enough. */
const inSerpent = ({ kind, colour }: PieceData): string =>
  kind === "b" ? segmentColour(colour) : pieceName(kind === "h" ? `<${colour}` : `${colour}>`);

export const segmentColour = (colour: Colour): string => m.segment_colour({ colour });

export function openness({ pieces, complete }: CoatlView): string {
  if (complete) return m.complete();
  const [head, tail] = [pieces.startsWith("<"), pieces.endsWith(">")];
  if (head) return tail ? m.coatl_closed() : m.coatl_open_right();
  return tail ? m.coatl_open_left() : m.coatl_open_both();
}
