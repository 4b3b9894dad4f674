import { writeSentences } from '../../domain/booking/delivery-text.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder, createTestOlapDatabase, silentLog } from '../../../test/support/stores.ts';
import type { TestOlapDatabase } from '../../../test/support/stores.ts';
import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { ForecastDraft } from '../../domain/booking/delivery-insight.ts';
import { NO_CAPS } from '../../domain/booking/line-item.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { CompiledNetworks } from '../snapshot/compiled-networks.ts';
import { DELIVERY_OLAP_MIGRATIONS, readDecisionReasons } from '../insight/diagnosis/decision-reasons.olap.ts';
import { explainSample } from '../insight/explain-sample.ts';
import { createDeliveryInsight } from '../insight/delivery-insight.ts';
import { parseSample } from './parse-sample.ts';
import { FLOORS_THREAD } from '../insight/floors/floors-thread.ts';
import { ForecastThreads } from '../insight/forecast/forecast-thread.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import { OpportunityRecorder } from './opportunity-sample.ts';
import type { RecorderDeps } from './opportunity-sample.ts';
import { eraseUserSamples, BUCKETS, bucketOf, readSampleFrame, streamSamples } from './opportunity-sample.olap.ts';
import type { OpportunitySampleRow, SampleFrame } from './opportunity-sample.olap.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { seededRandom } from '../insight/forecast/seeded-random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The store expires old samples by its own clock. */
const startMs = Date.now() - 3 * HOUR_MS;
const hashOf = (user: number) => seededRandom(user)().toString(16).slice(2, 18).padEnd(16, '0');

/** A worker's recorder on a clock that the test moves, and the samples that it sent. */
function openRecorder(olap?: RecorderDeps['olap']) {
  const clock = { nowMs: startMs };
  const samples: OpportunitySampleRow[] = [];
  const capture: RecorderDeps['olap'] = {
    insertRaw: async ({ body }) => {
      const lines = body.toString().trimEnd().split('\n');
      samples.push(...lines.map((line) => JSON.parse(line) as OpportunitySampleRow));
    },
  };
  const recorder = new OpportunityRecorder({
    olap: olap === undefined ? capture : olap,
    nowMs: () => clock.nowMs,
    random: seededRandom(9),
    log: silentLog,
  });
  return { clock, samples, recorder };
}

/** `count` requests of `users` users (0 = unknown users) in one slice. */
function ask(recorder: OpportunityRecorder, count: number, users: number, atMs: number): void {
  for (let at = 0; at < count; at += 1)
    recorder.record(sampleOpportunity({ userHash: users === 0 ? '' : hashOf(at % users) }), atMs);
}

