/** The steps of a record, fetched in blocks as they are looked at, each block once. */

import type { ReplayStep } from "./protocol";

export const BLOCK = 16;

export type LoadSteps = (first: number, count: number, seat: number | null) => Promise<readonly ReplayStep[]>;

export class StepCache {
  private readonly blocks = new Map<string, Promise<readonly ReplayStep[]>>();
  private readonly known = new Map<string, readonly ReplayStep[]>();

  constructor(private readonly load: LoadSteps, private readonly count: number) {}

  private block(step: number, seat: number | null): Promise<readonly ReplayStep[]> {
    const first = step - (step % BLOCK);
    const key = `${seat ?? "all"} ${first}`;
    const asked = this.blocks.get(key);
    if (asked) return asked;
    const block = this.load(first, BLOCK, seat);
    this.blocks.set(key, block);
    block.then(
      (steps) => this.known.set(key, steps),
      () => this.blocks.delete(key), // to be tried again
    );
    return block;
  }

  /** What is here already. */
  peek(step: number, seat: number | null): ReplayStep | undefined {
    const first = step - (step % BLOCK);
    return this.known.get(`${seat ?? "all"} ${first}`)?.[step - first];
  }

  async step(step: number, seat: number | null): Promise<ReplayStep | undefined> {
    const steps = await this.block(step, seat);
    for (const near of [step + BLOCK, step - BLOCK]) {
      if (near >= 0 && near < this.count) this.block(near, seat).catch(() => undefined);
    }
    return steps[step % BLOCK];
  }
}
