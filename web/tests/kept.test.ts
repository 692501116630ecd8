import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseLanguage, chosenLanguage } from "../src/lib/language";
import { forgetOpened, keepOpened, openedTable } from "../src/lib/opened";
import { KeptTexts } from "../src/lib/storage";
import { blocked, makeStorage } from "./storage";

describe("what a browser keeps", () => {
  it("is there when the page is opened again", () => {
    const browser = makeStorage();
    expect(new KeptTexts(() => browser).set("name", "Ana")).toBe(true);
    const again = new KeptTexts(() => browser);
    expect([again.get("name"), again.get("other"), again.trouble]).toEqual(["Ana", null, null]);
    again.remove("name");
    expect([again.get("name"), browser.getItem("name")]).toEqual([null, null]);
  });

  it("lasts as long as the page where storage is blocked, and nothing fails", () => {
    const texts = new KeptTexts(blocked);
    expect([texts.get("name"), texts.trouble]).toEqual([null, "blocked"]);
    expect(texts.set("name", "Ana")).toBe(false);
    expect(texts.get("name")).toBe("Ana");
    texts.remove("name");
    expect(texts.get("name")).toBeNull();
  });

  it("says that there is no room left, until there is", () => {
    const browser = makeStorage(10);
    const texts = new KeptTexts(() => browser);
    expect([texts.set("long", "x".repeat(11)), texts.get("long")?.length, texts.trouble]).toEqual([false, 11, "full"]);
    expect([texts.set("long", "short"), texts.trouble, browser.getItem("long")]).toEqual([true, null, "short"]);
  });

  it("is nothing where it cannot be read as what it should be", () => {
    const texts = new KeptTexts(() => makeStorage());
    texts.set("broken", "{");
    expect([texts.getJson("broken"), texts.getJson("none")]).toEqual([null, null]);
  });
});

describe("what is kept of a table that was opened here", () => {
  const opened = (table: string) => ({ table, owner: "o", watch: "w", invite: null, links: [] });

  it("stays, however many there are, until the table is forgotten", () => {
    const browser = makeStorage();
    const texts = new KeptTexts(() => browser);
    for (let n = 0; n < 100; n += 1) keepOpened(opened(`table-${n}`), texts);
    expect(openedTable("table-0", texts)).toEqual(opened("table-0"));
    forgetOpened(["table-0"], texts);
    expect([openedTable("table-0", texts), openedTable("table-1", texts)]).toEqual([undefined, opened("table-1")]);
  });
});

describe("the language", () => {
  const HOME = "https://coatl.test/#/table/x";
  beforeEach(() => vi.stubGlobal("localStorage", makeStorage()));
  afterEach(() => vi.unstubAllGlobals());

  it("is remembered under the name it always had", () => {
    expect(chosenLanguage(HOME)).toBeUndefined();
    expect(chooseLanguage("fr", HOME)).toBe(HOME);
    expect([localStorage.getItem("PARAGLIDE_LOCALE"), chosenLanguage(HOME)]).toEqual(["fr", "fr"]);
    localStorage.setItem("PARAGLIDE_LOCALE", "xx");
    expect(chosenLanguage(HOME)).toBeUndefined();
  });

  it("stands in the address where nothing is remembered", () => {
    vi.stubGlobal("localStorage", undefined);
    const next = chooseLanguage("de", HOME);
    expect([next, chosenLanguage(next)]).toEqual(["https://coatl.test/?lang=de#/table/x", "de"]);
    vi.stubGlobal("localStorage", makeStorage());
    expect(chooseLanguage("fr", next)).toBe(HOME);
  });
});
