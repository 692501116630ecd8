/** Parts of the page that are fetched when they are first needed. */

import * as texts from "../paraglide/messages";

/** Asks once, and then has the answer; a failure is forgotten, so that it can be tried again. */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= load().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** In the built page, texts that the first screen does not need come in a file of their own (vite.config.ts). */
const { further } = texts as { further?: () => Promise<void> };

/** A screen, and all texts for it. */
export const screen = <T>(load: () => Promise<T>): (() => Promise<T>) =>
  once(async () => {
    const [found] = await Promise.all([load(), further?.()]);
    return found;
  });
