/**
 * When does a press become a drag? With a mouse or a pen after a few pixels, so that a click stays a
 * click. With a finger after resting on the thing for a moment: a finger that moves at once
 * scrolls the page, and a tap stays a tap. A finger that rested and is lifted where it lay has made a
 * long press.
 */

export const THRESHOLD = 6;
export const SLACK = 10;
export const HOLD_MS = 260;

export interface Press {
  readonly type: string; // of the pointer: mouse, pen, touch
  readonly x: number;
  readonly y: number;
  readonly time: number; // of its event
}

export type Verdict = "wait" | "drag" | "scroll";

/** What a press has become, with the pointer at that place at that time. */
export function judge(press: Press, x: number, y: number, time: number): Verdict {
  const far = Math.hypot(x - press.x, y - press.y);
  if (press.type !== "touch") return far >= THRESHOLD ? "drag" : "wait";
  if (time - press.time >= HOLD_MS) return "drag";
  return far >= SLACK ? "scroll" : "wait";
}

/** Is the pointer still where it was pressed down, as far as a finger can tell? */
export const stays = (press: Press, x: number, y: number): boolean => Math.hypot(x - press.x, y - press.y) < SLACK;

/** Has a finger rested, and been lifted at that place at that time? */
export const isLongPress = (press: Press, x: number, y: number, time: number): boolean =>
  press.type === "touch" && time - press.time >= HOLD_MS && stays(press, x, y);
