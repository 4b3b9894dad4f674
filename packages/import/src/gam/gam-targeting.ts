import { type Fields, idOf } from './fields.ts';
import type { GamKey, GamKeyValue } from './gam-data.ts';
import type { Inventory } from './inventory.ts';

type Targeting = Readonly<Record<string, unknown>>;
type Operator = 'IS' | 'BEGINS_WITH' | 'CONTAINS';

/** What is known around the targeting of a line item. */
export interface TargetingSurroundings {
  readonly inventory: Inventory;
  readonly keys: ReadonlyMap<string, GamKey>;
  readonly keyValues: ReadonlyMap<string, GamKeyValue>;
}

/** The targeting of a line item, as the API takes it. */
export interface ReadTargeting {
  /** Names of ad units; null: all. */
  readonly adUnits: readonly string[] | null;
  /** All of these must match. */
  readonly tests: readonly Targeting[];
  readonly dayParts: readonly Targeting[];
  /** What cannot come over: a reason to pause the line item. */
  readonly problems: readonly string[];
  readonly approximations: readonly string[];
}

interface Reading extends TargetingSurroundings {
  readonly problems: string[];
  readonly approximations: string[];
  readonly tests: Targeting[];
}

const test = (dimension: string, values: readonly string[], more: Targeting = {}): Targeting => ({
  test: { dimension, ...more, values: [...new Set(values)] },
});

/** Members of a targeting that narrow nothing that Placard decides. */
const WITHOUT_EFFECT = new Set(['requestPlatformTargeting']);

/** How each member of a targeting is read. A member that is not here stops its line item. */
const PARSERS: Readonly<Record<string, (part: Fields, reading: Reading) => void>> = {
  geoTargeting: readGeo,
  technologyTargeting: readTechnology,
  customTargeting: readCustom,
  userDomainTargeting: (part, reading) => {
    const domains = part.texts('domains');
    if (domains.length === 0) return;
    const inside = test('DOMAIN', domains);
    reading.tests.push(part.flag('targeted') ? inside : { not: inside });
  },
};

/** Reads a targeting. What is not understood is a problem, never left out in silence. */
export function readTargeting(targeting: Fields, around: TargetingSurroundings): ReadTargeting {
  const reading: Reading = { ...around, problems: [], approximations: [], tests: [] };
  const own = new Set(['inventoryTargeting', 'dayPartTargeting']);
  for (const name of targeting.names) {
    if (own.has(name) || !targeting.has(name)) continue;
    const part = targeting.child(name);
    const read = Object.hasOwn(PARSERS, name) ? PARSERS[name] : undefined;
    if (read !== undefined && part !== null) read(part, reading);
    else if (WITHOUT_EFFECT.has(name)) reading.approximations.push(`its ${name} is left out: formats say it`);
    else reading.problems.push(`its ${name} has no counterpart`);
  }
  const adUnits = readInventory(targeting.child('inventoryTargeting'), reading);
  const dayParts = readDayParts(targeting.child('dayPartTargeting'), reading);
  const { tests, problems, approximations } = reading;
  return { adUnits, tests, dayParts, problems, approximations };
}

function readInventory(part: Fields | null, { inventory, problems }: Reading): readonly string[] | null {
  const targeted = part?.children('targetedAdUnits') ?? [];
  const placements = part === null ? [] : [...part.texts('targetedPlacementIds'), ...part.texts('targetedPlacements')];
  if (targeted.length === 0 && placements.length === 0) {
    problems.push('it targets no ad unit and no placement');
    return [];
  }
  const found = new Set<string>();
  const add = (ids: readonly string[] | null, what: string): void => {
    if (ids === null) problems.push(`${what} is in no file`);
    for (const id of ids ?? []) found.add(id);
  };
  for (const one of targeted) {
    const id = idOf(one.text('adUnitId', 'adUnit'));
    add(inventory.idsBelow(id, one.flag('includeDescendants')), `its ad unit ${id}`);
  }
  for (const id of placements.map(idOf)) add(inventory.idsOfPlacement(id), `its placement ${id}`);
  for (const one of part?.children('excludedAdUnits') ?? []) {
    const id = idOf(one.text('adUnitId', 'adUnit'));
    const ids = inventory.idsBelow(id, one.flag('includeDescendants'));
    if (ids === null) problems.push(`its excluded ad unit ${id} is in no file`);
    for (const excluded of ids ?? []) found.delete(excluded);
  }
  return [...found].flatMap((id) => inventory.nameOf(id) ?? []);
}

const COUNTRY = 'COUNTRY';

