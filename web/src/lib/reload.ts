/** Loading the page anew when the server speaks another protocol: a newer server has a newer page. */

import { forWindow } from "./storage";

const KEY = "coatl.reloaded";
const KEY_FOR = "coatl.reloaded.for";
const AGAIN = 60_000; // milliseconds; if it did not help just now it will not help now

let reloading = false;

/** False if it has just been tried, or cannot be remembered: then somebody has to be told. */
export function reloadOnce(reload: () => void = () => location.reload(), now = Date.now()): boolean {
  if (reloading) return true;
  const last = Number(forWindow.get(KEY) ?? -AGAIN);
  if (now - last < AGAIN || !forWindow.set(KEY, String(now))) return false;
  reloading = true;
  reload();
  return true;
}

/** The server speaks this protocol, and the page another: once for each, however often it is heard. */
export function reloadFor(protocol: string, reload?: () => void): void {
  if (forWindow.get(KEY_FOR) === protocol || !forWindow.set(KEY_FOR, protocol)) return;
  reloadOnce(reload);
}
