/**
 * Units for sizes that are computed: sixteenths of the font size that the reader's browser is set to. Where that is 16 px,
 * as it is unless somebody has chosen another, a unit is a px. Style sheets are measured likewise (rem.ts).
 */

import type { Box } from "./popplace";
import { PX_PER_REM } from "./rem";

class FontSize {
  px = $state(PX_PER_REM);
  readonly listeners: (() => void)[] = [];

  constructor() {
    if (typeof document === "undefined") return;
    const ruler = document.createElement("div");
    Object.assign(ruler.style, { position: "absolute", top: "0", width: "1rem", visibility: "hidden" });
    document.body.append(ruler);
    this.px = ruler.getBoundingClientRect().width;
    // it may be changed while the page is open
    new ResizeObserver(() => {
      this.px = ruler.getBoundingClientRect().width || this.px;
      for (const listener of this.listeners) listener();
    }).observe(ruler);
  }
}

const fontSize = new FontSize();

/** Call something when the font size has changed: browsers tell nobody that media queries in rem have other answers then. */
export const onFontSize = (listener: () => void): void => void fontSize.listeners.push(listener);

/** So many units, for a style. */
export const rem = (units: number): string => `${units / PX_PER_REM}rem`;

/** What the browser has measured, in units. */
export const inUnits = (px: number): number => (px * PX_PER_REM) / fontSize.px;

/** So many units, to reckon with what the browser has measured. */
export const inPx = (units: number): number => (units * fontSize.px) / PX_PER_REM;

export function boxInUnits({ left, top, width, height }: Box): Box {
  return { left: inUnits(left), top: inUnits(top), width: inUnits(width), height: inUnits(height) };
}
