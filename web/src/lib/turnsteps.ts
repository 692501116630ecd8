/** What a seat has done in this turn so far, read from the events; what was undone is left out. */

import type { Places } from "./keptplaces";
import { isAt } from "./places";
import type { GameEvent } from "./protocol";

export interface Step {
  readonly kind: "piece" | "laid" | "temple" | "picked" | "drawn" | "discarded";
  readonly what: string;
  /** the Cóatl, from 0 */
  readonly coatl: number | null;
}

export function turnSteps(events: readonly GameEvent[], seat: number | null): Step[] {
  const begun = events.findLastIndex((event) => event.kind === "turn");
  const steps: Step[] = [];
  for (const event of events.slice(begun + 1)) {
    if (event.seat !== seat || seat === null) continue;
    // back from the Temple card to the Prophecy cards: none of them is taken away
    if (event.kind === "undo" && event.move?.kind !== "done") steps.pop();
    const step = readStep(event);
    if (step) steps.push(step);
  }
  return steps;
}

function readStep({ kind, piece, card, source, target }: GameEvent): Step | null {
  const what = piece ?? card ?? "";
  const coatl = isAt(target, "coatl") ? (target?.at ?? 0) : null;
  if (kind === "piece" || kind === "temple") return coatl === null ? null : { kind, what, coatl };
  if (kind !== "prophecy") return null;
  if (coatl !== null) return { kind: "laid", what, coatl };
  if (isAt(target, "hand")) return { kind: isAt(source, "deck") ? "drawn" : "picked", what, coatl };
  return isAt(target, "discard") && isAt(source, "hand") ? { kind: "discarded", what, coatl } : null;
}

/** The number that each card in the hand got in this turn: 1 is the first one taken. */
export function numbersInHand(hand: Places, steps: readonly Step[]): (number | null)[] {
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
