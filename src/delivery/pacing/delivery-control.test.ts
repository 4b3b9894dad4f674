import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import { RESERVATION_TTL_MS, reservationBucket, reservationKey } from '../../domain/money/reservation.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { decide } from '../decision/decide.ts';
import type { Decision } from '../decision/decision.ts';
import { sampleOpportunity, sampleSnapshot } from '../../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../../test/worlds/sample-workspace.ts';
import { NO_CAPS } from '../../domain/booking/line-item.ts';
import { flatCurve } from '../../domain/pacing/traffic-curve.ts';
import { DeliveryControl } from './delivery-control.ts';

const folder = createTestFolder();
const clock = { nowMs: Date.parse('2026-11-20T10:00:00Z') };
let ledger: HotStore;
/** The same store without reads at once, as Redis is for delivery. */
let remote: HotStore;

beforeAll(() => {
  ledger = openLedger({ dir: folder.dir, nowMs: () => clock.nowMs, log: silentLog });
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

function newControl(hot: HotStore, workerIndex = 0, processes = 1): DeliveryControl {
  const curve = flatCurve('Europe/Warsaw');
  return new DeliveryControl({
    hot,
    workerIndex,
    processes,
    curveOf: () => curve,
    nowMs: () => clock.nowMs,
    log: silentLog,
  });
}

/** Decides as `fillOpportunity` does; null when a limit was found used up. */
async function serve(control: DeliveryControl, input: SampleInput | CompiledWorkspace): Promise<Decision | null> {
  const compiled = 'snapshot' in input ? input : compileWorkspace(sampleSnapshot(input), clock.nowMs, () => undefined);
  const state = control.newState(clock.nowMs);
  const decideNow = () => decide(compiled, sampleOpportunity({}), { state, nowMs: clock.nowMs, random: () => 0 });
  let decision = decideNow();
  while (state.isIncomplete) {
    await state.fetchMissing();
    decision = decideNow();
  }
  if (!(await control.reserve(decision.placements, 1, state))) return null;
  control.recordServed(decision);
  return decision;
}

const winner = (decision: Decision | null) => decision?.placements[0]?.lineItem.booked.id ?? null;

describe.each(['the ledger', 'a store without reads at once'] as const)('over %s', (title) => {
  const hotOf = (): HotStore => (title === 'the ledger' ? ledger : remote);
  const base = title === 'the ledger' ? 100 : 200;
  const flight = { startsAtMs: clock.nowMs, endsAtMs: clock.nowMs + 10 * 86_400_000 };

  test('an EVEN goal gets its first ad at once, and the next when it is due', async () => {
    const goal = { kind: 'IMPRESSIONS', amount: 240, period: 'LIFETIME' } as const;
    const input: SampleInput = { lineItems: [{ id: String(base + 1), type: 'STANDARD', goal, ...flight }] };
    const control = newControl(hotOf());
    expect(winner(await serve(control, input))).toBe(String(base + 1));
    expect(winner(await serve(control, input))).toBeNull();
    clock.nowMs += 2 * 3_600_000;
    expect(winner(await serve(control, input))).toBe(String(base + 1));
  });

  test('each worker learns of the ads of the other one when they are reported', async () => {
    const goal = { kind: 'IMPRESSIONS', amount: 10, period: 'LIFETIME' } as const;
    const line = { id: String(base + 2), type: 'STANDARD', pacing: 'ASAP', goal, ...flight } as const;
    const input: SampleInput = { lineItems: [line] };
    const [first, second] = [newControl(hotOf(), 0, 2), newControl(hotOf(), 1, 2)];
    let served = 0;
    for (let round = 0; round < 40; round += 1) {
      for (const control of [first, second]) {
        if (winner(await serve(control, input)) !== null) served += 1;
        await control.maintain();
      }
      clock.nowMs += 1_000;
    }
    expect(served).toBeGreaterThanOrEqual(10);
    expect(served).toBeLessThanOrEqual(15);
    const key = lifetimeCounterKey({ workspaceId: 1, scope: 'li', id: line.id, kind: 'ans' });
    expect(await ledger.readCounters([key])).toEqual([BigInt(served)]);
  });

  test('nodes share a goal as soon as they have met, and the share of a dead node goes to the others', async () => {
    const goal = { kind: 'IMPRESSIONS', amount: 100, period: 'LIFETIME' } as const;
    const line = { id: String(base + 4), type: 'STANDARD', pacing: 'ASAP', goal, ...flight } as const;
    const input: SampleInput = { lineItems: [line] };
    clock.nowMs += 120_000;
    const alone = { workerIndex: 0, processes: 1 };
    const controls = [alone, alone, alone].map(({ workerIndex, processes }) =>
      newControl(hotOf(), workerIndex, processes),
    );
    for (let round = 0; round < 2; round += 1) for (const control of controls) await control.maintain();
    const flood = async (control: DeliveryControl): Promise<number> => {
      let served = 0;
      for (let at = 0; at < 150; at += 1) if (winner(await serve(control, input)) !== null) served += 1;
      return served;
    };
    const [first, second] = controls as [DeliveryControl, DeliveryControl, DeliveryControl];
    const allotted = (await flood(first)) + (await flood(second));
    expect(allotted).toBeGreaterThanOrEqual(66);
    expect(allotted).toBeLessThanOrEqual(67);
    // The third node is dead: after two epochs the others get its share.
    let all = allotted;
    for (let passed = 0; passed < 70; passed += 1) {
      clock.nowMs += 1_000;
      for (const control of [first, second]) await control.maintain();
      if (passed > 65) for (const control of [first, second]) all += await flood(control);
    }
    expect(all).toBeGreaterThanOrEqual(99);
  });

  test('a cap holds over two workers, and the leases of a stopped worker go to the other one', async () => {
    const input: SampleInput = { lineItems: [{ id: String(base + 3), caps: { impressionsLifetime: 400 } }] };
    const [first, second] = [newControl(hotOf(), 0, 2), newControl(hotOf(), 1, 2)];
    // On a busy machine a lease may arrive too late for the response that waits for it.
    for (let tries = 0; tries < 50 && winner(await serve(first, input)) === null; tries += 1) clock.nowMs += 300;
    expect(first.ledger.unusedLeases.get('imp')).toBe(1);
    await first.stop();
    let served = 1;
    for (let at = 0; at < 500 || (at < 2_000 && served < 400); at += 1) {
      clock.nowMs += 10;
      if (winner(await serve(second, input)) !== null) served += 1;
    }
    expect(served).toBe(400);
  });

  test('a day of FLAT starts only where pending responses leave headroom for its price, and lasts to its end once it is earned', async () => {
    const id = String(base + 5);
    const price = { type: 'SPONSORSHIP', pricingModel: 'FLAT', priceMicros: 60_000_000 } as const;
    const compiled = compileWorkspace(
      sampleSnapshot({
        campaigns: [{ id: '1' }, { id, caps: { ...NO_CAPS, spendMicrosLifetime: 100_000_000 } }],
        lineItems: [
          { id, campaignId: id, ...price },
          { id: `${id}9`, type: 'HOUSE', priceMicros: 0 },
        ],
      }),
      clock.nowMs,
      () => undefined,
    );
    const control = newControl(hotOf());
    const ask = async () => {
      clock.nowMs += 1_100;
      // When the limit is found used up, the next best line item wins.
      return winner((await serve(control, compiled)) ?? (await serve(control, compiled)));
    };
    const spend = { workspaceId: 1, id, kind: 'spend' } as const;
    const bucket = reservationBucket(clock.nowMs);
    const hold = (micros: bigint) => {
      const key = reservationKey({ ...spend, scope: 'ca' }, { hold: 'firm', bucket });
      return ledger.addToCounters([{ key, by: micros * 1_000n, ttlMs: RESERVATION_TTL_MS }]);
    };
    await hold(40_000_001n);
    expect(await ask()).toBe(`${id}9`);
    await hold(-1n);
    expect(await ask()).toBe(id);
    const earned = [
      lifetimeCounterKey({ ...spend, scope: 'ca' }),
      dayCounterKey({ ...spend, scope: 'li' }, '2026-11-20'),
    ];
    await ledger.addToCounters(earned.map((key) => ({ key, by: 60_000_000_000n, ttlMs: RESERVATION_TTL_MS })));
    expect(await ask()).toBe(id);
  });

  test('a day of FLAT waits while the remaining budget is unknown', async () => {
    const id = String(base + 6);
    const flat = { type: 'SPONSORSHIP', pricingModel: 'FLAT', priceMicros: 60_000_000 } as const;
    const input: SampleInput = { lineItems: [{ id, ...flat, caps: { spendMicrosLifetime: 100_000_000 } }] };
    const unavailable = new Proxy(hotOf(), {
      get: (store, name) => {
        if (name === 'readCounters' && isDown) return () => Promise.reject(new Error('away'));
        const member: unknown = Reflect.get(store, name, store);
        return typeof member === 'function' ? (member.bind(store) as unknown) : member;
      },
    });
    let isDown = false;
    const control = newControl(unavailable);
    expect(winner(await serve(control, input))).toBe(id);
    isDown = true;
    // Counters that were read a moment ago are still valid.
    clock.nowMs += 500;
    expect(await serve(control, input)).toBeNull();
    expect(control.ledger.failures).toBe(1);
    isDown = false;
    expect(winner(await serve(control, input))).toBe(id);
  });
});
