import { expect, test } from 'vitest';
import type { CallApi } from '../api/call-api.ts';
import { ASSOCIATE, associate, SET_STATUS, weightOf } from './assign-creatives.ts';

interface Sent {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Associates creatives that have these statuses afterwards. Returns what the API was asked. */
async function associated(weights: readonly (number | undefined)[], statuses: readonly string[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const call: CallApi = ({ body }) => {
    sent.push(body as Sent);
    const creatives = statuses.map((status, at) => ({ id: String(at), status }));
    return Promise.resolve({ status: 200, body: { data: { associateCreatives: { creatives } } } });
  };
  const pairs = weights.map((weight, at) => ({ lineItemId: '7', libraryCreativeId: String(at), weight }));
  await associate(call, pairs);
  return sent;
}

test('weights keep their proportions, down to a tenth', async () => {
  const [sent] = await associated([100, 50, 0.5, undefined], ['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']);
  expect(sent?.query).toBe(ASSOCIATE);
  const made = { lineItemId: '7', libraryCreativeId: '3' };
  expect(sent?.variables['inputs']).toMatchObject([{ weight: 1_000 }, { weight: 500 }, { weight: 5 }, made]);
  expect(sent?.variables).toHaveProperty('inputs.3', made);
  for (const weight of [0.1, 0.5, 1, 37, 100]) {
    const [one] = await associated([weight], ['ACTIVE']);
    const inputs = (one?.variables['inputs'] ?? []) as { readonly weight: number }[];
    expect(inputs.map((input) => weightOf({ status: 'ACTIVE', ...input }))).toEqual([weight]);
  }
});

test('a creative of weight 0 is assigned and paused, and runs again with another weight', async () => {
  const [, paused, ...others] = await associated([0, 10], ['ACTIVE', 'ACTIVE']);
  expect(paused).toMatchObject({ query: SET_STATUS, variables: { id: '0', status: 'PAUSED' } });
  expect(others).toEqual([]);
  const [, running] = await associated([10], ['PAUSED']);
  expect(running).toMatchObject({ query: SET_STATUS, variables: { id: '0', status: 'ACTIVE' } });
  expect(weightOf({ status: 'PAUSED', weight: 100 })).toBe(0);
});

test('a creative without a weight stays as it is', async () => {
  expect(await associated([undefined, undefined], ['PAUSED', 'ACTIVE'])).toHaveLength(1);
});
