import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { shortText } from './short-text.ts';

/** Patterns of to_timestamp() and to_date(): digits, and the part of a time that they are. */
const PATTERNS: Readonly<Record<string, { readonly digits: string; readonly part: string }>> = {
  YYYY: { digits: String.raw`\d{4}`, part: 'year' },
  MM: { digits: String.raw`\d{1,2}`, part: 'month' },
  DD: { digits: String.raw`\d{1,2}`, part: 'day' },
  HH24: { digits: String.raw`\d{1,2}`, part: 'hour' },
  MI: { digits: String.raw`\d{1,2}`, part: 'minute' },
  SS: { digits: String.raw`\d{1,2}`, part: 'second' },
  MS: { digits: String.raw`\d{1,3}`, part: 'millisecond' },
  US: { digits: String.raw`\d{1,6}`, part: 'microsecond' },
};
const PIECES = /YYYY|MM|DD|HH24|MI|SS|MS|US|[^A-Za-z0-9]|T/gi;

/**
 * Reads a time as to_timestamp(text, format) does, on the clocks of the session. Formats have YYYY, MM, DD, HH24, MI, SS, MS, US, and
 * marks between them.
 * @throws SqlError `0A000` for another format, `22007` for a text that the format does not fit
 */
export function readFormatted(text: string, format: string, location?: number): Temporal.PlainDateTime {
  const pieces = shortText(format, SQLSTATE.invalidDatetime, location).match(PIECES) ?? [];
  if (pieces.join('').length !== format.length) {
    throw new SqlError(SQLSTATE.featureNotSupported, `The format "${format}" is not supported.`, {
      hint: `Write it with ${Object.keys(PATTERNS).join(', ')} and marks between them, or write the time as a literal.`,
      location,
    });
  }
  const parts: string[] = [];
  const source = pieces.map((piece) => {
    const pattern = PATTERNS[piece.toUpperCase()];
    if (pattern === undefined)
      return piece.toUpperCase() === 'T' ? 'T' : piece.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
    parts.push(pattern.part);
    return `(${pattern.digits})`;
  });
  const match = new RegExp(`^${source.join('')}$`, 'i').exec(
    shortText(text, SQLSTATE.invalidDatetime, location).trim(),
  );
  const found = Object.fromEntries(parts.map((part, at) => [part, digitsOf(part, match?.[at + 1] ?? '')]));
  try {
    if (match !== null) return toDateTime(found);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new SqlError(SQLSTATE.invalidDatetime, `"${text}" does not fit the format "${format}".`, { location });
}

/** Digits behind a decimal point count from its side: `.25` is 250 milliseconds. */
function digitsOf(part: string, digits: string): number {
  if (part === 'millisecond') return Number(digits.padEnd(3, '0'));
  return Number(part === 'microsecond' ? digits.padEnd(6, '0') : digits);
}

function toDateTime({
  year = 1,
  month = 1,
  day = 1,
  hour,
  minute,
  second,
  millisecond = 0,
  microsecond = 0,
}: Partial<Record<string, number>>): Temporal.PlainDateTime {
  const clock = { hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0 };
  const micros = millisecond * 1_000 + microsecond;
  return Temporal.PlainDateTime.from(
    { year, month, day, ...clock, millisecond: Math.floor(micros / 1_000), microsecond: micros % 1_000 },
    { overflow: 'reject' },
  );
}
