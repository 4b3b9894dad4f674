import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../../test/support/stores.ts';
import {
  OPPORTUNITY_SAMPLE_MIGRATION,
  OPPORTUNITY_SAMPLES_TABLE,
  readSampleFrame,
} from '../../../delivery/traffic/opportunity-sample.olap.ts';
import { type CounterKind, dayCounterKey, lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { HistoryJob } from '../../../events/history/history-job.ts';
import { readContextOutcomes } from '../../../events/shipping/context-outcomes.olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../../events/shipping/events.olap.ts';
import { createTestManagement, type TestManagement } from '../../../management/fixtures/test-management.ts';
import { readCountedSums } from '../../../reports/rollups/counted-sums.olap.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../../reports/rollups/rollups.olap.ts';
import { readRequestHours } from '../../../reports/rollups/traffic-history.olap.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../../storage/olap/migrate-olap.ts';
import { openHistoryJob } from './history-job.ts';

const NOW_MS = Date.parse('2026-11-25T10:20:00Z');
const folder = createTestFolder();
let api: TestManagement;
let store: TestOlapDatabase;
let hot: HotStore;
let job: HistoryJob;
let followed = 0;
let lineItemId = '';
let creativeId = '';
let adUnitId = '';

const lower = (type: string): string => type.charAt(0).toLowerCase() + type.slice(1);

async function create(type: string, input: Record<string, unknown>): Promise<string> {
  const result = await api.data<Record<string, Record<string, { id: string }>>>(
    `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${lower(type)} { id } } }`,
    { input },
  );
  return result[`create${type}`]?.[lower(type)]?.id ?? '';
}

beforeAll(async () => {
  [api, store] = await Promise.all([createTestManagement(), createTestOlapDatabase()]);
  api.clock.nowMs = NOW_MS;
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: () => NOW_MS, log: silentLog });
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS, OPPORTUNITY_SAMPLE_MIGRATION];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  // The store's own clock deletes old samples, and the instant of this test grows older every day.
  await store.olap.command(`ALTER TABLE ${OPPORTUNITY_SAMPLES_TABLE} REMOVE TTL`);
  job = openHistoryJob(
    { sql: api.database.db, olap: store.olap, hot },
    {
      follow: () => {
        followed += 1;
        return Promise.resolve();
      },
      nowMs: () => api.clock.nowMs,
      log: silentLog,
    },
  );
  const siteId = await create('Site', { name: 'S', code: 's', domain: 's.example' });
  adUnitId = await create('AdUnit', { siteId, name: 'top', sizes: [{ width: 300, height: 250 }] });
  const advertiserId = await create('Advertiser', { name: 'A' });
  const campaignId = await create('Campaign', { name: 'C', advertiserId, status: 'ACTIVE' });
  lineItemId = await create('LineItem', { name: 'L', campaignId, type: 'HOUSE', externalId: 'L' });
  const banner = { width: 300, height: 250, clickUrl: 'https://a.example/', content: { html: { html: '<b>a</b>' } } };
  creativeId = await create('Creative', { name: 'B', lineItemId, externalId: 'B', ...banner });
});
afterAll(async () => {
  await hot.close();
  await store.close();
  await api.close();
  folder.remove();
});

const named = { lineItemExternalId: 'L', creativeExternalId: 'B', adUnitName: 'top' };

async function importHours(): Promise<void> {
  const inputs = [
    { ...named, hour: '2026-11-10T08:00:00Z', impressions: 1_000, clicks: 4, conversions: 1, revenue: '2.5' },
    { ...named, hour: '2026-11-24T20:00:00Z', impressions: 30_000, requests: 40_000, clicks: 60, revenue: '75' },
    { ...named, hour: '2026-11-25T09:00:00Z', impressions: 500, clicks: 1, revenue: '1.25' },
    { hour: '2026-11-25T09:00:00Z', adUnitName: 'top', requests: 700 },
    // A month's rent of a line item that nobody saw.
    { lineItemExternalId: 'L', hour: '2026-11-25T08:00:00Z', revenue: '10' },
  ];
  const mutation =
    'mutation ($inputs: [HistoryHourInput!]!) { importHistory(source: "old", inputs: $inputs) { added } }';
  expect(await api.data(mutation, { inputs })).toEqual({ importHistory: { added: 5 } });
}

