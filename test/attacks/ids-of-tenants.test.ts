import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../src/management/fixtures/test-management.ts';

/** How the attacker creates an object of a table. `$text` is a text that no other object has. */
const OWN: Readonly<Record<string, string>> = {
  advertisers: 'createAdvertiser(input: {name: $text}) { object: advertiser { id } }',
  sites: 'createSite(input: {name: $text, code: $text, domain: "a.example"}) { object: site { id } }',
  deals: 'createDeal(input: {name: $text, code: $text}) { object: deal { id } }',
  segments: 'createSegment(input: {name: $text}) { object: segment { id } }',
  key_values: 'createKeyValue(input: {name: $text, key: $text}) { object: keyValue { id } }',
  activities: 'createActivity(input: {name: $text, actgid: $text}) { object: activity { id } }',
  teams: 'createTeam(input: {name: $text}) { object: team { id } }',
  api_keys: 'createApiKey(input: {name: $text, permission: READ_ONLY}) { object: apiKey { id } }',
  webhooks: 'createWebhook(input: {name: $text, url: "https://a.example/", types: ["*"]}) { object: webhook { id } }',
  report_schedules: `createReportSchedule(input: {name: $text, cron: "0 6 * * *", query: {
    measures: ["campaign_overview.clicks"], timeDimensions: [{dimension: "campaign_overview.time", dateRange: "yesterday"}]}})
    { object: schedule { id } }`,
};

/** The columns and values, apart from the workspace, by which the other tenant creates objects of a table. */
const OTHERS: Readonly<Record<string, readonly [columns: string, values: string]>> = {
  advertisers: ['name', `'N'`],
  sites: ['name, code, domain', `'N', gen_random_uuid()::text, 'n.example'`],
  deals: ['name, code', `'N', gen_random_uuid()::text`],
  segments: ['name', `'N'`],
  key_values: ['name, key', `'N', gen_random_uuid()::text`],
  activities: ['name, actgid', `'N', gen_random_uuid()::text`],
  teams: ['name', `'N'`],
  api_keys: [
    'name, permission, digest, prefix, last_four, created_by',
    `'N', 'admin', gen_random_uuid()::text::bytea, '', '', ''`,
  ],
  webhooks: ['name, url, types, status, salt, position, created_by', `'N', '', '{}', 'ACTIVE', '', 0, ''`],
  report_schedules: ['name, query, cron, status, webhook_salt, created_by', `'N', '{}', '0 6 * * *', 'ACTIVE', '', ''`],
};

let api: TestManagement;
let created = 0;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

async function createOwn(table: string): Promise<number> {
  created += 1;
  const query = `mutation ($text: String!) { made: ${OWN[table]} }`;
  const { made } = await api.data<{ made: { object: { id: string } } }>(
    query,
    { text: `t${created}` },
    { as: 'admin' },
  );
  return Number(made.object.id);
}

async function createOthers(table: string, count: number): Promise<void> {
  const [columns, values] = OTHERS[table] ?? ['', ''];
  await sql
    .raw(`INSERT INTO ${table} (workspace_id, ${columns}) SELECT 3, ${values} FROM generate_series(1, ${count})`)
    .execute(api.database.db);
}

/** What a tenant learns that subtracts the ids of two objects of its own: nothing about how many objects others created meanwhile. */
test.each(Object.keys(OWN))('two %s around what another tenant creates differ by the same', async (table) => {
  const differences: number[] = [];
  for (const count of [0, 1, 10, 100]) {
    const first = await createOwn(table);
    await createOthers(table, count);
    differences.push((await createOwn(table)) - first);
  }
  expect(differences[0]).toBeGreaterThan(0);
  expect(differences).toEqual(differences.map(() => differences[0]));
});
