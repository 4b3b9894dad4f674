import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../test/support/stores.ts';
import { lifetimeCounterKey } from '../domain/counter-key.ts';
import { frequencyCounterKey, frequencyWindowMs } from '../domain/frequency-key.ts';
import type { FrequencyCap } from '../domain/line-item.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { openHotStore } from '../storage/hot/open-hot-store.ts';
import { CompiledNetworks } from './compiled-networks.ts';
import { compileWorkspace } from './compile.ts';
import { DecisionReasons } from './decision-reasons.ts';
import { LINK_KEY } from './fixtures/running-delivery.ts';
import { sampleOpportunity, sampleSnapshot } from './fixtures/sample-workspace.ts';
import type { SampleInput } from './fixtures/sample-workspace.ts';
import { OpportunityRecorder } from './opportunity-sample.ts';
import { findNoPlace } from './place-lookup.ts';
import { PlanKeeper } from './plan-keeper.ts';
import { serveOpportunity } from './serve.ts';

const folder = createTestFolder();
let lmdb: HotStore;
/** The same store as one that cannot answer at once: what Redis is to delivery. */
let remote: HotStore;

beforeAll(() => {
  lmdb = openHotStore({ dir: folder.dir, nowMs: Date.now, log: silentLog });
  remote = new Proxy(lmdb, {
    get: (store, name) => {
      if (name === 'readCountersNow' || name === 'readListNow') return () => null;
      const member: unknown = Reflect.get(store, name, store);
      return typeof member === 'function' ? (member.bind(store) as unknown) : member;
    },
  });
});
afterAll(async () => {
  await lmdb.close();
  folder.remove();
});

async function winnerOf(hot: HotStore, input: SampleInput): Promise<string | null> {
  const compiled = compileWorkspace(sampleSnapshot(input), Date.now(), () => {});
  const deps = {
    current: () => new CompiledNetworks([compiled]),
    hot,
    plans: new PlanKeeper({ hot, processes: 1, slot: 0, curveOf: () => undefined, nowMs: Date.now, log: silentLog }),
    recorder: new OpportunityRecorder({ dir: folder.dir, slot: 0, nowMs: Date.now, random: () => 0, log: silentLog }),
    findPlace: findNoPlace,
    reasons: new DecisionReasons({ olap: null, nowMs: Date.now, log: silentLog }),
    requestCounts: { add: () => {} },
    linkKeys: [LINK_KEY],
    userHashSecret: Buffer.alloc(32),
    deliveryUrl: 'https://ads.example',
    nowMs: Date.now,
    random: () => 0,
    log: silentLog,
  };
  const served = await serveOpportunity(deps, compiled, sampleOpportunity({}), {
    userIds: { lu: '', aid: '' },
    explain: false,
    counted: true,
  });
  return served.placements[0]?.ad.lineItemId ?? null;
}

test.each([
  ['a local store', () => lmdb],
  ['a remote store, which is asked round by round', () => remote],
])('caps, budgets and frequency caps are obeyed over %s', async (_title, hot) => {
  const cap: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 };
  const lineItems = [
    { id: '11', priceMicros: 40_000_000, caps: { impressionsLifetime: 5 } },
    { id: '12', priceMicros: 30_000_000, caps: { spendMicrosLifetime: 1_000_000 } },
    { id: '13', priceMicros: 20_000_000, frequencyCaps: [cap] },
    { id: '14', priceMicros: 10_000_000 },
  ];
  const count = (key: string, by: bigint) => lmdb.addToCounters([{ key, by, ttlMs: 600_000 }]);
  const subject = (id: string, kind: 'imp' | 'spend') => lifetimeCounterKey({ workspaceId: 1, scope: 'li', id, kind });
  const user = frequencyCounterKey({ workspaceId: 1, userHash: '00112233aabbccdd', scope: 'li', id: '13', cap });
  for (const key of [subject('11', 'imp'), subject('12', 'spend'), user]) await lmdb.delete(key);
  const winners = [await winnerOf(hot(), { lineItems })];
  await count(subject('11', 'imp'), 5n);
  winners.push(await winnerOf(hot(), { lineItems }));
  await count(subject('12', 'spend'), 1_000_000_000n);
  winners.push(await winnerOf(hot(), { lineItems }));
  await lmdb.addToCounters([{ key: user, by: 1n, ttlMs: frequencyWindowMs(cap) }]);
  winners.push(await winnerOf(hot(), { lineItems }));
  expect(winners).toEqual(['11', '12', '13', '14']);
});
