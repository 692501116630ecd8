/**
 * The focus is never lost. When what had it goes away, it goes to where the next choice is: back to what
 * opened a dialog, to the heading of a new screen, to a group with something to do, or to what is nearest.
 */

import { enterGroup, focusOn, groupsOf, isUsable, watchInput, type Group } from "./roving";

/** Where something is shown and something else had the focus before it came. */
const origins = new WeakMap<Element, HTMLElement>();

let last: HTMLElement | null = null; // what had the focus
let lastGroup: HTMLElement | null = null;
let heading: Element | null = null; // of the screen on which it had it
let wishes: () => readonly Group[] = () => [];

/** The groups where the next choice is, the best first. One screen at a time says so. */
export function wishFor(groups: () => readonly Group[]): () => void {
  wishes = groups;
  return () => {
    if (wishes === groups) wishes = () => [];
  };
}

/** Something that closes again is about to take the focus: it shall go back to what has it now. */
export function lendFocus(opened: Element): void {
  const before = focused() ?? last;
  if (before) origins.set(opened, before);
}

function focused(): HTMLElement | null {
  const active = document.activeElement;
  return active instanceof HTMLElement && active !== document.body ? active : null;
}

function note(event: FocusEvent): void {
  if (!(event.target instanceof HTMLElement)) return;
  last = event.target;
  lastGroup = last.closest<HTMLElement>("[data-group]");
  heading = document.querySelector("h1");
}

/** Has what had the focus gone away? Who presses beside everything gives it up, and that is no loss. */
export function isLost(): boolean {
  return focused() === null && last !== null && !isUsable(last);
}

function restore(): void {
  if (isLost() && last) void (toHeading() || toOrigin(last) || toWish() || toGroup(lastGroup) || toAnything());
}

/** Another screen is read from its heading on. */
function toHeading(): boolean {
  const found = document.querySelector("h1");
  return found !== null && found !== heading && focusOn(found);
}

/** Back to what opened the dialog; if that was in one that is closed too, to what opened that. */
function toOrigin(from: HTMLElement): boolean {
  for (let at: Element | null = from; at; at = at.parentElement) {
    const origin = origins.get(at);
    if (origin) return focusOn(origin) || toOrigin(origin);
  }
  return false;
}

function toWish(): boolean {
  const names = wishes();
  const before = lastGroup?.dataset["group"] as Group | undefined;
  const sorted = before && names.includes(before) ? [before, ...names] : names;
  return sorted.some((name) => groupsOf(name).some((group) => enterGroup(group)));
}

const toGroup = (group: HTMLElement | null): boolean => group !== null && enterGroup(group);

function toAnything(): boolean {
  const groups = (["supply", "hand"] as const).flatMap(groupsOf);
  const main = document.querySelector<HTMLElement>("h1") ?? document.querySelector<HTMLElement>("main");
  return groups.some((group) => enterGroup(group)) || focusOn(main);
}

/** Watch over the focus of the whole page. */
export function keepFocus(): () => void {
  const stopWatching = watchInput();
  const changes = new MutationObserver(restore);
  const blurred = (event: FocusEvent) => event.relatedTarget === null && queueMicrotask(restore); // hidden by a style
  document.addEventListener("focusin", note);
  document.addEventListener("focusout", blurred);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "inert", "hidden"] });
  return () => {
    stopWatching();
    changes.disconnect();
    document.removeEventListener("focusin", note);
    document.removeEventListener("focusout", blurred);
  };
}
