/** Places on the table: which kind they are of, and a key for maps and for anchors (`data-place`). */

import type { Spot, SpotKind } from "./protocol";

type MaybePlace = Spot | null | undefined;

export const placeKey = ({ kind, space, seat, at }: Spot): string =>
  [kind, space, seat, at].filter((part) => part !== null && part !== undefined).join(".");

export const isSame = (a: MaybePlace, b: MaybePlace): boolean => (a && placeKey(a)) === (b && placeKey(b));

/** Is a place of one of these kinds? */
export const isAt = (place: MaybePlace, ...kinds: SpotKind[]): boolean =>
  Boolean(place && kinds.includes(place.kind));

export const isAdams = (place: MaybePlace): boolean => isAt(place, "adam_holding", "adam_card", "adam_fulfilled");
