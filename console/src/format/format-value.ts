import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import type { Granularity } from '../reports/calendar.ts';
import type { Member } from '../reports/report-model.ts';
import { type CellValue, toNumber } from '../reports/report-rows.ts';

// Making a format takes longer than many uses of it.
const numberFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function numberFormat(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currentLocale()} ${name}`;
  const known = numberFormats.get(key) ?? new Intl.NumberFormat(currentLocale(), options);
  numberFormats.set(key, known);
  return known;
}

/** The buckets of reports are clock faces: they are formatted as if in UTC. */
function timeFormat(name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${currentLocale()} ${name}`;
  const known = timeFormats.get(key) ?? new Intl.DateTimeFormat(currentLocale(), { ...options, timeZone: 'UTC' });
  timeFormats.set(key, known);
  return known;
}

/** A measure's value by locale and currency. Decimal texts are formatted exactly, whatever their size. */
export function formatMeasure(member: Pick<Member, 'format' | 'currency'>, value: CellValue | undefined): string {
  if (toNumber(value) === null) return say('value.none_measure');
  const text = String(value) as Intl.StringNumericLiteral;
  if (member.format === 'percent')
    return `${numberFormat('percent', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(text)}\u00a0%`;
  if (member.format === 'currency') {
    const { currency } = member;
    if (currency === null)
      return numberFormat('money', { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(text);
    return numberFormat(`currency ${currency}`, { style: 'currency', currency }).format(text);
  }
  return numberFormat('number', { maximumFractionDigits: 2 }).format(text);
}

/** A short form for axes: `1.2M`. */
export function formatShort(value: number): string {
  return numberFormat('short', { notation: 'compact', maximumSignificantDigits: 3 }).format(value);
}

/** A dimension's value; a word for what has none. */
export function formatDimension(member: Pick<Member, 'type'>, value: CellValue | undefined): string {
  if (value === null || value === undefined) return say('value.none');
  if (member.type === 'boolean') return say(value === true || value === 'true' ? 'value.yes' : 'value.no');
  return String(value);
}

const TIME_FORMATS: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  hour: { weekday: 'short', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  day: { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
  week: { year: 'numeric', month: 'short', day: 'numeric' },
  month: { year: 'numeric', month: 'long' },
};

/** The name of a time bucket, which is local to the query's time zone: the clock face counts, not the instant. */
export function formatBucket(bucket: CellValue | undefined, granularity: Granularity): string {
  const at = Date.parse(`${String(bucket).slice(0, 19)}Z`);
  if (Number.isNaN(at)) return String(bucket ?? '');
  const text = timeFormat(granularity, TIME_FORMATS[granularity]).format(at);
  return granularity === 'week' ? say('value.week_of', { date: text }) : text;
}

const SHORT_TIME_FORMATS: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  hour: { day: 'numeric', month: 'short', hour: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: '2-digit' },
};

/** A bucket's name for an axis. */
export function formatShortBucket(bucket: CellValue | undefined, granularity: Granularity): string {
  const at = Date.parse(`${String(bucket).slice(0, 19)}Z`);
  return Number.isNaN(at) ? '' : timeFormat(`short ${granularity}`, SHORT_TIME_FORMATS[granularity]).format(at);
}

/** A change in per cent, signed. */
export function formatChange(percent: number): string {
  return `${numberFormat('change', { signDisplay: 'exceptZero', maximumFractionDigits: 1, minimumFractionDigits: 1 }).format(percent)}\u00a0%`;
}

/** An instant, in a time zone. */
export function formatInstant(iso: string, timezone?: string): string {
  return new Intl.DateTimeFormat(currentLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timezone === undefined ? {} : { timeZone: timezone }),
  }).format(new Date(iso));
}