describe('a sample by user', () => {
  test('a slice holds all requests of the users with the lowest buckets, and no others', async () => {
    const { recorder, samples } = openRecorder();
    ask(recorder, 10_000, 2_000, startMs);
    await recorder.flush(true);
    const [first] = samples;
    expect(first).toMatchObject({ workspace_id: 1, from_ms: startMs, met: 10_000 });
    const share = first?.share ?? 0;
    expect(samples.length).toBeGreaterThan(350);
    expect(samples.length).toBeLessThanOrEqual(400);
    const lowest = Array.from({ length: 2_000 }, (_one, user) => bucketOf(hashOf(user)));
    const kept = lowest.filter((bucket) => bucket < share);
    expect(new Set(samples.map(({ place: bucket }) => bucket))).toEqual(new Set(kept));
    expect(samples).toHaveLength(kept.length * 5);
    expect(share, 'as many as fit').toBeGreaterThan(0.03 * BUCKETS);
  });

  test('samples of different workers and slices fit together below the smallest share', async () => {
    const [one, other] = [openRecorder(), openRecorder()];
    ask(one.recorder, 20_000, 2_000, startMs);
    ask(other.recorder, 6_000, 2_000, startMs);
    await one.recorder.flush(true);
    await other.recorder.flush(true);
    const [shares] = [[one, other].map(({ samples }) => samples[0]?.share ?? 0)];
    const share = Math.min(...shares);
    const usersOf = (samples: readonly OpportunitySampleRow[]) =>
      new Set(samples.filter(({ place: bucket }) => bucket < share).map(({ place: bucket }) => bucket));
    expect(usersOf(one.samples)).toEqual(usersOf(other.samples));
    expect(usersOf(one.samples).size).toBeGreaterThan(20);
  });

  test('a sample holds no user ids: a part of the hash distinguishes users, and anonymous requests are independent', async () => {
    const { recorder, samples } = openRecorder();
    ask(recorder, 10, 1, startMs);
    ask(recorder, 10, 0, startMs);
    await recorder.flush(true);
    expect(JSON.stringify(samples)).not.toContain(hashOf(0));
    const known = samples.filter(({ is_reader: hasUser }) => hasUser === 1);
    expect(known).toHaveLength(10);
    expect(new Set(known.map(({ place: bucket }) => bucket)).size).toBe(1);
    expect(new Set(samples.map(({ place: bucket }) => bucket)).size).toBe(11);
  });

  test('a sample holds few requests of a user who sends very many', async () => {
    const { recorder, samples } = openRecorder();
    ask(recorder, 5_000, 1, startMs);
    ask(recorder, 100, 100, startMs);
    await recorder.flush(true);
    expect(samples.filter(({ place: bucket }) => bucket === samples[0]?.place).length).toBeLessThanOrEqual(31);
    expect(samples.length).toBeGreaterThan(120);
  });

  test('busy workspaces get fair parts of the capacity of a worker', async () => {
    const { recorder, samples } = openRecorder();
    const workspaces = 70;
    for (let workspaceId = 1; workspaceId <= workspaces; workspaceId += 1)
      for (let user = 0; user < 450; user += 1)
        recorder.record(sampleOpportunity({ workspaceId, userHash: hashOf(user) }), startMs);
    await recorder.flush(true);
    expect(samples.length).toBeLessThanOrEqual(20_000);
    const slices = Map.groupBy(samples, ({ workspace_id: workspaceId }) => workspaceId);
    expect(slices.size).toBe(workspaces);
    for (const kept of slices.values()) {
      expect(kept[0]?.met).toBe(450);
      expect(kept.length).toBeGreaterThan(200);
      expect(kept[0]?.share).toBeGreaterThan(0.4 * BUCKETS);
    }
  });

  test('every workspace is sampled even when workspaces with one user each exceed the capacity', async () => {
    const { recorder, samples } = openRecorder();
    const workspaces = 700;
    for (let round = 0; round < 30; round += 1)
      for (let workspaceId = 1; workspaceId <= workspaces; workspaceId += 1)
        recorder.record(sampleOpportunity({ workspaceId, userHash: hashOf(workspaceId) }), startMs);
    await recorder.flush(true);
    expect(samples.length).toBeLessThanOrEqual(20_000);
    const slices = Map.groupBy(samples, ({ workspace_id: workspaceId }) => workspaceId);
    expect(slices.size, 'more than may wait at once are sent all the same').toBe(workspaces);
    for (const [first] of slices.values()) expect(first).toMatchObject({ met: 30, share: BUCKETS });
  });

  test('an opportunity that is too large is counted and not sampled', async () => {
    const { recorder, samples } = openRecorder();
    const keyValues = new Map(
      Array.from({ length: 200 }, (_none, key) => [`kv${key}`, Array.from({ length: 10 }, () => '"'.repeat(250))]),
    );
    for (let user = 0; user < 400; user += 1)
      recorder.record(sampleOpportunity({ userHash: hashOf(user), keyValues }), startMs);
    ask(recorder, 10, 10, startMs);
    await recorder.flush(true);
    expect(samples).toHaveLength(10);
    expect(samples[0]).toMatchObject({ met: 410, share: BUCKETS });
  });

  test('large opportunities reduce the number of sampled users', async () => {
    const { recorder, samples } = openRecorder();
    const keywords = Array.from({ length: 60 }, () => '"'.repeat(230));
    for (let user = 0; user < 390; user += 1)
      recorder.record(sampleOpportunity({ userHash: hashOf(user), keywords }), startMs);
    await recorder.flush(true);
    const chars = samples.reduce((sum, { opportunity }) => sum + opportunity.length, 0);
    expect(chars).toBeLessThanOrEqual(4 * 1_048_576);
    expect(samples.length).toBeGreaterThan(120);
    const share = samples[0]?.share ?? 0;
    const lowest = Array.from({ length: 390 }, (_one, user) => bucketOf(hashOf(user))).filter(
      (bucket) => bucket < share,
    );
    expect(new Set(samples.map(({ place: bucket }) => bucket))).toEqual(new Set(lowest));
  });

  test('slices begin short, grow to an hour, and wait while the store is unavailable', async () => {
    let isDown = true;
    const tokens: string[] = [];
    const { recorder, clock } = openRecorder({
      insertRaw: async ({ token }) => {
        if (isDown) throw new Error('away');
        tokens.push(token);
      },
    });
    const lengths = [1, 2, 4, 8, 16, 32, 60, 60];
    for (const minutes of lengths) {
      ask(recorder, 1, 1, clock.nowMs);
      clock.nowMs += minutes * MINUTE_MS - 1;
      await recorder.flush();
      clock.nowMs += 1;
      await recorder.flush();
    }
    expect(tokens).toEqual([]);
    isDown = false;
    await recorder.flush();
    expect(new Set(tokens).size).toBe(lengths.length);
    await recorder.stop();
    expect(tokens, 'each of them once').toHaveLength(lengths.length);
  });
});

