import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { sampleOpportunity, sampleSlot } from '../../../test/worlds/sample-workspace.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { createInsightService, type InsightService } from '../../delivery/insight/insight-service.ts';
import { OpportunityRecorder } from '../../delivery/traffic/opportunity-sample.ts';
import { createTestManagement, type TestManagement } from '../../management/fixtures/test-management.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { openChangeFeed } from '../../storage/sql/change-feed.ts';

const MINUTE_MS = 60_000;
const folder = createTestFolder();
let api: TestManagement;
let hot: HotStore;
let analytics: TestOlapDatabase;
let insight: InsightService;
let own: string;
let foreign: string;

beforeAll(async () => {
  analytics = await createTestOlapDatabase();
  await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
  hot = openLedger({ dir: `${folder.dir}/hot`, nowMs: Date.now, log: silentLog });
  api = await createTestManagement({ hot, insightOf: () => insight.insight });
  // The analytics store expires samples by its own clock.
  api.clock.nowMs = Date.now();
  own = await createUnit('admin', 'top');
  // Ids begin at 1 in each network: this one has the id that the first network does not have.
  await createUnit('stranger', 'top');
  foreign = await createUnit('stranger', 'side');
  await sample(1, own, 2_000_000);
  await sample(3, foreign, 1_000_000);
  const { database, clock } = api;
  insight = createInsightService({
    sql: database.db,
    watchChanges: (handlers: object) =>
      openChangeFeed({ url: database.url, channel: 'placard_change', log: silentLog, ...handlers } as never),
    hot,
    olap: analytics.olap,
    userHashSecret: Buffer.alloc(32, 9),
    linkKeys: [],
    dataDir: folder.dir,
    readNetworkHours: () => Promise.resolve([]),
    readAdUnitDays: () => Promise.resolve([]),
    nowMs: () => clock.nowMs,
    random: Math.random,
    log: silentLog,
  });
  await insight.start();
}, 120_000);

afterAll(async () => {
  await insight?.stop();
  await api?.close();
  await hot?.close();
  await analytics?.close();
  folder.remove();
});

async function createUnit(as: string, name: string): Promise<string> {
  const site = await api.data<{ createSite: { site: { id: string } } }>(
    'mutation ($name: String!) { createSite(input: { code: $name, name: "News", domain: "news.example" }) { site { id } } }',
    { name },
    { as },
  );
  const made = await api.data<{ createAdUnit: { adUnit: { id: string } } }>(
    'mutation ($site: ID!, $name: String!) { createAdUnit(input: { siteId: $site, name: $name, floor: "3.00", sizes: [{ width: 300, height: 250 }] }) { adUnit { id } } }',
    { site: site.createSite.site.id, name },
    { as },
  );
  return made.createAdUnit.adUnit.id;
}

/** 360 requests of 90 users, each with a header bid. */
async function sample(workspaceId: number, adUnitId: string, cpmMicros: number): Promise<void> {
  const atMs = api.clock.nowMs - 10 * MINUTE_MS;
  const recorder = new OpportunityRecorder({
    olap: analytics.olap,
    nowMs: () => atMs + MINUTE_MS,
    random: Math.random,
    log: silentLog,
  });
  const offered = sampleSlot({ adUnitId, headerBid: { bidder: 'b', adId: 'a', cpmMicros, width: 300, height: 250 } });
  for (let at = 0; at < 360; at += 1) {
    // Hashes spread evenly, as those of users do.
    const userHash = ((at % 90) * 47_721_858).toString(16).padStart(8, '0').padEnd(16, '0');
    recorder.record(sampleOpportunity({ workspaceId, userHash, slots: [offered] }), atMs);
  }
  await recorder.flush(true);
}

const QUERY = `query ($units: [ID!], $shading: Int) {
  floorSuggestions(adUnitIds: $units, headerBidShadingPercent: $shading) {
    adUnitId name floor suggestedFloor revenue gain gainLow gainHigh paidSlots suggestedPaidSlots sampleSize sampledHours
  }
}`;
const suggest = async (variables: object, as: string) => (await api.ask(QUERY, { variables, as })).body;

test('each network gets suggestions from its own requests and for its own ad units alone', async () => {
  const [ours] = (await api.data<{ floorSuggestions: object[] }>(QUERY, {}, { as: 'delivery' })).floorSuggestions;
  expect(ours).toMatchObject({ adUnitId: own, name: 'top', floor: '3', suggestedFloor: '2', revenue: '0' });
  expect(ours).toMatchObject({ gain: '0.72', gainLow: '0.72', paidSlots: 0, suggestedPaidSlots: 360, sampleSize: 360 });
  const theirs = await api.data<{ floorSuggestions: object[] }>(QUERY, {}, { as: 'stranger' });
  expect(theirs.floorSuggestions).toMatchObject([{ adUnitId: foreign, suggestedFloor: '1' }]);
  const staging = await api.data<{ floorSuggestions: object[] }>(QUERY, {}, { as: 'staging' });
  expect(staging.floorSuggestions, 'the other environment of the network has no requests').toEqual([]);
});

test('an ad unit of another network is as unknown as one that does not exist', async () => {
  const [other, none] = [
    await suggest({ units: [own, foreign] }, 'admin'),
    await suggest({ units: [own, '987654'] }, 'admin'),
  ];
  for (const { errors } of [other, none])
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'validation_failed',
      fields: [{ path: 'adUnitIds[1]', code: 'unknown' }],
    });
});

test.each([
  ['a shading of 91 %', { shading: 91 }, 'headerBidShadingPercent'],
  ['a negative shading', { shading: -1 }, 'headerBidShadingPercent'],
  ['101 ad units', { units: Array.from({ length: 101 }, () => '1') }, 'adUnitIds'],
])('%s is refused with the name of the argument', async (_what, variables, path) => {
  expect((await suggest(variables, 'admin')).errors?.[0]?.extensions).toMatchObject({
    code: 'validation_failed',
    fields: [{ path }],
  });
});

test('asking for suggestions changes no floor', async () => {
  const read = '{ adUnits { nodes { id floor version } } }';
  const { adUnits } = await api.data<{ adUnits: { nodes: object[] } }>(read);
  expect(adUnits.nodes).toEqual([{ id: own, floor: '3', version: 1 }]);
});
