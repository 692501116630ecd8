/** An analysis of a finished game: asked for, followed while the server makes it, cancelled, gone on with. */

import { ApiError, analyse, analyseFile, cancelAnalysis, cancelFileAnalysis, readAnalysis, readFileAnalysis, drawAnalysis, drawFileAnalysis } from "./api";
import type { AnalysisState, Report } from "./protocol";

export type Depth = NonNullable<AnalysisState["depth"]>;
export const DEPTHS: readonly Depth[] = ["quick", "normal", "deep"];

/** Where the requests go. */
export interface AnalysisSource {
  ask(depth: Depth): Promise<AnalysisState>;
  read(): Promise<AnalysisState | null>;
  cancel(): Promise<AnalysisState | null>;
  draw(language: string): Promise<string>;
}

export const tableSource = (table: string, token: string): AnalysisSource => ({
  ask: (depth) => analyse(table, token, depth),
  read: () => readAnalysis(table, token),
  cancel: () => cancelAnalysis(table, token),
  draw: async (language) => (await drawAnalysis(table, token, language)).svg,
});

/** A file has no analysis before it was asked for: the answer says by which id it goes. */
export function fileSource(record: string): AnalysisSource {
  let id = "";
  return {
    async ask(depth) {
      const state = await analyseFile(record, depth);
      id = state.id;
      return state;
    },
    read: async () => (id ? readFileAnalysis(id) : null),
    cancel: async () => (id ? cancelFileAnalysis(id) : null),
    draw: async (language) => (await drawFileAnalysis(id, language)).svg,
  };
}

const PAUSE = 1000; // milliseconds between two looks

export class Analysing {
  state = $state.raw<AnalysisState | null>(null);
  /** the code of what went wrong */
  problem = $state("");
  depth = $state<Depth>("normal");

  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;

  constructor(private readonly source: AnalysisSource, private readonly pause = PAUSE) {}

  get report(): Report | null {
    return this.state?.report ?? null;
  }

  get busy(): boolean {
    return this.state?.status === "waiting" || this.state?.status === "running";
  }

  /** A depth that would tell more than there is. */
  get deeper(): Depth | null {
    if (!this.report) return null;
    return DEPTHS[DEPTHS.indexOf(this.report.depth as Depth) + 1] ?? null;
  }

  /** What there is already; nothing goes wrong aloud, as nobody asked for it. */
  async look(): Promise<void> {
    try {
      this.take(await this.source.read());
    } catch {
      this.state = null;
    }
  }

  ask(depth: Depth): Promise<void> {
    return this.try(() => this.source.ask(depth));
  }

  /** With what was begun before. */
  goOn(): Promise<void> {
    return this.ask(this.state?.depth ?? this.depth);
  }

  cancel(): Promise<void> {
    return this.try(() => this.source.cancel());
  }

  draw(language: string): Promise<string> {
    return this.source.draw(language);
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  private async try(request: () => Promise<AnalysisState | null>): Promise<void> {
    try {
      this.problem = "";
      this.take(await request());
    } catch (error) {
      this.problem = error instanceof ApiError ? error.code : "internal";
      if (this.busy) this.later(); // the server may be back soon
    }
  }

  private take(state: AnalysisState | null): void {
    this.state = state;
    if (state?.depth) this.depth = state.depth;
    if (this.busy) this.later();
  }

  private later(): void {
    clearTimeout(this.timer);
    if (!this.over) this.timer = setTimeout(() => void this.try(() => this.source.read()), this.pause);
  }
}
