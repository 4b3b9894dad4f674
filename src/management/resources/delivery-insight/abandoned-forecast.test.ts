import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ForecastOptions } from '../../../domain/booking/delivery-insight.ts';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let url: string;
/** The options of the forecasts under way, which end only when they are aborted. */
const asked = new EventTarget();
type Asked = Required<ForecastOptions>;
const forecast = (_workspaceId: number, _draft: unknown, options: Asked) => {
  asked.dispatchEvent(new CustomEvent('forecast', { detail: options }));
  const { signal } = options;
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
};
beforeAll(async () => {
  api = await createTestManagement({ insightOf: () => ({ forecast }) as never });
  url = `${await api.app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
});
afterAll(() => api.close());

const ask = (query: string, variables: object = {}, signal?: AbortSignal) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    ...(signal === undefined ? {} : { signal }),
  });

const INPUT = { type: 'STANDARD', price: '1.00', startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-02T00:00:00Z' };

test.each([
  ['', 'FULL'],
  [', precision: null', 'FULL'],
  [', precision: ROUGH', 'ROUGH'],
])('a forecast with the further arguments "%s" is %s', async (further, precision) => {
  const caller = new AbortController();
  const begun = once(asked, 'forecast') as Promise<CustomEvent<Asked>[]>;
  const query = `query ($input: ForecastInput!) { forecast(input: $input${further}) { precision possible } }`;
  const made = ask(query, { input: INPUT }, caller.signal);
  const [{ detail }] = (await begun) as [CustomEvent<Asked>];
  expect(detail.precision).toBe(precision);
  caller.abort();
  await expect(made).rejects.toThrow('aborted');
});

test('a forecast keeps no other query waiting, and ends when its caller leaves', async () => {
  const caller = new AbortController();
  const begun = once(asked, 'forecast') as Promise<CustomEvent<Asked>[]>;
  const forecasts = ask(
    'query ($input: ForecastInput!) { forecast(input: $input) { possible } }',
    { input: INPUT },
    caller.signal,
  );
  const [{ detail }] = (await begun) as [CustomEvent<Asked>];
  const { signal } = detail;
  const large = await ask('{ lineItems(first: 100) { nodes { id creatives(first: 10) { nodes { id name } } } } }');
  const { data, extensions } = (await large.json()) as { data: object; extensions: { cost: { requested: number } } };
  expect(extensions.cost.requested).toBeGreaterThan(1_000);
  expect(data).toEqual({ lineItems: { nodes: [] } });
  expect(signal.aborted).toBe(false);
  const ended = once(signal, 'abort');
  caller.abort();
  await expect(forecasts).rejects.toThrow('aborted');
  await ended;
});
