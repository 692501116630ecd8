import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readRoute } from "../src/lib/route";
import { forgetSeats, heldSeats, holdSeat, readLink, seatLink, seatsAt, type HeldSeat } from "../src/lib/seats";
import { KeptTexts } from "../src/lib/storage";
import { makeStorage } from "./storage";

const seat = (table: string, token: string, more: Partial<HeldSeat> = {}): HeldSeat => ({ table, token, role: "seat", nonce: "n", at: 0, ...more });

describe("the seats that a browser holds", () => {
  let store: KeptTexts;
  beforeEach(() => {
    const browser = makeStorage();
    store = new KeptTexts(() => browser);
  });

  it("are kept, the newest first, each once", () => {
    holdSeat(seat("one", "a"), store);
    holdSeat(seat("one", "b"), store);
    holdSeat(seat("two", "a"), store); // a token may be good at the next table too
    holdSeat(seat("one", "a", { promise: "p" }), store);
    expect(heldSeats(store).map(({ table, token }) => `${table} ${token}`)).toEqual(["one a", "two a", "one b"]);
    expect(seatsAt("one", store).map(({ token, promise }) => [token, promise])).toEqual([["a", "p"], ["b", undefined]]);
  });

  it("are forgotten with their table, and never because there are many", () => {
    for (let n = 0; n < 300; n += 1) holdSeat(seat(`table-${n}`, "t"), store);
    const held = heldSeats(store).map(({ table }) => table);
    expect([held.length, held[0], held.at(-1)]).toEqual([300, "table-299", "table-0"]);
    forgetSeats(["table-299", "table-0"], store);
    expect([heldSeats(store).length, heldSeats(store)[0]?.table]).toEqual([298, "table-298"]);
  });

  it("are all there when there is no room for one more, which lasts as long as the page", () => {
    const browser = makeStorage(200);
    const full = new KeptTexts(() => browser);
    expect(holdSeat(seat("one", "a"), full)).toBe(true);
    expect(holdSeat(seat("two", "b", { nonce: "x".repeat(200) }), full)).toBe(false);
    expect([heldSeats(full).map(({ table }) => table), full.trouble]).toEqual([["two", "one"], "full"]);
    const again = new KeptTexts(() => browser);
    expect(heldSeats(again).map(({ table }) => table)).toEqual(["one"]);
  });

  it("are none where what is kept is broken", () => {
    for (const broken of ["{", '{"table": "t"}', "7"]) {
      store.set("coatl.seats", broken);
      expect(heldSeats(store)).toEqual([]);
    }
  });
});

describe("links", () => {
  const [table, token] = ["Zk3v9QxT2mLa", "token-token-token-1"];
  beforeEach(() => vi.stubGlobal("location", { origin: "https://coatl.test" }));
  afterEach(() => vi.unstubAllGlobals());

  it("hide the token behind the #, and are read again, alone and as an address", () => {
    for (const [role, kind] of [["seat", "join"], ["watch", "watch"], ["invite", "invite"]] as const) {
      const link = seatLink(table, token, role);
      expect(link).toBe(`https://coatl.test/#/${kind}/${table}/${token}`);
      expect(readLink(`${link}\n`)).toEqual({ kind, table, token });
      expect(readRoute(new URL(link).hash)).toEqual({ screen: "arrive", link: { kind, table, token } });
    }
  });

  it("are nothing else", () => {
    for (const text of [`https://coatl.test/#/table/${table}`, `#/join/${table}`, `#/join/${table}/short`, `#/join/${table}/${token}/more`, ""])
      expect(readLink(text)).toBeNull();
    expect(readRoute(`#/table/${table}`)).toEqual({ screen: "table", table });
  });
});
