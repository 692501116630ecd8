/** How far your Cóatl satisfy a card: looked up in the view, never worked out. */

import type { CardProgress, CoatlView, SeatView, TempleProgress } from "./protocol";

export interface On<T> {
  /** from 0 */
  readonly coatl: number;
  /** the card lies on it */
  readonly laid: boolean;
  readonly progress: T;
}

export function progressOn(coatl: CoatlView, card: string): CardProgress | undefined {
  return [coatl.cards, coatl.hand, coatl.row].flatMap((list) => list ?? []).find((one) => one.card === card);
}

export function prophecyProgress(own: SeatView | undefined, card: string): On<CardProgress>[] {
  return (own?.coatls ?? []).flatMap((view, coatl) => {
    const progress = progressOn(view, card);
    const laid = (view.cards ?? []).some((one) => one.card === card);
    return progress ? [{ coatl, laid, progress }] : [];
  });
}

export function templeProgress(own: SeatView | undefined, card: string): On<TempleProgress>[] {
  return (own?.coatls ?? []).flatMap((view, coatl) => {
    const laid = view.temple?.card === card;
    const progress = laid ? view.temple : (view.temples ?? []).find((one) => one.card === card);
    return progress ? [{ coatl, laid, progress }] : [];
  });
}

/** The best of your Cóatl for a card: how often it is met there. */
export function bestTimes(own: SeatView | undefined, card: string): number {
  return Math.max(0, ...prophecyProgress(own, card).filter(({ laid }) => !laid).map(({ progress }) => progress.times));
}

/** The best of your Cóatl for a Temple card: which of its requirements are met there. */
export function bestMet(own: SeatView | undefined, card: string): readonly boolean[] {
  const all = templeProgress(own, card).filter(({ laid }) => !laid).map(({ progress }) => progress);
  return all.toSorted((one, other) => other.points - one.points)[0]?.met ?? [];
}

/**
 * The points that going on from this step of a completion leaves lying: the most it can bring, less
 * what it brings without another card of this step. After the Prophecy cards the Temple card comes.
 */
export function leftLying(coatl: CoatlView, phase: string): number {
  const temple = phase === "temple" ? 0 : Math.max(0, ...(coatl.temples ?? []).map(({ points }) => points));
  return Math.max(0, (coatl.closing ?? 0) - coatl.value - temple);
}

/** The places to light on a Cóatl; undefined: nothing to tell apart. */
export function litPlaces(coatl: CoatlView, card: string | null): readonly number[] | undefined {
  const places = card ? (progressOn(coatl, card)?.matches ?? []).flat() : [];
  return places.length ? places : undefined;
}
