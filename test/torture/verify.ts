import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { lifetimeCounterKey } from '../../src/domain/money/counter-key.ts';
import { openHotStore } from '../../src/storage/hot/open-hot-store.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import type { Olap } from '../../src/storage/olap/olap.ts';
import type { Journal } from './journal.ts';
import { pause, type TorturedServer } from './tortured-server.ts';

/** What the load is booked on. */
export interface Booking {
  readonly workspaceId: number;
  readonly advertiserId: string;
  readonly campaignId: string;
  readonly lineItemId: string;
  readonly nanosPerImpression: bigint;
}

/** What was compared, and what does not agree. */
export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  readonly problems: readonly string[];
}

const ROLL_UPS = [
  'delivery_quarter_hourly',
  'delivery_hourly',
  'delivery_daily',
  'delivery_line_item_hourly',
  'delivery_line_item_daily',
] as const;

const log = SILENT_LOG;
const BACKLOG_WAIT_MS = 120_000;
const NAMED_MAX = 5;

/** Compares journal, event table, roll-ups and delivery counters, once nothing is on its way any more. */
export async function verify(server: TorturedServer, journal: Journal, booking: Booking): Promise<Verdict> {
  await untilShipped(server);
  const olap = openOlap({ url: server.endpoints.clickhouseUrl, log });
  try {
    const stored = await readStored(olap, booking);
    const problems = [
      ...compareEvents(journal, stored),
      ...(await compareRollUps(olap, booking, stored)),
      ...(await compareCounters(server, booking, stored)),
    ];
    return { acknowledged: journal.acknowledged.size, stored: stored.size, problems };
  } finally {
    await olap.close();
  }
}

/** The spool is empty when the store has everything. */
async function untilShipped(server: TorturedServer): Promise<void> {
  const waiting = (): string[] =>
    readdirSync(join(server.dataDir, 'spool'))
      .filter((name) => /^w\d+$/.test(name))
      .flatMap((slot) => readdirSync(join(server.dataDir, 'spool', slot)));
  for (const untilMs = performance.now() + BACKLOG_WAIT_MS; waiting().length > 0; ) {
    if (performance.now() > untilMs) throw new Error(`The spool did not drain: ${waiting().slice(0, 10).join(', ')}`);
    await pause(100);
  }
}

interface StoredEvent {
  readonly copies: number;
  readonly nanos: bigint;
  readonly kind: string;
}

async function readStored(olap: Olap, booking: Booking): Promise<ReadonlyMap<string, StoredEvent>> {
  const rows = await olap.query<{ event_id: string; kind: string; copies: string; nanos: string }>({
    sql: `SELECT event_id, kind, count() AS copies, sum(revenue_nanos) AS nanos FROM events
      WHERE workspace_id = {workspaceId: UInt32} AND line_item_id = {lineItemId: String}
      AND kind IN ('impression', 'viewable', 'click') AND invalid_reason = '' GROUP BY event_id, kind`,
    params: { workspaceId: booking.workspaceId, lineItemId: booking.lineItemId },
  });
  return new Map(
    rows.map(({ event_id: id, kind, copies, nanos }) => [id, { kind, copies: Number(copies), nanos: BigInt(nanos) }]),
  );
}

function compareEvents(journal: Journal, stored: ReadonlyMap<string, StoredEvent>): string[] {
  const lost = [...journal.acknowledged].filter((id) => !stored.has(id));
  const doubled = [...stored].filter(([, { copies }]) => copies !== 1).map(([id]) => id);
  const unknown = [...stored.keys()].filter((id) => !journal.sent.has(id));
  return [
    ...describe('acknowledged events are lost', lost),
    ...describe('events are stored more than once', doubled),
    ...describe('events are stored that nobody sent', unknown),
  ];
}

function describe(what: string, ids: readonly string[]): string[] {
  return ids.length === 0 ? [] : [`${ids.length} ${what}: ${ids.slice(0, NAMED_MAX).join(', ')}`];
}

interface Sums {
  readonly impressions: bigint;
  readonly clicks: bigint;
  readonly nanos: bigint;
}

function sumsOf(stored: ReadonlyMap<string, StoredEvent>, booking: Booking): Sums {
  const all = [...stored.values()];
  const impressions = BigInt(all.filter(({ kind }) => kind === 'impression').length);
  return {
    impressions,
    clicks: BigInt(all.filter(({ kind }) => kind === 'click').length),
    nanos: impressions * booking.nanosPerImpression,
  };
}

function differ(where: string, found: Sums, wanted: Sums): string[] {
  return (['impressions', 'clicks', 'nanos'] as const)
    .filter((name) => found[name] !== wanted[name])
    .map((name) => `${where}: ${found[name]} ${name} instead of ${wanted[name]}`);
}

async function compareRollUps(
  olap: Olap,
  booking: Booking,
  stored: ReadonlyMap<string, StoredEvent>,
): Promise<string[]> {
  const wanted = sumsOf(stored, booking);
  const earned = [...stored.values()].reduce((sum, { nanos }) => sum + nanos, 0n);
  const problems = differ('events', { ...wanted, nanos: earned }, wanted);
  for (const table of ROLL_UPS) {
    const [row] = await olap.query<{ impressions: string; clicks: string; nanos: string }>({
      sql: `SELECT toString(sum(impressions)) AS impressions, toString(sum(clicks)) AS clicks,
        toString(sum(revenue_nanos)) AS nanos FROM ${table}
        WHERE workspace_id = {workspaceId: UInt32} AND line_item_id = {lineItemId: UInt64}`,
      params: { workspaceId: booking.workspaceId, lineItemId: booking.lineItemId },
    });
    const found = {
      impressions: BigInt(row?.impressions ?? 0),
      clicks: BigInt(row?.clicks ?? 0),
      nanos: BigInt(row?.nanos ?? 0),
    };
    problems.push(...differ(table, found, wanted));
  }
  return problems;
}

async function compareCounters(
  server: TorturedServer,
  booking: Booking,
  stored: ReadonlyMap<string, StoredEvent>,
): Promise<string[]> {
  const wanted = sumsOf(stored, booking);
  const hot = openHotStore({ dir: join(server.dataDir, 'hot'), nowMs: Date.now, log });
  try {
    const problems: string[] = [];
    for (const [scope, id] of [
      ['li', booking.lineItemId],
      ['ca', booking.campaignId],
      ['ad', booking.advertiserId],
    ] as const) {
      const keys = (['imp', 'clk', 'spend'] as const).map((kind) =>
        lifetimeCounterKey({ workspaceId: booking.workspaceId, scope, id, kind }),
      );
      const [impressions = 0n, clicks = 0n, nanos = 0n] = await hot.readCounters(keys);
      problems.push(...differ(`counters of ${scope} ${id}`, { impressions, clicks, nanos }, wanted));
    }
    return problems;
  } finally {
    await hot.close();
  }
}
