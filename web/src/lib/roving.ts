/**
 * Groups of things with one stop of the Tab key each: inside a group the arrow keys go from thing to thing.
 * `{@attach roving("supply")}` makes an element such a group; what can be pressed inside it are its items.
 */

import type { Attachment } from "svelte/attachments";

export type Group =
  | "supply" | "market" | "lanes" | "board" | "hand" | "tokens" | "player" // at the table
  | "laid" | "sheet-row" | "sheet-hand" | "sheet-temples" // in the sheets of a turn
  | "end" // what ends a step
  | "choice" // things of which one is chosen
  | "tabs" | "cards" | "steps"; // on other screens

export interface GroupOptions {
  /** a selector of items that are no buttons or links */
  readonly more?: string;
  /** a selector: while there are such items, the arrows go only to them */
  readonly lit?: string;
  /** the item that Tab comes to first */
  readonly start?: "first" | "last";
  /** the arrows choose what they come to (tabs, radio buttons), and Tab comes to what is chosen */
  readonly follow?: boolean;
  /** the arrows belong to the screen, unless the focus came here by key */
  readonly byKeys?: boolean;
}

/** Where an item lies. */
export interface Spot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * The number of the item that a key goes to from item `at`; null: the key is none of the group's. Left and
 * right follow the order of the items, and go round; up and down go to what lies there, if anything does.
 */
export function goal(key: string, at: number, spots: () => readonly Spot[], count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (at + 1) % count;
    case "ArrowLeft":
      return (at + count - 1) % count;
    case "ArrowDown":
      return nearest(spots(), at, 1);
    case "ArrowUp":
      return nearest(spots(), at, -1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** The nearest row in that direction, and in it what lies nearest above or below. */
function nearest(spots: readonly Spot[], at: number, direction: 1 | -1): number {
  const from = spots[at];
  if (!from) return at;
  const away = (spot: Spot) => direction * (middle(spot).y - middle(from).y);
  const there = spots.filter((spot) => away(spot) > Math.min(from.height, spot.height) / 2);
  const row = Math.min(...there.map(away));
  const inRow = there.filter((spot) => away(spot) - row <= spot.height / 2);
  const side = (spot: Spot) => Math.abs(middle(spot).x - middle(from).x);
  const best = inRow.sort((a, b) => side(a) - side(b))[0];
  return best ? spots.indexOf(best) : at;
}

const middle = ({ left, top, width, height }: Spot) => ({ x: left + width / 2, y: top + height / 2 });

/** Can it have the focus? */
export function isUsable(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled") && !element.closest("[inert]") && element.checkVisibility({ visibilityProperty: true });
}

const PRESSED = "button, a[href], summary, [tabindex]";
const CHOSEN = "[aria-checked=true], [aria-selected=true]";
const KEYS = /^(Arrow(Left|Right|Up|Down)|Home|End)$/;
/** Among radio buttons, up and down are back and on. */
const ALONG: Readonly<Record<string, string>> = { ArrowUp: "ArrowLeft", ArrowDown: "ArrowRight" };

class Rover {
  private current: HTMLElement | null = null;
  private at: number | null = null; // where the focus was, also when that item is gone
  private cameByKeys = false;

  constructor(readonly group: HTMLElement, private readonly options: GroupOptions) {}

  get items(): HTMLElement[] {
    const { more, lit } = this.options;
    const found = [...this.group.querySelectorAll<HTMLElement>(more ? `${PRESSED}, ${more}` : PRESSED)];
    const own = found.filter((item) => item.parentElement?.closest("[data-group]") === this.group && isUsable(item));
    const places = lit ? own.filter((item) => item.matches(lit)) : [];
    return places.length ? places : own;
  }

  /** The item that Tab comes to: where the focus was, or what is there now. */
  get stop(): HTMLElement | undefined {
    const items = this.items;
    const chosen = this.options.follow ? items.find((item) => item.matches(CHOSEN)) : undefined;
    if (chosen) return chosen;
    if (this.current && items.includes(this.current)) return this.current;
    const first = this.options.start === "last" ? items.length - 1 : 0;
    return items[Math.min(this.at ?? first, items.length - 1)];
  }

  /** Exactly one of the items is a stop of the Tab key. */
  refresh(): void {
    const stop = this.stop;
    for (const item of this.items) item.tabIndex = item === stop ? 0 : -1;
  }

  note(item: HTMLElement): void {
    const at = this.items.indexOf(item);
    this.cameByKeys = byKeys;
    if (at < 0) return;
    this.current = item;
    this.at = at;
  }

  press(event: KeyboardEvent): void {
    if (!KEYS.test(event.key) || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.options.byKeys && !this.cameByKeys) return;
    const items = this.items;
    const at = items.indexOf(event.target as HTMLElement);
    const key = (this.group.role === "radiogroup" && ALONG[event.key]) || event.key;
    const to = at < 0 ? null : goal(key, at, () => items.map((item) => item.getBoundingClientRect()), items.length);
    if (to === null) return;
    event.preventDefault();
    if (focusOn(items[to]) && this.options.follow) items[to]?.click();
  }
}

const rovers = new Map<HTMLElement, Rover>();

export function roving(name: Group, options: GroupOptions = {}): Attachment<HTMLElement> {
  return (group) => {
    const rover = new Rover(group, options);
    const press = (event: KeyboardEvent) => rover.press(event);
    const note = (event: FocusEvent) => rover.note(event.target as HTMLElement);
    group.dataset["group"] = name;
    group.addEventListener("keydown", press);
    group.addEventListener("focusin", note);
    rovers.set(group, rover);
    return () => {
      rovers.delete(group);
      group.removeEventListener("keydown", press);
      group.removeEventListener("focusin", note);
    };
  };
}

/** Before the Tab key goes on: things came and went, or are hidden now. */
export function refreshGroups(): void {
  for (const rover of rovers.values()) rover.refresh();
}

/** The groups of a name that are on the page, in its order. */
export function groupsOf(name: Group): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-group="${name}"]`)].filter((group) => rovers.has(group));
}

/** The items of a group. */
export const itemsOf = (group: HTMLElement): readonly HTMLElement[] => rovers.get(group)?.items ?? [];

/** Give a group the focus: where it was, or the first item that fits a selector. */
export function enterGroup(group: HTMLElement, selector?: string): boolean {
  const rover = rovers.get(group);
  return focusOn(selector ? rover?.items.find((item) => item.matches(selector)) : rover?.stop);
}

let byKeys = false;

/** Was the last thing a person did done by a key? Then what has the focus has to be in sight. */
export const isByKeys = (): boolean => byKeys;

/** Tells keys from pointers; for the whole page. */
export function watchInput(): () => void {
  const key = (event: KeyboardEvent) => {
    byKeys = true;
    if (event.key === "Tab") refreshGroups();
  };
  const pointer = () => (byKeys = false);
  document.addEventListener("keydown", key, { capture: true });
  document.addEventListener("pointerdown", pointer, { capture: true });
  return () => {
    document.removeEventListener("keydown", key, { capture: true });
    document.removeEventListener("pointerdown", pointer, { capture: true });
  };
}

/** Focus something, if that is possible; who uses a pointer does not see the page scroll for it. */
export function focusOn(element: HTMLElement | null | undefined): boolean {
  if (!element || !isUsable(element)) return false;
  if (element.tabIndex < 0) element.tabIndex = -1; // what is no button can have the focus as well
  element.focus({ preventScroll: !byKeys });
  return document.activeElement === element;
}
