import { describe, expect, it } from "vitest";
import { firstGame, problemOf, requestOf, shareTokens, type GameForm } from "../src/lib/newgame";

const opened = { table: "t", promise: "", owner: "o", watch: "w", invite: null };

const GAMES = { players: [1, 2, 3, 4], tokens: [2, 3, 4], fewer_bodies: [2, 3] };

describe("a new game", () => {
  it("suggests what the rulebook suggests for a first game", () => {
    const form = firstGame("Ana", GAMES);
    expect(requestOf(form, GAMES)).toEqual({
      places: [{ kind: "person", name: "Ana" }, { kind: "bot", name: "", bot: "planner" }],
      tokens: false, promo: false, fewer_bodies: false, draw_seats: false,
    });
    expect(problemOf(form, GAMES)).toBeNull();
  });

  it("is solo with levels, without tokens or lots", () => {
    const form: GameForm = { ...firstGame("Ana", GAMES), solo: true, levels: [1, 3], drawSeats: true };
    expect(requestOf(form, GAMES)).toEqual({
      places: [{ kind: "person", name: "Ana" }], levels: [1, 3], promo: false, draw_seats: false,
    });
  });

  it("keeps the tokens of this device and gives the others away", () => {
    const seat = (who: "you" | "here" | "link" | "bot" | "empty", name = "") => ({ who, name, bot: "greedy" });
    const form = { ...firstGame("", GAMES), seats: [seat("you", "Ana"), seat("empty"), seat("link"), seat("bot")] };
    const shared = shareTokens(form, { ...opened, seats: ["a", "b", null] });
    expect(shared.mine).toEqual([{ place: 0, token: "a", name: "Ana" }]);
    expect(shared.links).toEqual([{ place: 1, token: "b" }]);
  });

  it("needs two at the table, one of them here", () => {
    const seat = (who: "you" | "here" | "link" | "bot" | "empty") => ({ who, name: "", bot: "greedy" });
    const only = { ...firstGame("", GAMES), seats: [seat("you"), seat("empty"), seat("empty"), seat("empty")] };
    expect(problemOf(only, GAMES)).toBe("too_few");
    const bots = { ...firstGame("", GAMES), seats: [seat("bot"), seat("bot"), seat("empty"), seat("empty")] };
    expect(problemOf(bots, GAMES)).toBe("nobody_here");
  });
});
