export interface LessonTarget { readonly kind: string; readonly name: string }
import type { Reason, TableState } from "../protocol";
export interface LessonStep {
  readonly name: string; readonly kind: "do" | "read" | "free"; readonly title: string; readonly text: string; readonly action: string;
  readonly targets: readonly LessonTarget[]; readonly reasons: readonly LessonTarget[]; readonly show: readonly string[]; readonly clause: string;
}
export interface Lesson {
  readonly type: "lesson"; readonly name: string; readonly title: string; readonly count: number; readonly number: number; readonly starts: readonly number[];
  readonly step: LessonStep | null; readonly astray: string; readonly said: string; readonly state: TableState; readonly reason: Reason | null; readonly path: readonly string[];
}
export interface LessonRequest { readonly path: readonly string[]; readonly events?: number; readonly why?: string | null; readonly at?: number | null }
export interface LessonInfo { readonly name: string; readonly title: string; readonly sentence: string; readonly steps: number; readonly minutes: number }
