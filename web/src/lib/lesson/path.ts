/**
 * The path of a lesson: what the learner did, each item a move in the notation, or `next` after a step
 * that is only read. It is all there is of a lesson: the server makes everything else from it.
 */

export type Path = readonly string[];

/** What the server writes where a table has its id. */
export const LESSON_TABLE = "lesson";

/** Goes on from a step that is only read. */
export const NEXT = "next";

/** Without the last move, and without what was only read after it. */
export function undone(path: Path): Path {
  const last = path.findLastIndex((item) => item !== NEXT);
  return last < 0 ? path : path.slice(0, last);
}

/** Does a path only go on from another? Then what happened on it is still so. */
export const goesOn = (path: Path, from: Path): boolean => path.length >= from.length && from.every((item, at) => path[at] === item);
