import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
let url: string;
/** The signals of the forecasts under way, which end only when they are aborted. */
const asked = new EventTarget();
const forecast = (_workspaceId: number, _draft: unknown, signal: AbortSignal) => {
  asked.dispatchEvent(new CustomEvent('forecast', { detail: signal }));
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

test('a forecast keeps no other query waiting, and ends when its caller leaves', async () => {
  const input = { type: 'STANDARD', price: '1.00', startsAt: '2026-12-01T00:00:00Z', endsAt: '2026-12-02T00:00:00Z' };
  const caller = new AbortController();
  const begun = once(asked, 'forecast') as Promise<CustomEvent<AbortSignal>[]>;
  const forecasts = ask(
    'query ($input: ForecastInput!) { forecast(input: $input) { possible } }',
    { input },
    caller.signal,
  );
  const [{ detail: signal }] = (await begun) as [CustomEvent<AbortSignal>];
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
