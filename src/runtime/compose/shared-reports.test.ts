import type { FastifyInstance } from 'fastify';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestFolder,
  createTestOlapDatabase,
  silentLog,
  type TestOlapDatabase,
} from '../../../test/support/stores.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { createCoreServer } from '../../http/core/core-server.ts';
import { createTestManagement, seedMembers, type TestManagement } from '../../management/fixtures/test-management.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { setMembership } from '../../access/users/users.sql.ts';
import { openLedger } from '../../storage/ledger/ledger-store.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { registerShares } from './shared-reports.ts';

const DAY_MS = 86_400_000;
const folder = createTestFolder();
let api: TestManagement;
let store: TestOlapDatabase;
let hot: HotStore;
let app: FastifyInstance;
let own = { campaignId: '', lineItemId: '' };
let other = { campaignId: '', lineItemId: '' };

beforeAll(async () => {
  [api, store] = await Promise.all([createTestManagement(), createTestOlapDatabase()]);
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...REPORT_OLAP_MIGRATIONS];
  await migrateOlap({ olap: store.olap, migrations, log: silentLog });
  hot = openLedger({ dir: join(folder.dir, 'hot'), nowMs: Date.now, log: silentLog });
  const transport = { mode: 'loopback', tls: null };
  const server = await createCoreServer({ transport, log: silentLog, host: '127.0.0.1', port: 0 } as never);
  app = server.app;
  registerShares(app, { sql: { db: api.database.db } as never, olap: store.olap, hot }, () => api.clock.nowMs);
  await app.ready();
  own = await book('admin', 'Herbst <script>alert(1)</script>');
  other = await book('stranger', 'Secret of network 2000');
  await count(1, own, 1_200);
  await count(3, other, 777_777);
});
afterAll(async () => {
  await app.close();
  await hot.close();
  await api.close();
  await store.close();
  folder.remove();
});

async function book(as: string, name: string): Promise<{ campaignId: string; lineItemId: string }> {
  const made = async (query: string, variables: unknown) => Object.values(await api.data(query, variables, { as }))[0];
  const idOf = (payload: unknown): string => Object.values(payload as Record<string, { id: string }>)[0]?.id ?? '';
  const advertiserId = idOf(
    await made(`mutation { createAdvertiser(input: { name: "Alder" }) { advertiser { id } } }`, {}),
  );
  const campaignId = idOf(
    await made(
      `mutation ($id: ID!, $name: String!) { createCampaign(input: { advertiserId: $id, name: $name }) { campaign { id } } }`,
      { id: advertiserId, name },
    ),
  );
  const lineItemId = idOf(
    await made(
      `mutation ($id: ID!) { createLineItem(input: { campaignId: $id, name: "Łódź sidebar", type: HOUSE, sharePercent: 10, price: "0" }) { lineItem { id } } }`,
      { id: campaignId },
    ),
  );
  return { campaignId, lineItemId };
}

async function count(workspaceId: number, of: { campaignId: string; lineItemId: string }, impressions: number) {
  await store.olap.command(
    `INSERT INTO events (event_id, workspace_id, kind, time, impression_id, advertiser_id, campaign_id, line_item_id, quantity, revenue_nanos)
     SELECT concat('e', toString({workspace: UInt32}), one.1), {workspace: UInt32}, one.1, toDateTime64('2026-11-18 10:00:00', 3, 'UTC'), '', '1',
       {campaign: String}, {lineItem: String}, one.2, one.3
     FROM (SELECT 1) ARRAY JOIN [('impression', toUInt32({n: UInt32}), toInt64(2500000000)), ('click', toUInt32(6), toInt64(0))] AS one`,
    { workspace: workspaceId, campaign: of.campaignId, lineItem: of.lineItemId, n: impressions },
  );
}

interface Shared {
  readonly url: string;
  readonly share: { readonly id: string };
}

async function shareIt(args = '', as = 'admin', campaignId = own.campaignId): Promise<Shared> {
  const { shareCampaignReport } = await api.data<{ shareCampaignReport: Shared }>(
    `mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "Alder" ${args}) { url share { id } } }`,
    { id: campaignId },
    { as },
  );
  return shareCampaignReport;
}

let source = 0;
/** Each from another address, unless one is given. */
const open = (url: string, remoteAddress = `192.0.2.${(source += 1)}`) => app.inject({ url, remoteAddress });

test('a link shows the report of its campaign to everybody who has it, as page and as PDF, and no money unless it was asked for', async () => {
  const { url } = await shareIt();
  const page = await open(url);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('1,200');
  expect(page.body).toContain('0.50 %');
  expect(page.body).not.toContain('2.50');
  expect(page.body).toContain('<svg');
  const pdf = await open(`${url}/report.pdf`);
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await open((await shareIt(', showsSpend: true')).url)).body).toContain('2.50');
});

