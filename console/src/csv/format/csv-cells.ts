import type { FrequencyCap } from '../../api/bookings/desk-list.ts';
import { type NumberMarks, readNumber } from '../../format/typed-numbers.ts';
import { instantOf } from '../../format/wall-time.ts';
import type { DayPart } from '../../api/bookings/line-item-settings.ts';
import {
  readCustomFields,
  readJson,
  readDayParts,
  readFrequencyCaps,
  writeCustomFields,
  writeJson,
  writeDayParts,
  writeFrequencyCaps,
} from './csv-parts.ts';

/** How the text of a cell is read. */
export type CellKind =
  | 'text'
  | 'decimal'
  | 'integer'
  | 'long'
  | 'float'
  | 'flag'
  | 'choice'
  | 'instant'
  | 'list'
  | 'sizes'
  | 'frequency_caps'
  | 'day_parts'
  | 'custom_fields'
  | 'json';

/** What a cell is read with. */
export interface CellContext {
  /** Whether a comma begins the decimals, as in German and Polish files. */
  readonly hasDecimalComma: boolean;
  /** The IANA zone of times without one. */
  readonly timezone: string;
  /** Of a choice. */
  readonly choices?: readonly string[];
}

/** Why a cell cannot be read: the end of its message's name. */
export type CellFault =
  | `cell_${Exclude<CellKind, 'text' | 'list' | 'float' | 'long'>}`
  | 'cell_ambiguous'
  | 'cell_only_new';
/** What a cell says, or why it cannot be read. */
export type CellReading = { readonly value: unknown } | { readonly fault: CellFault };

interface CellFacts {
  /** The text of a value that is not null. */
  write: (value: unknown) => string;
  /** Of a text that is not empty. */
  read: (text: string, context: CellContext) => CellReading;
}

/** How each kind of cell is written and read; what was written is read as the same value. */
const CELLS: Readonly<Record<CellKind, CellFacts>> = {
  text: { write: (value) => String(value).replaceAll(/\r\n?/g, '\n'), read: (text) => ({ value: text }) },
  decimal: { write: (value) => plainDecimal(String(value)), read: (text, context) => readDecimal(text, context) },
  integer: { write: String, read: (text, context) => readWhole(text, context, INT_MAX) },
  long: { write: String, read: (text, context) => readWhole(text, context, Number.MAX_SAFE_INTEGER) },
  float: {
    write: String,
    read: (text, context) => {
      const number = readDecimal(text.replace(/\s*%$/, ''), context);
      return 'fault' in number ? number : { value: Number(number.value) };
    },
  },
  flag: {
    write: String,
    read: (text) => {
      const word = text.trim().toLowerCase();
      if (YES.has(word)) return { value: true };
      return NO.has(word) ? { value: false } : { fault: 'cell_flag' };
    },
  },
  choice: {
    write: String,
    read: (text, { choices = [] }) => {
      const value = choiceOf(text);
      return choices.includes(value) ? { value } : { fault: 'cell_choice' };
    },
  },
  instant: {
    write: (value) => new Date(String(value)).toISOString(),
    read: (text, context) => readInstant(text, context),
  },
  list: {
    write: (value) => writeList(value as readonly string[]),
    read: (text, { choices }) => {
      const parts = readList(text);
      if (choices === undefined) return { value: parts };
      const chosen = parts.map(choiceOf);
      return chosen.every((one) => choices.includes(one)) ? { value: chosen } : { fault: 'cell_choice' };
    },
  },
  sizes: {
    write: (value) =>
      writeList(
        (value as readonly { width: number; height: number }[]).map(({ width, height }) => `${width}x${height}`),
      ),
    read: (text) => {
      const sizes = readList(text).map((one) => SIZE.exec(one));
      if (sizes.includes(null)) return { fault: 'cell_sizes' };
      return { value: sizes.map((size) => ({ width: Number(size?.[1]), height: Number(size?.[2]) })) };
    },
  },
  frequency_caps: {
    write: (value) => writeFrequencyCaps(value as readonly FrequencyCap[]),
    read: (text) => readingOf(readFrequencyCaps(text), 'cell_frequency_caps'),
  },
  day_parts: {
    write: (value) => writeDayParts(value as readonly DayPart[]),
    read: (text) => readingOf(readDayParts(text), 'cell_day_parts'),
  },
  custom_fields: {
    write: (value) => writeCustomFields(value as Readonly<Record<string, string>>),
    read: (text) => readingOf(readCustomFields(text), 'cell_custom_fields'),
  },
  json: { write: (value) => writeJson(value), read: (text) => readingOf(readJson(text), 'cell_json') },
};

