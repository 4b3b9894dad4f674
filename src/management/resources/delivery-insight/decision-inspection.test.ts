import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InspectionQuestion } from '../../../domain/booking/decision-inspection.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
const asked: { workspaceId: number; question: InspectionQuestion }[] = [];
beforeAll(async () => {
  const inspect = async (workspaceId: number, question: InspectionQuestion) => {
    asked.push({ workspaceId, question });
    throw new Error('only the question is of interest');
  };
  api = await createTestManagement({ insightOf: () => ({ inspect }) as never });
});
afterAll(() => api.close());

const ask = async (input: object, as = 'admin') => {
  const query = 'query ($input: InspectDecisionInput!) { inspectDecision(input: $input) { notes } }';
  const { body } = await api.ask(query, { variables: { input }, as });
  return body.errors?.[0]?.extensions;
};

test('a question is asked about the workspace of the caller, with the changes in micros', async () => {
  await ask({ form: { adUnitId: '7', country: 'pl' }, whatIf: [{ lineItemId: '3', price: '1.5', level: 2 }], seed: 9 });
  expect(asked.pop()).toMatchObject({
    workspaceId: 1,
    question: {
      seed: 9,
      source: { kind: 'FORM', form: { adUnitId: '7', country: 'PL', isKnownUser: true, npa: false } },
      whatIfs: [{ lineItemId: '3', adUnitId: null, priceMicros: 1_500_000, level: 2 }],
    },
  });
  await ask({ requestId: 'r-1' }, 'stranger');
  expect(asked.pop()).toMatchObject({ workspaceId: 3, question: { source: { kind: 'REQUEST_ID', requestId: 'r-1' } } });
});

test.each([
  ['no source', {}, 'input'],
  ['two sources', { requestId: 'r', whyLink: 'l' }, 'input'],
  ['a form without inventory', { form: {} }, 'input.form.adUnitId'],
  ['a country that is none', { form: { siteId: '1', country: 'Poland' } }, 'input.form.country'],
  ['an id that is none', { form: { adUnitId: 'x' } }, 'input.form.adUnitId'],
  ['a change of nothing', { requestId: 'r', whatIf: [{ price: '1' }] }, 'input.whatIf.0'],
  ['a level out of bounds', { requestId: 'r', whatIf: [{ lineItemId: '1', level: 17 }] }, 'input.whatIf.0.level'],
  ['a price below 0', { requestId: 'r', whatIf: [{ lineItemId: '1', price: '-1' }] }, 'input.whatIf.0.price'],
  ['a seed out of bounds', { requestId: 'r', seed: -1 }, 'input.seed'],
  ['an empty link', { whyLink: ' ' }, 'input.whyLink'],
])('%s is named by its path', async (_title, input, path) => {
  expect(await ask(input)).toMatchObject({ code: 'validation_failed', fields: [{ path }] });
});
