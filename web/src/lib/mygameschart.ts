/** The curve of one's strength as places in a picture: which strengths it shows, and which steps of the ladder. */

import type { CurvePoint } from "./mygamesstrength";
import type { LadderStep } from "./mygameswords";

const AIR = 0.08; // of the height, above and below
const CLOSE = 0.07; // of the height: steps that near share a label
const LEAST = 300; // strengths that are shown at least

export interface ChartStep extends LadderStep {
  /** empty where a step just below has the label for both */
  readonly label: string;
}

export interface Chart {
  readonly low: number;
  readonly high: number;
  readonly steps: readonly ChartStep[];
}

/** As much as the curve and the margin of its end need, and the next step above and below. */
export function chartOf(points: readonly CurvePoint[], ladder: readonly LadderStep[]): Chart {
  const last = points.at(-1);
  const shown = [...points.map(({ strength }) => strength), ...(last ? [last.strength - last.margin, last.strength + last.margin] : [])];
  const [least, most] = [Math.min(...shown), Math.max(...shown)];
  const sorted = [...ladder].sort((a, b) => a.strength - b.strength);
  const below = sorted.findLast((step) => step.strength < least)?.strength ?? least;
  const above = sorted.find((step) => step.strength > most)?.strength ?? most;
  const spare = Math.max(0, LEAST - (above - below)) / 2;
  const air = AIR * Math.max(LEAST, above - below);
  const [low, high] = [below - spare - air, above + spare + air];
  const inside = sorted.filter(({ strength }) => strength >= low && strength <= high);
  return { low, high, steps: labelled(inside, CLOSE * (high - low)) };
}

function labelled(steps: readonly LadderStep[], close: number): ChartStep[] {
  const groups: LadderStep[][] = [];
  for (const step of steps) {
    const group = groups.at(-1);
    if (group && step.strength - group[0]!.strength < close) group.push(step);
    else groups.push([step]);
  }
  return groups.flatMap((group) => group.map((step, at) => ({ ...step, label: at ? "" : group.map(({ name }) => name).join(", ") })));
}

/** From 0 at the bottom to 1 at the top. */
export const heightOf = ({ low, high }: Chart, strength: number): number => (strength - low) / (high - low);

/** From 0 at the first game to 1 at the last. */
export const partOf = (at: number, games: number): number => (games > 1 ? at / (games - 1) : 1);

/** The games that have their number below them: the first, and every fifth, tenth, … */
export function gameMarks(games: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((one) => games / one <= 8) ?? 1000;
  return [1, ...Array.from({ length: Math.floor(games / step) }, (_, at) => (at + 1) * step).filter((number) => number > 1)];
}
