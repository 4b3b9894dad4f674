import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createBulkWorld, type BulkWorld, lineItemRows } from './fixtures/bulk-world.ts';
import type { BulkJob } from './bulk-job.schema.ts';
import { beginJob } from './bulk-jobs.sql.ts';
import { AssetCollector } from '../resources/upload/asset-collector.ts';
import { silentLog } from '../../../test/support/stores.ts';

const DAY_MS = 86_400_000;
const NDJSON = { 'content-type': 'application/x-ndjson' };
let api: BulkWorld;
beforeAll(async () => {
  api = await createBulkWorld();
});
afterAll(() => api.close());
afterEach(async () => {
  await api.database.db.deleteFrom('bulk_jobs').execute();
  await api.database.db.deleteFrom('line_items').execute();
  await api.database.db.updateTable('api_keys').set({ revoked_at: null }).execute();
});

async function lineItems(): Promise<{ id: string; external_id: string; name: string; version: number }[]> {
  const { rows } = await sql<{ id: string; external_id: string; name: string; version: number }>`
    SELECT id::text, external_id, name, version FROM line_items ORDER BY id`.execute(api.database.db);
  return rows;
}

describe('a bulk job', () => {
  test('each row is upserted, and its result stands at its line with the id of the object', async () => {
    const rows = lineItemRows(601);
    const job = await api.submit('resource=lineItems', rows);
    expect(job).toMatchObject({
      resource: 'lineItems',
      validateOnly: false,
      state: 'waiting',
      rows: 601,
      processed: 0,
    });
    expect(await api.results(job.id)).toEqual([]);
    await api.runAll();
    const done = await api.job(job.id);
    expect(done).toMatchObject({ state: 'completed', processed: 601, succeeded: 601, failed: 0, error: null });
    expect(done.startedAt).not.toBeNull();
    expect(done.finishedAt).not.toBeNull();
    const stored = new Map((await lineItems()).map((one) => [one.external_id, one.id]));
    expect(await api.results(job.id)).toEqual(
      rows.map((_row, index) => ({
        line: index + 1,
        externalId: `l${index + 1}`,
        id: stored.get(`l${index + 1}`),
        outcome: 'created',
        userErrors: [],
        warnings: [],
      })),
    );
  });

  test('rows of objects that exist are updated or unchanged, and a later row sees an earlier one', async () => {
    await api.submit('resource=lineItems', lineItemRows(2));
    await api.runAll();
    const again = await api.submit('resource=lineItems', [
      ...lineItemRows(1),
      { externalId: 'l2', name: 'Other' },
      { externalId: 'l3', name: 'New', campaignExternalId: 'c', type: 'HOUSE' },
      { externalId: 'l3', name: 'Newer' },
    ]);
    await api.runAll();
    expect((await api.results(again.id)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'updated',
      'created',
      'updated',
    ]);
    expect((await lineItems()).map(({ name }) => name)).toEqual(['Line 1', 'Other', 'Newer']);
  });

  test('a wrong line fails alone, and names its line and field', async () => {
    const good = lineItemRows(2);
    const job = await api.submit('resource=lineItems', [
      good[0],
      '{"externalId": "cut',
      '["l1"]',
      '',
      { externalId: 'unknown', colour: 'red' },
      { name: 'Nameless' },
      { externalId: 'types', name: 5, type: 'NONE', targeting: [] },
      '{"externalId": "nul", "name": "a\\u0000b"}',
      '{"externalId": "half\\ud800", "name": "x"}',
      `{"externalId": "long", "name": "${'x'.repeat(300_000)}"}`,
      { externalId: 'rules', name: '', campaignExternalId: 'nobody', type: 'HOUSE' },
      good[1],
    ]);
    expect(job.rows).toBe(11);
    await api.runAll();
    const results = await api.results(job.id);
    expect(results.map(({ line, outcome }) => `${line} ${outcome}`)).toEqual([
      '1 created',
      ...[2, 3, 5, 6, 7, 8, 9, 10, 11].map((line) => `${line} failed`),
      '12 created',
    ]);
    const found = results.flatMap(({ line, userErrors }) =>
      userErrors.map(({ field, code }) => `${line} ${field} ${code}`),
    );
    expect(found).toEqual([
      '2 null malformed',
      '3 null malformed',
      '5 colour unknown',
      '6 externalId required',
      '7 name malformed',
      '7 targeting malformed',
      '7 type malformed',
      '8 name malformed',
      '9 externalId malformed',
      '10 null too_long',
      '11 campaignExternalId unknown',
      '11 name empty',
    ]);
    expect(results[1]?.userErrors[0]?.message).toContain('Line 2: ');
    expect(await api.job(job.id)).toMatchObject({ state: 'completed', succeeded: 2, failed: 9 });
  });

  test('random bytes and random JSON never stop a job', async () => {
    const values = [
      'null',
      '5',
      '"x"',
      '{}',
      '[[]]',
      '{"externalId":null}',
      '{"externalId":{"a":[1]}}',
      '{"__proto__":{"externalId":"p"}}',
    ];
    const hostile = Array.from({ length: 200 }, () =>
      randomBytes(40)
        .toString('latin1')
        .replaceAll(/[\r\n]/g, '.'),
    );
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const many = JSON.stringify({ externalId: 'x', labels: Array.from({ length: 20_000 }, () => 5) });
    const body = Buffer.concat([
      Buffer.from([...values, deep, many, ''].join('\n')),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from(hostile.join('\n'), 'latin1'),
    ]);
    const response = await api.send('/bulk-jobs?resource=creatives', { method: 'POST', headers: NDJSON, body });
    expect(response.status).toBe(202);
    const job = response.json<BulkJob>();
    await api.runAll();
    expect(await api.job(job.id)).toMatchObject({ state: 'completed', succeeded: 0, failed: job.rows });
    const results = await api.results(job.id);
    expect(results).toHaveLength(job.rows);
    for (const { userErrors } of results) expect(userErrors.length).toBeGreaterThan(0);
  });

  test('each row has its outcome with validateOnly, and nothing changes', async () => {
    await api.submit('resource=lineItems', lineItemRows(1));
    await api.runAll();
    const before = await lineItems();
    const audits = await countAudits();
    const job = await api.submit('resource=lineItems&validateOnly=true', [
      ...lineItemRows(2, { name: 'Changed' }),
      { externalId: 'l9' },
    ]);
    const own = await countAudits();
    await api.runAll();
    expect((await api.results(job.id)).map(({ outcome, id }) => [outcome, id])).toEqual([
      ['updated', before[0]?.id],
      ['created', null],
      ['failed', null],
    ]);
    expect(await lineItems()).toEqual(before);
    expect([own, await countAudits()]).toEqual([audits + 1, audits + 1]);
  });

  test('the audit log names the caller and the job', async () => {
    const job = await api.submit('resource=lineItems', lineItemRows(1));
    await api.runAll();
    const { rows } = await sql<{ actor: string; action: string; job: string | null; object_id: string }>`
      SELECT actor, action, object_id, details->>'requestId' AS job FROM audit_log
      WHERE action IN ('bulkJob.create', 'lineItem.create') ORDER BY sequence DESC LIMIT 2`.execute(api.database.db);
    expect(rows).toMatchObject([
      { actor: 'key:7 "writer"', action: 'lineItem.create', job: `bulkJob:${job.id}` },
      { actor: 'key:7 "writer"', action: 'bulkJob.create', object_id: job.id },
    ]);
  });
});

