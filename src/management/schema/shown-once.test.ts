import { createRequire } from 'node:module';
import type * as GraphQL from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';
import { SECRET_FIELDS, SHOWN_ONCE } from './idempotency.ts';
import { managementSchema } from './schema.ts';

const { getNamedType, isObjectType } = createRequire(import.meta.url)('graphql') as typeof GraphQL;

/** How descriptions say that a value is shown at its creation only. */
const ONCE = /\b(?:is|are) shown once\b|\bshows\b[^.]*\bonce\b/i;
/** Members of a payload, and members of those. */
const DEPTH = 2;

/** The texts about what a mutation shows, without the members that are refused wherever they are selected. */
function textsOf(type: GraphQL.GraphQLNamedType, depth: number): string[] {
  if (!isObjectType(type) || depth === 0) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    SECRET_FIELDS.has(field.name) ? [] : [field.description ?? '', ...textsOf(getNamedType(field.type), depth - 1)],
  );
}

const mutations = Object.values(managementSchema().getMutationType()?.getFields() ?? {});
const showing = mutations
  .filter(({ type }) => {
    const payload = getNamedType(type);
    return [payload.description ?? '', ...textsOf(payload, DEPTH)].some((text) => ONCE.test(text));
  })
  .map(({ name }) => name);

describe('secrets that are shown once', () => {
  let api: TestManagement;
  beforeAll(async () => {
    api = await createTestManagement();
  });
  afterAll(() => api.close());

  test('every mutation whose payload has a value that is documented as shown once takes no Idempotency-Key', () => {
    expect(showing).toContain('createApiKey');
    expect(showing.filter((name) => !SHOWN_ONCE.includes(name))).toEqual([]);
  });

  test('the link to a report is not made with an Idempotency-Key, and is not stored', async () => {
    const query = 'mutation { shareCampaignReport(campaignId: 1, name: "x") { url } }';
    const { body } = await api.ask(query, { headers: { 'idempotency-key': 'k1' } });
    expect(body.errors?.[0]).toMatchObject({
      message: expect.stringContaining('shareCampaignReport shows a secret once') as string,
      extensions: { code: 'invalid_request' },
    });
    expect(await api.database.db.selectFrom('idempotent_answers').selectAll().execute()).toEqual([]);
  });
});
