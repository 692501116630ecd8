/**
 * Tips in the first games: each where it first applies, once, one in a turn. They can be turned off, and who has
 * finished some games gets none. When one applies, the server's view says; no rule is in here.
 */

import type { Choices } from "./choices";
import { keptGames } from "./mygameskept";
import { isAt } from "./places";
import type { GameEvent, SeatView } from "./protocol";
import { settings } from "./settings.svelte";
import { lasting, type KeptTexts } from "./storage";

/** The more a tip helps with what is to be done just now, the earlier it comes here. */
export const TIPS = ["fits", "closing", "temple", "refill"] as const;
export type Tip = (typeof TIPS)[number];

/** What has to be known of the table. */
export interface Situation {
  readonly own: SeatView;
  readonly choices: Choices;
  /** what led to the picture on the screen */
  readonly recent: readonly GameEvent[];
}

const KEY = "coatl.tips";
const GAMES = 3; // finished ones, after which nobody is a beginner

const isOpen = ({ complete }: { readonly complete: boolean }): boolean => !complete;

const APPLIES: Readonly<Record<Tip, (at: Situation) => boolean>> = {
  fits: ({ choices }) => choices.lays.size > 0,
  closing: ({ own }) => own.coatls.some((coatl) => isOpen(coatl) && typeof coatl.closing === "number"),
  temple: ({ own }) => own.temples.length > 0 && own.coatls.some(isOpen),
  // not after Perfect Pick, which fills the supply whatever is left there
  refill: ({ recent }) => !recent.some(({ token }) => token) && recent.some(({ kind, source, target }) => kind === "piece" && isAt(source, "bag") && isAt(target, "supply")),
};

export function toldTips(store: KeptTexts = lasting): readonly Tip[] {
  const found = store.getJson(KEY);
  return Array.isArray(found) ? TIPS.filter((tip) => found.includes(tip)) : [];
}

export class Tips {
  now = $state<Tip | null>(null);
  private turn = -1; // in which one was told

  constructor(private readonly store: KeptTexts = lasting) {}

  /** A person is to decide in a turn: is there something to be told? What is being told stays. */
  look(turn: number, situation: Situation): void {
    if (!this.isWanted) this.now = null;
    if (this.now === "fits" && !APPLIES.fits(situation)) this.close(); // it was laid
    if (this.now !== null || this.turn === turn || !this.isWanted) return;
    const told = toldTips(this.store);
    const tip = TIPS.find((one) => !told.includes(one) && APPLIES[one](situation));
    if (!tip) return;
    this.now = tip;
    this.turn = turn;
  }

  private get isWanted(): boolean {
    return settings.now.tips && keptGames(this.store).length < GAMES;
  }

  /** It is closed, or its turn is over. What was not seen, for want of room, comes again. */
  close(wasSeen = true): void {
    if (this.now !== null && wasSeen) this.store.set(KEY, JSON.stringify([...toldTips(this.store), this.now]));
    this.now = null;
  }
}
