import type { CubeDefinition, RelationDefinition } from '../model/cube.ts';
import type { Granularity } from './granularity.olap.ts';

/** What a query needs of the time column, and of the others. */
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

/** The first (cheapest) relation whose buckets and columns answer the query exactly; the last one answers everything. */
export function chooseRelation(
  cube: CubeDefinition,
  need: PrecisionNeed & { readonly dimensions: ReadonlySet<string> },
): RelationDefinition {
  const found = cube.relations.find((relation) => {
    if (relation.lacks.some((name) => need.dimensions.has(name))) return false;
    return relation.bucketSeconds === 0 || fitsBuckets(relation.bucketSeconds, need);
  });
  const last = cube.relations.at(-1);
  if (last === undefined) throw new Error(`The cube ${cube.name} has no relation`);
  return found ?? last;
}

function fitsBuckets(bucketSeconds: number, need: PrecisionNeed): boolean {
  if (need.exact || need.granularities.some((granularity) => !granularity.startsOnHours)) return false;
  if (need.instants.some((epochMs) => epochMs % (bucketSeconds * 1000) !== 0)) return false;
  return need.granularities.length === 0 || zoneFitsBuckets(bucketSeconds, need);
}

/** Whether the zone's wall-clock hours begin where buckets do, all through the range. */
function zoneFitsBuckets(bucketSeconds: number, need: PrecisionNeed): boolean {
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
