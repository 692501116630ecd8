/** A.D.A.M.'s turn in words: five steps, each done, now, or to come. */

import { piecesAs, plain, rich, type Part } from "../words";
import type { Colour } from "../../parts/pieces";
import { m } from "../../paraglide/messages";
import { numberOf } from "../supply";
import type { AdamTurn } from "./scenes";

export interface StoryStep {
  readonly number: number;
  readonly state: "was" | "cur" | "fut";
  readonly title: readonly Part[];
  readonly details: readonly (readonly Part[])[];
}

export function storySteps(turn: AdamTurn): StoryStep[] {
  const words = [looks(turn), spaces(turn), takes(turn), lays(turn), fulfils(turn)];
  return words.map(([title, ...details], at) => {
    const state = turn.done || at + 1 < turn.step ? "was" : at + 1 === turn.step ? "cur" : "fut";
    return { number: at + 1, state, title: title ?? [], details };
  });
}

const say = (text: string): Part[] => [{ text }];
const colours = (letters: string): Part[] => [...letters].map((letter) => ({ colour: letter as Colour }));

function looks(turn: AdamTurn): Part[][] {
  const look = turn.looks.at(-1);
  if (!look) return [say(m.story_no_card())];
  return [say(m.story_looks({ number: look.card + 1 })), colours(look.wants)];
}

function spaces(turn: AdamTurn): Part[][] {
  const told = turn.searching ? turn.looks.slice(0, -1) : turn.looks;
  const missed = told.filter((look) => look.space === null).map((look) => say(m.story_nothing({ number: look.card + 1 })));
  return [say(m.story_spaces()), ...missed];
}

function takes(turn: AdamTurn): Part[][] {
  const { space } = turn;
  if (space === null) return [say(m.story_takes_future())];
  const wanted = turn.looks.some((look) => look.space !== null);
  const about = (slot: (parts: Part[]) => string) => ({ number: numberOf(space), pieces: slot(piecesAs(turn.taken)) });
  return [rich((slot) => (wanted ? m.story_takes : m.story_takes_first)(about(slot as (parts: Part[]) => string)))];
}

function goes(all: AdamTurn["laid"]): Part[][] {
  const cards = new Map<number | null, string[]>();
  for (const { piece, card } of all) cards.set(card, [...(cards.get(card) ?? []), piece]);
  return [...cards].map(([card, pieces]) =>
    rich((slot) => card === null ? m.story_gone({ pieces: slot(piecesAs(pieces)) }) : m.story_lays({ pieces: slot(piecesAs(pieces)), number: card + 1 })));
}

function lays(turn: AdamTurn): Part[][] {
  if (!turn.laid.length) return [say(m.story_lays_future())];
  return [say(m.story_lays_title()), ...goes(turn.laid)];
}

function fulfils(turn: AdamTurn): Part[][] {
  const drawn = turn.drawn.map((card) => rich((slot) => m.story_draws({ card: slot({ card }) })));
  if (!turn.fulfilled.length) return [turn.done && !drawn.length ? say(m.story_not_full()) : drawn[0] ?? say(m.story_fulfils_future()), ...drawn.slice(1)];
  const [first, ...more] = turn.fulfilled.map((card) => rich((slot) => m.story_fulfils({ card: slot({ card }) })));
  const passed = turn.passed.filter(({ card }) => card !== null).map(({ piece }) => piece);
  const on = passed.length ? [rich((slot) => m.story_passes({ pieces: slot(piecesAs(passed)) }))] : [];
  return [first ?? [], ...more, ...on, ...drawn];
}

/** The step he is at, as one line. */
export function adamCaption(turn: AdamTurn): string {
  const step = storySteps(turn)[turn.step - 1];
  return [m.adam_plays_prompt(), step ? `${plain(step.title)}.` : ""].join(" ").trim();
}
