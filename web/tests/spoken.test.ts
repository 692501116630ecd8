import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cards } from "../src/lib/cards.svelte";
import { readChoices } from "../src/lib/choices";
import type { AdamView, CardProgress, CoatlView, ProphecyInfo, TempleInfo } from "../src/lib/protocol";
import { spokenAdamCard, spokenAdamPoints, spokenCollected, spokenHolding } from "../src/lib/spoken/adam";
import { spokenCard, spokenCardFor, spokenLaid, spokenOn, spokenTempleOn } from "../src/lib/spoken/cards";
import { spokenCoatl } from "../src/lib/spoken/coatl";
import { spokenBags, spokenDeck, spokenPile } from "../src/lib/spoken/piles";
import { spokenPlayer, spokenTrack } from "../src/lib/spoken/players";
import { spokenBoard, spokenOwnBoard, spokenPiece, spokenSpace, spokenTake } from "../src/lib/spoken/supply";
import { m } from "../src/paraglide/messages";
import { overwriteGetLocale } from "../src/paraglide/runtime";
import { begin, DRAW, seatView, tableState, take, viewData } from "./making";

type Language = "en" | "fr" | "de";
/** French has no-break spaces before its signs: ~ stands for one. */
const inAll = (say: () => string): Record<Language, string> => {
  const all = (["en", "fr", "de"] as const).map((language) => {
    overwriteGetLocale(() => language);
    return [language, say().replaceAll("\u00a0", "~")] as const;
  });
  overwriteGetLocale(() => "en");
  return Object.fromEntries(all) as Record<Language, string>;
};

const prophecy = (name: string, pattern: string, colour: string, levels: Record<string, number>) => ({ name, pattern, colour, levels }) as unknown as ProphecyInfo;
const temple = (name: string, ...requirements: string[]) => ({ name, requirements, levels: [3, 7] }) as unknown as TempleInfo;

beforeEach(() => {
  cards.prophecies = new Map([prophecy("RGRG", "R G R G", "green", { 1: 5 }), prophecy("YY", "Y Y", "yellow", { 1: 1, 2: 3 })].map((card) => [card.name, card]));
  cards.temples = new Map([temple("noK/8", "noK", "8")].map((card) => [card.name, card]));
});
afterEach(() => overwriteGetLocale(() => "en"));

const coatl = (pieces: string, more: Partial<CoatlView> = {}): CoatlView => ({ pieces, complete: false, value: 0, ...more });
const onCoatl = (card: string, more: Partial<CardProgress> = {}): CardProgress => ({ card, times: 0, points: 0, next_points: 5, lacks: ["", "G"], ...more });
const nothing = readChoices([]);

describe("a Cóatl", () => {
  const named = (number: number, one: CoatlView, closing?: number) => inAll(() => spokenCoatl(m.coatl_number({ number }), one, closing));

  test("that is open, with what closing it would bring", () => {
    expect(named(2, coatl("<KRRB", { closing: 5 }), 8)).toEqual({
      en: "Cóatl 2, open at the right: black head, red, red, blue; would score 8 points closed",
      fr: "Cóatl 2, ouvert à droite~: tête noire, rouge, rouge, bleu~; rapporterait 8 points une fois fermé",
      de: "Cóatl 2, rechts offen: schwarzer Kopf, rot, rot, blau; geschlossen brächte es 8 Punkte",
    });
  });

  test("with cards on it, and one point", () => {
    expect(named(1, coatl("GY>", { value: 1, cards: [onCoatl("YY", { times: 1, points: 1 })] }), 1)).toEqual({
      en: "Cóatl 1, open at the left: green, yellow tail; 1 card on it; 1 point now; would score 1 point closed",
      fr: "Cóatl 1, ouvert à gauche~: vert, queue jaune~; 1 carte posée~; 1 point maintenant~; rapporterait 1 point une fois fermé",
      de: "Cóatl 1, links offen: grün, gelber Schwanz; 1 Karte daran; jetzt 1 Punkt; geschlossen brächte es 1 Punkt",
    });
  });

  test("without the estimate of a view, which may be too low", () => {
    expect(named(2, coatl("<KRRB", { closing: 5 })).en).toBe("Cóatl 2, open at the right: black head, red, red, blue");
  });

  test("of somebody else, without what only its owner knows", () => {
    expect(named(3, coatl("B"))).toEqual({
      en: "Cóatl 3, open at both ends: blue", fr: "Cóatl 3, ouvert des deux côtés~: bleu", de: "Cóatl 3, an beiden Enden offen: blau",
    });
  });

  test("that is being completed", () => {
    expect(named(1, coatl("<YBK>", { closing: 5 }))).toEqual({
      en: "Cóatl 1, closed: yellow head, blue, black tail; at best 5 points",
      fr: "Cóatl 1, fermé~: tête jaune, bleu, queue noire~; au mieux 5 points",
      de: "Cóatl 1, geschlossen: gelber Kopf, blau, schwarzer Schwanz; bestenfalls 5 Punkte",
    });
  });

  test("that is complete", () => {
    const whole = coatl("<RYG>", { complete: true, value: 12, cards: [onCoatl("YY")], temple: { card: "noK/8", met: [true, false], points: 3 } });
    expect(named(1, whole)).toEqual({
      en: "Cóatl 1, complete: red head, yellow, green tail; 2 cards on it; 12 points",
      fr: "Cóatl 1, complet~: tête rouge, jaune, queue verte~; 2 cartes posées~; 12 points",
      de: "Cóatl 1, vollständig: roter Kopf, gelb, grüner Schwanz; 2 Karten daran; 12 Punkte",
    });
  });
});

