import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;

const CREATE = `mutation ($input: CreateTargetingPresetInput!) { createTargetingPreset(input: $input) {
  targetingPreset { name targeting { all { test { dimension operator values } } } } userErrors { code field message } } }`;
const treeOf = (dimension: string, values: readonly string[]) => ({ all: [{ test: { dimension, values } }] });

beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

test('a preset gives back the targeting that it was made with', async () => {
  const input = { name: 'Phones in Poland', targeting: treeOf('DEVICE_TYPE', ['mobile']) };
  const tested = { dimension: 'DEVICE_TYPE', operator: 'IS', values: ['mobile'] };
  expect(await api.data(CREATE, { input })).toEqual({
    createTargetingPreset: {
      targetingPreset: { name: input.name, targeting: { all: [{ test: tested }] } },
      userErrors: [],
    },
  });
});

test('a preset without a targeting is refused', async () => {
  const { body } = await api.ask(CREATE, { variables: { input: { name: 'Nothing' } } });
  expect(JSON.stringify(body)).toContain('targeting');
  expect(body.data).toBeFalsy();
});

test('a preset cannot name a site that the network does not have', async () => {
  const input = { name: 'A site of others', targeting: treeOf('SITE', ['99']) };
  expect(await api.data(CREATE, { input })).toEqual({
    createTargetingPreset: {
      targetingPreset: null,
      userErrors: [{ code: 'UNKNOWN', field: 'input.targeting', message: 'There is no site 99 in this network.' }],
    },
  });
});
