/** Doing something again and again while the page can be seen, and at once when it is seen again. */

/** `pause`: milliseconds from the end of one time to the beginning of the next. Returns what ends it. */
export function whileVisible(task: () => Promise<void>, pause: number, page: Document = document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isOver = false;

  const go = async (): Promise<void> => {
    clearTimeout(timer);
    if (isBusy || isOver || page.hidden) return;
    isBusy = true;
    await task();
    isBusy = false;
    if (!isOver) timer = setTimeout(() => void go(), pause);
  };
  const look = () => void go();

  page.addEventListener("visibilitychange", look);
  look();
  return () => {
    isOver = true;
    clearTimeout(timer);
    page.removeEventListener("visibilitychange", look);
  };
}
