import type { ReviveRow } from './revive-tables.ts';

/** Targeting as the API takes it. */
export type PlannedTargeting = Readonly<Record<string, unknown>>;

/** The limitations of a banner. `targeting` null: none. `problems`: those that Placard cannot test, each as one sentence. */
export interface ReadLimitations {
  readonly targeting: PlannedTargeting | null;
  readonly problems: readonly string[];
  readonly approximations: readonly string[];
  /** Zones of days and hours. */
  readonly timezones: readonly string[];
}

/** What one limitation is read into. */
interface Reading {
  readonly channels: ReadonlyMap<string, readonly ReviveRow[]>;
  readonly problems: string[];
  readonly approximations: string[];
  readonly timezones: Set<string>;
  readonly depth: number;
}

const CHANNELS_DEEP_MAX = 5;

/** Reads limitations in the order of their execution. As in Revive, `and` binds closer than `or`. */
export function readLimitations(
  rows: readonly ReviveRow[],
  channels: ReadonlyMap<string, readonly ReviveRow[]>,
): ReadLimitations {
  const reading: Reading = { channels, problems: [], approximations: [], timezones: new Set(), depth: 0 };
  const targeting = readList(rows, reading);
  const { problems, approximations, timezones } = reading;
  return { targeting, problems, approximations: [...new Set(approximations)], timezones: [...timezones] };
}

function readList(rows: readonly ReviveRow[], reading: Reading): PlannedTargeting | null {
  const ordered = rows.toSorted((one, other) => Number(one['executionorder']) - Number(other['executionorder']));
  const groups: PlannedTargeting[][] = [];
  for (const [index, row] of ordered.entries()) {
    if (index === 0 || row['logical'] === 'or') groups.push([]);
    const read = readOne(row, reading);
    if (read !== null) groups.at(-1)?.push(read);
  }
  // A group without any test matches everybody.
  if (groups.length === 0 || groups.some((group) => group.length === 0)) return null;
  const parts = groups.map((group) => joined('all', group));
  return joined('any', parts);
}

function joined(kind: 'all' | 'any', parts: readonly PlannedTargeting[]): PlannedTargeting {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { [kind]: parts };
}

interface Limitation {
  readonly name: string;
  readonly comparison: string;
  readonly data: string;
}

const isNegative = ({ comparison }: Limitation): boolean => ['!=', '!~', '!x', 'ne'].includes(comparison);
const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function readOne(row: ReviveRow, reading: Reading): PlannedTargeting | null {
  const [, group = '', plugin = ''] = (row['type'] ?? '').split(':');
  const limitation = { name: `${group}:${plugin}`, comparison: row['comparison'] ?? '', data: row['data'] ?? '' };
  const read = PARSERS[limitation.name];
  if (read === undefined) return refuse(limitation, reading, 'Placard has no such test');
  return read(limitation, reading);
}

function refuse({ name, comparison, data }: Limitation, reading: Reading, why: string): null {
  reading.problems.push(`${name} ${comparison} "${data.slice(0, 100)}": ${why}.`);
  return null;
}

type Parse = (limitation: Limitation, reading: Reading) => PlannedTargeting | null;

function test(
  dimension: string,
  values: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): PlannedTargeting {
  return { test: { dimension, values, ...more } };
}

function negated(limitation: Limitation, targeting: PlannedTargeting): PlannedTargeting {
  return isNegative(limitation) ? { not: targeting } : targeting;
}

/** A list of values, any of which is enough. */
const parseList =
  (dimension: string, form: (value: string) => string = (value) => value): Parse =>
  (limitation, reading) => {
    const values = listOf(limitation.data).map(form);
    if (values.length === 0) return refuse(limitation, reading, 'it names nothing');
    return negated(limitation, test(dimension, values));
  };

/** `PL|MZ,SL`: a country, then regions or cities. A user whose location is unknown is refused, also by "is not". */
const withinCountry =
  (dimension: string): Parse =>
  (limitation, reading) => {
    const [country = '', rest = ''] = limitation.data.split('|');
    const values = listOf(rest);
    if (values.length === 0) return refuse(limitation, reading, 'it names nothing');
    const inside = negated(limitation, test(dimension, values));
    return country === '' ? inside : { all: [test('COUNTRY', [country.toUpperCase()]), inside] };
  };