const DRAFT: ForecastDraft = {
  type: 'PRICE',
  level: 8,
  sharePercent: null,
  cpmMicros: 5_000_000,
  targeting: null,
  sizes: [{ width: 300, height: 250 }],
  mediaTypes: ['banner'],
  dealId: null,
  goal: null,
  pacing: 'EVEN',
  caps: NO_CAPS,
  frequencyCaps: [],
  serveWithoutUser: false,
  dayParts: [],
  timezone: null,
  lineItemId: null,
  startsAtMs: startMs + 3 * HOUR_MS,
  endsAtMs: startMs + 6 * HOUR_MS,
};

describe('forecasts from the samples of all nodes', () => {
  const folder = createTestFolder();
  let analytics: TestOlapDatabase;
  let hot: HotStore;

  beforeAll(async () => {
    analytics = await createTestOlapDatabase();
    await migrateOlap({ olap: analytics.olap, migrations: DELIVERY_OLAP_MIGRATIONS, log: silentLog });
    hot = openLedger({ dir: folder.dir, nowMs: Date.now, log: silentLog });
    for (const slot of [0, 1]) {
      const { recorder, clock } = openRecorder(analytics.olap);
      ask(recorder, 5_000, 1_000, clock.nowMs);
      clock.nowMs += HOUR_MS;
      await recorder.flush();
      ask(recorder, 2_000 * slot, 1_000, clock.nowMs);
      const slots = [
        sampleSlot({
          video: {
            mimeTypes: [],
            minDurationMs: 0,
            maxDurationMs: Infinity,
            protocols: [],
            companionPlaces: [],
            companionTypes: [],
          },
        }),
      ];
      recorder.record(sampleOpportunity({ workspaceId: 2, slots, blockedSeats: new Set(['s']) }), clock.nowMs);
      clock.nowMs += 2 * HOUR_MS;
      await recorder.stop();
    }
  });
  afterAll(async () => {
    await hot?.close();
    await analytics?.close();
    folder.remove();
  });

  test('the store returns the samples of one workspace and of no other', async () => {
    const frame = await readSampleFrame(analytics.olap, 1, Date.now());
    expect(frame).toMatchObject({ fromMs: startMs, untilMs: startMs + 3 * HOUR_MS, met: 12_000 });
    expect(await readSampleFrame(analytics.olap, 3, Date.now())).toBeNull();
    const small = await readSampleFrame(analytics.olap, 2, Date.now());
    if (small === null) throw new Error('There is no sample');
    const sample = parseSample(small, Buffer.concat(await Array.fromAsync(streamSamples(analytics.olap, 2, small))));
    expect(sample.entries).toHaveLength(2);
    const [first, second] = sample.entries;
    expect(first?.opportunity.blockedSeats).toEqual(new Set(['s']));
    expect(first?.opportunity.slots[0]?.video?.maxDurationMs).toBe(Infinity);
    expect(first?.opportunity.userHash).toMatch(/^[0-9a-f]{16}$/);
    expect(first?.opportunity.userHash).toBe(second?.opportunity.userHash);
    const again = parseSample(small, Buffer.concat(await Array.fromAsync(streamSamples(analytics.olap, 2, small))));
    expect(again.entries[0]?.opportunity.userHash, 'good for one forecast').not.toBe(first?.opportunity.userHash);
  });

  test('a frame is read up to a number of bytes, lowest buckets first', async () => {
    const whole = await readSampleFrame(analytics.olap, 1, Date.now());
    const part = await readSampleFrame(analytics.olap, 1, Date.now(), 50_000);
    if (whole === null || part === null) throw new Error('There is no sample');
    expect(part.share).toBeLessThan(whole.share);
    const read = async (frame: SampleFrame) =>
      parseSample(frame, Buffer.concat(await Array.fromAsync(streamSamples(analytics.olap, 1, frame))));
    const [all, cut] = [await read(whole), await read(part)];
    expect(cut.entries.map(({ bucket }) => bucket)).toEqual(
      all.entries.filter(({ bucket }) => bucket < part.share).map(({ bucket }) => bucket),
    );
    expect(cut.entries.length).toBeGreaterThan(10);
  });

  test('a thread forecasts from the samples, with the counters of the hot store', async () => {
    const rival = { priceMicros: 9_000_000, caps: { impressionsLifetime: 5_000 } };
    const compiled = compileWorkspace(sampleSnapshot({ lineItems: [rival] }), Date.now(), () => {});
    const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: '1', kind: 'imp' });
    await hot.addToCounters([{ key, by: 2_000n, ttlMs: HOUR_MS }]);
    const forecasts = new ForecastThreads(hot);
    const insight = createDeliveryInsight({
      current: () => new CompiledNetworks([compiled]),
      hot,
      olap: analytics.olap,
      userHashSecret: Buffer.alloc(32),
      linkKeys: [],
      decisionsDir: '',
      findGeo: () => ({ country: '', region: '', city: '' }),
      sql: undefined as never,
      curveOf: () => flatCurve('Europe/Warsaw'),
      forecasts,
      floors: new ForecastThreads(hot, FLOORS_THREAD),
      freeTrafficOf: () => null,
      contextModelOf: () => null,
      readNetworkHours: () => Promise.resolve([]),
      readAdUnitDays: () => Promise.resolve([]),
      nowMs: () => startMs + 3 * HOUR_MS,
      random: () => 0.5,
    });
    const asked = Array.from({ length: 4 }, () => insight.forecast(1, DRAFT));
    const [forecast, , , refused] = await Promise.allSettled(asked);
    expect(refused, 'three of one network at once').toMatchObject({ reason: { code: 'unavailable' } });
    if (forecast?.status !== 'fulfilled') throw new Error('There is no forecast', { cause: forecast?.reason });
    const { opportunities, possible, contending, remarks } = forecast.value;
    expect(opportunities / 12_000).toBeCloseTo(1, 2);
    expect(Math.abs(possible - 9_000)).toBeLessThan(300);
    expect(contending.map(({ lineItemId }) => lineItemId)).toEqual(['1']);
    expect(writeSentences(remarks)[0]).toBe('There is not enough traffic yet: 960 requests were sampled.');
    // It may be refused before the threads have stopped.
    const late = expect(insight.forecast(1, DRAFT)).rejects.toMatchObject({ code: 'unavailable' });
    await forecasts.stop();
    await late;
  });

  test('the sample of imported history is explained once, as workers explain live requests', async () => {
    const lineItems = [
      { id: '1', priceMicros: 9_000_000 },
      { id: '2', priceMicros: 1_000_000 },
    ];
    const compiled = compileWorkspace(sampleSnapshot({ lineItems }), Date.now(), () => {});
    const deps = {
      hot,
      olap: analytics.olap,
      curveOf: () => flatCurve('Europe/Warsaw'),
      nowMs: () => startMs + 3 * HOUR_MS,
      random: () => 0.5,
    };
    await explainSample(deps, compiled, 'history');
    await explainSample(deps, compiled, 'history');
    const reasons = await readDecisionReasons(analytics.olap, 1, ['1', '2'], startMs - HOUR_MS);
    const all = (id: string) => (reasons.get(id) ?? []).reduce((sum, { quantity }) => sum + quantity, 0);
    expect(all('1') / 12_000).toBeCloseTo(1, 1);
    expect(all('2')).toBe(all('1'));
    expect(reasons.get('1')?.every(({ outcome }) => outcome === 'won')).toBe(true);
    expect(reasons.get('2')?.some(({ outcome }) => outcome.startsWith('lost.price'))).toBe(true);
    expect(new Set(reasons.get('1')?.map(({ fromMs }) => fromMs)).size).toBeGreaterThan(1);
  });

  test('a user can be erased', async () => {
    const { userHash } = sampleOpportunity({});
    expect(await eraseUserSamples(analytics.olap, 1, userHash), 'not in this workspace').toBe(0);
    expect(await eraseUserSamples(analytics.olap, 2, userHash)).toBe(2);
    expect(await readSampleFrame(analytics.olap, 2, Date.now())).toBeNull();
    expect((await readSampleFrame(analytics.olap, 1, Date.now()))?.met).toBe(12_000);
  });
});
