/** Waiting for a server that is starting: the first time it compiles the rules, and says how far it is. */

import type { StartupState } from "./protocol";

const EVERY = 500; // milliseconds between two questions
const REFUSALS = new Set(["starting", "start_failed"]);

export const isStarting = (code: string): boolean => REFUSALS.has(code);

class Startup {
  /** how far the server is; null if it is ready, as far as we know */
  state = $state.raw<StartupState | null>(null);
  /** did it not answer when it was last asked? */
  silent = $state(false);
  private waiting: Promise<void> | null = null;

  /** Until the server is ready, however long that takes. */
  wait(): Promise<void> {
    this.waiting ??= this.watch();
    return this.waiting;
  }

  private async watch(): Promise<void> {
    this.state = { status: "starting", compiled: 0 };
    for (;;) {
      const found = await ask();
      if (found?.status === "ready") break;
      this.silent = found === null;
      if (found) this.state = found;
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
    this.waiting = this.state = null;
    this.silent = false;
  }
}

async function ask(): Promise<StartupState | null> {
  try {
    const answer = await fetch("/api/startup");
    return answer.ok ? ((await answer.json()) as StartupState) : null;
  } catch {
    return null;
  }
}

export const startup = new Startup();
