import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestDatabase,
  createTestOlapDatabase,
  silentLog,
  type TestDatabase,
  type TestOlapDatabase,
} from '../../test/support/stores.ts';
import { createTestServer } from '../../test/support/test-server.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { migrateOlap } from '../storage/olap/migrate-olap.ts';
import type { ChangeNotice } from '../storage/sql/change-feed.ts';
import { compileQuery } from './compile/compile-query.olap.ts';
import { EVENTS_TABLE, makeEvent } from './fixtures/events-table.ts';
import { prepareLoad, readRows, type PreparedQuery } from './load/load-query.ts';
import { QuerySlots } from './load/query-slots.ts';
import { MemberIndex } from './model/member-index.ts';
import { readNetworkIndex } from './model/network-indexes.ts';
import { networkIndex, type OwnDefinition } from './model/own-members.olap.ts';
import { normalizeQuery } from './query/normalize.ts';
import { createReportsService, type ReportsService } from './reports-service.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const member = (name: string): string => `campaign_overview.${name}`;
const DURING = [{ dimension: member('time'), dateRange: ['2026-07-01', '2026-07-10'] }];

let sql: TestDatabase;
let analytics: TestOlapDatabase;
let service: ReportsService;
let app: FastifyInstance;
let listener: { onChange(batch: readonly ChangeNotice[]): void; onReconnect(): void } | null = null;
/** Workspaces of the networks 1000 and 2000. */
let own = 0;
let foreign = 0;

beforeAll(async () => {
  [sql, analytics] = await Promise.all([createTestDatabase(), createTestOlapDatabase()]);
  const { db } = sql;
  await db
    .insertInto('networks')
    .values([
      { id: 1000, name: 'Own' },
      { id: 2000, name: 'Foreign' },
    ])
    .execute();
  const made = await db
    .insertInto('workspaces')
    .values([1000, 2000].map((network_id) => ({ network_id, environment: 'production' as const })))
    .returning('id')
    .execute();
  [own = 0, foreign = 0] = made.map(({ id }) => id);
  await db
    .insertInto('key_values')
    .values([
      { workspace_id: own, id: 17, key: 'Section', name: 'Section of the page', reportable: true },
      { workspace_id: own, id: 18, key: 'page.kind', name: 'Kind', reportable: true },
      { workspace_id: own, id: 19, key: 'secret', name: 'Not reported' },
      { workspace_id: foreign, id: 20, key: 'team', name: 'Team', reportable: true },
    ])
    .execute();
  await db
    .insertInto('activities')
    .values([
      { workspace_id: own, id: 41, actgid: 'buy', name: 'Purchase' },
      { workspace_id: own, id: 42, actgid: 'sign-up', name: 'Registration' },
      { workspace_id: foreign, id: 43, actgid: 'call', name: 'Call' },
    ])
    .execute();
  service = createReportsService({
    sql: db,
    olap: analytics.olap,
    changes: { watch: (given) => ((listener = given), { close: () => Promise.resolve() }) },
    log: silentLog,
    nowMs: () => NOW_MS,
  });
  await analytics.olap.command(EVENTS_TABLE);
  await migrateOlap({ olap: analytics.olap, migrations: service.migrations, log: silentLog });
  await service.start();
  app = createTestServer();
  service.register(app, { authenticate: (_request, { networkId }) => Promise.resolve(principalOf(networkId)) });
  await insertEvents();
}, 120_000);

afterAll(async () => {
  for (const close of [() => app?.close(), () => service?.stop(), () => sql?.close(), () => analytics?.close()])
    await close();
});

function principalOf(networkId: string): Principal {
  return {
    kind: 'headerCredential',
    actor: 'credential:1',
    id: '1',
    workspaceId: networkId === '1000' ? own : foreign,
    networkId,
    environment: 'production',
    permission: 'read-only',
    modules: null,
    remoteAddress: '127.0.0.1',
  };
}