describe("a card", () => {
  test("by itself: what it asks for, its points, its colour", () => {
    expect(inAll(() => spokenCard("RGRG"))).toEqual({
      en: "A red-green-red-green sequence, from head to tail: 5 points. Green card.",
      fr: "Une séquence rouge-vert-rouge-vert, de la tête à la queue~: 5 points. Carte verte.",
      de: "Abfolge Rot-Grün-Rot-Grün, vom Kopf zum Schwanz: 5 Punkte. Grüne Karte.",
    });
  });

  test("against each open Cóatl, as the view tells it", () => {
    const own = seatView({
      coatls: [
        coatl("<KB>", { complete: true, row: [onCoatl("RGRG")] }), // complete: it takes no card any more
        coatl("RGR", { row: [onCoatl("RGRG")] }),
        coatl("<RG", { row: [onCoatl("RGRG", { times: 1, points: 5, next_points: null })] }),
      ],
    });
    expect(inAll(() => spokenCardFor(own, "RGRG"))).toEqual({
      en: "A red-green-red-green sequence, from head to tail: 5 points. Green card. Cóatl 2: not met; for 5 points lacks green on the right. Cóatl 3: 5 points now.",
      fr: "Une séquence rouge-vert-rouge-vert, de la tête à la queue~: 5 points. Carte verte. Cóatl 2~: pas réalisée~; pour 5 points, il manque vert à droite. Cóatl 3~: 5 points maintenant.",
      de: "Abfolge Rot-Grün-Rot-Grün, vom Kopf zum Schwanz: 5 Punkte. Grüne Karte. Cóatl 2: nicht erfüllt; für 5 Punkte fehlt rechts grün. Cóatl 3: jetzt 5 Punkte.",
    });
  });

  test("that lacks pieces at both ends, or can score no more", () => {
    const both = onCoatl("YY", { times: 1, points: 1, next_points: 3, lacks: ["YB", "K"] });
    expect(spokenOn(both)).toBe("2 yellow pieces in a row: 1 point; 2 or more: 3 points. Yellow card. 1 point now; for 3 points lacks yellow, blue on the left and black on the right.");
    expect(inAll(() => spokenOn({ ...both, lacks: ["G", ""] })).de).toMatch(/Jetzt 1 Punkt; für 3 Punkte fehlt links grün\.$/);
    expect(spokenOn({ ...both, lacks: null })).toMatch(/ 1 point now\. This card cannot score more here\.$/);
  });

  test("that lies on a Cóatl, and one that somebody may lay", () => {
    const lying = coatl("RG", { cards: [onCoatl("YY", { next_points: null })], temple: { card: "noK/8", met: [true, false], points: 3 } });
    expect(spokenLaid(lying, "YY")).toMatch(/ Yellow card\. Not met\.$/);
    expect(spokenLaid(lying, "noK/8")).toMatch(/ 3 points now; not met: exactly 8 pieces\.$/);
    expect(spokenLaid({ ...lying, complete: true }, "YY")).toMatch(/ Yellow card\. 0 points\.$/);
    expect(spokenLaid({ ...lying, complete: true }, "noK/8")).toMatch(/ 7 points\. 3 points\.$/);
    expect(spokenCard("RGRG", "Discard it")).toMatch(/ Green card\. Discard it\.$/);
  });

  test("of a Temple", () => {
    expect(inAll(() => spokenTempleOn({ card: "noK/8", met: [true, false], points: 3 }))).toEqual({
      en: "No black pieces; exactly 8 pieces. 1 requirement met: 3 points; 2 requirements met: 7 points. 3 points now; not met: exactly 8 pieces.",
      fr: "Aucune pièce noire~; exactement 8 pièces. 1 condition remplie~: 3 points~; 2 conditions remplies~: 7 points. 3 points maintenant~; il manque~: exactement 8 pièces.",
      de: "Keine schwarzen Teile; genau 8 Teile. 1 Voraussetzung erfüllt: 3 Punkte; 2 Voraussetzungen erfüllt: 7 Punkte. Jetzt 3 Punkte; nicht erfüllt: genau 8 Teile.",
    });
    expect(spokenTempleOn({ card: "noK/8", met: [false, false], points: 0 })).toMatch(/ Not met\.$/);
  });
});

