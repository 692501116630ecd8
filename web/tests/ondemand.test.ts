import { expect, it, vi } from "vitest";
import { once } from "../src/lib/ondemand";

it("asks once", async () => {
  const load = vi.fn(async () => "screen");
  const get = once(load);
  expect(get()).toBe(get()); // the same promise, so that nothing is drawn anew
  expect([await get(), await get()]).toEqual(["screen", "screen"]);
  expect(load).toHaveBeenCalledTimes(1);
});

it("asks again after a failure", async () => {
  const load = vi.fn(async () => "screen").mockRejectedValueOnce(new Error("offline"));
  const get = once(load);
  await expect(get()).rejects.toThrow("offline");
  expect(await get()).toBe("screen");
});
