import { SqlError } from '../wire/sql-error.ts';

/** The longest text of a time, an interval or a number, in characters. */
export const SHORT_TEXT_MAX = 100;

/** A text that is parsed as a time, an interval or a number. @throws SqlError with `sqlstate` for one that is too long to be any of them */
export function shortText(text: string, sqlstate: string, location?: number): string {
  if (text.length <= SHORT_TEXT_MAX) return text;
  throw new SqlError(
    sqlstate,
    `A text of ${text.length} characters is not a time or a number; these have at most ${SHORT_TEXT_MAX}.`,
    { hint: "Write a time as '2026-01-31 10:00:00', an interval as '30 days'.", location },
  );
}
