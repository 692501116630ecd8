/** The rules and the cards in words, in the reader's language, each fetched when it is first needed. */

import { readCardTexts, readRules } from "./api";
import type { CardText, RuleChapter, RuleItem, Rulebook } from "./protocol";
import { getLocale } from "../paraglide/runtime";

const AGAIN = 2000; // until a server that did not answer is asked again, in ms

class Book {
  rules = $state.raw<Rulebook | null>(null);
  texts = $state.raw<ReadonlyMap<string, CardText>>(new Map());
  /** the server did not answer yet */
  failed = $state(false);
  private asked = new Set<string>();
  readonly ids = $derived(new Set(this.rules ? itemsOf(this.rules).map((item) => item.id) : []));

  loadRules = (): Promise<void> => this.once("rules", async () => void (this.rules = await readRules(getLocale())));

  loadTexts = (): Promise<void> =>
    this.once("texts", async () => void (this.texts = new Map((await readCardTexts(getLocale())).cards.map((card) => [card.name, card]))));

  /** Asks until there is an answer. */
  private async once(what: string, load: () => Promise<void>): Promise<void> {
    if (this.asked.has(what)) return;
    this.asked.add(what);
    try {
      await load();
      this.failed = false;
    } catch {
      this.asked.delete(what);
      this.failed = true;
      setTimeout(() => void this.once(what, load), AGAIN);
    }
  }
}

export const itemsOf = (book: Rulebook): RuleItem[] => book.chapters.flatMap((chapter) => chapter.parts.flatMap((part) => part.items));

/** A clause or section by its id, in small letters too: that is how people write addresses. */
export const findRule = (book: Rulebook, id: string): RuleItem | undefined =>
  itemsOf(book).find((item) => item.id.toLowerCase() === id.toLowerCase());

export const chapterOf = (book: Rulebook, item: RuleItem): RuleChapter | undefined =>
  book.chapters.find((chapter) => chapter.parts.some((part) => part.items.includes(item)));

/** Is this id that of a clause (A8), which has a tag, and not of a section? */
export const isClause = (id: string): boolean => /^[A-Z]\d+$/.test(id);

/** A text cut where a clause is named: every second part is the id of one. */
export function cutAtClauses(text: string, ids: ReadonlySet<string>): string[] {
  const parts = text.split(/\b([A-Z]\d{1,2})\b/);
  return parts.reduce<string[]>((cut, part, at) => {
    const isLink = at % 2 === 1 && ids.has(part);
    if (isLink) return [...cut, part, ""];
    return [...cut.slice(0, -1), (cut.at(-1) ?? "") + part];
  }, [""]);
}

export const book = new Book();