async function countAudits(): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM audit_log`.execute(api.database.db);
  return Number(rows[0]?.count);
}

describe('an upload', () => {
  test('gzip is inflated, and a bomb is refused before it is held', async () => {
    const line = `${JSON.stringify(lineItemRows(1)[0])}\n`;
    const headers = { ...NDJSON, 'content-encoding': 'gzip' };
    const packed = await api.send('/bulk-jobs?resource=lineItems', {
      method: 'POST',
      headers,
      body: gzipSync(line.repeat(3)),
    });
    expect(packed.json()).toMatchObject({ rows: 3 });
    const bomb = gzipSync(Buffer.alloc(150_000_000, ' '));
    expect(bomb.length).toBeLessThan(200_000);
    const memory = process.memoryUsage.rss();
    const refused = await api.send('/bulk-jobs?resource=lineItems', { method: 'POST', headers, body: bomb });
    expect([refused.status, refused.json<{ error: string }>().error]).toEqual([413, 'payload_too_large']);
    expect(process.memoryUsage.rss() - memory).toBeLessThan(120_000_000);
    for (const body of [gzipSync(line).subarray(0, 30), Buffer.from(line)]) {
      const damaged = await api.send('/bulk-jobs?resource=lineItems', { method: 'POST', headers, body });
      expect([damaged.status, damaged.json<{ error: string }>().error]).toEqual([400, 'invalid_request']);
    }
    expect((await api.send('/bulk-jobs')).json<{ jobs: BulkJob[] }>().jobs).toHaveLength(1);
    const { rows } = await sql<{ count: bigint }>`SELECT count(*) FROM bulk_job_portions`.execute(api.database.db);
    expect(rows[0]?.count).toBe(1n);
  });

  test.each([
    ['an unknown resource', 'resource=sites', NDJSON, '{}', 400],
    ['no resource', '', NDJSON, '{}', 400],
    ['a wrong validateOnly', 'resource=campaigns&validateOnly=yes', NDJSON, '{}', 400],
    ['JSON', 'resource=campaigns', { 'content-type': 'application/json' }, '{}', 415],
    ['another encoding', 'resource=campaigns', { ...NDJSON, 'content-encoding': 'br' }, '{}', 415],
    ['another charset', 'resource=campaigns', { 'content-type': 'application/x-ndjson; charset=latin1' }, '{}', 415],
    ['no row', 'resource=campaigns', NDJSON, '\n \n\r\n', 400],
    ['too many lines', 'resource=campaigns', NDJSON, '{}\n'.repeat(100_001), 413],
  ])('%s is refused', async (_name, query, headers, body, status) => {
    const response = await api.send(`/bulk-jobs?${query}`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect((await api.send('/bulk-jobs')).json<{ jobs: BulkJob[] }>().jobs).toEqual([]);
  });

  test('a network has at most ten jobs that wait or run', async () => {
    for (let made = 0; made < 10; made += 1) await api.submit('resource=lineItems', lineItemRows(1));
    const response = await api.send('/bulk-jobs?resource=lineItems', { method: 'POST', headers: NDJSON, body: '{}' });
    expect([response.status, response.json()]).toMatchObject([
      409,
      { error: 'quota_exceeded', quota: 'bulkJobs', limit: 10 },
    ]);
    expect((await api.submit('resource=lineItems', lineItemRows(1), 'stranger')).state).toBe('waiting');
  });

  test('the oldest ended jobs make space for new ones, and jobs that wait never do', async () => {
    const [old, newer] = [
      await api.submit('resource=lineItems', lineItemRows(1)),
      await api.submit('resource=lineItems', lineItemRows(1)),
    ];
    await api.runAll();
    await api.database.db.updateTable('bulk_jobs').set({ stored_bytes: 600_000_000 }).execute();
    await api.submit('resource=lineItems', lineItemRows(1));
    const statuses = await Promise.all([old, newer].map(async ({ id }) => (await api.send(`/bulk-jobs/${id}`)).status));
    expect(statuses).toEqual([404, 200]);
    await api.database.db.updateTable('bulk_jobs').set({ state: 'waiting', stored_bytes: 600_000_000 }).execute();
    const refused = await api.send('/bulk-jobs?resource=lineItems', { method: 'POST', headers: NDJSON, body: '{}' });
    expect(refused.json()).toMatchObject({ error: 'quota_exceeded', quota: 'bulkJobBytes' });
  });

  test('an upload whose process died is forgotten after half an hour', async () => {
    const { principal: caller } = api.contextFor('writer');
    for (let begun = 0; begun < 10; begun += 1)
      await beginJob(api.database.db, { caller, resource: 'lineItems', validateOnly: false });
    expect((await api.send('/bulk-jobs')).json<{ jobs: BulkJob[] }>().jobs).toEqual([]);
    await expect(api.submit('resource=lineItems', lineItemRows(1))).rejects.toThrow('quota_exceeded');
    await sql`UPDATE bulk_jobs SET received_at = now() - interval '31 minutes'`.execute(api.database.db);
    expect((await api.submit('resource=lineItems', lineItemRows(1))).state).toBe('waiting');
  });
});

describe('who may', () => {
  test('a job of another network or environment is absent, whatever is asked of it', async () => {
    const { id } = await api.submit('resource=lineItems', lineItemRows(1));
    for (const [as, prefix] of [
      ['stranger', ''],
      ['staging', '/staging'],
    ] as const) {
      for (const [path, method] of [
        ['', 'GET'],
        ['/results', 'GET'],
        ['/cancel', 'POST'],
      ] as const) {
        const responses = await Promise.all(
          [id, '999999'].map((one) => api.send(`${prefix}/bulk-jobs/${one}${path}`, { as, method })),
        );
        expect(responses.map(({ status }) => status)).toEqual([404, 404]);
        expect(responses[0]?.text).toBe(responses[1]?.text);
      }
      expect((await api.send(`${prefix}/bulk-jobs`, { as })).json()).toEqual({ jobs: [] });
    }
    expect((await api.job(id)).state).toBe('waiting');
  });

  test('a key with read-only permission sees jobs, and submits and cancels none', async () => {
    const { id } = await api.submit('resource=lineItems', lineItemRows(1));
    expect((await api.send(`/bulk-jobs/${id}`, { as: 'reader' })).status).toBe(200);
    expect((await api.send(`/bulk-jobs/${id}/cancel`, { as: 'reader', method: 'POST' })).status).toBe(403);
    const body = JSON.stringify(lineItemRows(1)[0]);
    expect(
      (await api.send('/bulk-jobs?resource=lineItems', { as: 'reader', method: 'POST', headers: NDJSON, body })).status,
    ).toBe(403);
  });

  test('a key that is revoked, narrowed or of a suspended network stops its job before the next portion', async () => {
    const jobs: BulkJob[] = [];
    const { db } = api.database;
    const begin = async (): Promise<BulkJob> => {
      const job = await api.submit('resource=lineItems', lineItemRows(600, { name: `Name ${jobs.length}` }));
      jobs.push(job);
      // A turn of no time ends with its first portion.
      await api.runOnce();
      expect(await api.job(job.id)).toMatchObject({ state: 'running', processed: 500 });
      return job;
    };
    const endOf = async ({ id }: BulkJob) => {
      await api.runAll();
      const { state, processed, error } = await api.job(id);
      return [state, processed, error?.code];
    };
    const revoked = await begin();
    await db.updateTable('api_keys').set({ revoked_at: new Date() }).execute();
    expect(await endOf(revoked)).toEqual(['failed', 500, 'invalid_credentials']);
    await db.updateTable('api_keys').set({ revoked_at: null }).execute();
    const narrowed = await begin();
    await db.updateTable('api_keys').set({ permission: 'read-only' }).execute();
    expect(await endOf(narrowed)).toEqual(['failed', 500, 'insufficient_permissions']);
    await db.updateTable('api_keys').set({ permission: 'admin' }).execute();
    const suspended = await begin();
    await db.updateTable('networks').set({ status: 'SUSPENDED' }).where('id', '=', 1000n).execute();
    expect(await endOf(suspended)).toEqual(['failed', 500, 'network_suspended']);
    await db.updateTable('networks').set({ status: 'ACTIVE' }).where('id', '=', 1000n).execute();
    expect(await api.results(revoked.id)).toHaveLength(500);
  });
});

describe('the end of a job', () => {
  test('a cancelled job keeps what is done and does no more', async () => {
    const job = await api.submit('resource=lineItems', lineItemRows(700));
    await api.runOnce();
    const cancelled = await api.send(`/bulk-jobs/${job.id}/cancel`, { method: 'POST' });
    expect(cancelled.json()).toMatchObject({ state: 'cancelled', processed: 500 });
    await api.runAll();
    expect(await lineItems()).toHaveLength(500);
    expect(await api.results(job.id)).toHaveLength(500);
    expect((await api.send(`/bulk-jobs/${job.id}/cancel`, { method: 'POST' })).status).toBe(200);
    const { rows } = await sql<{
      count: bigint;
    }>`SELECT count(*) FROM bulk_job_portions WHERE input IS NOT NULL`.execute(api.database.db);
    expect(rows[0]?.count).toBe(0n);
    const done = await api.submit('resource=lineItems', lineItemRows(1));
    await api.runAll();
    expect((await api.send(`/bulk-jobs/${done.id}/cancel`, { method: 'POST' })).status).toBe(409);
  });

  test('a portion that fails again and again ends its job with a reason, and rows before it stay', async () => {
    const job = await api.submit('resource=lineItems', lineItemRows(600));
    await api.runOnce();
    await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$`.execute(
      api.database.owner,
    );
    await sql`CREATE TRIGGER refuse BEFORE INSERT ON line_items EXECUTE FUNCTION refuse()`.execute(api.database.owner);
    await api.runAll();
    await sql`DROP FUNCTION refuse CASCADE`.execute(api.database.owner);
    expect(await api.job(job.id)).toMatchObject({ state: 'failed', processed: 500, error: { code: 'internal_error' } });
    expect(await lineItems()).toHaveLength(500);
  });

  test('a job and its results are deleted seven days after its end', async () => {
    const [ended, waiting] = [
      await api.submit('resource=lineItems', lineItemRows(1)),
      await api.submit('resource=lineItems', lineItemRows(1)),
    ];
    await api.send(`/bulk-jobs/${ended.id}/cancel`, { method: 'POST' });
    const cleanUp = (nowMs: number) =>
      new AssetCollector({
        sql: api.database.db,
        assets: { remove: async () => undefined },
        nowMs: () => nowMs,
        log: silentLog,
      }).run();
    await cleanUp(Date.now() + 7 * DAY_MS - 60_000);
    expect((await api.send('/bulk-jobs')).json<{ jobs: BulkJob[] }>().jobs).toHaveLength(2);
    await cleanUp(Date.now() + 7 * DAY_MS + 60_000);
    const { rows } = await sql<{ count: bigint }>`SELECT count(DISTINCT job_id) FROM bulk_job_portions`.execute(
      api.database.db,
    );
    expect(rows[0]?.count).toBe(1n);
    expect((await api.send('/bulk-jobs')).json<{ jobs: BulkJob[] }>().jobs.map(({ id }) => id)).toEqual([waiting.id]);
  });
});

