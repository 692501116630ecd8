/** What this browser remembers for the page; where it may not, things last as long as the page, and nothing fails. */

export type StorageTrouble = "blocked" | "full";

const PROBE = "coatl.probe";

export class KeptTexts {
  /** what the browser would not take, by key */
  private readonly unkept = new Map<string, string>();

  /** `find` may throw: with storage blocked the mere look at `localStorage` does. */
  constructor(private readonly find: () => Storage) {}

  get(key: string): string | null {
    const unkept = this.unkept.get(key);
    if (unkept !== undefined) return unkept;
    try {
      return this.find().getItem(key);
    } catch {
      return null;
    }
  }

  /** Anything that was kept as JSON; null where there is nothing, or nothing that can be read. */
  getJson(key: string): unknown {
    try {
      return JSON.parse(this.get(key) ?? "null");
    } catch {
      return null;
    }
  }

  /** True where it will still be there when the page is opened again. */
  set(key: string, text: string): boolean {
    try {
      this.find().setItem(key, text);
      this.unkept.delete(key);
      return true;
    } catch {
      this.unkept.set(key, text);
      return false;
    }
  }

  remove(key: string): void {
    this.unkept.delete(key);
    try {
      this.find().removeItem(key);
    } catch {
      // then it was not kept either
    }
  }

  /** Why something is not remembered; null: everything is. */
  get trouble(): StorageTrouble | null {
    try {
      this.find().getItem(PROBE);
    } catch {
      return "blocked";
    }
    if (this.unkept.size) return "full";
    try {
      this.find().setItem(PROBE, "");
      this.find().removeItem(PROBE);
      return null;
    } catch {
      return "full";
    }
  }
}

/** Kept until it is forgotten. */
export const lasting = new KeptTexts(() => localStorage);

/** Kept as long as the window is open. */
export const forWindow = new KeptTexts(() => sessionStorage);
