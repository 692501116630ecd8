/** When things may lie elsewhere than before: something changed, was scrolled, or is still moving. */

const AFTER = 30; // frames after the last change: what moves by a style has come to rest by then
const EVENTS = ["scroll", "resize", "transitionrun", "transitionend", "animationend", "load"] as const;

/** Calls `look` in the frames in which something may have moved. What changes inside `own` is not heeded. */
export function watchLayout(look: () => void, own: string): () => void {
  let left = 0;
  let frame = 0;
  const next = (): void => {
    frame = 0;
    left -= 1;
    look();
    if (left > 0) frame = requestAnimationFrame(next);
  };
  const wake = (): void => {
    left = AFTER;
    frame ||= requestAnimationFrame(next);
  };
  const isOwn = ({ target }: MutationRecord): boolean => target instanceof Element && target.closest(own) !== null;
  const changes = new MutationObserver((records) => records.every(isOwn) || wake());
  changes.observe(document.body, { childList: true, subtree: true, attributes: true });
  for (const event of EVENTS) addEventListener(event, wake, { capture: true, passive: true });
  wake();
  return () => {
    cancelAnimationFrame(frame);
    changes.disconnect();
    for (const event of EVENTS) removeEventListener(event, wake, { capture: true });
  };
}
