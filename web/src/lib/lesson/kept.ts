/** How far somebody is in the lessons, in this browser: they can be left and taken up again. */

import { lasting, type KeptTexts } from "../storage";
import type { Path } from "./path";

export interface KeptLesson {
  readonly path: Path;
  /** the number of the step, from 0: where it begins again if the path means nothing any more */
  readonly step: number;
  /** was it done to its end, now or earlier? */
  readonly done: boolean;
}

const KEY = "coatl.lessons";
const NOT_BEGUN: KeptLesson = { path: [], step: 0, done: false };

function all(store: KeptTexts): Record<string, unknown> {
  const found = store.getJson(KEY);
  return typeof found === "object" && found !== null ? (found as Record<string, unknown>) : {};
}

export function keptLesson(name: string, store: KeptTexts = lasting): KeptLesson {
  const found = all(store)[name] as Partial<KeptLesson> | null | undefined;
  const isPath = Array.isArray(found?.path) && found.path.every((item) => typeof item === "string");
  if (!found || !isPath || typeof found.step !== "number") return { ...NOT_BEGUN, done: found?.done === true };
  return { path: found.path ?? [], step: found.step, done: found.done === true };
}

export function keepLesson(name: string, lesson: KeptLesson, store: KeptTexts = lasting): void {
  store.set(KEY, JSON.stringify({ ...all(store), [name]: lesson }));
}

/** From its beginning again; that it was done once stays so. */
export function restartLesson(name: string, store: KeptTexts = lasting): void {
  keepLesson(name, { ...NOT_BEGUN, done: keptLesson(name, store).done }, store);
}
