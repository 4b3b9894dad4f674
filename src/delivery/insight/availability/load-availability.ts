import { countValue, textOf } from '../../../domain/booking/delivery-text.ts';
import { AVAILABILITY_HISTORY_DAYS } from '../../../domain/booking/availability.ts';
import type {
  AdUnitDays,
  Availability,
  AvailabilityQuestion,
  BookedLineItem,
} from '../../../domain/booking/availability.ts';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import { localDay } from '../../../domain/time/calendar.ts';
import { localDaySpan, startOfDayBefore } from '../../../domain/time/time-zone.ts';
import type { Kysely } from 'kysely';
import { HOT_BATCH_MAX } from '../../../storage/hot/hot-store.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { WorkSteps } from '../../decision/index/work-steps.ts';
import type { SnapshotLists } from '../../decision/index/snapshot-lists.ts';
import { BOOKED_MAX, readBookedGoals } from './booked-goals.sql.ts';
import { findAvailability } from './find-availability.ts';

/** What a calendar reads, in the core. */
export interface AvailabilityDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  /** Traffic of all ad units by day of a time zone; bounds are instants, the end is exclusive. */
  readonly readAdUnitDays: (
    workspaceId: number,
    during: readonly [fromMs: number, toMs: number],
    timezone: string,
  ) => Promise<readonly AdUnitDays[]>;
  /** Does the work in slices of a few milliseconds; other requests are served in between. @throws the signal's reason */
  readonly runSteps: <T>(steps: WorkSteps<T>, signal?: AbortSignal) => Promise<T>;
  readonly nowMs: () => number;
}

/**
 * Reads traffic and bookings, and finds what is free, in slices of a few milliseconds.
 * @param signal ends the work between two slices
 */
export async function loadAvailability(
  deps: AvailabilityDeps,
  { workspace, adUnits }: Pick<SnapshotLists, 'workspace' | 'adUnits'>,
  question: AvailabilityQuestion,
  signal?: AbortSignal,
): Promise<Availability> {
  const { workspaceId, timezone } = workspace;
  const nowMs = deps.nowMs();
  const today = localDaySpan(timezone, nowMs);
  const history = [startOfDayBefore(timezone, nowMs, AVAILABILITY_HISTORY_DAYS), today.startMs] as const;
  const [traffic, booked] = await Promise.all([
    deps.readAdUnitDays(workspaceId, history, timezone),
    readBookedGoals(deps.sql, workspaceId, { nowMs, timezone }),
  ]);
  const inUse = adUnits.filter(({ status }) => status === 'ACTIVE');
  const [units, sites] = [new Set(question.adUnitIds), new Set(question.siteIds)];
  const chosen = inUse.filter(
    ({ id, siteId }) => (units.size === 0 && sites.size === 0) || units.has(id) || sites.has(siteId),
  );
  signal?.throwIfAborted();
  const steps = findAvailability({
    adUnits: inUse,
    chosen: new Set(chosen.map(({ id }) => id)),
    traffic,
    booked: await withDelivered(deps.hot, workspaceId, booked),
    days: listDays(timezone, today.startMs, question.days),
    nowMs,
  });
  const found = await deps.runSteps(steps, signal);
  if (booked.length < BOOKED_MAX) return found;
  const first = textOf('availability_first_only', { lineItems: countValue(BOOKED_MAX) });
  return { ...found, remarks: [...found.remarks, first] };
}

function listDays(timezone: string, startMs: number, count: number) {
  const days: { day: string; startMs: number; endMs: number }[] = [];
  for (let nextMs = startMs; days.length < count; ) {
    const span = localDaySpan(timezone, nextMs);
    days.push({ day: localDay(nextMs, timezone), ...span });
    nextMs = span.endMs;
  }
  return days;
}

async function withDelivered(
  hot: AvailabilityDeps['hot'],
  workspaceId: number,
  booked: readonly BookedLineItem[],
): Promise<BookedLineItem[]> {
  const counted: BookedLineItem[] = [];
  for (let from = 0; from < booked.length; from += HOT_BATCH_MAX) {
    const batch = booked.slice(from, from + HOT_BATCH_MAX);
    const keys = batch.map(({ id, goal }) =>
      lifetimeCounterKey({ workspaceId, scope: 'li', id, kind: GOAL_COUNTERS[goal?.kind ?? 'IMPRESSIONS'] }),
    );
    const values = await hot.readCounters(keys);
    counted.push(...batch.map((one, at) => ({ ...one, delivered: Number(values[at] ?? 0n) })));
  }
  return counted;
}