/** `Chrome|90` with a comparison of versions: the version is left out. */
const versioned =
  (dimension: string): Parse =>
  (limitation, reading) => {
    const [name = ''] = limitation.data.split('|');
    if (name === '') return refuse(limitation, reading, 'it names nothing');
    if (limitation.comparison !== 'nn')
      reading.approximations.push(`${limitation.name}: any version of ${name} matches`);
    return test(dimension, [name]);
  };

/** Texts: `==` equal, `=~` contains, and their opposites. */
function textTest(dimension: string, limitation: Limitation, reading: Reading, key?: string): PlannedTargeting | null {
  const { comparison } = limitation;
  const value = key === undefined ? limitation.data : limitation.data.slice(limitation.data.indexOf('|') + 1);
  if (value === '') return refuse(limitation, reading, 'it names nothing');
  const operator = { '==': 'IS', '!=': 'IS', '=~': 'CONTAINS', '!~': 'CONTAINS' }[comparison];
  if (operator === undefined) return refuse(limitation, reading, 'Placard compares no regular expressions and numbers');
  return negated(limitation, test(dimension, [value], { operator, ...(key === undefined ? {} : { key }) }));
}

/** Revive's days begin with Sunday as 0, those of Placard with Monday as 1. */
function dayParts(limitation: Limitation, reading: Reading, read: (value: string) => string): PlannedTargeting | null {
  const [list = '', timezone = 'UTC'] = limitation.data.split('@');
  const values = listOf(list);
  if (values.length === 0) return refuse(limitation, reading, 'it names nothing');
  reading.timezones.add(timezone === '' ? 'UTC' : timezone);
  return negated(limitation, test('DAY_PART', values.map(read)));
}

const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const readChannel: Parse = (limitation, reading) => {
  const parts = listOf(limitation.data).map((id) => {
    const rows = reading.channels.get(id);
    if (rows === undefined || reading.depth >= CHANNELS_DEEP_MAX)
      return refuse(
        limitation,
        reading,
        rows === undefined ? `there is no rule set ${id}` : 'rule sets nest too deeply',
      );
    return readList(rows, { ...reading, depth: reading.depth + 1 });
  });
  const known = parts.filter((part) => part !== null);
  if (known.length < parts.length || known.length === 0) return null;
  return negated(limitation, joined('any', known));
};

const domains: Parse = (limitation, reading) => {
  const values = limitation.data.split(/[\s,]+/).filter((one) => one !== '');
  if (values.length === 0) return refuse(limitation, reading, 'it names nothing');
  return negated(limitation, test('DOMAIN', values));
};

const PARSERS: Readonly<Record<string, Parse>> = {
  'Geo:Country': parseList('COUNTRY', (value) => value.toUpperCase()),
  'Geo:Region': withinCountry('REGION'),
  'Geo:Subdivision1': withinCountry('REGION'),
  'Geo:City': withinCountry('CITY'),
  'Client:Language': parseList('BROWSER_LANGUAGE'),
  'Client:Os': parseList('OS'),
  'Client:OsVersion': versioned('OS'),
  'Client:Browser': parseList('BROWSER'),
  'Client:BrowserVersion': versioned('BROWSER'),
  'Site:Pageurl': (limitation, reading) => textTest('PAGE_URL', limitation, reading),
  'Site:Source': (limitation, reading) =>
    textTest('KEY_VALUE', { ...limitation, data: `source|${limitation.data}` }, reading, 'source'),
  'Site:Variable': (limitation, reading) =>
    textTest('KEY_VALUE', limitation, reading, limitation.data.split('|')[0] ?? ''),
  'Site:Channel': readChannel,
  'Site:Hostnamelist': domains,
  'Site:Registerabledomainlist': domains,
  'Time:Day': (limitation, reading) =>
    dayParts(limitation, reading, (day) => `${day === '0' ? 7 : Number(day)} 00:00-24:00`),
  'Time:Hour': (limitation, reading) =>
    dayParts(limitation, reading, (hour) => `1-7 ${hourText(Number(hour))}-${hourText(Number(hour) + 1)}`),
};
