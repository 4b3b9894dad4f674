import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LeanPlacard, startLeanPlacard } from '../../../../test/support/lean-placard.ts';
import { silentLog } from '../../../../test/support/stores.ts';
import { createNetwork, listNetworks } from '../../../access/permissions/networks.sql.ts';
import { listSignInNetworks } from '../../../access/users/users.sql.ts';
import { loadSecrets } from '../../../storage/secrets.ts';
import { openProbeClient, type ProbeSend } from './probe-client.ts';
import { ProbeJob, type ProbeJobDeps } from './probe-job.ts';

const MINUTE_MS = 60_000;
const BY = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
let placard: LeanPlacard;
let send: ProbeSend;
beforeAll(async () => {
  placard = await startLeanPlacard();
  send = openProbeClient(placard.dataDir);
  await createNetwork(placard.database.db, { name: 'Customer', timezone: 'UTC', currency: 'EUR', by: BY });
});
afterAll(() => placard.remove());

function openJob(more: Partial<ProbeJobDeps> = {}) {
  const registry = new Registry();
  const job = new ProbeJob({
    sql: placard.database.db,
    secrets: loadSecrets(placard.dataDir),
    send,
    coreUrl: placard.coreUrl,
    deliveryUrl: placard.deliveryUrl,
    registry,
    nowMs: Date.now,
    log: silentLog,
    ...more,
  });
  const read = async (name: string): Promise<Record<string, number>> => {
    const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join() || 'value', value]));
  };
  return { job, read };
}

test('the probe books for itself, acts as customers do, and asks a report that knows what it did', async () => {
  const clock = { offsetMs: 0 };
  const { job, read } = openJob({ nowMs: () => Date.now() + clock.offsetMs });
  await job.run();
  expect(await read('placard_probe_rounds_total')).toEqual({});
  // Workers learn of the new bookings.
  await expect.poll(() => job.run().then(() => 'good', String), { timeout: 60_000, interval: 250 }).toBe('good');
  await expect
    .poll(async () => (await job.run(), Object.keys(await read('placard_probe_step_seconds')).sort()), {
      timeout: 60_000,
    })
    .toEqual(['bid', 'book', 'click', 'conversion', 'impression', 'report']);
  const before = (await read('placard_probe_last_good_timestamp_seconds'))['value'] ?? 0;
  clock.offsetMs = 5 * MINUTE_MS;
  // Reports have to know the impressions of some minutes ago by now.
  for (let round = 0; round < 5; round += 1)
    await expect.poll(() => job.run().then(() => 'good', String), { timeout: 60_000, interval: 500 }).toBe('good');
  expect((await read('placard_probe_last_good_timestamp_seconds'))['value']).toBeGreaterThan(before);

  const { db } = placard.database;
  expect((await listNetworks(db)).map(({ name }) => name)).toEqual(['Customer']);
  expect((await listNetworks(db, { withProbe: true })).map(({ name }) => name)).toEqual(['Probe', 'Customer']);
  const operator = await listSignInNetworks(db, { userId: '1', operator: true });
  expect(operator.map(({ name }) => name)).toEqual(['Customer']);
});

test('a second process finds the bookings, takes a new key, and ends the former', async () => {
  const keys = async (): Promise<number> => {
    const { db } = placard.database;
    const rows = await db.selectFrom('api_keys').select('id').where('revoked_at', 'is', null).execute();
    return rows.length;
  };
  expect(await keys()).toBe(1);
  const { job, read } = openJob();
  await job.run();
  expect(await read('placard_probe_rounds_total')).toEqual({ good: 1 });
  expect(await keys()).toBe(1);
});

test('a failure names its step, and the last success stays as it was', async () => {
  const down: ProbeSend = (url, request) =>
    url.includes('/click/') ? Promise.resolve({ status: 503, text: '' }) : send(url, request);
  const clock = { nowMs: Date.now() };
  const { job, read } = openJob({ send: down, nowMs: () => clock.nowMs });
  const began = clock.nowMs / 1_000;
  await expect(job.run()).rejects.toThrow('click: status 503');
  clock.nowMs += MINUTE_MS;
  await expect(job.run()).rejects.toMatchObject({ step: 'click' });
  expect(await read('placard_probe_rounds_total')).toEqual({ failed: 2 });
  expect(await read('placard_probe_step_failures_total')).toEqual({ click: 2 });
  expect(await read('placard_probe_last_good_timestamp_seconds')).toEqual({ value: began });
});
