/** How large a spectator sees the serpents: all players' lanes in one window, at one scale. */

export interface LaneSizes {
  /** height of a lane */
  readonly lane: number;
  /** the most a serpent may be high in it */
  readonly serpent: number;
  /** how much the cards on a Cóatl are enlarged, or made smaller */
  readonly cards: number;
}

const LEAST = 44;
const HEAD = 34; // a player's name, counts and board
const GAP = 5; // above every lane
const BETWEEN = 12; // two players
const LONG = 560; // a serpent of 12 pieces at its full size
const PLACES = 475; // five cards at theirs

/** For so many players with so many lanes each, `most` high; where they do not fit, the page scrolls. */
export function laneSizes(width: number, height: number, players: number, lanes: number, most: number): LaneSizes {
  const each = (height - (players - 1) * BETWEEN) / players - HEAD - lanes * GAP;
  const lane = Math.max(LEAST, Math.min(most, Math.floor(each / Math.max(1, lanes))));
  const beside = Math.max(0.66, (width - LONG) / PLACES);
  return { lane, serpent: Math.min(most * 0.66, lane / 1.36), cards: Math.min(1.12, (lane - 6) / 64, beside) };
}
