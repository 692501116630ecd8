/** How long what others do stands on the screen, at the speed that was set. */

import { settings } from "./settings.svelte";
import type { Pace } from "./story/scenes";

/** How long a scene stands, in ms. */
const TIMES: Record<"slow" | "normal" | "fast", Record<Pace, number>> = {
  slow: { none: 0, own: 500, other: 1500, adam: 2800 },
  normal: { none: 0, own: 400, other: 850, adam: 1500 },
  fast: { none: 0, own: 300, other: 380, adam: 600 },
};

export function sceneTime(pace: Pace): number {
  const { speed } = settings.now;
  return speed === "off" ? 0 : TIMES[speed][pace];
}

/** How long the table stands after the last move, before the result takes its place. */
const LAST = { slow: 4000, normal: 2500, fast: 1200 } as const;

export function lastSceneTime(): number {
  const { speed } = settings.now;
  return speed === "off" ? 0 : LAST[speed];
}
