import { describe, expect, it } from "vitest";
import { isForPage, letterOf, targetOf, TARGETS } from "../src/lib/letters";
import { locales } from "../src/paraglide/runtime";

describe("letters", () => {
  it.each(locales)("mean one thing each (%s)", (locale) => {
    const letters = TARGETS.map((target) => letterOf(target, locale));
    expect(new Set(letters).size).toBe(TARGETS.length);
    for (const letter of letters) expect(letter).toMatch(/^[a-z]$/);
    expect(letters.map((letter) => targetOf(letter, locale))).toEqual(TARGETS);
    expect(letters.map((letter) => targetOf(letter.toUpperCase(), locale))).toEqual(TARGETS);
  });

  it("numbers are Cóatl, other keys nothing", () => {
    expect(targetOf("2", "en")).toBe(2);
    for (const key of ["0", "Enter", "z", "?", "F1"]) expect(targetOf(key, "en")).toBeNull();
  });

  it("with Ctrl, Alt or Meta a key is the browser's", () => {
    const plain = { altKey: false, ctrlKey: false, metaKey: false, defaultPrevented: false, target: null };
    expect(isForPage(plain)).toBe(true);
    for (const name of ["altKey", "ctrlKey", "metaKey", "defaultPrevented"] as const) expect(isForPage({ ...plain, [name]: true })).toBe(false);
  });
});
