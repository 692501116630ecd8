/** The lessons there are, in order, fetched once in the page's language. */

import { listLessons } from "../api";
import { getLocale } from "../../paraglide/runtime";
import type { LessonInfo } from "../protocol";

class Lessons {
  list = $state.raw<readonly LessonInfo[]>([]);
  failed = $state(false);
  private asked = false;

  async load(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      this.list = (await listLessons(getLocale())).lessons;
      this.failed = false;
    } catch {
      this.asked = false;
      this.failed = true;
      setTimeout(() => void this.load(), 1000);
    }
  }

  after(name: string): LessonInfo | undefined {
    const at = this.list.findIndex((one) => one.name === name);
    return at < 0 ? undefined : this.list[at + 1];
  }
}

export const lessons = new Lessons();
