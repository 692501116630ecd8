/** A.D.A.M. read aloud: his points, his cards with what he collected for them, what he holds. */

import type { AdamCard, AdamView } from "../protocol";
import { amountsInWords } from "../sentences";
import { COLOURS } from "../../parts/pieces";
import { m } from "../../paraglide/messages";
import { spokenCard } from "./cards";
import { headed, listed } from "./joined";
import { spokenPieces } from "./supply";

/** "12 points, 3 cards" */
export const spokenAdamPoints = ({ points, fulfilled }: AdamView): string =>
  listed(m.card_points({ points }), m.adam_cards({ n: fulfilled.length }));

/** One of his cards, by the number that his turn is told with. */
export const spokenAdamCard = (at: number, { card }: AdamCard): string => headed(m.adam_card({ number: at + 1 }), spokenCard(card));

/** "Collected: red segment. Still wanted: 2 black pieces." */
export function spokenCollected({ pieces, missing }: AdamCard): string {
  const wants = COLOURS.map((colour) => [colour, missing.split(colour).length - 1] as const).filter(([, n]) => n);
  return m.adam_collected({ have: spokenPieces(pieces) || m.nothing(), want: amountsInWords(wants) || m.nothing() });
}

export const spokenHolding = ({ holding }: AdamView): string => headed(m.adam_holds(), spokenPieces(holding) || m.nothing());