async function insertEvents(): Promise<void> {
  const sections = [{ '17': 'sport' }, { '17': 'news', '18': 'list' }, {}];
  const rows = Array.from({ length: 300 }, (_one, index) => {
    const kind = ['impression', 'impression', 'click', 'request', 'activity', 'activity'][index % 6];
    return makeEvent({
      workspace_id: index % 10 === 9 ? foreign : own,
      time: new Date(Date.parse('2026-07-01T00:00:00Z') + index * 47 * 60_000)
        .toISOString()
        .slice(0, 23)
        .replace('T', ' '),
      kind,
      key_values: sections[index % 3],
      ...(kind === 'activity'
        ? {
            activity_id: index % 12 < 6 ? '41' : '42',
            attribution: ['click', 'view', ''][index % 5] ?? '',
            value_micros: String(index * 1_000_003),
          }
        : {}),
    });
  });
  const body = Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n'));
  await analytics.olap.insertRaw({ table: 'events', body, token: 'own-members' });
}

async function ask(query: object, network = '1000'): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await app.inject({ method: 'POST', url: `/reports/${network}/v1/load`, payload: { query } });
  return { status: response.statusCode, body: response.json() as Record<string, unknown> };
}

async function rowsOf(query: object, network?: string): Promise<Record<string, string | null>[]> {
  const { status, body } = await ask(query, network);
  expect(status, JSON.stringify(body)).toBe(200);
  return body['data'] as Record<string, string | null>[];
}

interface MetaMember {
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly type: string;
}

/** The members of a network that not all have. */
async function ownMembers(network: string): Promise<MetaMember[]> {
  const response = await app.inject({ url: `/reports/${network}/v1/meta` });
  const [cube] = (response.json() as { cubes: { measures: MetaMember[]; dimensions: MetaMember[] }[] }).cubes;
  const all = [...(cube?.dimensions ?? []), ...(cube?.measures ?? [])];
  return all.filter(({ name }) => /\.(?:kv_|activity_.*_(?:count|value|post_click|post_view)$)/.test(name));
}

const change = (kind: string): void => listener?.onChange([{ workspaceId: own, kind, id: '17' } as ChangeNotice]);

