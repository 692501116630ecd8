/** The form for a new game as it was left: a change of the language loads the page anew. */

import { firstGame, type Games, type GameForm, type Sitting } from "./newgame";

const KEY = "coatl.newgame";
const SITTINGS: readonly Sitting[] = ["you", "here", "link", "bot", "empty"];

export function keepDraft(form: GameForm, store: Storage = sessionStorage): void {
  store.setItem(KEY, JSON.stringify(form));
}

export function readDraft(name: string, games: Games, store: Storage = sessionStorage): GameForm {
  const first = firstGame(name, games);
  try {
    const kept = JSON.parse(store.getItem(KEY) ?? "null") as GameForm | null;
    const whole = kept !== null && Array.isArray(kept.levels) && Array.isArray(kept.seats) &&
      kept.seats.length === first.seats.length && kept.seats.every((seat) => SITTINGS.includes(seat.who));
    return whole ? { ...first, ...kept } : first;
  } catch {
    return first;
  }
}

export const forgetDraft = (store: Storage = sessionStorage): void => store.removeItem(KEY);
