import { z } from 'zod';
import { EVENT_KINDS } from '../../domain/events/event.ts';
import { isViaCore, nodeCall } from '../../storage/sql/node-call.ts';
import { type Olap, OlapError } from '../../storage/olap/olap.ts';
import * as own from './hot-rebuild.olap.ts';
import type { BilledOrder, BilledOrders, CappedEvents, EventId, EventIds } from './hot-rebuild.olap.ts';

/** Rows in one response of a core. */
const PAGE_ROWS = 50_000;
const USERS_MAX = 2_000_000;
const INSTANT = z.number().int().nonnegative();
const KIND = z.enum(EVENT_KINDS);

const readIdPage = nodeCall(
  'events.ids',
  z.tuple([
    z.strictObject({
      kinds: z.array(KIND).max(EVENT_KINDS.length),
      fromMs: INSTANT,
      toMs: INSTANT,
      idsMax: z.number().int().min(1).max(PAGE_ROWS),
    }),
  ]),
  (olap: Olap, of: EventIds): Promise<EventId[]> => Array.fromAsync(own.readEventIds(olap, of)),
);

const readOrderPage = nodeCall(
  'events.billedOrders',
  z.tuple([z.strictObject({ fromMs: INSTANT, toMs: INSTANT, ordersMax: z.number().int().min(1).max(PAGE_ROWS) })]),
  (olap: Olap, of: BilledOrders): Promise<BilledOrder[]> => Array.fromAsync(own.readBilledOrders(olap, of)),
);

/** Pages from the newest row back; rows of the instant between two of them come twice. */
async function* readPages<T extends { readonly timeMs: number }>(
  rowsMax: number,
  readPage: (toMs: number, max: number) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  let toMs = own.LAST_MS;
  for (let left = rowsMax; left > 0; ) {
    const max = Math.min(left, PAGE_ROWS);
    const page = await readPage(toMs, max);
    yield* page;
    left -= page.length;
    const lastMs = page.at(-1)?.timeMs ?? toMs;
    if (page.length < max || lastMs === toMs) return;
    toMs = lastMs;
  }
}

/** As `readEventIds` of hot-rebuild.olap.ts. Through a core in pages: some events come twice. */
export function readEventIds(olap: Olap, of: EventIds): AsyncGenerator<EventId> {
  if (!isViaCore(olap)) return own.readEventIds(olap, of);
  return readPages(of.idsMax, (toMs, idsMax) => readIdPage(olap, { ...of, toMs, idsMax }));
}

/** As `readEventIds`, of kinds that an older core refuses because it does not know them: `onUnknown` is told, and there are none. */
export async function* readNewEventIds(
  olap: Olap,
  of: EventIds,
  onUnknown: (error: OlapError) => void,
): AsyncGenerator<EventId> {
  try {
    yield* readEventIds(olap, of);
  } catch (error) {
    const isUnknown = isViaCore(olap) && error instanceof OlapError && error.code === 'invalid_query';
    if (!isUnknown || !error.retryable) throw error;
    onUnknown(error);
  }
}

/** As `readBilledOrders` of hot-rebuild.olap.ts. Through a core in pages: some orders come twice. */
export function readBilledOrders(olap: Olap, of: BilledOrders): AsyncGenerator<BilledOrder> {
  if (!isViaCore(olap)) return own.readBilledOrders(olap, of);
  return readPages(of.ordersMax, (toMs, ordersMax) => readOrderPage(olap, { ...of, toMs, ordersMax }));
}

/** As `countByUser` of hot-rebuild.olap.ts, also through a core. */
export const countByUser = nodeCall(
  'events.byUser',
  z.tuple([
    z.strictObject({
      workspaceId: z.number().int().positive(),
      column: z.enum(['creative_id', 'line_item_id', 'campaign_id', 'advertiser_id']),
      id: z.string().max(100),
      moreIds: z.array(z.string().max(100)).max(1_000_000).optional(),
      kind: z.enum(['impression', 'click']),
      withoutCreatives: z.array(z.string().max(100)).max(100_000),
      fromMs: INSTANT,
      usersMax: z.number().int().min(1).max(USERS_MAX),
    }),
  ]),
  (olap: Olap, of: CappedEvents) => own.countByUser(olap, of),
);

/** What a rebuild of counters reads in the analytics store. */
export const REBUILD_CALLS = [readIdPage, readOrderPage, countByUser] as const;
