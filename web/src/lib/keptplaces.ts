/**
 * Places that pieces and cards keep while others come and go, so that nothing moves under a finger.
 *
 * What leaves leaves a hole, and what comes fills the first one. The server sends them sorted.
 */

export type Places = readonly (string | null)[];

/**
 * The places of `now`, as far as possible where they were `before`. Of several that look the same the
 * one at the place `from` leaves first, or else the last one.
 */
export function keepPlaces(before: Places, now: readonly string[], from: number | null = null): Places {
  const kept: (string | null)[] = [...before];
  for (const thing of new Set(before)) {
    if (thing === null) continue;
    const surplus = count(kept, thing) - count(now, thing);
    for (let n = 0; n < surplus; n += 1) {
      const leaving = n === 0 && from !== null && kept[from] === thing ? from : kept.lastIndexOf(thing);
      kept[leaving] = null;
    }
  }
  for (const thing of new Set(now)) {
    for (let n = count(kept, thing); n < count(now, thing); n += 1) {
      const hole = kept.indexOf(null);
      kept[hole < 0 ? kept.length : hole] = thing;
    }
  }
  return kept;
}

/** The cards of a Cóatl in the order in which they were laid. */
export class LaidOrder {
  private order: readonly string[] = [];

  sort<Card extends { readonly card: string }>(laid: readonly Card[]): Card[] {
    this.order = keepPlaces(this.order, laid.map(({ card }) => card)).filter((card) => card !== null);
    return this.order.flatMap((name) => laid.find(({ card }) => card === name) ?? []);
  }
}

const count = (things: Places, thing: string): number => things.filter((one) => one === thing).length;