const LIFETIME = { imp: 31_500n, clk: 65n, conv: 1n, spend: 88_750_000_000n, ans: 31_500n };
const TODAY = { imp: 500n, clk: 1n, conv: 0n, spend: 11_250_000_000n, ans: 500n };

async function readCounters(day: string | null): Promise<Record<string, bigint>> {
  const kinds = Object.keys(LIFETIME) as CounterKind[];
  const subjects = kinds.map((kind) => ({ workspaceId: 1, scope: 'li', id: lineItemId, kind }) as const);
  const keys = subjects.map((one) => (day === null ? lifetimeCounterKey(one) : dayCounterKey(one, day)));
  const counts = await hot.readCounters(keys);
  return Object.fromEntries(kinds.map((kind, at) => [kind, counts[at] ?? 0n]));
}

async function expectAllOnce(): Promise<void> {
  const [sums] = await readCountedSums(store.olap)({ timezone: null, fromMs: 0 });
  expect(sums).toMatchObject({ workspaceId: 1, lineItemId });
  const all = await readCountedSums(store.olap)({ timezone: null, fromMs: 0 });
  const total = (kind: 'imp' | 'clk' | 'conv' | 'spend') => all.reduce((sum, { counts }) => sum + counts[kind], 0n);
  const { ans: _served, ...reported } = LIFETIME;
  expect({ imp: total('imp'), clk: total('clk'), conv: total('conv'), spend: total('spend') }).toEqual(reported);
  expect(await readCounters(null)).toEqual(LIFETIME);
  expect(await readCounters('2026-11-25')).toEqual(TODAY);
}

test('imported hours are in reports, traffic and delivery counters, each once, also when the job is killed before it notes that', async () => {
  await importHours();
  expect(await job.run()).toBe(1);
  await expectAllOnce();
  await api.database.db.updateTable('history_imports').set({ booked_at: null }).execute();
  expect(await job.run()).toBe(1);
  await expectAllOnce();
  expect(await job.run()).toBe(0);
  const [network] = await readRequestHours(store.olap, 1, [Date.parse('2026-11-24T00:00:00Z'), NOW_MS]);
  expect(network?.hours.toSorted((one, other) => one.startMs - other.startMs)).toEqual([
    { startMs: Date.parse('2026-11-24T20:00:00Z'), requests: 40_000 },
    { startMs: Date.parse('2026-11-25T09:00:00Z'), requests: 1_200 },
  ]);
  const { importedHistory } = await api.data('{ importedHistory { waitingRows rows } }');
  expect(importedHistory).toEqual([{ waitingRows: 0, rows: 5 }]);
});

test('requests of imported hours are sampled for forecasts once no import has come for a minute', async () => {
  expect(await readSampleFrame(store.olap, 1, NOW_MS)).toBeNull();
  api.clock.nowMs = NOW_MS + 61_000;
  await job.run();
  const frame = await readSampleFrame(store.olap, 1, NOW_MS);
  expect(frame?.met).toBe(41_200);
  expect(followed).toBe(1);
  await job.run();
  expect(followed).toBe(1);
});

test('rates by context count the events of imported hours, and not their rows', async () => {
  const outcomes = await readContextOutcomes(store.olap, {
    workspaceId: 1,
    events: new Map([[lineItemId, ['click']]]),
    fromMs: 0,
    toMs: Date.now() + 86_400_000,
  });
  const sum = (of: 'trials' | 'hits') => outcomes.reduce((total, one) => total + one[of], 0);
  expect(new Set(outcomes.map(({ creativeId: id, context }) => `${id} ${context.adUnitId}`))).toEqual(
    new Set([`${creativeId} ${adUnitId}`, ' ']),
  );
  expect([sum('trials'), sum('hits')]).toEqual([31_500, 65]);
});
