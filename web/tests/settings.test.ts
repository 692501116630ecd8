import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { KeptTexts } from "../src/lib/storage";
import { blocked, makeStorage } from "./storage";

const KEY = "coatl.settings";
let browser: Storage;
let system: { dark: boolean; still: boolean };

/** As after loading the page. */
async function load() {
  vi.resetModules();
  return await import("../src/lib/settings.svelte");
}

beforeEach(() => {
  browser = makeStorage();
  system = { dark: false, still: false };
  vi.stubGlobal("localStorage", browser);
  vi.stubGlobal("matchMedia", (query: string) => ({ matches: query.includes("dark") ? system.dark : system.still }));
});
afterEach(() => vi.unstubAllGlobals());

describe("settings", () => {
  it("hold at once, and are there when the page is opened again", async () => {
    const { settings, FIRST } = await load();
    expect(settings.now).toEqual(FIRST);
    settings.set({ speed: "fast", notation: true });
    expect([settings.now.speed, settings.now.notation]).toEqual(["fast", true]);
    expect((await load()).settings.now).toEqual({ ...FIRST, speed: "fast", notation: true });
  });

  it("of earlier versions go on", async () => {
    browser.setItem("coatl.preferences", JSON.stringify({ theme: "dark", confirmTakes: false, notation: true, name: "Ana" }));
    browser.setItem("coatl.pace", JSON.stringify({ speed: "slow", motion: false }));
    const { settings, FIRST } = await load();
    const kept = { ...FIRST, theme: "dark", confirmTakes: false, notation: true, name: "Ana", speed: "slow", motion: "off" };
    expect(settings.now).toEqual(kept);
    settings.set({ speed: "fast" });
    expect((await load()).settings.now).toEqual({ ...kept, speed: "fast" });
  });

  it("of earlier versions follow the system where they were the same", async () => {
    browser.setItem("coatl.preferences", JSON.stringify({ theme: "dark" }));
    browser.setItem("coatl.pace", JSON.stringify({ speed: "normal", motion: true }));
    system.dark = true;
    const { settings } = await load();
    expect([settings.now.theme, settings.theme, settings.now.motion]).toEqual(["system", "dark", "system"]);
  });

  it("that cannot be used are as they are at first", async () => {
    const { readSettings, FIRST } = await load();
    for (const text of ['{"theme": "pink", "speed": 3, "sounds": "yes", "name": null, "more": 1}', "[1]", '"text"', "{"]) {
      browser.setItem(KEY, text);
      expect(readSettings(new KeptTexts(() => browser), "light")).toEqual(FIRST);
    }
  });

  it("last as long as the page where nothing is kept", async () => {
    vi.stubGlobal("localStorage", undefined);
    const { settings, readSettings, FIRST } = await load();
    settings.set({ cards: "large" });
    expect(settings.now.cards).toBe("large");
    expect(readSettings(new KeptTexts(blocked), "dark")).toEqual(FIRST);
  });

  it("are set back together, but the name stays", async () => {
    const { settings, FIRST } = await load();
    settings.set({ name: "Ana", theme: "dark", sounds: true });
    settings.setBack();
    expect(settings.now).toEqual({ ...FIRST, name: "Ana" });
  });
});

describe("what they mean", () => {
  it("the system decides the theme until somebody does", async () => {
    system.dark = true;
    const { settings } = await load();
    expect(settings.theme).toBe("dark");
    settings.turnTheme();
    expect([settings.theme, settings.now.theme]).toEqual(["light", "light"]);
  });

  it("the system decides whether things move until somebody does", async () => {
    system.still = true;
    const { settings } = await load();
    const page = { dataset: {} } as HTMLElement;
    const shown = (motion: "system" | "on" | "off") => {
      settings.set({ motion });
      settings.show(page);
      return page.dataset["motion"];
    };
    expect([shown("system"), shown("on"), shown("off")]).toEqual(["still", "moving", "still"]);
    system.still = false;
    expect((await load()).settings.isStill).toBe(true); // off is off
  });

  it("large cards are wider", async () => {
    const { settings } = await load();
    expect(settings.cardWidth(92)).toBe(92);
    settings.set({ cards: "large" });
    expect(settings.cardWidth(92)).toBe(115);
  });
});
