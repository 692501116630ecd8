/**
 * What is said to those who listen: lines for the one live region of the page (App.svelte has it). Each
 * line is added once and told once; old ones are taken away, which is not told.
 */

import { untrack } from "svelte";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** told at once, before what is waiting: why something is refused */
  readonly urgent: boolean;
}

const KEPT = 20;

export class Announcer {
  lines = $state.raw<readonly Announcement[]>([]);

  private waiting: Announcement[] = [];
  private held = false;
  private count = 0;

  say(text: string): void {
    this.add(text, false);
  }

  warn(text: string): void {
    this.add(text, true);
  }

  private add(text: string, urgent: boolean): void {
    if (!text) return;
    this.waiting.push({ id: (this.count += 1), text, urgent });
    if (!this.held) this.show();
  }

  private show(): void {
    const before = untrack(() => this.lines); // whoever says something does not wait for what others say
    this.lines = [...before, ...this.waiting].slice(-Math.max(KEPT, this.waiting.length));
    this.waiting = [];
  }

  /** The region is taken elsewhere: what it has was told, and what comes has to wait until it is there. */
  hold(): void {
    this.lines = [];
    this.held = true;
  }

  release(): void {
    this.held = false;
    this.show();
  }
}

export const announcer = new Announcer();
