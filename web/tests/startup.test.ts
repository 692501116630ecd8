import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { StartupState } from "../src/lib/protocol";

/** A server that starts: what it tells next, and what it was asked. */
const told: (StartupState | null)[] = [];
const asked: string[] = [];
let ready = false;

async function answer(path: string): Promise<Response> {
  asked.push(path);
  if (path === "/api/startup") {
    const next = told.shift();
    if (next === null) throw new TypeError("Failed to fetch");
    ready = next?.status === "ready";
    return Response.json(next);
  }
  return ready ? Response.json({ bots: [] }) : Response.json({ code: "starting", text: "" }, { status: 503 });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answer);
  told.length = asked.length = 0;
  ready = false;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function load() {
  vi.resetModules();
  const { startup, isStarting } = await import("../src/lib/startup.svelte");
  const { listBots } = await import("../src/lib/api");
  return { startup, isStarting, listBots };
}

it("waits until the server is ready, and asks again for what was refused", async () => {
  told.push({ status: "starting", compiled: 0 }, { status: "compiling", compiled: 0.5 }, { status: "ready", compiled: 1 });
  const { startup, listBots } = await load();
  const first = listBots();
  const second = listBots(); // two wait together
  const seen: (number | undefined)[] = [];
  for (let step = 0; step < 3; step += 1) {
    await vi.advanceTimersByTimeAsync(step && 500);
    seen.push(startup.state?.compiled);
  }
  expect(seen).toEqual([0, 0.5, undefined]);
  expect(await Promise.all([first, second])).toEqual([{ bots: [] }, { bots: [] }]);
  expect(asked.filter((path) => path === "/api/startup")).toHaveLength(3);
});

it("goes on asking a server that failed or does not answer: it may be started anew", async () => {
  told.push({ status: "failed", compiled: 0.5 }, null, { status: "ready", compiled: 1 });
  const { startup } = await load();
  const done = startup.wait();
  await vi.advanceTimersByTimeAsync(0);
  expect([startup.state?.status, startup.silent]).toEqual(["failed", false]);
  await vi.advanceTimersByTimeAsync(500);
  expect([startup.state?.status, startup.silent]).toEqual(["failed", true]);
  await vi.advanceTimersByTimeAsync(500);
  await done;
  expect([startup.state, startup.silent]).toEqual([null, false]);
});

it("knows which refusals mean that the server is starting", async () => {
  const { isStarting } = await load();
  expect(["starting", "start_failed", "shutting_down", "storage"].filter(isStarting)).toEqual(["starting", "start_failed"]);
});
