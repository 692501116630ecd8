import { render } from "svelte/server";
import { describe, expect, test } from "vitest";
import type { ProphecyInfo, TempleInfo } from "../src/lib/protocol";
import Chip from "../src/parts/Chip.svelte";
import Disc from "../src/parts/Disc.svelte";
import { SPACES } from "../src/lib/supply";
import { WELLS } from "../src/parts/disc";
import {
  colourOf,
  fitHeight,
  levelsOf,
  parseCoatl,
  parsePiece,
  patternOf,
  requirementOf,
  sharedHeight,
} from "../src/parts/pieces";
import ProphecyCard from "../src/parts/ProphecyCard.svelte";
import Serpent from "../src/parts/Serpent.svelte";
import TempleCard from "../src/parts/TempleCard.svelte";
import { place, standing } from "../src/parts/track";
import Tray from "../src/parts/Tray.svelte";

const count = (body: string, text: string | RegExp) => body.split(text).length - 1;

describe("pieces and Cóatl", () => {
  test("a closed Cóatl has a head, segments and a tail", () => {
    const pieces = parseCoatl("<KRRBGY>");
    expect(pieces.map(({ kind }) => kind).join("")).toBe("hbbbbt");
    expect(pieces.map(({ colour }) => colour).join("")).toBe("KRRBGY");
  });

  test.each([
    ["<KR", "hb"],
    ["KR>", "bt"],
    ["GG", "bb"],
    ["<K", "h"],
    ["", ""],
  ])("%s may be open at either end", (text, kinds) => {
    expect(parseCoatl(text).map(({ kind }) => kind).join("")).toBe(kinds);
  });

  test.each(["<", ">", "<>", "<K>", "KX", "K<R", "2R", "k"])("%s is not a Cóatl", (text) => {
    expect(() => parseCoatl(text)).toThrow("not a Cóatl");
  });

  test("single pieces", () => {
    expect(parsePiece("<K")).toEqual({ kind: "h", colour: "K" });
    expect(parsePiece("R")).toEqual({ kind: "b", colour: "R" });
    expect(parsePiece("G>")).toEqual({ kind: "t", colour: "G" });
    expect(() => parsePiece("KR")).toThrow("not a piece");
    expect(() => parsePiece("")).toThrow("not a piece");
  });

  test("a long serpent gets lower, but stays readable", () => {
    expect(fitHeight(1000, "<KRBYG>")).toBe(54);
    expect(fitHeight(400, "<KRBYGKRBYG>")).toBeCloseTo((400 * 64) / (194 + 46 * 8));
    expect(fitHeight(200, "<KRBYGKRBYGKRBYGKRBYG>")).toBe(22);
  });
  test("leaves room for what may be added", () => {
    expect(fitHeight(400, "KRBYGKRBYG", { spare: 1 })).toBeCloseTo((400 * 64) / (194 + 46 * 9));
    expect(fitHeight(400, "R", { spare: 1, most: 200 })).toBeCloseTo((400 * 64) / (194 + 46));
    expect(fitHeight(10, "<K", { least: 13 })).toBe(13);
  });
  test("serpents that are shown together have one scale", () => {
    const LONG = "<KRBYGKRBYGKRBYGK>"; // 16 pieces
    expect(sharedHeight(600, ["<KR", LONG, "K"])).toBeCloseTo((600 * 64) / (194 + 46 * 14));
    expect(sharedHeight(600, ["<KR", "K"])).toBe(54);
    expect(sharedHeight(600, [])).toBe(54);
    expect(sharedHeight(100, [LONG], { least: 14 })).toBe(14);
  });
  test("their scale seldom changes", () => {
    const scales = Array.from({ length: 12 }, (_, more) => sharedHeight(300, [`<KRBYG${"R".repeat(more)}`]));
    expect(new Set(scales.slice(0, 4)).size).toBe(1); // 5 to 8 pieces
    expect(new Set(scales).size).toBe(3);
  });
  test("those that are whole need no room for more", () => {
    const most = 200;
    expect(sharedHeight(600, ["<KRBYGKR"], { spare: 1, most })).toBeCloseTo((600 * 64) / (194 + 46 * 6));
    expect(sharedHeight(600, ["<KRBYGK>"], { spare: 1, most })).toBeCloseTo((600 * 64) / (194 + 46 * 6));
    expect(sharedHeight(600, ["<KRBYGKRB"], { spare: 1, most })).toBeCloseTo((600 * 64) / (194 + 46 * 10));
    expect(sharedHeight(600, ["<KRBYGKRB>"], { spare: 1, most })).toBeCloseTo((600 * 64) / (194 + 46 * 6));
  });
});

