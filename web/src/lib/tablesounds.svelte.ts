/** What is heard at a table: what moves there, that it is your turn, that something is not allowed. */

import { untrack } from "svelte";
import type { Selection } from "./selection.svelte";
import { soundOf, speaker, type Sound } from "./sounds";
import type { TableStore } from "./table.svelte";

const play = (sound: Sound) => untrack(() => speaker.play(sound)); // switching sounds on repeats none

/** To be called when the table's screen is made. */
export function soundTable(store: TableStore, selection: Selection): void {
  let wasMine: boolean | null = null;

  $effect(() => {
    const sound = document.hidden ? null : soundOf(store.playback.recent);
    if (sound) play(sound);
  });

  $effect(() => {
    const isMine = selection.mine;
    const isThere = store.state !== undefined;
    if (isMine && wasMine === false) play("turn");
    if (isThere) wasMine = isMine;
  });

  $effect(() => {
    if (store.refused || selection.pop?.kind === "why") play("refused");
  });
}
