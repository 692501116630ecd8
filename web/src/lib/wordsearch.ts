/** Searching texts by words: accents and case do not matter, and a word is found by its beginning. */

/** Without accents, in small letters; A.D.A.M. is one word. */
const plain = (text: string): string =>
  text.toLowerCase().replace(/(?<=[\p{L}\d])\.(?=[\p{L}\d])/gu, "").normalize("NFD").replace(/\p{M}/gu, "");

export const wordsIn = (text: string): string[] => plain(text).match(/[\p{L}\p{N}_]+|[∞✕=]/gu) ?? [];

/** Does a text have every word? A number has to be there as a whole. */
export function hasWords(wanted: readonly string[], text: string): boolean {
  const words = wordsIn(text);
  return wanted.every((asked) => words.some((word) => (/^\d+$/.test(asked) ? word === asked : word.startsWith(asked))));
}

/** Those of the things whose texts have all words of the query; first those that have them in their title. */
export function searchBy<T>(query: string, things: readonly T[], textOf: (thing: T) => { readonly title: string; readonly text: string }): T[] {
  const wanted = wordsIn(query);
  if (!wanted.length) return [];
  const isInTitle = (thing: T) => hasWords(wanted, textOf(thing).title);
  const found = things.filter((thing) => hasWords(wanted, `${textOf(thing).title} ${textOf(thing).text}`));
  return [...found.filter(isInTitle), ...found.filter((thing) => !isInTitle(thing))];
}