test('a page of a link runs no script, names no other site and is kept nowhere', async () => {
  const page = await open((await shareIt()).url);
  expect(page.body).not.toMatch(/<script/i);
  expect(page.body).toContain('Herbst &lt;script&gt;');
  expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['referrer-policy']).toBe('no-referrer');
});

test('a link shows nothing of another campaign or network', async () => {
  const page = await open((await shareIt()).url);
  expect(page.body).not.toContain('777');
  expect(page.body).not.toContain('Secret of network 2000');
  const foreign = await api.ask(`mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "x") { url } }`, {
    as: 'admin',
    variables: { id: other.campaignId },
  });
  expect(foreign.body.errors?.[0]?.extensions.code).toBe('not_found');
  const { share } = await shareIt();
  const revoke = `mutation ($id: ID!) { revokeReportShare(id: $id) { share { id } } }`;
  const byStranger = await api.ask(revoke, { as: 'stranger', variables: { id: share.id } });
  expect(byStranger.body.errors?.[0]?.extensions.code).toBe('not_found');
});

test('unknown, changed, revoked and expired links are all not found', async () => {
  const { url, share } = await shareIt(', days: 2');
  expect((await open(url)).statusCode).toBe(200);
  const changed = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`;
  const bodies = new Set<string>();
  for (const wrong of [
    changed,
    '/shared/x',
    `/shared/${'A'.repeat(43)}`,
    `/shared/${share.id}`,
    `/shared/%00`,
    `${changed}/report.pdf`,
  ]) {
    const response = await open(wrong);
    expect(response.statusCode).toBe(404);
    bodies.add(response.json<{ message: string }>().message);
  }
  expect(bodies.size).toBe(1);
  await api.data(`mutation ($id: ID!) { revokeReportShare(id: $id) { share { revokedAt } } }`, { id: share.id });
  expect((await open(url)).statusCode).toBe(404);
  const later = await shareIt(', days: 2');
  api.clock.nowMs += 2 * DAY_MS;
  expect((await open(later.url)).statusCode).toBe(404);
});

test('the secret of a link is stored and logged nowhere', async () => {
  const { url } = await shareIt();
  const token = url.split('/').at(-1) ?? '';
  const rows = await api.database.db.selectFrom('report_shares').selectAll().execute();
  const log = await api.database.db
    .selectFrom('audit_log')
    .selectAll()
    .where('object_kind', '=', 'reportShare')
    .execute();
  const all = JSON.stringify([...rows, ...log], (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(log.length).toBeGreaterThan(0);
  expect(all).not.toContain(token);
});

test('a link opens sixty times a minute, and its neighbours in an office open others', async () => {
  const [{ url }, { url: another }] = [await shareIt(), await shareIt()];
  const statuses: number[] = [];
  for (let at = 0; at < 62; at += 1) statuses.push((await open(url, `198.51.100.${at}`)).statusCode);
  expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect((await open(another, '198.51.100.1')).statusCode).toBe(200);
});

test('an address that opens unknown links is refused, and opens a link that works', async () => {
  const { url } = await shareIt();
  const wrong = url.replace(/.{10}$/, 'AAAAAAAAAA');
  const statuses: number[] = [];
  for (let at = 0; at < 62; at += 1) statuses.push((await open(wrong, '198.51.100.9')).statusCode);
  expect(statuses.slice(0, 60).every((status) => status === 404)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  expect((await open(url, '198.51.100.9')).statusCode).toBe(200);
});

test('the links of a member end when the member leaves the network, and those of others stay', async () => {
  await seedMembers(api.database);
  const [{ url: ofAnn }, { url: ofEve }] = [await shareIt('', 'ann'), await shareIt('', 'eve')];
  const by = { actor: 'installation', networkId: '1000', workspaceId: null, remoteAddress: '' };
  await setMembership(
    api.database.db,
    { userId: '101', networkId: '1000', role: null, by, mail: null },
    new Date(api.clock.nowMs),
  );
  expect((await open(ofAnn)).statusCode).toBe(404);
  expect((await open(ofEve)).statusCode).toBe(200);
});

test('a member who may only read cannot share a report, and a link lives a year at most', async () => {
  const share = (as: string, args: string) =>
    api.ask(`mutation ($id: ID!) { shareCampaignReport(campaignId: $id, name: "x" ${args}) { url } }`, {
      as,
      variables: { id: own.campaignId },
    });
  expect((await share('reader', '')).body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
  const tooLong = await share('admin', ', days: 4000');
  expect(tooLong.body.errors?.[0]?.extensions['fields']).toMatchObject([{ path: 'days' }]);
});
