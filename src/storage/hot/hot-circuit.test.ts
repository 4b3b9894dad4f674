import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/stores.ts';
import { VirtualTime } from '../../../test/support/virtual-time.ts';
import { DECISION_WAIT_MS, HotCircuit, HotStoreUnavailableError } from './hot-circuit.ts';

const never = (): Promise<never> => new Promise(() => undefined);

function open() {
  const time = new VirtualTime();
  const store = { isUp: false, pings: 0 };
  const ping = async (): Promise<void> => {
    store.pings += 1;
    if (!store.isUp) await never();
  };
  const circuit = new HotCircuit({ hot: { ping }, log: silentLog, nowMs: time.nowMs, later: time.later });
  return { time, store, circuit };
}

describe('the circuit of the hot store', () => {
  test('a decision waits 25 ms in all, over as many calls as it makes', async () => {
    const { time, circuit } = open();
    const wait = circuit.newWait();
    const slow = wait.run(() => time.sleep(20).then(() => 'read'));
    expect(await time.until(slow)).toEqual({ value: 'read', tookMs: 20 });
    const { value, tookMs } = await time.until(wait.run(never).catch((error: unknown) => error));
    expect([value instanceof Error, tookMs]).toEqual([true, DECISION_WAIT_MS - 20]);
    const last = await time.until(wait.run(never).catch((error: unknown) => error));
    expect([last.value instanceof HotStoreUnavailableError, last.tookMs]).toEqual([true, 0]);
  });

  test('the work of a decision between its calls uses nothing of its wait, and calls at the same time are one wait', async () => {
    const { time, circuit } = open();
    const wait = circuit.newWait();
    const slow = (): Promise<string> => time.sleep(10).then(() => 'read');
    expect((await time.until(Promise.all([wait.run(slow), wait.run(slow)]))).value).toEqual(['read', 'read']);
    await time.advance(1_000);
    expect(wait.leftMs).toBe(DECISION_WAIT_MS - 10);
    expect(await time.until(wait.run(slow))).toEqual({ value: 'read', tookMs: 10 });
    expect(circuit.stats).toEqual({ late: 0, skipped: 0 });
  });

  test('after three failures in a row no decision waits, until a probe responds', async () => {
    const { time, store, circuit } = open();
    const waits: number[] = [];
    for (let decision = 0; decision < 10; decision += 1)
      waits.push(
        (
          await time.until(
            circuit
              .newWait()
              .run(never)
              .catch(() => null),
          )
        ).tookMs,
      );
    expect(waits).toEqual([25, 25, 25, 0, 0, 0, 0, 0, 0, 0]);
    expect([circuit.isOpen, circuit.stats]).toEqual([true, { late: 3, skipped: 7 }]);
    await time.advance(2_000);
    expect(circuit.isOpen).toBe(true);
    expect(store.pings).toBeGreaterThan(5);
    store.isUp = true;
    await time.advance(600);
    expect(circuit.isOpen).toBe(false);
    expect((await time.until(circuit.newWait().run(async () => 7))).value).toBe(7);
    const { pings } = store;
    await time.advance(5_000);
    expect(store.pings, 'a store that is up is not probed').toBe(pings);
  });

  test('a success between failures keeps it closed', async () => {
    const { time, circuit } = open();
    for (let round = 0; round < 6; round += 1) {
      await time.until(
        circuit
          .newWait()
          .run(never)
          .catch(() => null),
      );
      await time.until(
        circuit
          .newWait()
          .run(never)
          .catch(() => null),
      );
      await time.until(circuit.newWait().run(async () => 1));
    }
    expect(circuit.isOpen).toBe(false);
  });

  test('a response that arrived while this process was busy is used, however late it is read', async () => {
    const circuit = new HotCircuit({ hot: { ping: never }, log: silentLog });
    for (let round = 0; round < 5; round += 1) {
      // The file system responds from another thread, as a store does from another process.
      const reads = Array.from({ length: 3 }, () => circuit.run(() => stat('.'), 5));
      const busyUntilMs = performance.now() + 40;
      while (performance.now() < busyUntilMs);
      expect((await Promise.allSettled(reads)).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    }
    expect(circuit.isOpen).toBe(false);
  });
});
