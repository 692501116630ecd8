/** Where the things are that a lesson points at: its targets as parts of the page. */

import type { LessonTarget } from "../protocol";
import type { Selection, Stage } from "../selection.svelte";

const quoted = (name: string): string => JSON.stringify(name);
const LANE = (name: string): string => `.lanes > :nth-child(${Number(name)})`;
const BUTTONS: Readonly<Record<string, string>> = {
  take: "[data-first][data-move^='take ']",
  end: ".main-place > .btn",
  done: ".to-next, .btn[data-move=done]",
  choose: "[data-first][data-move^='pick ']",
  keep: "[data-keep]",
  undo: "[data-undo]",
};

/** Kinds with a part of the page each; the same thing may lie on the table and in a sheet over it. */
const SELECTORS: Readonly<Record<LessonTarget["kind"], (name: string) => string>> = {
  space: (name) => `[data-space=${quoted(name)}]`,
  row: (name) => `.row-cards [data-card=${quoted(name)}]`,
  deck: () => "[data-draw]",
  hand: (name) => `[data-hand=${quoted(name)}]`,
  pile: (name) => `[data-drag^='temple ${name === "left" ? 1 : 2} ']`,
  temple: (name) => `[data-drag=${quoted(`temple 0 ${name}`)}]`,
  lane: LANE,
  board: () => ".dock-board > :is(.tray, .line)",
  piece: (name) => `.dock-board [data-piece=${quoted(name)}]`,
  token: (name) => `[data-token=${quoted(name)}]`,
  button: (name) => BUTTONS[name] ?? `[data-move=${quoted(name)}]`,
  adam: () => ".panel.adam, [data-pill=adam]",
  opponent: () => ".panel.opp, .pill[data-pill]:not(.pill:first-child)",
  score: () => "[data-own-total], .pill:first-child",
  bags: () => ".bag-row",
};

/** In sight, or to be scrolled to; and not behind a sheet. */
const isShown = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[inert]");

/** All parts of the page that a target can mean, such as several pieces that are alike. */
export const findAll = ({ kind, name = "" }: LessonTarget, page: ParentNode = document): HTMLElement[] =>
  [...page.querySelectorAll<HTMLElement>(SELECTORS[kind](name))].filter(isShown);

/** The part of the page that a target means, rather than its short form in the bar; null while there is none. */
export function findTarget(target: LessonTarget, page: ParentNode = document): HTMLElement | null {
  const found = findAll(target, page);
  return found.find((element) => !element.matches(".pill")) ?? found[0] ?? null;
}

/** Where a card lies: in the hand, on one of your Cóatl, in the row, or with somebody else. */
export function findCard(name: string, page: ParentNode = document): HTMLElement | null {
  const found = [...page.querySelectorAll<HTMLElement>(`[data-name=${quoted(name)}], [data-card=${quoted(name)}]`)].filter(isShown);
  const isIn = (places: string) => found.find((element) => element.matches(places));
  return isIn("[data-hand]") ?? isIn("[data-on]") ?? isIn("[data-card]") ?? found[0] ?? null;
}

export const findTargets = (targets: readonly LessonTarget[] = []): HTMLElement[] =>
  [...new Set(targets.flatMap((target) => findTarget(target) ?? []))];

const STAGES: Readonly<Partial<Record<LessonTarget["kind"], Stage>>> = { space: "supply", row: "prophecies", deck: "prophecies", pile: "temples", bags: "temples" };
/** What a phone shows above the lanes while something is pointed at. */
export const stageOf = (target: LessonTarget | null): Stage | undefined => (target ? STAGES[target.kind] : undefined);
const IN_HAND: readonly LessonTarget["kind"][] = ["hand", "temple", "token"];

/** Is it about A.D.A.M. and the spaces he looks at, and nothing else is to be pressed? */
export const isAboutAdam = (targets: readonly LessonTarget[], reasons: readonly LessonTarget[]): boolean =>
  [...targets, ...reasons].some(({ kind }) => kind === "adam") && targets.length > 0 && targets.every(({ kind }) => kind === "adam" || kind === "space");

/** What a phone has to show so that the first of the targets can be seen; a button is there anyway. */
export function showStage(targets: readonly LessonTarget[], selection: Pick<Selection, "stage" | "raised">): void {
  if (targets.some(({ kind }) => kind === "button")) return;
  const first = targets.find(({ kind }) => kind in STAGES || IN_HAND.includes(kind));
  selection.raised = first !== undefined && IN_HAND.includes(first.kind);
  selection.stage = (first && STAGES[first.kind]) ?? selection.stage;
}