function readGeo(part: Fields, reading: Reading): void {
  if (part.has('targetedGeos') || part.has('excludedGeos')) {
    reading.problems.push('its locations are numbers of the REST API');
    return;
  }
  const included = part.children('targetedLocations').map((location) => geoOf(location, reading));
  const excluded = part.children('excludedLocations').map((location) => geoOf(location, reading));
  const known = joined('any', merged(included.filter((one) => one !== null)));
  if (known !== null) reading.tests.push(known);
  for (const one of merged(excluded.filter((location) => location !== null))) reading.tests.push({ not: one });
}

interface Geo {
  readonly dimension: string;
  readonly value: string;
}

function geoOf(location: Fields, { problems }: Reading): Geo | null {
  const [type, name] = [location.text('type') ?? '', location.textOr('displayName', 'name')];
  if (type === COUNTRY) {
    const code = countryCode(name);
    if (code !== null) return { dimension: COUNTRY, value: code };
    problems.push(`its country "${name}" is not known`);
    return null;
  }
  if (type === 'CITY' && name !== '') return { dimension: 'CITY', value: name };
  problems.push(`its location "${name}" (${type === '' ? 'no type' : type}) has no counterpart`);
  return null;
}

/** Locations of one dimension are one test. */
function merged(geos: readonly Geo[]): Targeting[] {
  const groups = [...Map.groupBy(geos, ({ dimension }) => dimension)];
  return groups.map(([dimension, group]) =>
    test(
      dimension,
      group.map(({ value }) => value),
    ),
  );
}

let countries: ReadonlyMap<string, string> | null = null;

/** The code of a country by its English name. */
export function countryCode(name: string): string | null {
  if (/^[A-Z]{2}$/.test(name)) return name;
  countries ??= readCountries();
  return countries.get(foldName(name)) ?? null;
}

const foldName = (name: string): string => name.toLowerCase().replaceAll('&', 'and').replace(/^the /, '');

