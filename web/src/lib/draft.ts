/** The form for a new game as it was left: a change of the language loads the page anew. */

import { newForm, type Games, type GameForm, type Sitting } from "./newgame";
import type { NewKind } from "./route";
import { forWindow, type KeptTexts } from "./storage";

const KEY = "coatl.newgame";
const SITTINGS: readonly Sitting[] = ["you", "here", "link", "bot", "empty"];

interface Kept extends Partial<GameForm> {
  readonly kind?: NewKind;
}

export function keepDraft(kind: NewKind, form: GameForm, store: KeptTexts = forWindow): void {
  store.set(KEY, JSON.stringify({ ...form, kind }));
}

/** Earlier versions of the page had one form for everything, and kept no kind. */
function guessKind({ solo, seats }: Kept): NewKind {
  return solo ? "solo" : seats?.some((seat) => seat.who === "here") ? "device" : "friends";
}

export function readDraft(kind: NewKind, name: string, games: Games, store: KeptTexts = forWindow): GameForm {
  const first = newForm(kind, name, games);
  const kept = store.getJson(KEY) as Kept | null;
  const whole = Array.isArray(kept?.levels) && Array.isArray(kept.seats) &&
    kept.seats.length === first.seats.length && kept.seats.every((seat) => SITTINGS.includes(seat?.who));
  if (!whole) return first;
  const { kind: keptKind = guessKind(kept), ...form } = kept;
  return keptKind === kind ? { ...first, ...form, solo: first.solo } : first;
}

export const forgetDraft = (store: KeptTexts = forWindow): void => store.remove(KEY);
