import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacardError } from '../../../domain/errors.ts';
import { readSegments, segmentListKey } from '../../../domain/targeting/segment-membership.ts';
import { hashUser } from '../../../domain/ids/user-hash.ts';
import { toProblem } from '../../../http/shared/problem.ts';
import { openLedger } from '../../../storage/ledger/ledger-store.ts';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import { createTestServer } from '../../../../test/support/test-server.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';
import { readMember } from './segment-upload.ts';
import { registerSegmentUploads } from './segment-upload.routes.ts';

const folder = createTestFolder();
const userHashSecret = Buffer.alloc(32, 9);
const clock = { nowMs: Date.parse('2026-11-20T10:00:00Z') };
const quota = { membersMax: 1_000_000, isDiskLow: false };
let hot: ReturnType<typeof openLedger>;
let api: TestManagement;
let app: FastifyInstance;
let segmentId: string;

beforeAll(async () => {
  hot = openLedger({ dir: folder.dir, nowMs: () => clock.nowMs, log: silentLog } as never);
  api = await createTestManagement();
  app = createTestServer();
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error, request.id);
    return reply.code(problem.status).send(problem.body);
  });
  await registerSegmentUploads(app, {
    sql: api.database.db,
    hot,
    userHashSecret,
    get membersMax() {
      return quota.membersMax;
    },
    requireSpace: async () => {
      if (quota.isDiskLow) throw new PlacardError('disk_space_low');
    },
    nowMs: () => clock.nowMs,
    authenticate: async (request) => api.contextFor(request.headers.authorization ?? 'admin').caller,
  });
  await app.ready();
  segmentId = await makeSegment();
});
afterAll(async () => {
  await app.close();
  await api.close();
  await hot.close();
  folder.remove();
});

async function makeSegment(): Promise<string> {
  const made = await api.data<{ createSegment: { segment: { id: string } } }>(
    'mutation { createSegment(input: {name: "Readers", membershipDays: 10}) { segment { id } } }',
  );
  return made.createSegment.segment.id;
}

const upload = (payload: string, query = '', as = 'admin') =>
  app.inject({
    method: 'POST',
    url: `/segments/${segmentId}/members${query}`,
    payload,
    headers: { 'content-type': 'application/x-ndjson', authorization: as },
  });

async function segmentsOf(id: string, workspaceId = 1): Promise<string[]> {
  const row = await api.database.db
    .selectFrom('segments')
    .select('generation')
    .where('id', '=', BigInt(segmentId))
    .executeTakeFirstOrThrow();
  const entries = await hot.readList(segmentListKey(workspaceId, hashUser(userHashSecret, workspaceId, 'lu', id)));
  return readSegments(entries, new Map([[segmentId, row.generation]]), clock.nowMs);
}

const sizeOf = async (): Promise<unknown> =>
  (
    await api.data<{ segment: { sizeEstimate: number } }>('query ($id: ID!) { segment(id: $id) { sizeEstimate } }', {
      id: segmentId,
    })
  ).segment.sizeEstimate;