describe("a network's own members", () => {
  test('a network’s own members appear with title and type only in its own /meta', async () => {
    expect((await ownMembers('1000')).map(({ name, shortTitle, type }) => [name, shortTitle, type])).toEqual([
      [member('kv_section'), 'Section of the page', 'string'],
      [member('kv_page_kind_18'), 'Kind', 'string'],
      [member('activity_buy_count'), 'Purchase: count', 'number'],
      [member('activity_buy_post_click'), 'Purchase: post-click', 'number'],
      [member('activity_buy_post_view'), 'Purchase: post-view', 'number'],
      [member('activity_buy_value'), 'Purchase: value', 'number'],
      [member('activity_sign_up_42_count'), 'Registration: count', 'number'],
      [member('activity_sign_up_42_post_click'), 'Registration: post-click', 'number'],
      [member('activity_sign_up_42_post_view'), 'Registration: post-view', 'number'],
      [member('activity_sign_up_42_value'), 'Registration: value', 'number'],
    ]);
    expect((await ownMembers('2000')).map(({ name }) => name)).toEqual([
      member('kv_team'),
      ...['count', 'post_click', 'post_view', 'value'].map((suffix) => member(`activity_call_${suffix}`)),
    ]);
  });

  test.each([
    ['a foreign key', { measures: [member('impressions')], dimensions: [member('kv_team')] }],
    ['a foreign activity', { measures: [member('activity_call_count')] }],
    ['a key that is not reported', { measures: [member('impressions')], dimensions: [member('kv_secret')] }],
  ])('%s is an unknown member', async (_title, query) => {
    const { status, body } = await ask({ ...query, timeDimensions: DURING });
    expect([status, body['reason']]).toEqual([400, 'unknown_member']);
  });

  test('a key splits events, those without it are null, and the parts add up to all', async () => {
    const measures = ['impressions', 'clicks', 'requests', 'activities'].map(member);
    const rows = await rowsOf({ measures, dimensions: [member('kv_section')], timeDimensions: DURING });
    expect(rows.map((row) => row[member('kv_section')])).toEqual(expect.arrayContaining(['sport', 'news', null]));
    const [total] = await rowsOf({ measures, timeDimensions: DURING });
    for (const measure of measures) {
      const sum = rows.reduce((before, row) => before + Number(row[measure]), 0);
      expect([measure, sum]).toEqual([measure, Number(total?.[measure])]);
      expect(sum).toBeGreaterThan(0);
    }
  });

  test('a filter on a key compares its values', async () => {
    const filtered = (operator: string, values: string[]) =>
      rowsOf({
        measures: [member('impressions')],
        dimensions: [member('kv_page_kind_18')],
        filters: [{ member: member('kv_section'), operator, values }],
        timeDimensions: DURING,
      });
    expect((await filtered('equals', ['news'])).map((row) => row[member('kv_page_kind_18')])).toEqual(['list']);
    expect(await filtered('equals', ["x'] OR 1=1 --"])).toEqual([]);
    expect((await filtered('set', [])).length).toBe(2);
  });

  test('the measures of an activity are the sums of its events', async () => {
    const suffixes = ['count', 'post_click', 'post_view', 'value'];
    const [own41] = await rowsOf({
      measures: suffixes.map((one) => member(`activity_buy_${one}`)),
      timeDimensions: DURING,
    });
    const [general] = await rowsOf({
      measures: ['activities', 'post_click_activities', 'post_view_activities', 'activity_value'].map(member),
      filters: [{ member: member('activity_id'), operator: 'equals', values: ['41'] }],
      timeDimensions: DURING,
    });
    expect(Object.values(own41 ?? {})).toEqual(Object.values(general ?? {}));
    expect(Number(own41?.[member('activity_buy_count')])).toBeGreaterThan(0);
  });

  test('all tables that can serve a query return the same numbers', async () => {
    const index = await readNetworkIndex(sql.db, own);
    const [cube] = index.model.cubes;
    if (cube === undefined) throw new Error('There is no cube');
    const engine = { olap: analytics.olap, slots: new QuerySlots() };
    const measures = ['buy', 'sign_up_42'].flatMap((code) =>
      ['count', 'post_click', 'post_view', 'value'].map((suffix) => member(`activity_${code}_${suffix}`)),
    );
    for (const granularity of ['hour', 'day', 'week']) {
      const responses = await Promise.all(
        cube.relations.map(async (_relation, from) => {
          const only = new MemberIndex({ cubes: [{ ...cube, relations: cube.relations.slice(from) }] });
          const request = {
            query: { measures, dimensions: [member('line_item_id')], timeDimensions: [{ ...DURING[0], granularity }] },
            isMulti: false,
          };
          const tenant = { workspaceId: own, networkId: '1000' };
          const prepared = prepareLoad(only, request, { tenant, timezoneDefault: 'UTC', nowMs: NOW_MS });
          const limits = { workspaceId: own, timeoutMs: 30_000, signal: new AbortController().signal };
          return (await readRows(engine, prepared.queries[0] as PreparedQuery, limits)).data;
        }),
      );
      expect(responses.length).toBeGreaterThan(3);
      for (const response of responses) expect(response).toEqual(responses[0]);
    }
  });
});