describe('several processes', () => {
  test('two runners at once apply each row once, and one job of a network runs at a time', async () => {
    const jobs = [
      await api.submit('resource=lineItems', lineItemRows(1_100)),
      await api.submit('resource=lineItems', lineItemRows(1_100, { name: 'Second' })),
    ];
    // Leases of no time: each runner claims what the other one is working on.
    const runners = [1, 2, 3].map(() =>
      api.runner({ leaseMs: 0, sliceMs: 0, pollMs: 5, retryWaitsMs: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }),
    );
    for (const runner of runners) runner.start();
    await expect
      .poll(async () => Promise.all(jobs.map(async ({ id }) => (await api.job(id)).state)), { interval: 20 })
      .toEqual(['completed', 'completed']);
    await Promise.all(runners.map((runner) => runner.stop()));
    const stored = await lineItems();
    expect(stored).toHaveLength(1_100);
    expect(new Set(stored.map(({ version }) => version))).toEqual(new Set([2]));
    for (const [index, job] of jobs.entries()) {
      const results = await api.results(job.id);
      expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 1_100 }, (_row, at) => at + 1));
      expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set([index === 0 ? 'created' : 'updated']));
    }
  });

  test('the job that has waited longest comes first, in either environment of its network', async () => {
    const ids = [
      await api.submit('resource=lineItems', lineItemRows(1)),
      await api.submit('resource=lineItems', lineItemRows(1), 'staging'),
    ].map(({ id }) => Number(id));
    // Environments count on their own.
    expect(ids[0]).toBeGreaterThan(ids[1] ?? 0);
    await api.runOnce();
    expect((await api.job(String(ids[0]))).state).toBe('completed');
    const other = await api.send(`/staging/bulk-jobs/${ids[1]}`, { as: 'staging' });
    expect(other.json<{ state: string }>().state).toBe('waiting');
  });

  test('a job of one network keeps no other network waiting', async () => {
    const [long, other] = [
      await api.submit('resource=lineItems', lineItemRows(600)),
      await api.submit('resource=lineItems', lineItemRows(1), 'stranger'),
    ];
    await api.runOnce();
    await api.runOnce();
    expect((await api.job(long.id)).state).toBe('running');
    expect(await api.results(other.id, 'stranger')).toHaveLength(1);
  });
});
