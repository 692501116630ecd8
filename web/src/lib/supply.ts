/** What lies in a supply space, piece by piece in the notation. */

import type { ViewData } from "./protocol";

export function spacePieces(view: Pick<ViewData, "supply">, space: string): string[] {
  const colours = [...(view.supply[space] ?? "")];
  if (space.startsWith("h")) return colours.map((colour) => `<${colour}`);
  return space.startsWith("t") ? colours.map((colour) => `${colour}>`) : colours;
}
