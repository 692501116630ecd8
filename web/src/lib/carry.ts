/** A link that carries a seat to another of a person's devices, with what the check of fair draws needs there. */

import type { HeldSeat, ReadLink } from "./seats";

export interface CarriedSeat extends ReadLink {
  readonly kind: "join";
  readonly nonce: string;
  readonly promise: string; // empty: the table has promised nothing
}

/** What stands behind the `#`: 32 bytes take 43 letters there, so that a QR code stays small. */
export function carryHash({ table, token, nonce, promise }: Pick<HeldSeat, "table" | "token" | "nonce" | "promise">): string {
  return ["#", "seat", table, token, shorten(nonce), ...(promise ? [shorten(promise)] : [])].join("/");
}

export const carryLink = (seat: HeldSeat, origin: string = location.origin): string => `${origin}/${carryHash(seat)}`;

export function readCarried(text: string): CarriedSeat | null {
  const found = /#?\/?seat\/([\w-]{6,32})\/([\w-]{16,64})\/([\w-]{43})(?:\/([\w-]{43}))?\s*$/.exec(text);
  if (!found) return null;
  const [, table = "", token = "", nonce = "", promise = ""] = found;
  return { kind: "join", table, token, nonce: lengthen(nonce), promise: promise && lengthen(promise) };
}

/** Hexadecimal digits as base64 for addresses (RFC 4648, section 5). */
function shorten(hex: string): string {
  const bytes = (hex.match(/../g) ?? []).map((pair) => String.fromCharCode(parseInt(pair, 16)));
  return btoa(bytes.join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function lengthen(text: string): string {
  const bytes = [...atob(text.replace(/-/g, "+").replace(/_/g, "/"))];
  return bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}
