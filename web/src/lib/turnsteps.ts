/** What a seat has done in this turn so far, read from the events; what was undone is left out. */

import type { GameEvent } from "./protocol";

export interface Step {
  readonly kind: "piece" | "laid" | "temple" | "picked" | "drawn" | "discarded";
  readonly what: string;
  /** the Cóatl, from 0 */
  readonly coatl: number | null;
}

/**
 * `lies` tells whether a card still lies on a Cóatl: going back from the Temple card to the
 * Prophecy cards is an `undo` too, and takes none of them away.
 */
export function turnSteps(
  events: readonly GameEvent[],
  seat: number | null,
  lies: (coatl: number, card: string) => boolean = () => false,
): Step[] {
  const begun = events.findLastIndex((event) => event.kind === "turn");
  const steps: Step[] = [];
  for (const event of events.slice(begun + 1)) {
    if (event.seat !== seat || seat === null) continue;
    const last = steps.at(-1);
    const kept = last?.kind === "laid" && last.coatl !== null && lies(last.coatl, last.what);
    if (event.kind === "undo" && !kept) steps.pop();
    const step = readStep(event);
    if (step) steps.push(step);
  }
  return steps;
}

function readStep(event: GameEvent): Step | null {
  const [target = "", , number] = (event.target ?? "").split(".");
  const [source = ""] = (event.source ?? "").split(".");
  const what = event.what ?? "";
  const coatl = target === "coatl" ? Number(number) : null;
  if (event.kind === "piece") return coatl === null ? null : { kind: "piece", what, coatl };
  if (event.kind === "temple") return coatl === null ? null : { kind: "temple", what, coatl };
  if (event.kind !== "prophecy") return null;
  if (coatl !== null) return { kind: "laid", what, coatl };
  if (target === "hand") return { kind: source === "deck" ? "drawn" : "picked", what, coatl };
  return target === "discard" && source === "hand" ? { kind: "discarded", what, coatl } : null;
}

/** The number that each card in the hand got in this turn: 1 is the first one taken. */
export function numbersInHand(hand: readonly string[], steps: readonly Step[]): (number | null)[] {
  const numbers: (number | null)[] = hand.map(() => null);
  const taken = steps.filter(({ kind }) => kind === "picked" || kind === "drawn");
  taken.forEach(({ what }, at) => {
    const free = hand.findLastIndex((name, i) => name === what && numbers[i] === null);
    if (free >= 0) numbers[free] = at + 1;
  });
  return numbers;
}

/** The cards laid on a Cóatl since its last piece: those of its completion. */
export function laidNow(steps: readonly Step[], coatl: number): ReadonlySet<string> {
  const closed = steps.findLastIndex((step) => step.kind === "piece");
  const after = steps.slice(closed + 1).filter((step) => step.coatl === coatl);
  return new Set(after.map(({ what }) => what));
}
