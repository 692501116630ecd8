/** A button if there is something to do, else a picture: what cards, chips, tags and tokens share. */

import type { HTMLAttributes } from "svelte/elements";

export interface PressProps extends Omit<HTMLAttributes<HTMLElement>, "onclick" | "class" | "children"> {
  /** the accessible name, shown as a title too */
  label?: string;
  onclick?: (event: MouseEvent) => void;
  /** for a button that stays pressed */
  selected?: boolean;
  /** not now: it can still be pressed, to be told why */
  off?: boolean;
  /** can be focused even without anything to do: focus opens the full card, as a tap does */
  focusable?: boolean;
  class?: string;
}

/** The element to draw it with. */
export const pressTag = ({ onclick }: PressProps): "button" | "span" => (onclick ? "button" : "span");

/** A card that explains itself when it is pressed, wherever it lies (TurnLayer.svelte). */
const isRead = (attributes: object): boolean => "data-read" in attributes;

/** The attributes of that element. */
export function pressAttributes({ label, onclick, selected, off, focusable, ...rest }: PressProps) {
  const named = { "aria-label": label, title: label };
  const role = isRead(rest) ? "button" : label ? "img" : undefined;
  if (!onclick) return { ...named, role, tabindex: focusable ? 0 : undefined, ...rest };
  return { type: "button", ...named, "aria-pressed": selected, "aria-disabled": off || undefined, onclick, ...rest };
}
