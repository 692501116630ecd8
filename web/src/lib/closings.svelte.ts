/**
 * For how many points your open Cóatl could be closed now, exactly. The server is asked when what you have is new, and
 * the answer is kept as long as it may be needed again, such as after an undo.
 */

import { SvelteMap } from "svelte/reactivity";
import type { ClosingsFound, TableState } from "./protocol";

const KEPT = 12; // positions, the latest ones

type Values = readonly (number | null)[];

/** All that the answer depends on, as text; null: there is nothing to ask. */
export function closingsKey(state: TableState): string | null {
  const { view, seat } = state;
  const own = view?.seats[seat ?? -1];
  if (state.status !== "playing" || !view || !own?.coatls.some(({ complete }) => !complete)) return null;
  const coatls = own.coatls.map(({ pieces, complete, cards = [], temple }) => [pieces, complete, cards.map(({ card }) => card), temple?.card]);
  const turn = view.to_move === seat ? [view.phase, view.pending] : [];
  return JSON.stringify([seat, own.board, own.hand, own.temples, coatls, view.piles.map(({ top }) => top), view.levels, turn]);
}

export class Closings {
  private readonly known = new SvelteMap<string, Values>();

  /** A state came: ask if it is new and needed. */
  refresh(state: TableState, ask: () => void): void {
    const key = closingsKey(state);
    if (key !== null && !this.known.has(key)) ask();
  }

  /** The answer for the latest state of a seat; one for an older state is of no use any more. */
  hear({ version, values }: ClosingsFound, latest: TableState | undefined): void {
    const key = latest && latest.version === version ? closingsKey(latest) : null;
    if (key === null || !values) return;
    this.known.set(key, values);
    for (const old of [...this.known.keys()].slice(0, -KEPT)) this.known.delete(old);
  }

  /** By Cóatl: points; null: it cannot be closed; undefined: not known yet. */
  of(state: TableState | undefined): Values | undefined {
    const key = state ? closingsKey(state) : null;
    return key === null ? undefined : this.known.get(key);
  }
}
