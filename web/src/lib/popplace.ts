/** Where a popover lies: beside what it explains, on the first side that has the room. */

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type PopSide = "left" | "right" | "above" | "below";

export interface PopPlace {
  readonly left: number;
  readonly top: number;
  readonly side: PopSide;
  /** where the arrow sits along the edge */
  readonly arrow: number;
}

const GAP = 14;
const MARGIN = 10;

const ORDER: readonly PopSide[] = ["right", "left", "above", "below"];

export function placePop(anchor: Box, size: { width: number; height: number }, screen: Box, first: PopSide = "right"): PopPlace {
  const right = anchor.left + anchor.width;
  const bottom = anchor.top + anchor.height;
  const room: Record<PopSide, number> = {
    right: screen.left + screen.width - right - size.width,
    left: anchor.left - screen.left - size.width,
    above: anchor.top - screen.top - size.height,
    below: screen.top + screen.height - bottom - size.height,
  };
  const order = [first, ...ORDER.filter((one) => one !== first)];
  const fits = order.find((side) => room[side] >= GAP + MARGIN);
  const side = fits ?? order.reduce((best, next) => (room[next] > room[best] ? next : best));
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

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}
