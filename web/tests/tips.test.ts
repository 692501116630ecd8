import { beforeEach, describe, expect, it, vi } from "vitest";
import { readChoices } from "../src/lib/choices";
import { BAG, fulfil, piece, seatView, supply } from "./making";
import { makeStorage } from "./storage";

const { finished } = vi.hoisted(() => ({ finished: { count: 0 } }));
vi.mock("../src/lib/mygameskept", () => ({ keptGames: () => Array(finished.count) }));
vi.stubGlobal("localStorage", makeStorage());
const { settings } = await import("../src/lib/settings.svelte");
const { Tips, toldTips } = await import("../src/lib/tips.svelte");

const NOTHING = { own: seatView(), choices: readChoices([]), recent: [] };
const REFILL = { ...NOTHING, recent: [piece(null, "R", BAG, supply("b1"))] };
const FITS = { ...NOTHING, choices: readChoices([fulfil(0, "KKK")]) };
const open = { pieces: "<K", complete: false, value: 0 };
const CLOSING = { ...NOTHING, own: seatView({ coatls: [{ ...open, closing: 3 }] }) };
const TEMPLE = { ...NOTHING, own: seatView({ coatls: [open], temples: ["noK/8"] }) };

beforeEach(() => {
  localStorage.clear();
  finished.count = 0;
  settings.set({ tips: true });
});

describe("tips", () => {
  it.each([["refill", REFILL], ["fits", FITS], ["closing", CLOSING], ["temple", TEMPLE]] as const)("%s comes where it applies, once", (tip, situation) => {
    const tips = new Tips();
    tips.look(1, NOTHING);
    expect(tips.now).toBeNull();
    tips.look(1, situation);
    expect(tips.now).toBe(tip);
    tips.close();
    expect(toldTips()).toEqual([tip]);
    for (const again of [tips, new Tips()]) {
      again.look(2, situation);
      expect(again.now).toBeNull();
    }
  });

  it("comes again if there was no room for it", () => {
    const tips = new Tips();
    tips.look(1, FITS);
    tips.close(false);
    expect([tips.now, toldTips()]).toEqual([null, []]);
    tips.look(2, FITS);
    expect(tips.now).toBe("fits");
  });

  it("one in a turn, and it stays until it is closed", () => {
    const tips = new Tips();
    tips.look(1, REFILL);
    tips.look(2, FITS);
    expect(tips.now).toBe("refill");
    tips.close();
    tips.look(1, FITS);
    expect(tips.now).toBeNull();
    tips.look(3, FITS);
    expect(tips.now).toBe("fits");
  });

  it("is over when the card that fits was laid", () => {
    const tips = new Tips();
    tips.look(1, FITS);
    tips.look(1, NOTHING);
    expect([tips.now, toldTips()]).toEqual([null, ["fits"]]);
  });

  it("none for those who turned them off, or have finished some games", () => {
    const tips = new Tips();
    tips.look(1, FITS);
    settings.set({ tips: false });
    tips.look(1, FITS);
    expect(tips.now).toBeNull();
    settings.set({ tips: true });
    finished.count = 3;
    tips.look(2, FITS);
    expect(tips.now).toBeNull();
  });
});