const readingOf = (value: unknown, fault: CellFault): CellReading => (value === null ? { fault } : { value });

const choiceOf = (text: string): string =>
  text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');
const SIZE = /^(\d{1,5})\s*[x×*]\s*(\d{1,5})$/i;
/** Also as spreadsheets write them in German and Polish. */
const YES: ReadonlySet<string> = new Set(['true', 'yes', '1', 'wahr', 'ja', 'prawda', 'tak']);
const NO: ReadonlySet<string> = new Set(['false', 'no', '0', 'falsch', 'nein', 'fałsz', 'nie']);

/** The text of a value; null and empty lists are empty. */
export function writeCell(kind: CellKind, value: unknown): string {
  return value === null || value === undefined ? '' : CELLS[kind].write(value);
}

/** What a text says that is not empty. */
export function readCell(kind: CellKind, text: string, context: CellContext): CellReading {
  return CELLS[kind].read(text, context);
}

/** `18.50` and `18.5` are one amount. */
function plainDecimal(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const COMMA_MARKS: NumberMarks = { decimal: ',', group: '.' };
const POINT_MARKS: NumberMarks = { decimal: '.', group: ',' };

/** A number as exact text, read by the marks of the file. What is open is not guessed. */
function readDecimal(
  text: string,
  { hasDecimalComma, isWhole = false }: Pick<CellContext, 'hasDecimalComma'> & { readonly isWhole?: boolean },
): { readonly value: string } | { readonly fault: CellFault } {
  const reading = readNumber(text, { isWhole, marks: hasDecimalComma ? COMMA_MARKS : POINT_MARKS });
  if (reading.kind === 'number') return { value: plainDecimal(reading.value) };
  return { fault: reading.kind === 'ambiguous' ? 'cell_ambiguous' : 'cell_decimal' };
}

/** The largest integer of a GraphQL `Int`. */
const INT_MAX = 2_147_483_647;

function readWhole(text: string, context: CellContext, max: number): CellReading {
  const number = readDecimal(text, { ...context, isWhole: true });
  const value = 'fault' in number ? Number.NaN : Number(number.value);
  return Number.isInteger(value) && Math.abs(value) <= max ? { value } : { fault: 'cell_integer' };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i;
const YEAR_FIRST = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}:\d\d)(?::([0-5]\d))?)?$/;
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:,? (\d{1,2}:\d\d)(?::([0-5]\d))?)?$/;

/** ISO 8601; or a date as spreadsheets write it, `2026-11-30 08:00` or `30.11.2026`, in the zone of the object. A date alone is its first minute. */
function readInstant(text: string, { timezone }: CellContext): CellReading {
  const plain = text.trim();
  if (ISO.test(plain)) {
    // A browser reads 30 February as 2 March.
    const isDay = instantOf(`${plain.slice(0, 10)}T00:00`, 'UTC') !== null;
    const atMs = isDay ? Date.parse(plain) : Number.NaN;
    return Number.isNaN(atMs) ? { fault: 'cell_instant' } : { value: new Date(atMs).toISOString() };
  }
  const [, year, month, day, time, seconds = '0'] = YEAR_FIRST.exec(plain) ?? reversed(DAY_FIRST.exec(plain));
  if (year === undefined || month === undefined || day === undefined) return { fault: 'cell_instant' };
  const wall = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T${(time ?? '00:00').padStart(5, '0')}`;
  const atMs = instantOf(wall, timezone);
  return atMs === null ? { fault: 'cell_instant' } : { value: new Date(atMs + Number(seconds) * 1_000).toISOString() };
}

function reversed(match: readonly (string | undefined)[] | null): readonly (string | undefined)[] {
  const [whole, day, month, year, ...time] = match ?? [];
  return [whole, year, month, day, ...time];
}

/** Parts of a list are separated by `|`; one in a part is written `\|`, and a backslash `\\`. */
function writeList(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll(/[\\|]/g, String.raw`\$&`)).join('|');
}

function readList(text: string): string[] {
  return [...text.matchAll(/((?:\\[\\|]|[^|])*)(?:\||$)/g)]
    .map(([, part = '']) => part.replaceAll(/\\([\\|])/g, '$1').trim())
    .filter((part) => part !== '');
}
