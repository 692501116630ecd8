/** How fast others' turns are played out, and whether things travel. Remembered in this browser. */

import { lasting } from "./storage";
import type { Pace } from "./story/scenes";

export const SPEEDS = ["slow", "normal", "fast", "off"] as const;
export type Speed = (typeof SPEEDS)[number];

const KEY = "coatl.pace";

/** How long a scene stands, in ms. */
const TIMES: Record<Exclude<Speed, "off">, Record<Pace, number>> = {
  slow: { none: 0, own: 500, other: 1500, adam: 2800 },
  normal: { none: 0, own: 400, other: 850, adam: 1500 },
  fast: { none: 0, own: 300, other: 380, adam: 600 },
};

class PaceSettings {
  speed = $state<Speed>("normal");
  motion = $state(true);

  constructor() {
    const saved = (lasting.getJson(KEY) ?? {}) as Partial<PaceSettings>;
    if (SPEEDS.some((speed) => speed === saved.speed)) this.speed = saved.speed as Speed;
    if (typeof saved.motion === "boolean") this.motion = saved.motion;
  }

  set(change: { speed?: Speed; motion?: boolean }): void {
    Object.assign(this, change);
    lasting.set(KEY, JSON.stringify({ speed: this.speed, motion: this.motion }));
  }

  time(pace: Pace): number {
    return this.speed === "off" ? 0 : TIMES[this.speed][pace];
  }
}

export const pace = new PaceSettings();
