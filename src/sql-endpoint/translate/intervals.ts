import { SQLSTATE, SqlError } from '../wire/sql-error.ts';

const UNIT_NAMES: Readonly<Record<string, string>> = {
  millisecond: 'milliseconds',
  ms: 'milliseconds',
  second: 'seconds',
  sec: 'seconds',
  s: 'seconds',
  minute: 'minutes',
  min: 'minutes',
  m: 'minutes',
  hour: 'hours',
  hr: 'hours',
  h: 'hours',
  day: 'days',
  d: 'days',
  week: 'weeks',
  w: 'weeks',
  month: 'months',
  mon: 'months',
  year: 'years',
  yr: 'years',
  y: 'years',
};
/** The bits of `INTERVAL '1' DAY` and its relatives. */
const FIELD_MASKS: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
};

/** White space before a number is searched from each of its characters, so a text is short. */
const INTERVAL_LENGTH_MAX = 200;
/** A number and its unit, or a time of the clock. */
const PART = /([+-]?)\s*(?:(\d{1,4}):(\d{2})(?::(\d{2}))?(?:\.(\d{1,6}))?|(\d{1,9})(?:\.(\d{1,6}))?\s*([a-z]+))/gi;

/**
 * Reads `30 days`, `1 month -2 hours`, `0 days 900.0 seconds` and `00:15:00`; `mask` names the unit of a bare number.
 * @throws SqlError `22007`
 */
export function readInterval(text: string, mask: number | undefined, location?: number): Temporal.Duration {
  const unit = mask === undefined ? undefined : FIELD_MASKS[mask];
  if (text.length > INTERVAL_LENGTH_MAX) throw notAnInterval(text, location);
  const written = /^\s*[+-]?\d+\s*$/.test(text) && unit !== undefined ? `${text} ${unit}` : text;
  const found: Record<string, number> = {};
  const parts = [...written.matchAll(PART)];
  let isKnown = parts.length > 0 && written.replaceAll(PART, '').trim() === '';
  for (const [, sign, hours, minutes, seconds = '0', clockFraction = '', count, fraction = '', name = ''] of parts) {
    const factor = sign === '-' ? -1 : 1;
    const add = (field: string, value: number): void => {
      found[field] = (found[field] ?? 0) + value * factor;
    };
    const field = UNIT_NAMES[name.toLowerCase()] ?? UNIT_NAMES[name.toLowerCase().replace(/s$/, '')];
    if (count === undefined) {
      add('hours', Number(hours));
      add('minutes', Number(minutes));
      add('seconds', Number(seconds));
      add('microseconds', Number(clockFraction.padEnd(6, '0')));
    } else if (field === undefined || (Number(fraction) !== 0 && field !== 'seconds')) isKnown = false;
    else {
      add(field, Number(count));
      if (field === 'seconds') add('microseconds', Number(fraction.padEnd(6, '0')));
    }
  }
  const signs = new Set(
    Object.values(found)
      .filter((value) => value !== 0)
      .map(Math.sign),
  );
  if (isKnown && signs.size <= 1) return Temporal.Duration.from(found);
  throw notAnInterval(text, location);
}

function notAnInterval(text: string, location: number | undefined): SqlError {
  return new SqlError(
    SQLSTATE.invalidDatetime,
    `"${text.slice(0, 100)}" is not an interval that the endpoint understands.`,
    {
      hint: "Write one as '30 days' or '-1 month'.",
      location,
    },
  );
}