function readCountries(): Map<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const found = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    // Codes that are no longer in use have the names of those that are.
    const isCurrent = Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`;
    if (name !== undefined && isCurrent) found.set(foldName(name), code);
  }
  for (const [name, code] of OTHER_NAMES) found.set(name, code);
  return found;
}

/** Names of countries there that differ from those of CLDR. */
const OTHER_NAMES: readonly (readonly [string, string])[] = [
  ['turkey', 'TR'],
  ['czech republic', 'CZ'],
  ['hong kong', 'HK'],
  ['macau', 'MO'],
  ['myanmar (burma)', 'MM'],
  ['south korea', 'KR'],
  ['macedonia (fyrom)', 'MK'],
  ['swaziland', 'SZ'],
  ["cote d'ivoire", 'CI'],
  ['democratic republic of the congo', 'CD'],
  ['republic of the congo', 'CG'],
];

interface Technology {
  readonly dimension: string;
  /** Names of its lists: SOAP, then REST. */
  readonly lists: readonly string[];
  /** Null: there is no such value. */
  readonly valueOf: (name: string) => string | null;
}

const DEVICES: Readonly<Record<string, string>> = {
  desktop: 'desktop',
  smartphone: 'mobile',
  'feature phone': 'mobile',
  tablet: 'tablet',
  'connected tv': 'tv',
  'set top box': 'tv',
};

const SYSTEMS: Readonly<Record<string, string>> = {
  'apple ios': 'iOS',
  'google android': 'Android',
  'microsoft windows': 'Windows',
  'apple macos': 'macOS',
  'mac os': 'macOS',
  'apple mac os x': 'macOS',
};

const TECHNOLOGIES: Readonly<Record<string, Technology>> = {
  deviceCategoryTargeting: {
    dimension: 'DEVICE_TYPE',
    lists: ['targetedDeviceCategories', 'excludedDeviceCategories'],
    valueOf: (name) => DEVICES[name.toLowerCase()] ?? null,
  },
  operatingSystemTargeting: {
    dimension: 'OS',
    lists: ['operatingSystems'],
    valueOf: (name) => SYSTEMS[name.toLowerCase()] ?? (name === '' ? null : name),
  },
  browserTargeting: {
    dimension: 'BROWSER',
    lists: ['browsers'],
    valueOf: (name) => (name === '' || /unknown/i.test(name) ? null : name.replace(/^(?:Google|Mozilla|Apple) /, '')),
  },
};

function readTechnology(part: Fields, reading: Reading): void {
  for (const name of part.names) {
    if (!part.has(name)) continue;
    const group = part.child(name);
    const kind = Object.hasOwn(TECHNOLOGIES, name) ? TECHNOLOGIES[name] : undefined;
    if (kind === undefined || group === null) {
      reading.problems.push(`its ${name} has no counterpart`);
      continue;
    }
    readTechnologyGroup(group, kind, reading);
  }
}

function readTechnologyGroup(group: Fields, kind: Technology, reading: Reading): void {
  const isTargeted = !group.names.includes('isTargeted') || group.flag('isTargeted');
  for (const list of kind.lists) {
    const rows = group.children(list);
    if (rows.length === 0) continue;
    const values = rows.flatMap((row) => {
      const name = row.textOr('name', 'displayName');
      const value = kind.valueOf(name);
      if (value === null)
        reading.problems.push(`its "${name === '' ? row.textOr('id') : name}" has no counterpart in ${kind.dimension}`);
      return value ?? [];
    });
    if (values.length === 0) continue;
    const inside = test(kind.dimension, values);
    reading.tests.push(list.startsWith('excluded') || !isTargeted ? { not: inside } : inside);
  }
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  EXACT: 'IS',
  PREFIX: 'BEGINS_WITH',
  BROAD: 'CONTAINS',
  BROAD_PREFIX: 'CONTAINS',
  CONTAINS: 'CONTAINS',
};

/** `customTargeting` is an OR of ANDs of criteria. */
function readCustom(part: Fields, reading: Reading): void {
  const read = readCriteria(part, reading);
  if (read !== null) reading.tests.push(read);
}

function readCriteria(node: Fields, reading: Reading): Targeting | null {
  const operator = node.text('logicalOperator');
  if (operator === 'OR' || operator === 'AND') {
    const children = node.children('children');
    const parts = children.map((child) => readCriteria(child, reading));
    return joined(
      operator === 'OR' ? 'any' : 'all',
      parts.filter((one) => one !== null),
    );
  }
  const keyId = node.text('keyId');
  if (keyId === null) {
    reading.problems.push('it targets audience segments or metadata of content');
    return null;
  }
  const key = reading.keys.get(keyId);
  if (key === undefined) {
    reading.problems.push(`its key ${keyId} is in no file of custom targeting keys`);
    return null;
  }
  return readValues(node, key, reading);
}

function readValues(node: Fields, key: GamKey, reading: Reading): Targeting | null {
  const groups = new Map<Operator, string[]>();
  for (const id of node.texts('valueIds')) {
    const value = reading.keyValues.get(id);
    const operator = value === undefined ? undefined : OPERATORS[value.match];
    if (value === undefined || operator === undefined) {
      const why = value === undefined ? 'is in no file of custom targeting values' : `is compared as ${value.match}`;
      reading.problems.push(`the value ${id} of its key "${key.key}" ${why}`);
      continue;
    }
    groups.set(operator, [...(groups.get(operator) ?? []), value.value]);
  }
  const tests = [...groups].map(([operator, values]) => test('KEY_VALUE', values, { key: key.key, operator }));
  const inside = joined('any', tests);
  if (inside === null) return null;
  return node.text('operator') === 'IS_NOT' ? { not: inside } : inside;
}

function joined(how: 'any' | 'all', parts: readonly Targeting[]): Targeting | null {
  const [first] = parts;
  return parts.length <= 1 ? (first ?? null) : { [how]: parts };
}

const DAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const MINUTES: Readonly<Record<string, number>> = { ZERO: 0, FIFTEEN: 15, THIRTY: 30, FORTY_FIVE: 45 };

function readDayParts(part: Fields | null, { problems, approximations }: Reading): Targeting[] {
  if (part === null) return [];
  const rows = part.children('dayParts');
  if (rows.length > 0 && part.text('timeZone') === 'BROWSER')
    approximations.push("its hours are those of the line item's time zone, not those of each browser");
  return rows.flatMap((row) => {
    const day = DAYS.indexOf(row.textOr('dayOfWeek')) + 1;
    const [start, end] = [minuteOf(row.child('startTime')), minuteOf(row.child('endTime'))];
    if (day > 0 && start !== null && end !== null && start < end)
      return [{ days: [day], startMinute: start, endMinute: end }];
    problems.push('its hours of the week cannot be read');
    return [];
  });
}

function minuteOf(time: Fields | null): number | null {
  const hour = time?.number('hour') ?? null;
  if (time === null || hour === null) return null;
  const word = time.text('minute') ?? 'ZERO';
  const minute = MINUTES[word] ?? Number(word);
  return Number.isInteger(minute) ? hour * 60 + minute : null;
}
