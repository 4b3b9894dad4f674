import { countValue, textOf } from '../../../domain/booking/delivery-text.ts';
import { AVAILABILITY_ELSEWHERE_MAX, AVAILABILITY_HISTORY_DAYS } from '../../../domain/booking/availability.ts';
import type {
  AdUnitDays,
  Availability,
  AvailabilityQuestion,
  AvailableElsewhere,
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
import type { AdUnit } from '../../../domain/booking/inventory.ts';
import type { AskedRequests } from './asked-requests.ts';
import { type AvailabilityInput, findAvailability } from './find-availability.ts';

/** What a calendar reads, in the core. */
export interface AvailabilityDeps {
  readonly sql: Kysely<Database>;
  readonly hot: Pick<HotStore, 'readCounters'>;
  /** Traffic of all ad units by day of a time zone; bounds are instants, the end is exclusive. */
  readonly readAdUnitDays: (
    workspaceId: number,
    during: readonly [fromMs: number, toMs: number],
    of: AskedRequests & { readonly timezone: string },
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
  const { countries, deviceTypes } = question;
  const nowMs = deps.nowMs();
  const today = localDaySpan(timezone, nowMs);
  const history = [startOfDayBefore(timezone, nowMs, AVAILABILITY_HISTORY_DAYS), today.startMs] as const;
  const [traffic, booked] = await Promise.all([
    deps.readAdUnitDays(workspaceId, history, { timezone, countries, deviceTypes }),
    readBookedGoals(deps.sql, workspaceId, { nowMs, timezone }),
  ]);
  const inUse = adUnits.filter(({ status }) => status === 'ACTIVE');
  const [units, sites] = [new Set(question.adUnitIds), new Set(question.siteIds)];
  const chosen = inUse.filter(
    ({ id, siteId }) => (units.size === 0 && sites.size === 0) || units.has(id) || sites.has(siteId),
  );
  signal?.throwIfAborted();
  const input: AvailabilityInput = {
    adUnits: inUse,
    chosen: new Set(chosen.map(({ id }) => id)),
    traffic,
    asked: { countries, deviceTypes },
    booked: await withDelivered(deps.hot, workspaceId, booked),
    days: listDays(timezone, today.startMs, question.days),
    nowMs,
  };
  const calendar = await deps.runSteps(findAvailability(input), signal);
  const found = { ...calendar, elsewhere: await findElsewhere(deps, { input, calendar, chosen }, signal) };
  if (booked.length < BOOKED_MAX) return found;
  const first = textOf('availability_first_only', { lineItems: countValue(BOOKED_MAX) });
  return { ...found, remarks: [...found.remarks, first] };
}

/** A calendar, what it was found from, and the ad units that were asked for. */
export interface SoldOut {
  readonly input: AvailabilityInput;
  readonly calendar: Availability;
  readonly chosen: readonly AdUnit[];
}

/** Where nothing is free on the asked ad units: the busiest others that have a size of theirs, each looked at by itself. */
export async function findElsewhere(
  deps: Pick<AvailabilityDeps, 'runSteps'>,
  { input, calendar, chosen }: SoldOut,
  signal?: AbortSignal,
): Promise<AvailableElsewhere[]> {
  if (calendar.historyDays === 0 || freeOf(calendar) > 0) return [];
  const sizeOf = ({ width, height }: AdUnit['sizes'][number]): string => `${width}x${height}`;
  const sizes = new Set(chosen.flatMap((unit) => unit.sizes.map(sizeOf)));
  const requests = new Map(
    input.traffic.map(({ adUnitId, days }) => [
      adUnitId,
      days.reduce((sum, one) => sum + (one.asked ?? one.requests), 0),
    ]),
  );
  const others = input.adUnits
    .filter(({ id, sizes: own }) => !input.chosen.has(id) && own.some((size) => sizes.has(sizeOf(size))))
    .toSorted((one, other) => (requests.get(other.id) ?? 0) - (requests.get(one.id) ?? 0))
    .slice(0, AVAILABILITY_ELSEWHERE_MAX);
  const found: AvailableElsewhere[] = [];
  for (const { id, name } of others) {
    const own = await deps.runSteps(findAvailability({ ...input, chosen: new Set([id]) }), signal);
    found.push({ adUnitId: id, name, free: freeOf(own) });
  }
  return found.filter(({ free }) => free > 0).toSorted((one, other) => other.free - one.free);
}

function freeOf({ days }: Availability): number {
  return days.reduce((sum, { free }) => sum + (free ?? 0), 0);
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
