import { afterEach, describe, expect, it, vi } from "vitest";
import { checkFairness } from "../src/lib/fairness";
import type { HeldSeat } from "../src/lib/seats";
import { tableState } from "./making";

/*
 * What the server makes of these, from the Python shell:
 *   from coatl.fairness import derive_seed, promise_of
 *   secret = bytes(range(32)).hex()
 *   promise_of(secret)
 *   derive_seed(secret, {0: "aa" * 32, 2: "5b" * 32, 10: "00" * 31 + "01"})
 */
const SECRET = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join("");
const NONCES = { "0": "aa".repeat(32), "2": "5b".repeat(32), "10": `${"00".repeat(31)}01` };
const PROMISE = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
const SEED = "da919bf01b3b7e9b908d7465f2f9c9fc0c37b94260a053e12c4ccd5baf45fd33";

const fairness = { secret: SECRET, nonces: NONCES, seed: SEED };
const ended = tableState({ status: "over", promise: PROMISE, fairness });
const held: HeldSeat = { table: "table-1", token: "t", role: "seat", nonce: NONCES["2"], promise: PROMISE, at: 0 };
/** Another digit at the end. */
const other = (text: string) => text.slice(0, -1) + (text.endsWith("0") ? "1" : "0");

describe("checkFairness", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("agrees with the server's promise and seed, the nonces by the numbers of their places", async () => {
    expect(await checkFairness(ended, held)).toBe("fair");
  });

  it("needs no nonce: among bots the secret alone makes the seed", async () => {
    const told = { secret: SECRET, nonces: {}, seed: PROMISE }; // both are the SHA-256 of the secret alone
    expect(await checkFairness({ ...ended, fairness: told }, { ...held, role: "watch" })).toBe("fair");
    expect(await checkFairness({ ...ended, fairness: told }, undefined)).toBe("fair");
  });

  it.each([
    ["another secret", { secret: other(SECRET) }],
    ["another seed", { seed: other(SEED) }],
    ["another nonce", { nonces: { ...NONCES, "0": other(NONCES["0"]) } }],
    ["nonces of other places", { nonces: { "0": NONCES["2"], "2": NONCES["0"], "10": NONCES["10"] } }],
    ["a nonce left out", { nonces: { "0": NONCES["0"], "2": NONCES["2"] } }],
  ])("finds %s", async (_, wrong) => {
    expect(await checkFairness({ ...ended, fairness: { ...fairness, ...wrong } }, held)).toBe("unfair");
  });

  it("holds the server to the promise that this browser saw first", async () => {
    expect(await checkFairness(ended, { ...held, promise: other(PROMISE) })).toBe("unfair");
    expect(await checkFairness({ ...ended, promise: other(PROMISE) }, held)).toBe("unfair");
    const forgot = { ...held, promise: "" };
    expect(await checkFairness(ended, forgot)).toBe("fair");
    expect(await checkFairness({ ...ended, promise: other(PROMISE) }, forgot)).toBe("unfair");
  });

  it("misses this browser's nonce where it was left out, but not that of a spectator", async () => {
    expect(await checkFairness(ended, { ...held, nonce: "cc".repeat(32) })).toBe("unfair");
    expect(await checkFairness(ended, { ...held, nonce: "cc".repeat(32), role: "watch" })).toBe("fair");
  });

  it("cannot say anything before the end, or where the browser does not hash", async () => {
    expect(await checkFairness({ ...ended, fairness: null }, held)).toBe("cannot");
    vi.stubGlobal("crypto", {});
    expect(await checkFairness(ended, held)).toBe("cannot");
  });
});
