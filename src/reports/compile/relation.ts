import type { CubeDefinition, RelationDefinition } from '../model/cube.ts';
import type { Granularity } from './granularity.olap.ts';

/** The requirements of a query on the time column and the others. */
export interface PrecisionNeed {
  /** Instants that rows are compared with. */
  readonly instants: number[];
  readonly granularities: Granularity[];
  /** Single events are asked: their own times, or ungrouped rows. */
  exact: boolean;
  readonly timezone: string;
  /** First and after-last instant of the query's dateRanges; null when it has none. */
  readonly range: readonly [number, number] | null;
}

/** Zone changes looked at in one range; a range of 90 days has at most a few. */
const TRANSITIONS_MAX = 16;
const HOUR_SECONDS = 3600;
/** Whole buckets that make it worth reading two tables. */
const WHOLE_BUCKETS_MIN = 2;

/** The first (cheapest) relation whose buckets and columns give the exact result; the last one can serve every query. */
export function chooseRelation(
  cube: CubeDefinition,
  need: PrecisionNeed & { readonly dimensions: ReadonlySet<string>; readonly measures: ReadonlySet<string> },
): RelationDefinition {
  const found = cube.relations.find((relation) => {
    if (relation.lacks.some((name) => need.dimensions.has(name) || need.measures.has(name))) return false;
    if (!hasMeasures(relation, need.measures)) return false;
    if (relation.ends !== undefined) return fitsWithEnds(relation, need);
    return relation.bucketSeconds === 0 || fitsBuckets(relation.bucketSeconds, need);
  });
  const last = cube.relations.at(-1);
  if (last === undefined) throw new Error(`The cube ${cube.name} has no relation`);
  return found ?? last;
}

function hasMeasures({ onlyMeasures }: RelationDefinition, measures: ReadonlySet<string>): boolean {
  if (onlyMeasures === undefined) return true;
  return measures.size > 0 && [...measures].every((name) => onlyMeasures.includes(name));
}

/** The instants between which whole buckets lie; null when the relation has no ends of its own, or the range is all whole buckets. */
export function wholeBuckets(
  relation: RelationDefinition,
  range: readonly [number, number] | null,
): readonly [number, number] | null {
  if (relation.ends === undefined || range === null) return null;
  const bucketMs = relation.bucketSeconds * 1000;
  const [from, to] = [Math.ceil(range[0] / bucketMs) * bucketMs, Math.floor(range[1] / bucketMs) * bucketMs];
  return from === range[0] && to === range[1] ? null : [from, to];
}

/** Buckets that a range cuts come from the table of its ends; every other bound must lie between buckets. */
function fitsWithEnds(relation: RelationDefinition, need: PrecisionNeed): boolean {
  const { range } = need;
  const { ends, bucketSeconds } = relation;
  if (ends === undefined || range === null) return false;
  const whole = wholeBuckets(relation, range) ?? range;
  if (whole[1] - whole[0] < WHOLE_BUCKETS_MIN * bucketSeconds * 1000) return false;
  const endsMs = ends.bucketSeconds * 1000;
  const inner = need.instants.filter((epochMs) => epochMs !== range[0] && epochMs !== range[1]);
  return range.every((epochMs) => epochMs % endsMs === 0) && fitsBuckets(bucketSeconds, { ...need, instants: inner });
}

function fitsBuckets(bucketSeconds: number, need: PrecisionNeed): boolean {
  const fits = (granularity: Granularity): boolean =>
    bucketSeconds > HOUR_SECONDS ? granularity.startsOnDays : granularity.startsOnHours;
  if (need.exact || !need.granularities.every(fits)) return false;
  if (need.instants.some((epochMs) => epochMs % (bucketSeconds * 1000) !== 0)) return false;
  return need.granularities.length === 0 || zoneFitsBuckets(bucketSeconds, need);
}

/** Whether the zone's wall-clock hours begin where buckets do, all through the range. */
export function zoneFitsBuckets(bucketSeconds: number, need: Pick<PrecisionNeed, 'timezone' | 'range'>): boolean {
  if (need.timezone === 'UTC') return true;
  if (need.range === null) return false;
  const fits = (at: Temporal.ZonedDateTime): boolean => (at.offsetNanoseconds / 1e9) % bucketSeconds === 0;
  let at: Temporal.ZonedDateTime | null = Temporal.Instant.fromEpochMilliseconds(need.range[0]).toZonedDateTimeISO(
    need.timezone,
  );
  for (let step = 0; step < TRANSITIONS_MAX; step += 1) {
    if (at === null || at.epochMilliseconds >= need.range[1]) return true;
    if (!fits(at)) return false;
    at = at.getTimeZoneTransition('next');
  }
  return false;
}
