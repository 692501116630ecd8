/** Calling somebody back to a page that is out of sight: it is their turn. */

import { placeName } from "./names";
import { notices } from "./notices.svelte";
import type { TableState } from "./protocol";
import { botFor } from "./standin";
import type { TableStore } from "./table.svelte";
import { m } from "../paraglide/messages";

const ICON = "/icon.svg";
const ICON_WITH_DOT = "/icon-turn.svg";

/** Is this seat to decide, itself? */
export function isToDecide(state: TableState): boolean {
  const toMove = state.view?.to_move ?? null;
  return state.status === "playing" && toMove !== null && toMove === state.seat && botFor(state) === null;
}

/** The people and bots at a table besides this seat. */
export const othersAt = (state: TableState): string =>
  state.places.map((_, place) => place).filter((place) => place !== state.place).map((place) => placeName(state, place)).join(", ");

function showIcon(address: string): void {
  document.querySelector('link[rel="icon"]')?.setAttribute("href", address);
}

/** To be called when the table's screen is made. */
export function callToTurn(store: TableStore): void {
  let isHidden = $state(document.hidden);
  const ours = $derived([...store.states.values()].find(isToDecide));
  let wasOurs: boolean | null = null; // null: nothing is known of the table yet

  $effect(() => {
    const look = () => (isHidden = document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });

  $effect(() => {
    showIcon(isHidden && ours ? ICON_WITH_DOT : ICON);
    return () => showIcon(ICON);
  });

  $effect(() => {
    if (ours && wasOurs === false && document.hidden) {
      const others = othersAt(ours);
      void notices.show(store.table, m.your_turn(), others ? m.notify_with({ names: others }) : "");
    }
    if (store.states.size) wasOurs = ours !== undefined;
  });

  $effect(() => {
    if (!isHidden) void notices.clear(store.table);
  });
}
