/** Parts of what is read aloud put together: those that are empty are left out. */

import { m } from "../../paraglide/messages";

type Maybe = string | false | null | undefined;

const said = (parts: readonly Maybe[]): string[] => parts.filter((part): part is string => Boolean(part));

/** "12 points, 3 cards" */
export const listed = (...parts: readonly Maybe[]): string => said(parts).join(", ");

/** "black head, red; 3 points now" */
export const clauses = (...parts: readonly Maybe[]): string => said(parts).join(m.semicolon());

/** "Your board: empty" */
export const headed = (head: string, rest: Maybe): string => (rest ? `${head}${m.colon()}${rest}` : head);

/** Each with a full stop, unless it has a sign of its own. */
export const sentences = (...parts: readonly Maybe[]): string =>
  said(parts).map((part) => (/[.?!…]$/.test(part) ? part : `${part}.`)).join(" ");
