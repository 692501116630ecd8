/** Requests to the server. Errors carry the server's code and sentence. */

import {
  PROTOCOL, type AnalysisPicture, type AnalysisState, type BotList, type CardList, type CardTexts, type CoatlTried, type DayPuzzle, type HintGiven, type Invitation, type LessonList, type LessonRequest, type LessonState, type NewTable,
  type Problem, type PuzzleList, type PuzzleRequest, type PuzzleState, type ReplayOverview, type ReplayPosition, type ReplaySteps, type Rulebook, type SeatTaken, type TableState, type TableList, type TableOpened,
} from "./protocol";
import { reloadFor } from "./reload";
import { isStarting, startup } from "./startup.svelte";

export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** of a record: the line that does not hold */
    readonly line: number | null = null,
    /** of a move: the clause of the rules that forbids it, and which of its causes */
    readonly clause: string | null = null,
    readonly cause: string | null = null,
  ) {
    super(message);
  }
}

async function call<T>(method: string, path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers["authorization"] = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  } catch {
    throw new ApiError("offline", "");
  }
  const spoken = answer.headers.get("coatl-protocol");
  if (spoken !== null && Number(spoken) !== PROTOCOL) reloadFor(spoken);
  const isJson = answer.headers.get("content-type")?.includes("json");
  const content: unknown = isJson ? await answer.json() : await answer.text();
  if (!answer.ok) {
    const problem = content as Problem;
    if (isStarting(problem.code)) {
      await startup.wait();
      return call(method, path, body, token); // nothing was done the first time
    }
    const { code = "internal", text = String(answer.status), line = null, clause = null, cause = null } = problem;
    throw new ApiError(code, text, line, clause, cause);
  }
  return content as T;
}

export const openTable = (table: NewTable) => call<TableOpened>("POST", "/api/tables", table);
/** The same `id` gets the same place, should the first answer have been lost. */
export const takePlace = (table: string, invite: string, id: string) =>
  call<SeatTaken>("POST", `/api/tables/${table}/join`, { invite, id });
export const freePlace = (table: string, owner: string, place: number) =>
  call<unknown>("POST", `/api/tables/${table}/free`, { place }, owner);
export const myTables = (tokens: readonly string[]) =>
  call<TableList>("POST", "/api/tables/mine", { tokens });
export const askRematch = (table: string, token: string) =>
  call<{ table: string }>("POST", `/api/tables/${table}/rematch`, undefined, token);
export const handOverSeat = (table: string, owner: string, place: number, bot: string) =>
  call<unknown>("POST", `/api/tables/${table}/hand_over`, { place, bot }, owner);
export const askHint = (table: string, token: string) =>
  call<HintGiven>("POST", `/api/tables/${table}/hint`, undefined, token);
/** What somebody is invited to, before a place is taken. */
export const readInvitation = (table: string, token: string) =>
  call<Invitation>("GET", `/api/tables/${table}/invitation`, undefined, token);
export const readRecord = (table: string, token: string) =>
  call<string>("GET", `/api/tables/${table}/record`, undefined, token);
export const readTable = (table: string, token: string) =>
  call<TableState>("GET", `/api/tables/${table}`, undefined, token);
export const replayOverview = (record: string) =>
  call<ReplayOverview>("POST", "/api/replay/overview", { record });
export const replaySteps = (record: string, first: number, count: number, seat: number | null) =>
  call<ReplaySteps>("POST", "/api/replay/steps", { record, first, count, seat });
/** A step as a position, to play on from. */
export const replayPosition = (record: string, step: number) =>
  call<ReplayPosition>("POST", "/api/replay/position", { record, step });
export const analyse = (table: string, token: string, depth: string) =>
  call<AnalysisState>("POST", `/api/tables/${table}/analysis`, { depth }, token);
export const readAnalysis = (table: string, token: string) =>
  call<AnalysisState>("GET", `/api/tables/${table}/analysis`, undefined, token);
export const cancelAnalysis = (table: string, token: string) =>
  call<AnalysisState>("POST", `/api/tables/${table}/analysis/cancel`, undefined, token);
export const drawAnalysis = (table: string, token: string, language: string) =>
  call<AnalysisPicture>("GET", `/api/tables/${table}/analysis/curve/${language}`, undefined, token);
export const analyseFile = (record: string, depth: string) =>
  call<AnalysisState>("POST", "/api/analyses", { record, depth });
export const readFileAnalysis = (id: string) => call<AnalysisState>("GET", `/api/analyses/${id}`);
export const cancelFileAnalysis = (id: string) => call<AnalysisState>("POST", `/api/analyses/${id}/cancel`);
export const drawFileAnalysis = (id: string, language: string) =>
  call<AnalysisPicture>("GET", `/api/analyses/${id}/curve/${language}`);
export const listCards = () => call<CardList>("GET", "/api/cards");
export const listBots = () => call<BotList>("GET", "/api/bots");
export const listLessons = (language: string) => call<LessonList>("GET", `/api/lessons/${language}`);
export const askLesson = (language: string, name: string, request: LessonRequest) =>
  call<LessonState>("POST", `/api/lessons/${language}/${encodeURIComponent(name)}`, request);
export const listPuzzles = () => call<PuzzleList>("GET", "/api/puzzles");
export const puzzleOfDay = () => call<DayPuzzle>("GET", "/api/puzzles/day");
export const askPuzzle = (number: number, request: PuzzleRequest) => call<PuzzleState>("POST", `/api/puzzles/${number}`, request);
export const readRules = (language: string) => call<Rulebook>("GET", `/api/rules/${language}`);
export const readCardTexts = (language: string) => call<CardTexts>("GET", `/api/rules/${language}/cards`);
export const tryCoatl = (coatl: string, cards: readonly string[]) => call<CoatlTried>("POST", "/api/cards/try", { coatl, cards });