describe('uploading members', () => {
  test('an upload adds each member once, for any number and form of its ids', async () => {
    const response = await upload('{"id":"ann"}\n{"id":"bob"}\n\n{"id":"ann"}\n');
    expect(response.json()).toEqual({ segmentId, mode: 'ADD', lines: 4, changed: 2 });
    expect((await upload('id,name\nann,Ann\n"bob",Bob\n')).json()).toMatchObject({ changed: 0 });
    expect([await segmentsOf('ann'), await segmentsOf('eve'), await sizeOf()]).toEqual([[segmentId], [], 2]);
  });

  test('a member stays for the stated days', async () => {
    await upload('{"id":"short"}', '?days=1');
    clock.nowMs += 86_400_000 + 1_000;
    expect([await segmentsOf('short'), await segmentsOf('ann')]).toEqual([[], [segmentId]]);
  });

  test('an upload removes members, and another one adds them again', async () => {
    expect((await upload('ann\n', '?mode=REMOVE')).json()).toMatchObject({ changed: 1 });
    expect(await segmentsOf('ann')).toEqual([]);
    await upload('ann\n');
    expect(await segmentsOf('ann')).toEqual([segmentId]);
  });

  test('a replacement leaves only its own members, and one that fails halfway changes nothing, not even for the next one', async () => {
    const failed = await upload('cut\n{"no":"id"}\n', '?mode=REPLACE');
    expect([failed.statusCode, failed.json()]).toMatchObject([400, { error: 'invalid_request', line: 2 }]);
    expect(await segmentsOf('bob')).toEqual([segmentId]);
    await upload('new\n', '?mode=REPLACE');
    expect([await segmentsOf('new'), await segmentsOf('bob'), await segmentsOf('cut'), await sizeOf()]).toEqual([
      [segmentId],
      [],
      [],
      1,
    ]);
  });

  test('another network does not find the segment, and its users are separate', async () => {
    expect((await upload('ann\n', '', 'stranger')).statusCode).toBe(404);
    expect(await segmentsOf('new', 3)).toEqual([]);
  });

  test.each([
    ['application/json', '[{"id":"a"},{"id":"b"}]', 415],
    ['multipart/form-data; boundary=B', '--B--', 415],
    ['text/csv; charset=utf-8', 'typed\n', 200],
    ['application/x-www-form-urlencoded', 'typed\n', 200],
    ['text/plain', Buffer.from([0x61, 0xff, 0x0a]), 400],
  ])('the content type %s of an upload decides whether it is read', async (type, payload, status) => {
    const response = await app.inject({
      method: 'POST',
      url: `/segments/${segmentId}/members`,
      payload,
      headers: { 'content-type': type, authorization: 'admin' },
    });
    expect(response.statusCode).toBe(status);
  });

  test.each(['?mode=DROP', '?ids=email', '?days=0', '?days=x'])('%s is refused', async (query) => {
    expect((await upload('ann\n', query)).statusCode).toBe(400);
  });

  test('no id is stored in plain text', async () => {
    const rows = await api.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'segment.upload')
      .execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(
      JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('ann');
  });
});

describe('a line', () => {
  test.each([
    ['{"id":"a b"}', 2, 'a b'],
    ['"a,""b",x', 2, 'a,"b'],
    ['a;b', 2, 'a'],
    ['lu', 1, null],
    ['lu', 2, 'lu'],
    ['   ', 2, null],
  ])('%s', (line, number, expected) => {
    expect(readMember(line, number)).toBe(expected);
  });
});

describe('quota of segment members', () => {
  const ids = (prefix: string, count: number) =>
    Array.from({ length: count }, (_one, index) => `${prefix}${index}`).join('\n');
  const used = async () => {
    const { network } = await api.data<{ network: { storage: { name: string; used: number }[] } }>(
      '{ network(id: "1000") { storage { name used } } }',
    );
    return network.storage.find(({ name }) => name === 'segmentMembers')?.used ?? -1;
  };

  test('the quota holds over concurrent uploads, and counts members that a refused upload has written', async () => {
    segmentId = await makeSegment();
    const before = await used();
    quota.membersMax = before + 3_500;
    const responses = await Promise.all(['a', 'b', 'c'].map((prefix) => upload(ids(prefix, 2_000))));
    const refused = responses.filter(({ statusCode }) => statusCode === 409);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.json()).toMatchObject({ error: 'quota_exceeded', quota: 'segmentMembers' });
    expect(await used()).toBeLessThanOrEqual(quota.membersMax);
    expect(await used()).toBeGreaterThanOrEqual(before + 2_000);
    const left = await api.database.db.selectFrom('segment_reservations').selectAll().execute();
    expect(left).toEqual([]);
    quota.membersMax = 1_000_000;
  });

  test('a full quota accepts known members again, and counts users that a replacement leaves in the store', async () => {
    segmentId = await makeSegment();
    const before = await used();
    quota.membersMax = before + 1_000;
    expect((await upload(ids('k', 1_000))).statusCode).toBe(200);
    expect((await upload(ids('k', 1_000))).statusCode).toBe(200);
    expect((await upload('one more')).statusCode).toBe(409);
    expect((await upload(ids('k', 1_000), '?mode=REPLACE')).statusCode).toBe(200);
    expect((await upload(ids('fresh', 1_000), '?mode=REPLACE')).statusCode).toBe(409);
    quota.membersMax = 1_000_000;
  });

  test('the quota counts members of an upload that fails at a bad line', async () => {
    segmentId = await makeSegment();
    const before = await used();
    expect((await upload(`${ids('q', 1_000)}\n,\n`)).statusCode).toBe(400);
    expect(await used()).toBe(before + 1_000);
  });

  test('an upload is refused while the disk is nearly full', async () => {
    quota.isDiskLow = true;
    const response = await upload('x');
    quota.isDiskLow = false;
    expect([response.statusCode, response.json()]).toMatchObject([507, { error: 'disk_space_low' }]);
  });
});