describe('when definitions change', () => {
  const titles = async () => (await ownMembers('1000')).map(({ shortTitle }) => shortTitle);

  test('a renamed definition has its new title, and an archived one is marked and keeps its past', async () => {
    const edit = sql.db.updateTable('key_values').where('workspace_id', '=', own).where('id', '=', 17n);
    await edit.set({ name: 'Part of the site', status: 'ARCHIVED' }).execute();
    change('keyValue');
    expect(await titles()).toContain('Part of the site (archived)');
    const rows = await rowsOf({
      measures: [member('impressions')],
      dimensions: [member('kv_section')],
      timeDimensions: DURING,
    });
    expect(rows).toHaveLength(3);
    await edit.set({ name: 'Section of the page', status: 'ACTIVE' }).execute();
    change('keyValue');
  });

  test('a key that is not reported any more has no member', async () => {
    const edit = sql.db.updateTable('key_values').where('workspace_id', '=', own).where('id', '=', 18n);
    await edit.set({ reportable: false }).execute();
    listener?.onReconnect();
    expect(await titles()).not.toContain('Kind');
    await edit.set({ reportable: true }).execute();
    change('keyValue');
    expect(await titles()).toContain('Kind');
  });

  test('a new definition of the same member is another query, which no cached result serves', async () => {
    const query = { measures: [member('impressions')], dimensions: [member('kv_section')], timeDimensions: DURING };
    const before = await ask(query);
    const update = (from: bigint, set: object) =>
      sql.db.updateTable('key_values').set(set).where('workspace_id', '=', own).where('id', '=', from).execute();
    await update(17n, { key: 'was-section' });
    await update(19n, { key: 'section', reportable: true });
    change('keyValue');
    const after = await ask(query);
    expect(after.body['data']).toEqual([
      { [member('kv_section')]: null, [member('impressions')]: expect.stringMatching(/^\d+$/) },
    ]);
    expect(after.body['data']).not.toEqual(before.body['data']);
    await update(19n, { key: 'secret', reportable: false });
    await update(17n, { key: 'Section' });
    change('keyValue');
  });
});

test('each definition has members, and an older one keeps its name when others follow', () => {
  const codes: readonly (readonly [string, string])[] = [
    ['41', 'a.b'],
    ['9', 'buy'],
    ['50', 'a_b_41'],
    ['51', 'buy'],
    ['52', 'a_b_41_50'],
  ];
  const activities = codes.map(([id, code]) => ({ id, code, name: id, isArchived: false }));
  const measures = networkIndex({ keys: [], activities }).model.cubes[0]?.measures ?? {};
  const idOf = (name: string): string | undefined => measures[`activity_${name}_count`]?.title?.split(':')[0];
  expect(['buy', 'a_b_41', 'a_b_41_50', 'buy_51', 'a_b_41_50_52'].map(idOf)).toEqual(['9', '41', '50', '51', '52']);
});

test('no text of a definition becomes SQL', () => {
  const definition = (id: string): fc.Arbitrary<OwnDefinition> =>
    fc.record({ id: fc.constant(id), code: fc.string({ minLength: 1 }), name: fc.string(), isArchived: fc.boolean() });
  const tenant = { workspaceId: 1, networkId: '1000' };
  const sqlOf = (key: OwnDefinition, activity: OwnDefinition): [string, object, string[]] => {
    const index = networkIndex({ keys: [key], activities: [activity] });
    const names = (members: object, pattern: RegExp) => Object.keys(members).filter((name) => pattern.test(name));
    const cube = index.model.cubes[0];
    const dimensions = names(cube?.dimensions ?? {}, /^kv_/);
    const measures = names(cube?.measures ?? {}, /^activity_.*_(?:count|value|post_click|post_view)$/s);
    const query = normalizeQuery(
      { measures: measures.map(member), dimensions: dimensions.map(member), timeDimensions: DURING },
      { nowMs: NOW_MS, timezoneDefault: 'UTC' },
    );
    const { sql: text, params } = compileQuery(index, query, tenant, NOW_MS);
    return [text, params, [...dimensions, ...measures]];
  };
  const plain = { code: 'x', name: 'X', isArchived: false };
  const [expected] = sqlOf({ ...plain, id: '17' }, { ...plain, id: '41' });
  fc.assert(
    fc.property(definition('17'), definition('41'), (key, activity) => {
      const [text, params, names] = sqlOf(key, activity);
      expect(text).toBe(expected);
      expect(params).toMatchObject({ key17: '17', activity41: '41' });
      expect(names).toHaveLength(5);
      for (const name of names) expect(name).toMatch(/^\w+$/);
    }),
  );
});
