/** Was the chance of a game the promised one? The promise is the SHA-256 of the secret told now. */

import type { TableState } from "./protocol";
import type { HeldSeat } from "./seats";

async function sha256(hex: string): Promise<string> {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** `cannot`: browsers hash only where the page came safely. */
export async function checkFairness(table: TableState, held: HeldSeat | undefined): Promise<"fair" | "unfair" | "cannot"> {
  const told = table.fairness;
  if (!told || !globalThis.crypto?.subtle) return "cannot";
  const places = Object.keys(told.nonces).sort((a, b) => Number(a) - Number(b));
  const promise = held?.promise || table.promise;
  const keeps = (await sha256(told.secret)) === promise && table.promise === promise;
  const seeds = (await sha256(told.secret + places.map((at) => told.nonces[at]).join(""))) === told.seed;
  const mine = held?.role !== "seat" || Object.values(told.nonces).includes(held.nonce);
  return keeps && seeds && mine ? "fair" : "unfair";
}
