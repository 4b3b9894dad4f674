import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listApiKeys, revokeApiKey } from './keys/api-keys.sql.ts';
import { listAudit } from './audit/audit.sql.ts';
import { silentMs, surelyAdmittedWithin } from './fixtures/observed-calls.ts';
import { pause, type Sent, type Worker, WorkerFleet } from './fixtures/worker-fleet.ts';

let fleet: WorkerFleet;

beforeAll(async () => {
  fleet = await WorkerFleet.open();
});

afterAll(() => fleet.close());

describe('two workers on one hot store', () => {
  test('two workers together admit the limit of a second, never more and hardly less', async () => {
    const limit = 200;
    const seconds = 12;
    const key = await fleet.newNetwork(5000, { ads: limit });
    const pair = await Promise.all([fleet.start(0, 2), fleet.start(1, 2)]);
    await fleet.untilKnown(pair, key.value);
    await pause(1_100);
    const fromMs = performance.now();
    const untilMs = fromMs + seconds * 1_000;
    // Longer than an epoch of the tokens (10 s), so that tokens are carried over once.
    const calls = await fleet.load(pair, key.value, { forMs: seconds * 1_000 + 500, lanes: 8 });
    expect(surelyAdmittedWithin(calls, 1_000)).toBeLessThanOrEqual(limit);
    // A token works again after 1,005 ms, and waits at most 5 ms for the next call: 99 % on a machine without other
    // work. While the machine stands still, and for as long
    // again until the backlog is gone, the test expects nothing.
    const steadyMs = untilMs - fromMs - 2 * silentMs(calls, { fromMs, untilMs, gapMs: 5 });
    const admitted = calls.filter((call) => call.admitted && call.completedMs < untilMs).length;
    expect(admitted).toBeGreaterThanOrEqual((0.9 * limit * steadyMs) / 1_000);
    expect(calls.some((call) => !call.admitted)).toBe(true);
  }, 120_000);

  test('two workers count a day exactly, and a kill or restart admits nothing twice', async () => {
    const limit = 60;
    const key = await fleet.newNetwork(5001, { events: limit, ads: 10_000 });
    const [first, second] = fleet.running as [Worker, Worker];
    await fleet.untilKnown([first, second], key.value);
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      statuses.push((await fleet.send(count % 2 === 0 ? first : second, 'events.record', key.value)).status);
    }
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    const third = await fleet.start(0, 2);
    let refused: Sent | null = null;
    for (let count = 0; count < 40; count += 1) {
      const result = await fleet.send(count % 2 === 0 ? second : third, 'events.record', key.value);
      statuses.push(result.status);
      if (result.status === 429) refused = result;
    }
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBeLessThanOrEqual(limit);
    expect(admitted).toBeGreaterThanOrEqual(limit - 2);
    const reset = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400;
    expect(refused?.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(reset),
    });
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    const message = 'Daily API request limit exceeded';
    expect(JSON.parse(refused?.body ?? '')).toEqual({ error: 'rate_limit_exceeded', message, limit: 60, reset });
  }, 120_000);

  test('both workers refuse a revoked key, 30 times out of 30', async () => {
    const { workspaceId } = await fleet.newNetwork(5002, { ads: 1_000_000 });
    const { running } = fleet;
    for (let count = 0; count < 30; count += 1) {
      const key = await fleet.newKey(workspaceId, 5002);
      await fleet.untilKnown(running, key.value);
      const by = { actor: 'operator:test', remoteAddress: '', networkId: '5002', workspaceId };
      await revokeApiKey(fleet.database.db, { workspaceId, id: key.id, by });
      const untilRefused = async (worker: Worker): Promise<void> => {
        while ((await fleet.send(worker, 'ads.request', key.value)).status === 200) await pause(1);
      };
      await Promise.all(running.map(untilRefused));
    }
    expect(running).toHaveLength(2);
  }, 120_000);

  test('two workers record the last use of a key and the sign-ins when they stop', async () => {
    const startedAtMs = Date.now();
    const key = await fleet.newNetwork(5003, {});
    const { running } = fleet;
    await fleet.untilKnown(running, key.value);
    await fleet.send(
      running[0] as Worker,
      'ads.request',
      `${key.value.slice(0, -1)}${key.value.endsWith('x') ? 'y' : 'x'}`,
    );
    await Promise.all(running.map((worker) => fleet.stop(worker)));
    const { db } = fleet.database;
    const [listed] = await listApiKeys(db, key.workspaceId);
    // The time of use is kept to the second.
    expect(listed?.lastUsedAt?.getTime()).toBeGreaterThan(startedAtMs - 1_000);
    const good = await listAudit(db, '5003', { action: 'auth.success' }, { beforeSequence: null, limit: 10 });
    const actor = `key:${key.id} "load"`;
    expect(good[0]).toMatchObject({ actor, remoteAddress: '127.0.0.1', objectKind: 'apiKey' });
    const bad = await listAudit(db, '0', { action: 'auth.failure' }, { beforeSequence: null, limit: 100 });
    expect(JSON.stringify(bad.map((entry) => entry.details))).toContain('malformed');
  });
});
