import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { buildSchema, getNamedType, getNullableType, isCompositeType, isListType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, seedMembers, type TestManagement } from '../fixtures/test-management.ts';

/** Lists of few things that the program itself has. */
const FIXED = ['Query.lineItemTabs', 'Query.notificationChoices'];
const ROWS = 11;

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
  const { owner } = api.database;
  await sql`INSERT INTO users (id, email, name) SELECT n, 'u' || n * 37 % 101 || '@example.com', 'U' FROM generate_series(201, 211) n`.execute(
    owner,
  );
  await sql`INSERT INTO memberships (user_id, network_id, role) SELECT n, 1000, 'viewer' FROM generate_series(201, 211) n`.execute(
    owner,
  );
  for (let at = 0; at < ROWS; at += 1) {
    await api.data('mutation { createApiKey(input: { name: "K", permission: READ_ONLY }) { apiKey { id } } }');
    await api.data('mutation { createHeaderCredential(name: "C") { token } }');
  }
  await sql`INSERT INTO advertisers (workspace_id, id, name) VALUES (1, 1, 'A')`.execute(owner);
  await sql`INSERT INTO campaigns (workspace_id, id, advertiser_id, name) VALUES (1, 1, 1, 'C')`.execute(owner);
  await sql`INSERT INTO comments (workspace_id, object_kind, object_id, author_user_id, body)
    SELECT 1, 'campaign', 1, 201, 'Text' FROM generate_series(1, 11)`.execute(owner);
  await seedMembers(api.database);
  await sql`INSERT INTO notifications (workspace_id, user_id, event, object_kind, object_id, actor)
    SELECT 1, 101, 'COMMENTED', 'campaign', 1, 'user:202 b' FROM generate_series(1, 11)`.execute(owner);
});
afterAll(() => api.close());

test('each list at the root has pages, or says how many there are at most', () => {
  const schema = buildSchema(readFileSync('contract/schema.graphql', 'utf8'));
  const lists = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
          .filter(({ type: of, args }) => {
            const isRoot = ['Query', 'ReportQueries'].includes(type.name) || args.some(({ name }) => name === 'first');
            return isRoot && isListType(getNullableType(of)) && isCompositeType(getNamedType(of));
          })
          .map((field) => ({ name: `${type.name}.${field.name}`, field }))
      : [],
  );
  expect(lists.length).toBeGreaterThan(12);
  const endless = lists.filter(({ name, field: { args, description } }) => {
    const hasPages = args.some((argument) => ['after', 'before_task_id'].includes(argument.name));
    return !hasPages && !/at most [\d,]+/.test(description ?? '') && !FIXED.includes(name);
  });
  expect(endless.map(({ name }) => name)).toEqual([]);
});

test('a page behind an account of another network is empty: its address is compared with nobody', async () => {
  await sql`UPDATE users SET email = 'a' || email WHERE id = 104`.execute(api.database.owner);
  expect(await api.data('{ users(after: 104) { id } }')).toEqual({ users: [] });
  expect(await api.data('{ users(after: 999999) { id } }')).toEqual({ users: [] });
});

test.each([
  ['apiKeys', '', {}],
  ['headerCredentials', '', {}],
  ['users', '', {}],
  ['comments', 'objectKind: CAMPAIGN, objectId: 1', {}],
  ['notifications', '', { as: 'ann' }],
])('pages of %s of any size make up the whole, each object once', async (list, args, options) => {
  const read = async (page: string): Promise<string[]> => {
    const given = [args, page].filter((one) => one !== '').join(', ');
    const query = `{ list: ${list}${given === '' ? '' : `(${given})`} { id } }`;
    return (await api.data<{ list: { id: string }[] }>(query, {}, options)).list.map(({ id }) => id);
  };
  const whole = await read('');
  expect(new Set(whole).size).toBeGreaterThanOrEqual(ROWS);
  for (let size = 1; size <= whole.length; size += 1) {
    const pages: string[] = [];
    let page = await read(`first: ${size}`);
    while (page.length > 0) {
      pages.push(...page);
      page = await read(`first: ${size}, after: ${pages.at(-1)}`);
    }
    expect(pages).toEqual(whole);
  }
  const refused = ['first: 0', 'first: 1001', 'first: -1', 'after: "x"'].map((page) =>
    api.ask(`{ list: ${list}(${[args, page].filter((one) => one !== '').join(', ')}) { id } }`, options),
  );
  for (const { body } of await Promise.all(refused))
    expect(body.errors?.[0]?.extensions.code ?? body.error).toBe('invalid_request');
});
