import { dayCounterKey, lifetimeCounterKey } from '../../src/domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../src/domain/money/counter-key.ts';
import { localDay } from '../../src/domain/time/calendar.ts';
import type { HotStore } from '../../src/storage/hot/hot-store.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import type { Booking } from './booking.ts';
import { lineItemDay, noSums, SUM_COLUMNS, sumBy, type StoredEvent, type Sums } from './stored-events.ts';

const ROLL_UPS = [
  'delivery_quarter_hourly',
  'delivery_hourly',
  'delivery_daily',
  'delivery_line_item_hourly',
  'delivery_line_item_daily',
] as const;
const KEY_VALUE_ROLL_UPS = ['delivery_key_values_hourly', 'delivery_key_values_daily'] as const;

/** Compares roll-ups with sums of the events: by line item, and by line item and key-values. @returns the differences */
export async function compareRollUps(olap: Olap, stored: readonly StoredEvent[], booking: Booking): Promise<string[]> {
  const problems: string[] = [];
  const byLineItem = sumBy(stored, booking, ({ lineItemId }) => keyOf(lineItemId, ''));
  for (const table of ROLL_UPS)
    problems.push(...differences(table, await readRollUp(olap, table, booking), byLineItem));
  const byKeyValues = sumBy(stored, booking, ({ lineItemId, keyValues }) => keyOf(lineItemId, keyValues));
  for (const table of KEY_VALUE_ROLL_UPS)
    problems.push(...differences(table, await readRollUp(olap, table, booking), byKeyValues));
  return problems;
}

/** A conversion that nothing is credited for has no line item. */
function keyOf(lineItemId: string, keyValues: string): string {
  return `line item ${lineItemId === '' ? '0' : lineItemId} ${keyValues}`.trim();
}

async function readRollUp(olap: Olap, table: string, booking: Booking): Promise<ReadonlyMap<string, Sums>> {
  const hasKeyValues = KEY_VALUE_ROLL_UPS.some((one) => one === table);
  const rows = await olap.query<Record<string, string>>({
    sql: `SELECT toString(line_item_id) AS line_item, ${hasKeyValues ? 'key_values' : "''"} AS pairs,
        ${SUM_COLUMNS.map((column) => `toString(sum(facts.${column})) AS ${column}`).join(', ')}
      FROM ${table} AS facts WHERE workspace_id = {workspaceId: UInt32}
        AND (advertiser_id = {advertiserId: UInt64} OR activity_id = {activityId: UInt64})
      GROUP BY line_item, pairs`,
    params: { workspaceId: booking.workspaceId, advertiserId: booking.advertiserId, activityId: booking.activityId },
  });
  return new Map(
    rows.map((row) => {
      const sums = noSums();
      for (const column of SUM_COLUMNS) sums[column] = BigInt(row[column] ?? 0);
      return [keyOf(row['line_item'] ?? '', row['pairs'] ?? ''), sums];
    }),
  );
}

function differences(where: string, found: ReadonlyMap<string, Sums>, wanted: ReadonlyMap<string, Sums>): string[] {
  return [...new Set([...found.keys(), ...wanted.keys()])].flatMap((key) =>
    SUM_COLUMNS.flatMap((column) => {
      const [is, should] = [found.get(key)?.[column] ?? 0n, wanted.get(key)?.[column] ?? 0n];
      return is === should ? [] : [`${where}, ${key}: ${is} ${column} instead of ${should}`];
    }),
  );
}

const COUNTERS = {
  imp: 'impressions',
  clk: 'clicks',
  view: 'viewable_impressions',
  conv: 'activities',
  spend: 'revenue_nanos',
} as const satisfies Partial<Record<CounterKind, keyof Sums>>;

/** Compares the delivery counters, of all time and of each day, of all line items, the campaign and the advertiser. */
export async function compareCounters(
  hot: HotStore,
  stored: readonly StoredEvent[],
  booking: Booking,
): Promise<string[]> {
  const credited = stored.filter(({ lineItemId }) => lineItemId !== '');
  const owners: [CounterScope, string, readonly StoredEvent[]][] = [
    ['ca', booking.campaignId, credited],
    ['ad', booking.advertiserId, credited],
    ...booking.lineItems.map(({ lineItemId }): [CounterScope, string, readonly StoredEvent[]] => [
      'li',
      lineItemId,
      credited.filter((event) => event.lineItemId === lineItemId),
    ]),
  ];
  const problems: string[] = [];
  for (const [scope, id, events] of owners) {
    const dayOf = (event: StoredEvent): string =>
      scope === 'li' ? lineItemDay(event, booking) : localDay(event.timeMs, booking.networkTimezone);
    const all = sumBy(events, booking, () => '');
    for (const [day, sums] of [...all, ...sumBy(events, booking, dayOf)])
      problems.push(...(await compareCountersOf(hot, { workspaceId: booking.workspaceId, scope, id, day }, sums)));
  }
  return problems;
}

async function compareCountersOf(
  hot: HotStore,
  of: { readonly workspaceId: number; readonly scope: CounterScope; readonly id: string; readonly day: string },
  sums: Sums,
): Promise<string[]> {
  const kinds = Object.keys(COUNTERS) as (keyof typeof COUNTERS)[];
  const keys = kinds.map((kind) => {
    const subject = { workspaceId: of.workspaceId, scope: of.scope, id: of.id, kind };
    return of.day === '' ? lifetimeCounterKey(subject) : dayCounterKey(subject, of.day);
  });
  const values = await hot.readCounters(keys);
  return kinds.flatMap((kind, at) => {
    const [is, should] = [values[at] ?? 0n, sums[COUNTERS[kind]]];
    return is === should ? [] : [`counter ${keys[at] ?? kind}: ${is} instead of ${should}`];
  });
}
