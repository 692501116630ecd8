import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { cards } from "../src/lib/cards.svelte";
import { pieceName } from "../src/lib/names";
import type { ProphecyInfo, TempleInfo } from "../src/lib/protocol";
import { amountsInWords, cardRequirement, cardSentence, levelWords, prophecySentence, requirementWords, templeSentence } from "../src/lib/sentences";
import { overwriteGetLocale } from "../src/paraglide/runtime";

const LANGUAGES = ["en", "fr", "de"] as const;
type Language = (typeof LANGUAGES)[number];
const speak = (language: Language) => overwriteGetLocale(() => language);
afterEach(() => speak("en"));

/** The groups of cards of the deck file. */
const groups = readFileSync("../src/coatl/rules/cards.toml", "utf-8").split(/^\[\[/m).slice(1).map((text) => ({
  kind: /^\w+/.exec(text)?.[0],
  levels: Object.fromEntries([...(/^levels = .*$/m.exec(text)?.[0] ?? "").matchAll(/(\d+) = (\d+)/g)].map(([, times, points]) => [times, Number(points)])),
  points: [...(/^points = .*$/m.exec(text)?.[0] ?? "").matchAll(/\d+/g)].map(Number),
  cards: [...(/^cards = \[[^\]]*\]/m.exec(text)?.[0] ?? "").matchAll(/"(.*?)"/g)].map(([, card]) => card!),
}));
const prophecies = groups.filter(({ kind }) => kind === "prophecy")
  .flatMap(({ levels, cards }) => cards.map((pattern) => ({ name: pattern, pattern, levels }) as unknown as ProphecyInfo));
const temples = groups.filter(({ kind }) => kind === "temple")
  .flatMap(({ points, cards }) => cards.map((name) => ({ name, requirements: name.replaceAll("no ", "no").split(" / "), levels: points }) as unknown as TempleInfo));
cards.prophecies = new Map(prophecies.map((card) => [card.name, card]));
cards.temples = new Map(temples.map((card) => [card.name, card]));

const PIECES: Readonly<Record<Language, readonly string[]>> = {
  en: ["black head", "green segment", "blue tail"],
  fr: ["tête noire", "segment vert", "queue bleue"],
  de: ["schwarzer Kopf", "grünes Körpersegment", "blauer Schwanz"],
};

const SENTENCES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  "{K}": {
    en: "3 black pieces anywhere: 2 points; 4: 3 points; 5: 4 points; 6 or more: 5 points.",
    fr: "3 pièces noires n’importe où~: 2 points~; 4~: 3 points~; 5~: 4 points~; 6 ou plus~: 5 points.",
    de: "3 schwarze Teile an beliebiger Stelle: 2 Punkte; 4: 3 Punkte; 5: 4 Punkte; 6 oder mehr: 5 Punkte.",
  },
  "!B B B !B": {
    en: "A lone pair of blue pieces, with no third beside it: 2 points; 2 or more: 5 points.",
    fr: "Une paire isolée de pièces bleues, sans troisième à côté~: 2 points~; 2 ou plus~: 5 points.",
    de: "Ein einzelnes Paar blauer Teile ohne drittes daneben: 2 Punkte; 2 oder mehr: 5 Punkte.",
  },
  "Y Y Y": {
    en: "3 yellow pieces in a row: 3 points; 2 or more: 7 points.",
    fr: "3 pièces jaunes à la suite~: 3 points~; 2 ou plus~: 7 points.",
    de: "3 gelbe Teile in Folge: 3 Punkte; 2 oder mehr: 7 Punkte.",
  },
  "Y G": {
    en: "A yellow-green sequence, from head to tail: 1 point; 2: 3 points; 3 or more: 5 points.",
    fr: "Une séquence jaune-vert, de la tête à la queue~: 1 point~; 2~: 3 points~; 3 ou plus~: 5 points.",
    de: "Abfolge Gelb-Grün, vom Kopf zum Schwanz: 1 Punkt; 2: 3 Punkte; 3 oder mehr: 5 Punkte.",
  },
  "R R R G G": {
    en: "3 red pieces, then 2 green ones in a row, from head to tail: 6 points.",
    fr: "3 pièces rouges, puis 2 vertes à la suite, de la tête à la queue~: 6 points.",
    de: "3 rote Teile, dann 2 grüne in Folge, vom Kopf zum Schwanz: 6 Punkte.",
  },
  "Y K+ R": {
    en: "A yellow piece, then 1 or more black ones, then a red one in a row, from head to tail: 2 points; 2 or more: 6 points.",
    fr: "Une pièce jaune, puis 1 ou plusieurs noires, puis une rouge à la suite, de la tête à la queue~: 2 points~; 2 ou plus~: 6 points.",
    de: "Ein gelbes Teil, dann 1 oder mehr schwarze, dann ein rotes in Folge, vom Kopf zum Schwanz: 2 Punkte; 2 oder mehr: 6 Punkte.",
  },
  "K Y *+ Y K": {
    en: "A black-yellow sequence, then 1 or more pieces of any colours, then a yellow-black sequence: 4 points.",
    fr: "Une séquence noir-jaune, puis 1 ou plusieurs pièces de n’importe quelles couleurs, puis une séquence jaune-noir~: 4 points.",
    de: "Abfolge Schwarz-Gelb, dann 1 oder mehr Teile beliebiger Farben, dann Abfolge Gelb-Schwarz: 4 Punkte.",
  },
  "{YYGGR}": {
    en: "2 yellow pieces, 2 green ones and a red one anywhere: 3 points.",
    fr: "2 pièces jaunes, 2 vertes et une rouge n’importe où~: 3 points.",
    de: "2 gelbe Teile, 2 grüne und ein rotes an beliebiger Stelle: 3 Punkte.",
  },
  "no K / 8": {
    en: "No black pieces; exactly 8 pieces. 1 requirement met: 3 points; 2 requirements met: 7 points.",
    fr: "Aucune pièce noire~; exactement 8 pièces. 1 condition remplie~: 3 points~; 2 conditions remplies~: 7 points.",
    de: "Keine schwarzen Teile; genau 8 Teile. 1 Voraussetzung erfüllt: 3 Punkte; 2 Voraussetzungen erfüllt: 7 Punkte.",
  },
  "no B / K=R": {
    en: "No blue pieces; as many black as red pieces, at least 1 of each. 1 requirement met: 3 points; 2 requirements met: 7 points.",
    fr: "Aucune pièce bleue~; autant de pièces noires que de rouges, au moins 1 de chaque. 1 condition remplie~: 3 points~; 2 conditions remplies~: 7 points.",
    de: "Keine blauen Teile; gleich viele schwarze wie rote Teile, je mindestens 1. 1 Voraussetzung erfüllt: 3 Punkte; 2 Voraussetzungen erfüllt: 7 Punkte.",
  },
  "no green / 8": {
    en: "No green Prophecy card on it; exactly 8 pieces. 1 requirement met: 3 points; 2 requirements met: 7 points.",
    fr: "Aucune carte Prophétie verte dessus~; exactement 8 pièces. 1 condition remplie~: 3 points~; 2 conditions remplies~: 7 points.",
    de: "Keine grüne Prophezeiungskarte daran; genau 8 Teile. 1 Voraussetzung erfüllt: 3 Punkte; 2 Voraussetzungen erfüllt: 7 Punkte.",
  },
};

