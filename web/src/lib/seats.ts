/** The seats that this browser holds. A token is the seat: it stays here and in links' fragments. */

import { forgetOpened } from "./opened";
import { lasting, type KeptTexts } from "./storage";

export interface HeldSeat {
  readonly table: string;
  readonly token: string;
  readonly role: "seat" | "watch";
  readonly nonce: string;
  readonly promise?: string;
  readonly owner?: string; // the table's owner token, if this browser opened it
  readonly watch?: string; // the spectators' token
  readonly name?: string;
  readonly at: number;
}

const KEY = "coatl.seats";

export function heldSeats(store: KeptTexts = lasting): HeldSeat[] {
  const found = store.getJson(KEY);
  return Array.isArray(found) ? (found as HeldSeat[]) : [];
}

/** False where the browser will not remember it. Nothing else is dropped to make room for it. */
export function holdSeat(seat: HeldSeat, store: KeptTexts = lasting): boolean {
  const others = heldSeats(store).filter((held) => held.token !== seat.token || held.table !== seat.table);
  return store.set(KEY, JSON.stringify([seat, ...others]));
}

export function forgetSeats(tables: readonly string[], store: KeptTexts = lasting): void {
  store.set(KEY, JSON.stringify(heldSeats(store).filter((held) => !tables.includes(held.table))));
  forgetOpened(tables, store);
}

export function seatsAt(table: string, store: KeptTexts = lasting): HeldSeat[] {
  return heldSeats(store).filter((held) => held.table === table);
}

/** A link for somebody else: the token stands behind the `#`, which browsers send to nobody. */
export function seatLink(table: string, token: string, role: "seat" | "watch" | "invite"): string {
  const kind = { seat: "join", watch: "watch", invite: "invite" }[role];
  return `${location.origin}/#/${kind}/${table}/${token}`;
}

export interface ReadLink {
  readonly kind: "join" | "watch" | "invite";
  readonly table: string;
  readonly token: string;
}

export function readLink(text: string): ReadLink | null {
  const found = /#?\/?(join|watch|invite)\/([\w-]{6,32})\/([\w-]{16,64})\s*$/.exec(text);
  if (!found) return null;
  return { kind: found[1] as ReadLink["kind"], table: found[2] ?? "", token: found[3] ?? "" };
}