describe("the supply and the boards", () => {
  const view = viewData({ supply: { b3: "RK", h1: "G", t1: "" } });

  test("a space says what a press does, and whether that is refused", () => {
    const choices = readChoices([take("b3")]);
    expect(inAll(() => spokenTake(view, "b3", true, choices))).toEqual({
      en: "Take red segment, black segment", fr: "Prendre~: segment rouge, segment noir", de: "Nehmen: rotes Körpersegment, schwarzes Körpersegment",
    });
    expect(inAll(() => spokenTake(view, "h1", true, choices))).toEqual({
      en: "Take green head: not now. Why?", fr: "Prendre~: tête verte~: pas maintenant. Pourquoi~?", de: "Nehmen: grüner Kopf: jetzt nicht. Warum?",
    });
    expect(spokenTake(view, "b3", false, choices)).toBe("red segment, black segment");
    expect(inAll(() => spokenTake(view, "t1", true, choices))).toEqual({ en: "Empty space", fr: "Case vide", de: "Leeres Feld" });
  });

  test("in solo it has the number by which A.D.A.M. goes", () => {
    const solo = { ...view, adam: { step: "look", cards: [], holding: [], fulfilled: [], points: 0 } } as const;
    expect(inAll(() => spokenSpace(solo, "h1"))).toEqual({ en: "Space 7: green head", fr: "Case 7~: tête verte", de: "Feld 7: grüner Kopf" });
    expect(spokenSpace(solo, "t1")).toBe("Space 9: empty");
    expect(spokenTake(solo, "b3", true, readChoices([take("b3")]))).toBe("Space 3: Take red segment, black segment");
  });

  test("boards", () => {
    expect(inAll(() => spokenBoard("Ben", ["<K", "R"]))).toEqual({
      en: "Board of Ben: black head, red segment", fr: "Plateau de Ben~: tête noire, segment rouge", de: "Tableau von Ben: schwarzer Kopf, rotes Körpersegment",
    });
    expect(spokenBoard("Ben", [])).toBe("Board of Ben: empty");
    expect(inAll(() => spokenOwnBoard(1, 8))).toEqual({
      en: "Your board, 1 of 8 spaces taken", fr: "Votre plateau, 1 case occupée sur 8", de: "Dein Tableau, 1 von 8 Feldern belegt",
    });
    expect(spokenOwnBoard(3, 8)).toBe("Your board, 3 of 8 spaces taken");
  });

  test("a piece that fits nowhere says so in your turn", () => {
    expect(spokenPiece("<K", true, readChoices([begin("<K")]))).toBe("black head");
    expect(inAll(() => spokenPiece("<K", true, nothing))).toEqual({
      en: "black head, not possible now", fr: "tête noire, impossible pour l’instant", de: "schwarzer Kopf, geht gerade nicht",
    });
    expect(spokenPiece("<K", false, nothing)).toBe("black head");
  });
});

