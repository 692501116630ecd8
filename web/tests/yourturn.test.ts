import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findTables, type MyTable } from "../src/lib/mytables";
import { ownFiles } from "../src/lib/offline";
import { PROTOCOL, type TableSummary } from "../src/lib/protocol";
import type { HeldSeat } from "../src/lib/seats";
import { whileVisible } from "../src/lib/whilevisible";
import { seatView, tableState, viewData } from "./making";
import { makeStorage } from "./storage";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("something that is done while the page can be seen", () => {
  class Page extends EventTarget {
    hidden = false;
    show(isShown: boolean): void {
      this.hidden = !isShown;
      this.dispatchEvent(new Event("visibilitychange"));
    }
  }

  it("is done again and again, not out of sight, and at once when seen again", async () => {
    vi.useFakeTimers();
    const page = new Page();
    const task = vi.fn(async () => undefined);
    const stop = whileVisible(task, 1000, page as unknown as Document);
    expect(task).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2500);
    expect(task).toHaveBeenCalledTimes(3);
    page.show(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(task).toHaveBeenCalledTimes(3);
    page.show(true);
    expect(task).toHaveBeenCalledTimes(4);
    stop();
    await vi.advanceTimersByTimeAsync(5000);
    page.show(true);
    expect(task).toHaveBeenCalledTimes(4);
  });

  it("is not begun a second time before it is done", async () => {
    const page = new Page();
    const task = vi.fn(() => new Promise<void>(() => undefined));
    whileVisible(task, 0, page as unknown as Document);
    page.show(true);
    expect(task).toHaveBeenCalledTimes(1);
  });
});

/** A server that gives these answers, by path, and what it was asked for. */
function serve(answers: Record<string, unknown>, headers: Record<string, string> = {}) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return new Response(JSON.stringify(answers[path]), { headers: { "content-type": "application/json", ...headers } });
  });
  return asked;
}

describe("my tables", () => {
  const summary = (table: string, turn: number, your_turn = false): TableSummary =>
    ({ table, role: "seat", place: 0, status: "playing", your_turn, turn, names: [], created: 1, token: 0 });
  const seat = (table: string): HeldSeat => ({ table, token: `token-of-${table}`, role: "seat", nonce: "", at: 0 });
  const state = tableState({ view: viewData({ seats: [seatView()] }) });
  const seats = [seat("quiet-table"), seat("other-table")];

  it("are looked at again only where something has happened, and those that wait for me come first", async () => {
    const answers = {
      "/api/tables/mine": { tables: [summary("quiet-table", 3), summary("other-table", 5)] },
      "/api/tables/quiet-table": state, "/api/tables/other-table": state,
    };
    const first = serve(answers);
    const { tables } = await findTables(seats);
    expect(first).toEqual(["/api/tables/mine", "/api/tables/quiet-table", "/api/tables/other-table"]);
    const second = serve({ ...answers, "/api/tables/mine": { tables: [summary("quiet-table", 3), summary("other-table", 6, true)] } });
    const again = await findTables(seats, tables);
    expect(second).toEqual(["/api/tables/mine", "/api/tables/other-table"]);
    expect(again.tables.map((one: MyTable) => [one.summary.table, one.summary.your_turn, one.state !== null]))
      .toEqual([["other-table", true, true], ["quiet-table", false, true]]);
  });
});

describe("a server of another protocol", () => {
  beforeEach(() => vi.stubGlobal("sessionStorage", makeStorage()));

  /** As after loading the page. */
  async function load() {
    vi.resetModules();
    const reload = vi.fn();
    vi.stubGlobal("location", { reload });
    return { reload, ...(await import("../src/lib/api")) };
  }

  it("makes the page load itself anew, once", async () => {
    serve({ "/api/cards": {} }, { "coatl-protocol": String(PROTOCOL + 1) });
    const first = await load();
    await first.listCards();
    await first.listCards();
    expect(first.reload).toHaveBeenCalledTimes(1);
    const second = await load();
    await second.listCards();
    expect(second.reload).not.toHaveBeenCalled();
  });

  it("is another one than the page's own, or one that does not say", async () => {
    const silent: Record<string, string> = {};
    for (const headers of [{ "coatl-protocol": String(PROTOCOL) }, silent]) {
      serve({ "/api/cards": {} }, headers);
      const { listCards, reload } = await load();
      await listCards();
      expect(reload).not.toHaveBeenCalled();
    }
  });
});

describe("what is kept for want of a network", () => {
  it("is the page's files, nothing of the API", () => {
    const files = ["https://a.test/assets/index-1.js", "https://a.test/api/cards", "https://b.test/assets/x.js", "https://a.test/assets/f.woff2"];
    expect(ownFiles(files, "https://a.test")).toEqual([files[0], files[3]]);
  });
});
