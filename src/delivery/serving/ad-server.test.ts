import { DecisionMetrics } from './decision-metrics.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { RequestCounts } from '../../domain/events/event.ts';
import { frequencyCounterKey, frequencyWindowMs } from '../../domain/frequency/frequency-key.ts';
import type { Experiment } from '../../domain/experiments/experiment.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import { limitBit, reservationBucket, reservationKey } from '../../domain/money/reservation.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { parseAdsRequest } from '../ad-request/ads-request.ts';
import { renderAdsResponse } from './ads-response.ts';
import { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { DecisionReasons } from '../insight/diagnosis/decision-reasons.ts';
import { HostedAssets } from '../markup/hosted-assets.ts';
import { LINK_KEY } from '../../../test/support/running-delivery.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { OpportunityRecorder } from '../traffic/opportunity-sample.ts';
import { findNoGeo } from '../ad-request/geo-lookup.ts';
import { DeliveryControl } from '../pacing/delivery-control.ts';
import { ReportedValues } from './reported-key-values.ts';
import { fillOpportunity } from './ad-server.ts';

const folder = createTestFolder();
let ledger: HotStore;
/** The same store behind asynchronous calls, as Redis is for delivery. */
let remote: HotStore;

beforeAll(() => {
  ledger = openLedger({ dir: folder.dir, nowMs: Date.now, log: silentLog });
  remote = new Proxy(ledger, {
    get: (store, name) => {
      if (name === 'readCountersNow' || name === 'readListNow') return () => null;
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
});
afterAll(async () => {
  await ledger.close();
  folder.remove();
});

interface Request {
  readonly input: SampleInput;
  readonly opportunity?: Partial<Opportunity>;
  readonly requestCounts?: RequestCounts;
}

async function serve(hot: HotStore, { input, opportunity = {}, requestCounts = { add: () => {} } }: Request) {
  const compiled = compileWorkspace(sampleSnapshot(input), Date.now(), () => {});
  const deps = {
    current: () => new CompiledNetworks([compiled]),
    hot,
    deliveryControl: new DeliveryControl({
      hot,
      processes: 1,
      workerIndex: 0,
      curveOf: () => undefined,
      nowMs: Date.now,
      log: silentLog,
    }),
    recorder: new OpportunityRecorder({
      olap: null,
      nowMs: Date.now,
      random: () => 0,
      log: silentLog,
    }),
    findGeo: findNoGeo,
    reasons: new DecisionReasons({ olap: null, nowMs: Date.now, log: silentLog }),
    requestCounts,
    reportedValues: new ReportedValues(),
    impressionIds: new ImpressionIds(),
    linkKeys: [LINK_KEY],
    userHashSecret: Buffer.alloc(32),
    deliveryUrl: 'https://ads.example',
    metrics: new DecisionMetrics(),
    hostedAssets: new HostedAssets('https://ads.example'),
    nowMs: Date.now,
    random: () => 0,
    log: silentLog,
  };
  const options = { userIds: { lu: '', aid: '', hh: '' }, explain: false, requestId: 'r1' };
  return fillOpportunity(deps, compiled, sampleOpportunity(opportunity), options);
}

async function winnerOf(hot: HotStore, input: SampleInput): Promise<string | null> {
  const served = await serve(hot, { input });
  return served.placements[0]?.ad.lineItemId ?? null;
}

test.each([
  ['a local store', () => ledger],
  ['a remote store, which is asked round by round', () => remote],
])('caps, budgets and frequency caps hold over %s', async (_title, hot) => {
  const cap: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 };
  const lineItems = [
    { id: '11', priceMicros: 40_000_000, caps: { impressionsLifetime: 5 } },
    { id: '12', priceMicros: 30_000_000, caps: { spendMicrosLifetime: 1_000_000 } },
    { id: '13', priceMicros: 20_000_000, frequencyCaps: [cap] },
    { id: '14', priceMicros: 10_000_000 },
  ];
  const count = (key: string, by: bigint) => ledger.addToCounters([{ key, by, ttlMs: 600_000 }]);
  const subject = (id: string, kind: 'imp' | 'spend') => lifetimeCounterKey({ workspaceId: 1, scope: 'li', id, kind });
  const user = frequencyCounterKey({ workspaceId: 1, userHash: '00112233aabbccdd', scope: 'li', id: '13', cap });
  for (const key of [subject('11', 'imp'), subject('12', 'spend'), user]) await ledger.delete(key);
  const winners = [await winnerOf(hot(), { lineItems })];
  await count(subject('11', 'imp'), 5n);
  winners.push(await winnerOf(hot(), { lineItems }));
  await count(subject('12', 'spend'), 1_000_000_000n);
  winners.push(await winnerOf(hot(), { lineItems }));
  await ledger.addToCounters([{ key: user, by: 1n, ttlMs: frequencyWindowMs(cap) }]);
  winners.push(await winnerOf(hot(), { lineItems }));
  expect(winners).toEqual(['11', '12', '13', '14']);
});

test.each([
  ['a local store', () => ledger],
  ['a remote store', () => remote],
])('over %s a line item without limits serves when those of a dozen others are reserved', async (_title, hot) => {
  const capped = Array.from({ length: 12 }, (_none, at) => ({
    id: String(31 + at),
    priceMicros: 20_000_000 - at,
    caps: { impressionsLifetime: 1 },
  }));
  // Ads were served from all of them and are not shown yet: their counters do not tell that the limits are reached.
  const bucket = reservationBucket(Date.now());
  const reservations = capped.map(({ id }) => ({
    key: reservationKey({ workspaceId: 1, scope: 'li', id, kind: 'imp' }, { hold: 'firm', bucket }),
    by: 1n,
    ttlMs: 600_000,
  }));
  await ledger.addToCounters(reservations);
  const house = { id: '43', type: 'HOUSE', priceMicros: 0 } as const;
  expect(await winnerOf(hot(), { lineItems: [...capped, house] })).toBe('43');
});

test('a token names the limits that its response reserved on', async () => {
  const caps = { impressionsLifetime: 5, spendMicrosPerDay: 9_000_000 };
  const heldIn = async (input: SampleInput) => (await serve(ledger, { input })).placements[0]?.ad.heldLimits;
  const bits = limitBit({ workspaceId: 1, scope: 'li', id: '21', kind: 'imp' });
  const more = limitBit({ workspaceId: 1, scope: 'li', id: '21', kind: 'spend' });
  expect(await heldIn({ lineItems: [{ id: '21' }] })).toBe(0);
  expect(await heldIn({ lineItems: [{ id: '21', caps: { impressionsLifetime: 5 } }] })).toBe(bits);
  expect(await heldIn({ lineItems: [{ id: '21', caps }] })).toBe(bits + more);
});

test('each slot is decided, sealed and counted with its own key-values', async () => {
  const about = (topic: string) => ({ dimension: 'keyValue', operator: 'is', key: 'topic', values: [topic] }) as const;
  const counted: string[] = [];
  const requestCounts: RequestCounts = {
    add: (sum, by, key) => {
      const { kind, lineItemId, keyValues } = key();
      counted.push([kind, lineItemId, JSON.stringify(keyValues), by].join(' '));
      sums.add(sum);
    },
  };
  const sums = new Set<string>();
  const lineItems = [
    { id: '51', priceMicros: 40_000_000, targeting: about('oven') },
    { id: '52', priceMicros: 30_000_000, targeting: about('rye') },
    { id: '53', priceMicros: 20_000_000, targeting: about('page') },
  ];
  const ofPage = new Map([['topic', ['page']]]);
  const slots = [
    sampleSlot({ slotId: 'a', keyValues: new Map([['topic', ['rye']]]) }),
    sampleSlot({ slotId: 'b', keyValues: new Map([['topic', ['oven']]]) }),
    sampleSlot({ slotId: 'c' }),
  ];
  const input = { lineItems, reportKeys: [{ id: '9', key: 'topic' }] };
  const { placements } = await serve(ledger, { input, opportunity: { keyValues: ofPage, slots }, requestCounts });
  expect(placements.map(({ ad }) => [ad.lineItemId, ad.keyValues])).toEqual([
    ['52', { 9: 'rye' }],
    ['51', { 9: 'oven' }],
    ['53', { 9: 'page' }],
  ]);
  expect(counted).toEqual([
    'request  {"9":"rye"} 1',
    'request  {"9":"oven"} 1',
    'request  {"9":"page"} 1',
    'served 52 {"9":"rye"} 1',
    'served 51 {"9":"oven"} 1',
    'served 53 {"9":"page"} 1',
  ]);
  expect(sums.size).toBe(6);
});

test('requests and ads bear the arm of the experiment that runs, which no request can set', async () => {
  const counted: string[] = [];
  const requestCounts: RequestCounts = {
    add: (_sum, _by, key) => counted.push(`${key().kind} ${JSON.stringify(key().keyValues)}`),
  };
  const hourMs = 3_600_000;
  const running = { rule: 'NO_PRICES', startsAtMs: Date.now() - hourMs, endsAtMs: Date.now() + hourMs } as const;
  const armsOf = async (experiment: Experiment | null, opportunity: Partial<Opportunity>) => {
    const input = { lineItems: [{ id: '54' }], ...(experiment === null ? {} : { workspace: { experiment } }) };
    const { placements } = await serve(ledger, { input, opportunity, requestCounts });
    return placements.map(({ ad }) => ad.keyValues);
  };
  // Draws of these tests are 0: a request without a user is in the arm of the rule, whatever the share.
  const nobody = { userHash: '', keyValues: new Map([['0', ['7:REST']]]) };
  const ofNobody = await armsOf({ ...running, id: '7', sharePercent: 1 }, nobody);
  expect(ofNobody).toEqual([{ 0: '7:RULE' }]);
  expect(counted).toEqual(['request {"0":"7:RULE"}', 'served {"0":"7:RULE"}']);
  const ofUsers = await Promise.all(
    Array.from({ length: 60 }, (_, user) =>
      armsOf({ ...running, id: '7', sharePercent: 50 }, { userHash: user.toString(16).padStart(16, '0') }),
    ),
  );
  expect(new Set(ofUsers.flat().map((keyValues) => keyValues['0']))).toEqual(new Set(['7:RULE', '7:REST']));
  expect(await armsOf({ ...running, id: '7', sharePercent: 50, endsAtMs: Date.now() }, {})).toEqual([{}]);
  expect(await armsOf(null, nobody)).toEqual([{}]);
});

test('companions of a video are counted as served, each under its own creative and size', async () => {
  const film = { format: 'VIDEO', title: 'Film', durationMs: 15_000, mediaFiles: [], vastTagUrl: null } as const;
  const creatives = [
    { id: '100', lineItemId: '1', width: 0, height: 0, content: { ...film, skipOffsetMs: null } },
    { id: '101', lineItemId: '1', masterCreativeId: '100' },
    { id: '102', lineItemId: '1', masterCreativeId: '100', width: 728, height: 90 },
  ];
  const counted: string[] = [];
  const requestCounts: RequestCounts = {
    add: (_sum, by, key) => {
      const { kind, lineItemId, creativeId, size, adUnitId } = key();
      counted.push([kind, lineItemId, creativeId, size, adUnitId, by].join(' ').replace(/ +/g, ' '));
    },
  };
  const opportunity = { slots: [sampleSlot({ mediaTypes: ['video'], sizes: [] })] };
  await serve(ledger, { input: { lineItems: [{ companionMode: 'ALL' }], creatives }, opportunity, requestCounts });
  expect(counted).toEqual(['request 1 1', 'served 1 100 1 1', 'served 1 101 300x250 1 1', 'served 1 102 728x90 1 1']);
});

test.each([
  [false, false],
  [true, true],
])('the document of a video with explain %s has its price: %s', async (explain, tellsPrice) => {
  const film = { format: 'VIDEO', title: 'Film', durationMs: 15_000, mediaFiles: [], vastTagUrl: null } as const;
  const creatives = [{ id: '100', width: 0, height: 0, content: { ...film, skipOffsetMs: null } }];
  const input = { lineItems: [{}], creatives };
  const opportunity = { slots: [sampleSlot({ mediaTypes: ['video'], sizes: [] })] };
  const response = JSON.stringify(
    renderAdsResponse({
      requestId: 'r',
      request: parseAdsRequest({ network: '1000', adUnit: 'a' }),
      workspace: sampleSnapshot(input).workspace,
      privacy: { gdpr: false, npa: false, reason: null },
      dsa: null,
      deliveryHost: 'ads.example',
      nowMs: Date.now(),
      served: await serve(ledger, { input, opportunity }),
      explain,
    }),
  );
  expect(response).toContain('<VAST');
  expect([response.includes('<Pricing'), response.includes('bidCpm')]).toEqual([tellsPrice, tellsPrice]);
});
