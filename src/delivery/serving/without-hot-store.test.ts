import { DecisionMetrics } from './decision-metrics.ts';
import { describe, expect, test } from 'vitest';
import { MemoryHotStore } from '../../../test/simulation/memory-hot-store.ts';
import { LINK_KEY } from '../../../test/support/running-delivery.ts';
import { silentLog } from '../../../test/support/stores.ts';
import { VirtualTime } from '../../../test/support/virtual-time.ts';
import { sampleOpportunity, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { frequencyCounterKey, frequencyWindowMs } from '../../domain/frequency/frequency-key.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import { DECISION_WAIT_MS, HotCircuit } from '../../storage/hot/hot-circuit.ts';
import { findNoGeo } from '../ad-request/geo-lookup.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { DecisionReasons } from '../insight/diagnosis/decision-reasons.ts';
import { HostedAssets } from '../markup/hosted-assets.ts';
import { DeliveryControl } from '../pacing/delivery-control.ts';
import { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { OpportunityRecorder } from '../traffic/opportunity-sample.ts';
import { fillOpportunity } from './ad-server.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import { ReportedValues } from './reported-key-values.ts';

const CAP: FrequencyCap = { event: 'IMPRESSIONS', count: 1, window: 'DAY', every: 1 };
/** With a frequency cap, with a hard limit, with nothing: in the order of their price. */
const LINE_ITEMS = [
  { id: '13', priceMicros: 50_000_000, frequencyCaps: [CAP] },
  { id: '11', priceMicros: 40_000_000, caps: { impressionsLifetime: 1_000 } },
  { id: '14', priceMicros: 10_000_000 },
];

type State = 'up' | 'hangs' | 'fails' | 'is slow';

/** A worker whose store is asynchronous, as Redis, and in a state of the test's choice. */
function startWorker() {
  const time = new VirtualTime();
  const memory = new MemoryHotStore(Date.now);
  const now: { state: State } = { state: 'up' };
  const call = async (run: () => Promise<unknown>): Promise<unknown> => {
    if (now.state === 'hangs') return new Promise(() => undefined);
    if (now.state === 'fails') throw new Error('The connection is closed');
    if (now.state === 'is slow') await time.sleep(40);
    return run();
  };
  const hot = new Proxy(memory.asHotStore(), {
    get: (store, member) => {
      if (member === 'readCountersNow' || member === 'readListNow') return () => null;
      if (member === 'ping') return () => call(async () => undefined);
      const method = Reflect.get(store, member, store) as (...args: unknown[]) => Promise<unknown>;
      return (...args: unknown[]) => call(() => method.apply(store, args));
    },
  });
  const circuit = new HotCircuit({ hot, log: silentLog, nowMs: time.nowMs, later: time.later });
  const shared = { hot, nowMs: Date.now, log: silentLog };
  const control = new DeliveryControl({ ...shared, circuit, processes: 1, workerIndex: 0, curveOf: () => undefined });
  const compiled = compileWorkspace(sampleSnapshot({ lineItems: LINE_ITEMS }), Date.now(), () => {});
  const deps = {
    ...shared,
    current: () => new CompiledNetworks([compiled]),
    deliveryControl: control,
    recorder: new OpportunityRecorder({ olap: null, nowMs: Date.now, random: () => 0, log: silentLog }),
    findGeo: findNoGeo,
    reasons: new DecisionReasons({ olap: null, nowMs: Date.now, log: silentLog }),
    requestCounts: { add: () => {} },
    reportedValues: new ReportedValues(),
    impressionIds: new ImpressionIds(),
    linkKeys: [LINK_KEY],
    userHashSecret: Buffer.alloc(32),
    deliveryUrl: 'https://ads.example',
    metrics: new DecisionMetrics(),
    hostedAssets: new HostedAssets('https://ads.example'),
    random: () => 0,
  };
  /** The line item that wins, and how long the decision waited. */
  const serve = async (userHash: string): Promise<{ winner: string | null; waitedMs: number }> => {
    const options = { userIds: { lu: '', aid: '', hh: '' }, explain: false, requestId: 'r1' };
    const opportunity = sampleOpportunity({ userHash });
    const filled = Promise.resolve(fillOpportunity(deps, compiled, opportunity, options));
    const { value, tookMs } = await time.until(filled);
    return { winner: value.placements[0]?.ad.lineItemId ?? null, waitedMs: tookMs };
  };
  return { serve, memory, now, circuit, time, control };
}

const KNOWN = '00112233aabbccdd';

describe('decisions without the hot store', () => {
  test.each(['hangs', 'fails', 'is slow'] as const)(
    'decisions wait 25 ms at most and keep all caps while the store %s',
    async (state) => {
      const { serve, memory, now, circuit, time } = startWorker();
      const subject = { workspaceId: 1, userHash: KNOWN, scope: 'li', id: '13', cap: CAP } as const;
      memory.add({ key: frequencyCounterKey(subject), by: 1n, ttlMs: frequencyWindowMs(CAP) });
      while ((await serve(KNOWN)).winner !== '11');
      now.state = state;
      const served = [];
      for (let request = 0; request < 12; request += 1) served.push(await serve(KNOWN));
      // The lease has five units at first, and none is taken while the store is unavailable.
      const limited = served.filter(({ winner }) => winner === '11').length;
      expect(limited).toBeLessThanOrEqual(5);
      expect(served.slice(limited).map(({ winner }) => winner)).toEqual(
        Array.from({ length: 12 - limited }, () => '14'),
      );
      expect(Math.max(...served.map(({ waitedMs }) => waitedMs))).toBeLessThanOrEqual(DECISION_WAIT_MS);
      expect(served.filter(({ waitedMs }) => waitedMs > 0).length, 'decisions that waited').toBeLessThanOrEqual(3);
      expect(circuit.isOpen).toBe(true);
      expect((await serve('ffffffffffffffff')).winner, 'a user whom the worker does not know').toBe('13');
      now.state = 'up';
      await time.advance(1_000);
      expect(circuit.isOpen).toBe(false);
    },
  );
});
