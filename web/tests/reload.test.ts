import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeStorage } from "./storage";

const MINUTE = 60_000;

/** As after loading the page: the module knows nothing, the window's memory is as it was. */
async function loadPage() {
  vi.resetModules();
  const { reloadOnce } = await import("../src/lib/reload");
  const reload = vi.fn();
  return { reload, ask: (now: number) => reloadOnce(reload, now) };
}

beforeEach(() => vi.stubGlobal("sessionStorage", makeStorage()));
afterEach(() => vi.unstubAllGlobals());

it("loads the page anew once, and then says that it did not help", async () => {
  const first = await loadPage();
  expect([first.ask(MINUTE), first.ask(MINUTE)]).toEqual([true, true]); // two seats ask
  expect(first.reload).toHaveBeenCalledTimes(1);
  const second = await loadPage();
  expect(second.ask(MINUTE + 500)).toBe(false);
  expect(second.reload).not.toHaveBeenCalled();
});

it("does so again at the next update", async () => {
  expect((await loadPage()).ask(MINUTE)).toBe(true);
  expect((await loadPage()).ask(2 * MINUTE)).toBe(true);
});

it("does not where it could not remember that it did", async () => {
  const { ask, reload } = await loadPage();
  vi.stubGlobal("sessionStorage", undefined);
  expect(ask(MINUTE)).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});