describe.each(LANGUAGES)("in %s", (language) => {
  test("a piece has its colour in the form that its kind needs", () => {
    speak(language);
    expect(["<K", "G", "B>"].map(pieceName)).toEqual(PIECES[language]);
  });

  test.each(Object.keys(SENTENCES))("the card %s reads well", (name) => {
    speak(language);
    expect(cardSentence(name)).toBe(SENTENCES[name]![language].replaceAll("~", "\u00a0"));
  });

  test("every card has a sentence of its own, and what it asks for alone", () => {
    speak(language);
    expect(prophecies.length).toBe(55);
    expect(temples.length).toBe(20);
    const sentences = [...prophecies.map(prophecySentence), ...temples.map(templeSentence)];
    expect(new Set(sentences).size).toBe(sentences.length);
    const asked = [...prophecies, ...temples].map(({ name }) => cardRequirement(name));
    expect(new Set(asked).size).toBe(asked.length);
    for (const text of [...sentences, ...asked]) {
      expect(text).toMatch(/^[A-Z\d]/);
      expect(text).not.toMatch(/[{}_!*+]|undefined|\s\s/);
    }
    sentences.forEach((text) => expect(text).toMatch(/[^.]\.$/));
    asked.forEach((text) => expect(text).not.toMatch(/[.:]$|point|punkt/i));
  });
});

test("only lone pairs forbid a colour beside them: a card that forbade more would need words of its own", () => {
  const crossed = prophecies.map(({ pattern }) => pattern).filter((pattern) => pattern.includes("!"));
  expect(crossed.length).toBe(5);
  for (const pattern of crossed) expect(pattern).toMatch(/^!(\w) \1 \1 !\1$/);
});

test("levels are as the card prints them", () => {
  expect(levelWords(cards.prophecies.get("Y G")!)).toBe("1×: 1 point, 2×: 3 points, 3×: 5 points");
});

test("amounts are counted, and the requirement of a Temple card stands alone in a line", () => {
  expect(amountsInWords([["K", 2], ["R", 1]])).toBe("2 black pieces and a red one");
  expect(amountsInWords([["G", 1]])).toBe("a green piece");
  expect(amountsInWords([])).toBe("");
  speak("fr");
  expect(requirementWords("B=K")).toBe("autant de pièces bleues que de noires, au moins 1 de chaque");
});