describe("players and piles", () => {
  const ben = seatView({
    points: 12, hand_size: 3, temple_count: 1, tokens: ["pick", "priest"],
    coatls: [coatl("<RG>", { complete: true }), coatl("K")],
  });
  const view = viewData({ options: ["tokens"], to_move: 1, seats: [seatView(), ben] });

  test("an opponent: who, points, cards, Cóatl, connection", () => {
    expect(inAll(() => spokenPlayer(tableState({ view }), view, 1, [true, false]))).toEqual({
      en: "Ben, plays now, away, may come back: 12 points, 3 Prophecy cards in hand, 1 Temple card in hand, 2 Sacrifice tokens, 2 Cóatl, 1 of them complete",
      fr: "Ben, joue maintenant, plus là, peut revenir~: 12 points, 3 cartes Prophétie en main, 1 carte Temple en main, 2 jetons Sacrifice, 2 Cóatl, dont 1 complet",
      de: "Ben, ist dran, nicht da, kann zurückkommen: 12 Punkte, 3 Prophezeiungskarten auf der Hand, 1 Tempelkarte auf der Hand, 2 Opferplättchen, 2 Cóatl, davon 1 vollständig",
    });
  });

  test("who began, without tokens and with nothing yet", () => {
    const bare = viewData({ to_move: 1 });
    expect(spokenPlayer(tableState({ seat: 1, place: 1, view: bare }), bare, 0, [true, true])).toBe(
      "Ana, first player, here: 0 points, 0 Prophecy cards in hand, 0 Temple cards in hand, 0 Cóatl",
    );
  });

  test("the deck says whether one may draw", () => {
    expect(inAll(() => spokenDeck(viewData({ deck: 1 }), true, readChoices([DRAW])))).toEqual({
      en: "Deck: 1 card. Draw the top one", fr: "Pioche~: 1 carte. Piocher celle du dessus", de: "Deck: 1 Karte. Die oberste ziehen",
    });
    expect(spokenDeck(viewData({ deck: 9 }), false, nothing)).toBe("Deck: 9 cards");
    expect(inAll(() => spokenDeck(viewData({ deck: 9 }), true, nothing))).toEqual({
      en: "Deck: 9 cards. Draw a card: not now. Why?", fr: "Pioche~: 9 cartes. Piocher une carte~: pas maintenant. Pourquoi~?", de: "Deck: 9 Karten. Karte ziehen: jetzt nicht. Warum?",
    });
  });

  test("a Temple pile, with cards or without", () => {
    expect(spokenPile({ top: "noK/8", size: 4 }, 1, undefined)).toMatch(/^Temple 2: No black pieces; exactly 8 pieces\. .* 4 cards in this pile\.$/);
    expect(spokenPile({ top: null, size: 0 }, 0, undefined)).toBe("Temple 1: empty");
  });

  test("the bags", () => {
    expect(inAll(() => spokenBags({ R: 12, K: 8, "<K": 1, "G>": 2, "B>": 0 }))).toEqual({
      en: "Bags: 20 segments, 1 head, 2 tails", fr: "Sacs~: 20 segments, 1 tête, 2 queues", de: "Beutel: 20 Körpersegmente, 1 Kopf, 2 Schwänze",
    });
  });

  test("the score track", () => {
    const table = tableState({ standing: [{ rank: 1, place: 1, points: 20, cards: 5, best_coatl: 9 }, { rank: 2, place: 0, points: 1, cards: 1, best_coatl: 1 }] });
    expect(inAll(() => spokenTrack(table))).toEqual({ en: "Score track: Ben 20, You 1", fr: "Piste de score~: Ben 20, Vous 1", de: "Punkteleiste: Ben 20, Du 1" });
  });
});

describe("A.D.A.M.", () => {
  const adam: AdamView = { step: "look", cards: [{ card: "YY", pieces: ["Y"], missing: "YKK" }], holding: [], fulfilled: ["RGRG"], points: 5 };

  test("his points, cards, and what he holds", () => {
    expect(inAll(() => spokenAdamPoints(adam))).toEqual({ en: "5 points, 1 card", fr: "5 points, 1 carte", de: "5 Punkte, 1 Karte" });
    expect(spokenAdamCard(0, adam.cards[0]!)).toMatch(/^Card 1: 2 yellow pieces in a row: .* Yellow card\.$/);
    expect(inAll(() => spokenCollected(adam.cards[0]!))).toEqual({
      en: "Collected: yellow segment. Still wanted: 2 black pieces and a yellow one.",
      fr: "Collectées~: segment jaune. Encore recherchées~: 2 pièces noires et une jaune.",
      de: "Gesammelt: gelbes Körpersegment. Noch gesucht: 2 schwarze Teile und ein gelbes.",
    });
    expect(inAll(() => spokenHolding(adam))).toEqual({ en: "In his hands: nothing", fr: "Dans ses mains~: rien", de: "In seinen Händen: nichts" });
    expect(spokenHolding({ ...adam, holding: ["R", "<K"] })).toBe("In his hands: red segment, black head");
  });
});
