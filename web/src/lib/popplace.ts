/** Where a popover lies: beside what it explains, on the first side that has the room. In units (units.svelte.ts). */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type PopSide = "left" | "right" | "above" | "below";

export interface Wish {
  readonly first?: PopSide;
  /** what stays in sight: if it must, the popover lies apart from its cause, above this */
  readonly clear?: Box | undefined;
}

export interface PopPlace {
  readonly left: number;
  readonly top: number;
  readonly side: PopSide | "apart";
  /** where the arrow sits along the edge */
  readonly arrow: number;
}

const GAP = 14;
const MARGIN = 10;

const ORDER: readonly PopSide[] = ["right", "left", "above", "below"];

interface Size { readonly width: number; readonly height: number }

export function placePop(anchor: Box, size: Size, screen: Box, { first = "right", clear }: Wish = {}): PopPlace {
  const room: Record<PopSide, number> = {
    right: screen.left + screen.width - anchor.left - anchor.width - size.width,
    left: anchor.left - screen.left - size.width,
    above: anchor.top - screen.top - size.height,
    below: screen.top + screen.height - anchor.top - anchor.height - size.height,
  };
  const order = [first, ...ORDER.filter((one) => one !== first)];
  const fitting = order.filter((side) => room[side] >= GAP + MARGIN).map((side) => at(side, anchor, size, screen));
  const free = fitting.find((place) => !clear || !overlap({ ...place, ...size }, clear));
  if (free) return free;
  const found = fitting[0] ?? at(order.reduce((best, next) => (room[next] > room[best] ? next : best)), anchor, size, screen);
  const top = clear ? clear.top - GAP - size.height : -Infinity;
  return top < screen.top + MARGIN ? found : { ...found, top, side: "apart" };
}

/** On one side of what it explains, but within the screen. */
function at(side: PopSide, anchor: Box, size: Size, screen: Box): PopPlace {
  const right = anchor.left + anchor.width;
  const bottom = anchor.top + anchor.height;
  const beside = side === "left" || side === "right";
  const x = anchor.left + anchor.width / 2;
  const y = anchor.top + anchor.height / 2;
  const left = beside ? (side === "right" ? right + GAP : anchor.left - GAP - size.width) : x - size.width / 2;
  const top = beside ? y - Math.min(size.height / 2, 60) : side === "below" ? bottom + GAP : anchor.top - GAP - size.height;
  const held = {
    left: clamp(left, screen.left + MARGIN, screen.left + screen.width - size.width - MARGIN),
    top: clamp(top, screen.top + MARGIN, screen.top + screen.height - size.height - MARGIN),
  };
  const arrow = beside ? clamp(y - held.top, 22, size.height - 22) : clamp(x - held.left, 22, size.width - 22);
  return { ...held, side, arrow };
}

function overlap(one: Box, other: Box): boolean {
  const across = one.left < other.left + other.width && other.left < one.left + one.width;
  return across && one.top < other.top + other.height && other.top < one.top + one.height;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}
