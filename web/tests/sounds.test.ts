import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GameEvent } from "../src/lib/protocol";
import { makeStorage } from "./storage";

vi.stubGlobal("localStorage", makeStorage());
const { settings } = await import("../src/lib/settings.svelte");
const { SOUNDS, soundOf, speaker, STROKES } = await import("../src/lib/sounds");

const events = (...kinds: GameEvent["kind"][]): GameEvent[] => kinds.map((kind) => ({ kind }));

describe("sounds", () => {
  it("tell the weightiest of what happened", () => {
    expect(soundOf([])).toBeNull();
    expect(soundOf(events("move", "turn"))).toBeNull();
    expect(soundOf(events("move", "piece", "piece", "turn"))).toBe("piece");
    expect(soundOf(events("piece", "prophecy"))).toBe("card");
    expect(soundOf(events("temple"))).toBe("card");
    expect(soundOf(events("piece", "prophecy", "coatl", "turn"))).toBe("complete");
    expect(soundOf(events("coatl", "over"))).toBe("end");
  });

  it("are over within 300 ms", () => {
    for (const sound of SOUNDS) expect(Math.max(...STROKES[sound].map(({ at, length }) => at + length)), sound).toBeLessThanOrEqual(300);
  });
});

describe("a page", () => {
  const opened = vi.fn();
  beforeEach(() => {
    opened.mockClear();
    vi.stubGlobal("navigator", { userActivation: { hasBeenActive: true } });
    vi.stubGlobal("AudioContext", class { constructor() { opened(); throw new Error("far enough"); } });
  });
  afterEach(() => settings.setBack());

  it("is silent until somebody wants to hear it", () => {
    speaker.play("turn");
    expect(opened).not.toHaveBeenCalled();
    settings.set({ sounds: true });
    expect(() => speaker.play("turn")).toThrow("far enough");
  });

  it("is silent until somebody has done something there, as the browser demands", () => {
    settings.set({ sounds: true });
    vi.stubGlobal("navigator", { userActivation: { hasBeenActive: false } });
    speaker.play("turn");
    expect(opened).not.toHaveBeenCalled();
  });
});
