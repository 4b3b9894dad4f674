import { queryProblem, type Member } from '../model/member-index.ts';
import { titleize, type DimensionDefinition, type GranularityDefinition } from '../model/cube.ts';
import { readIntervalName } from './interval-name.ts';
import { CALENDAR_UNITS, parseIsoDate, startOf, type CalendarUnit, type LocalTime } from '../query/local-time.ts';

/** A granularity as annotations name it. */
export interface GranularityInfo {
  readonly name: string;
  readonly title: string;
  readonly interval: string;
  readonly offset?: string;
  readonly origin?: string;
}

/** How a wall-clock column is cut into buckets. */
export interface Granularity {
  readonly info: GranularityInfo;
  /** Length in seconds, months as 30 days: only to compare granularities. */
  readonly approximateSeconds: number;
  /** True when buckets can only begin at a full hour of the wall clock. */
  readonly startsOnHours: boolean;
  /** True when buckets can only begin at midnight of the wall clock. */
  readonly startsOnDays: boolean;
  /** Wall-clock expression → expression of its bucket's start. */
  toSql(localSql: string): string;
}

const UNIT_SECONDS: Readonly<Record<CalendarUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  month: 2_592_000,
  quarter: 7_776_000,
  year: 31_536_000,
};

const BUILT_IN_SQL: Readonly<Record<CalendarUnit, (localSql: string) => string>> = {
  second: (local) => `toStartOfSecond(toDateTime64(${local}, 3, 'UTC'))`,
  minute: (local) => `toStartOfMinute(${local})`,
  hour: (local) => `toStartOfHour(${local})`,
  day: (local) => `toStartOfDay(${local})`,
  week: (local) => `toStartOfWeek(${local}, 1)`,
  month: (local) => `toStartOfMonth(${local})`,
  quarter: (local) => `toStartOfQuarter(${local})`,
  year: (local) => `toStartOfYear(${local})`,
};

/**
 * Looks a granularity of a dimension up: a built-in one, one of its own, or an interval that the name writes.
 * @throws PlacardError `invalid_request` naming one that does not exist
 */
export function findGranularity(member: Member<DimensionDefinition>, name: string, nowLocal: LocalTime): Granularity {
  const custom = member.definition.granularities?.[name];
  if (custom !== undefined && Object.hasOwn(member.definition.granularities ?? {}, name)) {
    return makeCustom(name, custom, nowLocal);
  }
  const written = readIntervalName(name);
  if (written !== null) return makeCustom(name, written, nowLocal);
  const unit = CALENDAR_UNITS.find((known) => known === name);
  if (unit === undefined) {
    throw queryProblem('unknown_member', `Granularity "${name}" does not exist in dimension ${member.fullName}`);
  }
  return {
    info: { name, title: name, interval: `1 ${name}` },
    approximateSeconds: UNIT_SECONDS[unit],
    startsOnHours: UNIT_SECONDS[unit] >= 3600,
    startsOnDays: UNIT_SECONDS[unit] >= 86_400,
    toSql: BUILT_IN_SQL[unit],
  };
}

/** The granularities of a dimension's own, as `/meta` and annotations list them. */
export function describeGranularity(name: string, definition: GranularityDefinition): GranularityInfo {
  return {
    name,
    title: definition.title ?? titleize(name),
    interval: definition.interval,
    ...(definition.offset === undefined ? {} : { offset: definition.offset }),
    ...(definition.origin === undefined ? {} : { origin: definition.origin }),
  };
}

function makeCustom(name: string, definition: GranularityDefinition, nowLocal: LocalTime): Granularity {
  const { count, unit } = parseInterval(definition.interval);
  const origin = originOf(definition, unit, nowLocal);
  const originSql = `toDateTime64('${origin.toString({ fractionalSecondDigits: 3 }).replace('T', ' ')}', 3, 'UTC')`;
  const months = monthsOf(unit) * count;
  const seconds = UNIT_SECONDS[unit] * count;
  return {
    info: describeGranularity(name, definition),
    approximateSeconds: seconds,
    startsOnHours: UNIT_SECONDS[unit] >= 3600 && isWhole(origin, 'hour'),
    startsOnDays: UNIT_SECONDS[unit] >= 86_400 && isWhole(origin, 'day'),
    toSql: (local) =>
      months > 0 ? monthBucketSql(local, originSql, months) : secondBucketSql(local, originSql, seconds),
  };
}

function isWhole(time: LocalTime, unit: CalendarUnit): boolean {
  return startOf(unit, time).equals(time);
}

/** Whole months from the origin, then back to the multiple below. */
function monthBucketSql(local: string, origin: string, months: number): string {
  const crossed = `dateDiff('month', ${origin}, ${local})`;
  const complete = `(${crossed} - toInt32(${local} < addMonths(${origin}, ${crossed})))`;
  return `addMonths(${origin}, toInt32(floor(${complete} / ${months})) * ${months})`;
}

function secondBucketSql(local: string, origin: string, seconds: number): string {
  return `addSeconds(${origin}, toInt64(floor(dateDiff('second', ${origin}, ${local}) / ${seconds})) * ${seconds})`;
}

/** An origin counts as it stands; an offset from the start of the year, or for weeks from a Monday. */
function originOf(definition: GranularityDefinition, unit: CalendarUnit, nowLocal: LocalTime): LocalTime {
  if (definition.origin !== undefined) return parseIsoDate(definition.origin).local;
  const year = startOf('year', nowLocal);
  const base = unit === 'week' ? startOf('week', year) : year;
  if (definition.offset === undefined) return base;
  const { count, unit: offsetUnit } = parseInterval(definition.offset);
  const months = monthsOf(offsetUnit) * count;
  return months === 0 ? base.add({ seconds: UNIT_SECONDS[offsetUnit] * count }) : base.add({ months });
}

function monthsOf(unit: CalendarUnit): number {
  return unit === 'month' ? 1 : unit === 'quarter' ? 3 : unit === 'year' ? 12 : 0;
}

function parseInterval(text: string): { count: number; unit: CalendarUnit } {
  const match = /^(-?\d{1,8}) (second|minute|hour|day|week|month|quarter|year)s?$/.exec(text);
  if (match === null) throw new Error(`The model names an interval that is not a number and one unit: ${text}`);
  return { count: Number(match[1]), unit: match[2] as CalendarUnit };
}
