import { localDay } from '../../domain/time/calendar.ts';
import {
  creativeRateId,
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
} from '../../domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../domain/money/counter-key.ts';
import type { CountedSum, ReadCountedSums } from '../../domain/money/counted-sums.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, EVENT_COUNTERS } from '../../domain/pricing/pricing-models.ts';
import { rotatedEvent } from '../../domain/booking/optimisation-goal.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';

/** The expected value of a counter, and how long it is kept. */
export interface ExpectedCounter {
  readonly value: bigint;
  readonly ttlMs: number;
}

const DAY_MS = 86_400_000;
/** Counters of older days may have expired, so they cannot be compared. */
const DAYS_MS = DAY_COUNTER_TTL_MS - DAY_MS;
const KINDS = [...EVENT_COUNTERS, 'spend'] as const;
/** A companion impression counts for its creative alone. */
const BESIDE_KINDS: ReadonlySet<CounterKind> = new Set(
  COUNTED_KINDS.filter((kind) => COUNTED_EVENTS[kind].isExposure).map((kind) => COUNTED_EVENTS[kind].counter),
);

/**
 * The delivery counters that follow from the events of the analytics store: of all time and of the days whose counters are kept, by the
 * same keys as `deliveryIncrements`.
 */
export async function expectDeliveryCounters(deps: {
  readonly readSums: ReadCountedSums;
  readonly catalog: Catalog;
  readonly nowMs: number;
}): Promise<Map<string, ExpectedCounter>> {
  const { readSums, catalog, nowMs } = deps;
  const expected = new Map<string, ExpectedCounter>();
  const lifetime = await readSums({ timezone: null, fromMs: 0 });
  for (const sum of lifetime) {
    addScopes(expected, sum, catalog, ['li', 'ca', 'ad']);
    addCreative(expected, sum, catalog);
  }
  for (const zone of new Set(lifetime.flatMap((sum) => [lineItemZone(sum, catalog), networkZone(sum, catalog)]))) {
    const firstDay = localDay(nowMs - DAYS_MS, zone);
    for (const sum of await readSums({ timezone: zone, fromMs: nowMs - DAYS_MS - 2 * DAY_MS })) {
      if (sum.day < firstDay) continue;
      if (lineItemZone(sum, catalog) === zone) addScopes(expected, sum, catalog, ['li']);
      if (networkZone(sum, catalog) === zone) addScopes(expected, sum, catalog, ['ca', 'ad']);
    }
  }
  return expected;
}

/** Adds to an expected counter. */
export function addExpected(
  expected: Map<string, ExpectedCounter>,
  { key, by, ttlMs }: { readonly key: string; readonly by: bigint; readonly ttlMs: number },
): void {
  const before = expected.get(key);
  expected.set(key, { value: (before?.value ?? 0n) + by, ttlMs: before?.ttlMs ?? ttlMs });
}

function addScopes(
  expected: Map<string, ExpectedCounter>,
  sum: CountedSum,
  catalog: Catalog,
  scopes: readonly Exclude<CounterScope, 'cr' | 'un'>[],
): void {
  const ids = { li: sum.lineItemId, ca: sum.campaignId, ad: sum.advertiserId };
  const isCompanion = (catalog.findCreative(sum.workspaceId, sum.creativeId)?.masterCreativeId ?? null) !== null;
  for (const scope of scopes) {
    for (const kind of KINDS) {
      const by = sum.counts[kind];
      if (ids[scope] === '' || by === 0n || (isCompanion && BESIDE_KINDS.has(kind))) continue;
      const subject = { workspaceId: sum.workspaceId, scope, id: ids[scope], kind };
      const of =
        sum.day === ''
          ? { key: lifetimeCounterKey(subject), ttlMs: LIFETIME_COUNTER_TTL_MS }
          : { key: dayCounterKey(subject, sum.day), ttlMs: DAY_COUNTER_TTL_MS };
      addExpected(expected, { ...of, by });
    }
  }
}

/** As `rateIncrements`: creatives are counted where the line item rotates by the rate of an event. */
function addCreative(expected: Map<string, ExpectedCounter>, sum: CountedSum, catalog: Catalog): void {
  const { workspaceId, lineItemId, creativeId } = sum;
  const lineItem = catalog.findLineItem(workspaceId, lineItemId);
  if (lineItem?.creativeRotation !== 'OPTIMISED' || creativeId === '') return;
  const rotated = rotatedEvent(lineItem);
  const id = creativeRateId(rotated, creativeId);
  for (const kind of ['imp', COUNTED_EVENTS[rotated].counter] as const) {
    const by = sum.counts[kind];
    const key = lifetimeCounterKey({ workspaceId, scope: 'cr', id, kind });
    if (by !== 0n) addExpected(expected, { key, by, ttlMs: LIFETIME_COUNTER_TTL_MS });
  }
}

function networkZone({ workspaceId }: CountedSum, catalog: Catalog): string {
  return catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC';
}

function lineItemZone(sum: CountedSum, catalog: Catalog): string {
  return catalog.findLineItem(sum.workspaceId, sum.lineItemId)?.timezone ?? networkZone(sum, catalog);
}
