/** A Cóatl to try cards with: its pieces come and go at its ends, and the server says what cards are worth on it. */

import type { CoatlTried } from "./protocol";
import { lengthOf, type Colour, type Kind } from "../parts/pieces";

export type Side = "left" | "right";

export const MOST_PIECES = 24; // that the server counts
const WAIT = 250; // ms until a change is asked about: several in a row are asked about once

/** With one more piece; null: there is no room for it at that end. The notation has a head only at the left, a tail only at the right. */
export function addPiece(coatl: string, kind: Kind, colour: Colour, side: Side): string | null {
  if (lengthOf(coatl) >= MOST_PIECES) return null;
  if (kind === "h" || side === "left") {
    if (coatl.startsWith("<") || kind === "t") return null;
    return kind === "h" ? `<${colour}${coatl}` : `${colour}${coatl}`;
  }
  if (coatl.endsWith(">")) return null;
  return kind === "t" ? `${coatl}${colour}>` : `${coatl}${colour}`;
}

/** Without the piece at one end; a single one leaves nothing. */
export function takePiece(coatl: string, side: Side): string | null {
  if (!coatl) return null;
  if (lengthOf(coatl) === 1) return "";
  return side === "left" ? coatl.replace(/^<?[KRBYG]/, "") : coatl.replace(/[KRBYG]>?$/, "");
}

type Ask = (coatl: string, cards: readonly string[]) => Promise<CoatlTried>;

/** What the server says of the latest Cóatl; it is asked when nothing has changed for a moment. */
export class Tried {
  result = $state.raw<CoatlTried | null>(null);
  failed = $state(false);
  private wanted = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: Ask, private readonly wait = WAIT) {}

  /** Does the result belong to the Cóatl that was asked about last? */
  get isCurrent(): boolean {
    return !this.failed && this.result?.coatl === this.wanted;
  }

  ask(coatl: string, cards: readonly string[]): void {
    this.stop();
    this.wanted = coatl;
    if (!coatl) this.result = null;
    else this.timer = setTimeout(() => void this.now(coatl, cards), this.wait);
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async now(coatl: string, cards: readonly string[]): Promise<void> {
    try {
      const result = await this.send(coatl, cards);
      if (coatl !== this.wanted) return; // another one is being asked about
      this.result = result;
      this.failed = false;
    } catch {
      if (coatl !== this.wanted) return;
      this.failed = true;
      this.timer = setTimeout(() => void this.now(coatl, cards), this.wait * 12);
    }
  }
}