describe("cards", () => {
  const plain = { crossed: false, repeat: false };

  test("a lone pair crosses out its neighbours", () => {
    expect(patternOf("!Y Y Y !Y")).toEqual({
      kind: "line",
      cells: [
        { colour: "Y", crossed: true, repeat: false },
        { colour: "Y", ...plain },
        { colour: "Y", ...plain },
        { colour: "Y", crossed: true, repeat: false },
      ],
    });
  });

  test("one or more of a colour, one or more of any", () => {
    expect(patternOf("Y K+ R")).toMatchObject({ cells: [{}, { colour: "K", repeat: true }, {}] });
    expect(patternOf("K Y *+ Y K")).toMatchObject({
      cells: [{}, {}, { colour: "W", repeat: true }, {}, {}],
    });
    expect(patternOf("R * R")).toMatchObject({ cells: [{}, { colour: "W", repeat: false }, {}] });
  });

  test("what is counted is one piece; amounts are seals in the order of the card", () => {
    expect(patternOf("{Y}")).toEqual({ kind: "line", cells: [{ colour: "Y", ...plain }] });
    expect(patternOf("{YYGGR}")).toEqual({
      kind: "any",
      amounts: [
        ["Y", 2],
        ["G", 2],
        ["R", 1],
      ],
    });
  });

  test.each(["", "Q", "Y ++", "{", "{Q}", "!"])("%s is not a pattern", (text) => {
    expect(() => patternOf(text)).toThrow("not a step");
  });

  test("requirements", () => {
    expect(requirementOf("noK")).toEqual({ kind: "none", colour: "K" });
    expect(requirementOf("R=Y")).toEqual({ kind: "equal", colours: ["R", "Y"] });
    expect(requirementOf("12")).toEqual({ kind: "length", pieces: 12 });
    expect(requirementOf("noblue")).toEqual({ kind: "noCard", colour: "B" });
    expect(requirementOf("noblack")).toEqual({ kind: "noCard", colour: "K" });
    expect(() => requirementOf("nopink")).toThrow("not a card colour");
    expect(() => requirementOf("R<Y")).toThrow("not a requirement");
  });

  test("colours by their words, levels in order", () => {
    expect(["black", "red", "blue", "yellow", "green"].map(colourOf).join("")).toBe("KRBYG");
    expect(levelsOf({ "10": 9, "3": 2, "4": 3 })).toEqual([
      [3, 2],
      [4, 3],
      [10, 9],
    ]);
  });
});

describe("boards", () => {
  test("the stone has ten spaces, each with its centre within its target", () => {
    expect(WELLS.map(({ space }) => space)).toEqual(SPACES);
    expect(WELLS.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { x, y, hit } of WELLS) {
      expect(x / 4).toBeGreaterThan(hit.left);
      expect(x / 4).toBeLessThan(hit.left + hit.width);
      expect(y / 4).toBeGreaterThan(hit.top);
      expect(y / 4).toBeLessThan(hit.top + hit.height);
    }
  });

  test("the score track goes there and back, and on from 1 after 50 (C6)", () => {
    expect([1, 25, 26, 50].map(place)).toEqual([
      { row: 1, column: 1 },
      { row: 1, column: 25 },
      { row: 2, column: 25 },
      { row: 2, column: 1 },
    ]);
    expect([0, 1, 50, 51, 58, 100, 101].map(standing)).toEqual([
      { space: 0, beside: 0 },
      { space: 1, beside: 0 },
      { space: 50, beside: 0 },
      { space: 1, beside: 50 },
      { space: 8, beside: 50 },
      { space: 50, beside: 50 },
      { space: 1, beside: 100 },
    ]);
  });
});

describe("parts", () => {
  const info: ProphecyInfo = {
    name: "{Y}",
    pattern: "{Y}",
    colour: "red",
    copies: 2,
    promo: false,
    levels: { "3": 2, "4": 3, "5": 4, "6": 5 },
    sentence: "",
  };
  const temple: TempleInfo = {
    name: "noK/8",
    requirements: ["noK", "8"],
    levels: [3, 7],
    copies: 1,
    promo: false,
    sentence: "",
  };

  test("a card fills a pip a time and a step a level", () => {
    const { body } = render(ProphecyCard, { props: { info, met: 4 } });
    expect(count(body, /<i class="[^"]*\bon\b/)).toBe(4);
    expect(count(body, /class="step [^"]*\bon\b/)).toBe(2);
    expect(body).not.toContain("<button");
  });

  test("a card that can be pressed is a button with a name and a state", () => {
    const props = { info, label: "Suns", selected: true, onclick: () => undefined };
    const { body } = render(ProphecyCard, { props });
    expect(body).toMatch(/<button[^>]*aria-label="Suns"[^>]*aria-pressed="true"/);
  });

  test("more times than the card can be met fill no more pips than it has", () => {
    const { body } = render(Chip, { props: { info, times: 9, points: 5 } });
    expect(count(body, /<i class="[^"]*\bon\b/)).toBe(6);
  });

  test("a Temple card ticks the doors that are met and marks one step", () => {
    const { body } = render(TempleCard, { props: { info: temple, met: [true, false] } });
    expect(count(body, /class="door [^"]*\bmet\b/)).toBe(1);
    expect(count(body, /class="step [^"]*\bon\b/)).toBe(1);
  });

  test("every space of the supply is a button, full or empty", () => {
    const label = (space: string) => `Space ${space}`;
    const props = { supply: { b1: "KB", h1: "R" }, d: 360, onpick: () => undefined, label };
    const { body } = render(Disc, { props });
    for (const space of SPACES) expect(body).toContain(`data-space="${space}"`);
    expect(count(body, "<button")).toBe(10);
    expect(body).toContain('aria-label="Space t2"');
    expect(count(body, 'href="#slot-')).toBe(8);
  });

  test("a board has eight wells, and its pieces are buttons", () => {
    const props = { pieces: ["<K", "R", "G>"], selected: 1, onpick: () => undefined };
    const { body } = render(Tray, { props });
    expect(count(body, "data-well")).toBe(8);
    expect(count(body, "<button")).toBe(3);
    expect(count(body, 'aria-pressed="true"')).toBe(1);
  });

  test("the legal ends of a serpent are buttons, and lit pieces count from 0", () => {
    const left = { kind: "h", label: "left", onclick: () => undefined } as const;
    const { body } = render(Serpent, { props: { pieces: "KRB", h: 54, left, lit: [0, 2] } });
    expect(count(body, "<button")).toBe(1);
    expect(body).toContain('href="#slot-head"');
    expect(body).toMatch(/lit.*body-K.*dim.*body-R.*lit.*body-B/s);
  });
});
