/** The form for a new game as it was left: a change of the language loads the page anew. */

import { firstGame, type Games, type GameForm, type Sitting } from "./newgame";
import { forWindow, type KeptTexts } from "./storage";

const KEY = "coatl.newgame";
const SITTINGS: readonly Sitting[] = ["you", "here", "link", "bot", "empty"];

export function keepDraft(form: GameForm, store: KeptTexts = forWindow): void {
  store.set(KEY, JSON.stringify(form));
}

export function readDraft(name: string, games: Games, store: KeptTexts = forWindow): GameForm {
  const first = firstGame(name, games);
  const kept = store.getJson(KEY) as Partial<GameForm> | null;
  const whole = Array.isArray(kept?.levels) && Array.isArray(kept.seats) &&
    kept.seats.length === first.seats.length && kept.seats.every((seat) => SITTINGS.includes(seat?.who));
  return whole ? { ...first, ...kept } : first;
}

export const forgetDraft = (store: KeptTexts = forWindow): void => store.remove(KEY);
