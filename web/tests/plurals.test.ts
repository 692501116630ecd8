import { afterEach, expect, test } from "vitest";
import { m } from "../src/paraglide/messages";
import { overwriteGetLocale } from "../src/paraglide/runtime";

afterEach(() => overwriteGetLocale(() => "en"));

test.each([
  ["en", ["0 cards", "1 card", "2 cards"], ["heads", "head", "heads"]],
  ["fr", ["0 carte", "1 carte", "2 cartes"], ["tête", "tête", "têtes"]],
  ["de", ["0 Karten", "1 Karte", "2 Karten"], ["Köpfe", "Kopf", "Köpfe"]],
] as const)("none, one and two in %s", (language, cards, heads) => {
  overwriteGetLocale(() => language);
  expect([0, 1, 2].map((n) => m.adam_cards({ n }))).toEqual(cards);
  expect([0, 1, 2].map((n) => m.heads({ n }))).toEqual(heads);
});
