/** Where the coach's panel lies: near what it points at, and over none of that. All in px of the window. */

import type { Box } from "../popplace";

export interface Size { readonly width: number; readonly height: number }
export interface Spot { readonly left: number; readonly top: number }

/** What shall stay in sight, the most important first. */
export interface Kept {
  readonly targets: readonly Box[];
  /** what else can be pressed now: an open popover, the bar at the foot of a phone */
  readonly pressed: readonly Box[];
  readonly reasons: readonly Box[];
  /** what one looks at meanwhile: serpents, one's hand */
  readonly looked: readonly Box[];
  /** the parts of the table in which the targets lie: better not covered */
  readonly around: readonly Box[];
}

const GAP = 12;
const STEP = 12;
const WEIGHTS = { targets: 100, pressed: 30, reasons: 10, looked: 1 } as const;
const AROUND = 0.01;

/** The area that two boxes share; one of them is a little larger than it is. */
function shared(one: Box, other: Box, gap: number): number {
  const across = Math.min(one.left + one.width, other.left + other.width + gap) - Math.max(one.left, other.left - gap);
  const down = Math.min(one.top + one.height, other.top + other.height + gap) - Math.max(one.top, other.top - gap);
  return Math.max(0, across) * Math.max(0, down);
}

const sharedWith = (panel: Box, boxes: readonly Box[], gap: number): number =>
  boxes.reduce((all, box) => all + shared(panel, box, gap), 0);

/** How much of what has to stay in sight a panel there would cover; 0: nothing. */
export function covered(panel: Box, kept: Kept, gap = 0): number {
  const sum = (boxes: readonly Box[]) => sharedWith(panel, boxes, gap);
  const { targets, pressed, reasons, looked } = kept;
  return WEIGHTS.targets * sum(targets) + WEIGHTS.pressed * sum(pressed) + WEIGHTS.reasons * sum(reasons) + WEIGHTS.looked * sum(looked);
}

/** From edge to edge, and a little from middle to middle, so that it lies beside and not askew. */
function distance(one: Box, other: Box): number {
  const x = Math.max(0, other.left - one.left - one.width, one.left - other.left - other.width);
  const y = Math.max(0, other.top - one.top - one.height, one.top - other.top - other.height);
  const dx = one.left + one.width / 2 - other.left - other.width / 2;
  const dy = one.top + one.height / 2 - other.top - other.height / 2;
  return Math.hypot(x, y) + Math.hypot(dx, dy) / 10;
}

function steps(from: number, to: number): number[] {
  if (to <= from) return [from];
  const found = [];
  for (let at = from; at < to; at += STEP) found.push(at);
  return [...found, to];
}

/** Among all places of the screen the one that covers least, and of those the nearest to `near`. */
export function placePanel(size: Size, screen: Box, kept: Kept, near: Box): Spot {
  let best: Spot = { left: screen.left, top: screen.top };
  let least = Infinity;
  for (const left of steps(screen.left, screen.left + screen.width - size.width))
    for (const top of steps(screen.top, screen.top + screen.height - size.height)) {
      const panel = { left, top, ...size };
      const cost = covered(panel, kept, GAP) + AROUND * sharedWith(panel, kept.around, 0) + distance(panel, near);
      if (cost < least) [best, least] = [{ left, top }, cost];
    }
  return best;
}
