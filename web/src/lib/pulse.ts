/** Asking the server after a silence whether it is there: a socket can be dead long before a browser says so. */

export const QUIET = 5_000; // milliseconds without a word after which the server is asked
export const DOUBT = 1_500; // without an answer after which somebody is told
export const DEAD = 4_000; // and after which the connection counts as lost

type Timer = ReturnType<typeof setTimeout>;

export interface Pulses {
  ask(): void;
  doubt(): void;
  dead(): void;
}

export class Pulse {
  private timers: Timer[] = [];
  private asking = false;

  constructor(private readonly on: Pulses) {}

  /** The server said something. */
  heard(): void {
    this.stop();
    this.timers = [setTimeout(() => this.ask(), QUIET)];
  }

  /** Ask now, unless an answer is being waited for. */
  ask(): void {
    if (this.asking) return;
    this.stop();
    this.asking = true;
    this.timers = [setTimeout(() => this.on.doubt(), DOUBT), setTimeout(() => this.on.dead(), DEAD)];
    this.on.ask();
  }

  stop(): void {
    this.timers.forEach(clearTimeout);
    this.timers = [];
    this.asking = false;
  }
}
