import { IMPORTED_EVENT_PREFIX } from '../../domain/money/counted-sums.ts';
import { HISTORY_EVENT_PREFIX } from '../../domain/reporting/imported-history.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { EVENTS_TABLE } from '../shipping/events.olap.ts';

const TIMEOUT_MS = 600_000;
/** Which ids of events to read, newest first. */
export interface EventIds {
  readonly kinds: readonly string[];
  readonly fromMs: number;
  readonly idsMax: number;
}

/** The id of an event, and when it was. */
export interface EventId {
  readonly eventId: string;
  readonly timeMs: number;
}

/** Which billed orders to read, newest first. */
export interface BilledOrders {
  readonly fromMs: number;
  readonly ordersMax: number;
}

/** An order that was billed, and when last. */
export interface BilledOrder {
  readonly workspaceId: number;
  readonly advertiserId: string;
  readonly ord: string;
  readonly timeMs: number;
}

/** Ids of events since an instant, newest first, as many as asked. */
export async function* readEventIds(olap: Olap, of: EventIds): AsyncGenerator<EventId> {
  const rows = readCompactRows(olap, {
    sql: `SELECT event_id, toUnixTimestamp64Milli(time) AS ms FROM ${EVENTS_TABLE}
      WHERE kind IN {kinds: Array(String)} AND time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
      ORDER BY time DESC LIMIT {max: UInt32}`,
    params: { kinds: of.kinds, from: of.fromMs, max: of.idsMax },
  });
  for await (const [eventId, ms] of rows) yield { eventId: String(eventId), timeMs: Number(ms) };
}

/** Orders that earned since an instant, newest first, as many as asked. An order whose user was erased has no reference any more. */
export async function* readBilledOrders(olap: Olap, { fromMs, ordersMax }: BilledOrders): AsyncGenerator<BilledOrder> {
  const rows = readCompactRows(olap, {
    sql: `SELECT workspace_id, toString(advertiser_id), order_reference, toUnixTimestamp64Milli(max(time)) AS ms FROM ${EVENTS_TABLE}
      WHERE kind = 'activity' AND revenue_nanos > 0 AND order_reference != '' AND time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
      GROUP BY workspace_id, advertiser_id, order_reference
      ORDER BY ms DESC LIMIT {max: UInt32}`,
    params: { from: fromMs, max: ordersMax },
  });
  for await (const [workspaceId, advertiserId, ord, ms] of rows)
    yield {
      workspaceId: Number(workspaceId),
      advertiserId: String(advertiserId),
      ord: String(ord),
      timeMs: Number(ms),
    };
}

async function* readCompactRows(
  olap: Olap,
  query: Pick<Parameters<Olap['stream']>[0], 'sql' | 'params'>,
): AsyncGenerator<readonly (string | number)[]> {
  const stream = olap.stream({ ...query, format: 'JSONCompactEachRow', timeoutMs: TIMEOUT_MS, isFinal: true });
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as (string | number)[];
  }
}

/** The events that a frequency cap counts: of one kind, with these ids in one column. */
export interface CappedEvents {
  readonly workspaceId: number;
  readonly column: 'creative_id' | 'line_item_id' | 'campaign_id' | 'advertiser_id';
  readonly id: string;
  /** A label is borne by many line items. */
  readonly moreIds?: readonly string[] | undefined;
  readonly kind: 'impression' | 'click';
  /** Companions: their impressions count for themselves alone. */
  readonly withoutCreatives: readonly string[];
  readonly fromMs: number;
  readonly usersMax: number;
}

/** How many of them each user had, and when the first was. */
export async function countByUser(
  olap: Olap,
  of: CappedEvents,
): Promise<{ readonly userHash: string; readonly count: bigint; readonly firstMs: number }[]> {
  const rows = await olap.query<{ user: string; total: string; first: string }>({
    sql: `SELECT lower(leftPad(hex(user_hash), 16, '0')) AS user, toString(count()) AS total,
        toString(toUnixTimestamp64Milli(min(time))) AS first
      FROM ${EVENTS_TABLE} WHERE workspace_id = {workspaceId: UInt32} AND kind = {kind: String} AND invalid_reason = ''
        AND user_hash != 0 AND NOT npa AND toString(${of.column}) IN {ids: Array(String)}
        AND NOT startsWith(event_id, '${IMPORTED_EVENT_PREFIX}') AND NOT startsWith(event_id, '${HISTORY_EVENT_PREFIX}')
        AND NOT has({without: Array(String)}, toString(creative_id))
        AND time >= fromUnixTimestamp64Milli({from: Int64}, 'UTC')
      GROUP BY user_hash ORDER BY max(time) DESC LIMIT {max: UInt32}`,
    params: {
      workspaceId: of.workspaceId,
      kind: of.kind,
      ids: [of.id, ...(of.moreIds ?? [])],
      without: of.withoutCreatives,
      from: of.fromMs,
      max: of.usersMax,
    },
    timeoutMs: TIMEOUT_MS,
    isFinal: true,
  });
  return rows.map(({ user, total, first }) => ({
    userHash: user,
    count: BigInt(total),
    firstMs: Number(first),
  }));
}
