/** Parts of the page that are fetched when they are first needed. */

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
