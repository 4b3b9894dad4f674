import { parse, type ParsedComponents } from 'chrono-node';
import type { LocalTime } from './local-time.ts';

/** A date, or a range of two, that was found in a text. */
export interface NaturalDate {
  readonly start: LocalTime;
  readonly end: LocalTime | null;
}

const TEXT_MAX = 200;
const RANGE = /^(.+?)(?: (?:to|-|until|through|till) |\s*[–~]\s*)(.+)$/;
const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
/** Spellings that chrono does not know, or not on their own. */
const SPELLINGS = new Map(
  [
    'from today=from now,secs=sec,yrs=yr,tues=tuesday,jan=january,feb=february,mar=march,apr=april,jun=june,jul=july',
    'aug=august,sept=september,sep=september,oct=october,nov=november,dec=december',
  ]
    .flatMap((pairs) => pairs.split(','))
    .map((pair) => pair.split('=') as [string, string]),
);
const SPELLING = new RegExp(`(?<![a-z])(?:${[...SPELLINGS.keys()].join('|')})(?!\\w)\\.?`, 'g');

/**
 * Finds the first date in an English text ("15 May 2026", "2 weeks ago", "last monday", "May 1 2026 - May 10 2026") with the
 * parser that Cube uses; null when there is none. The text must be lower case; at most 200 characters are read.
 */
export function findNaturalDate(text: string, now: LocalTime): NaturalDate | null {
  const known = text.slice(0, TEXT_MAX).replace(SPELLING, (word) => SPELLINGS.get(word.replace('.', '')) ?? word);
  const reference = { instant: new Date(now.toZonedDateTime('UTC').epochMilliseconds), timezone: 0 };
  const [, from = '', to = ''] = RANGE.exec(known) ?? [];
  const [first] = parse(from, reference);
  const [second] = parse(to, reference);
  // chrono reads the second of two dates with times as a time.
  if (first !== undefined && from.endsWith(first.text) && second?.index === 0) {
    return { start: toLocal(first.start), end: toLocal(second.start) };
  }
  const [found] = parse(known, reference);
  if (found === undefined) return null;
  return { start: toLocal(found.start), end: found.end ? toLocal(found.end) : null };
}

function toLocal(parsed: ParsedComponents): LocalTime {
  const [year = 0, month = 1, day = 1, ...clock] = PARTS.map((part) => parsed.get(part) ?? 0);
  return new Temporal.PlainDateTime(year, month, day, ...clock);
}
