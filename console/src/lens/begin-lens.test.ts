import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beginLens } from './begin-lens.ts';
import { buildLensQueries } from '../reports/lens-query.ts';
import { readLensParams } from '../reports/lens-state.ts';

const SCOPE = { networkId: '1000', environment: 'production' } as const;
const NETWORKS = [
  { id: '1000', name: 'Demo', timezone: 'Europe/Warsaw', role: 'viewer' },
  { id: '2000', name: 'Isles', timezone: 'Pacific/Kiritimati', role: 'viewer' },
];

beforeEach(() => vi.useFakeTimers({ now: Date.parse('2026-11-20T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Begins the Lens of an address; returns the cache, and the paths and bodies of all requests. */
async function begin(search: Readonly<Record<string, string>>) {
  const sent: { readonly path: string; readonly body: unknown }[] = [];
  vi.stubGlobal('fetch', (path: string, { body }: RequestInit) => {
    sent.push({ path, body: typeof body === 'string' ? JSON.parse(body) : null });
    const response = path === '/auth/me' ? { user: {}, networks: NETWORKS, limitedTo: null } : { cubes: [] };
    return Promise.resolve(new Response(JSON.stringify(response)));
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await beginLens(client, search);
  return { client, sent };
}

test('the reports of an address are asked with the keys and bodies of its page, as soon as the session is there', async () => {
  const search = { v: 'table', d: 'country', c: 'previous_period' };
  const { client, sent } = await begin(search);
  const { rows, totals, comparison } = buildLensQueries(readLensParams(search), {
    timezone: 'Europe/Warsaw',
    today: '2026-11-20',
  });
  const queries = [rows, totals, comparison?.rows, comparison?.totals];
  expect(client.getQueryCache().findAll({ queryKey: ['report'] })).toHaveLength(queries.length);
  for (const query of queries)
    expect(client.getQueryState(['report', SCOPE.environment, SCOPE.networkId, query])).toBeDefined();
  expect(sent.map(({ path }) => path)).toEqual([
    '/auth/me',
    '/reports/1000/v1/meta',
    ...queries.map(() => '/reports/1000/v1/load'),
  ]);
  expect(sent.at(2)?.body).toMatchObject({ query: { timezone: 'Europe/Warsaw', dimensions: rows.dimensions } });
});

test('the network of the address decides about the day', async () => {
  const { sent } = await begin({ v: 'table', r: 'today', network: '2000' });
  const [, , load] = sent;
  expect(load).toMatchObject({
    path: '/reports/2000/v1/load',
    body: { query: { timezone: 'Pacific/Kiritimati', timeDimensions: [{ dateRange: ['2026-11-21', '2026-11-21'] }] } },
  });
});

test.each([
  ['without metrics', { v: 'table', m: '' }, ['/auth/me', '/reports/1000/v1/meta']],
  ['with dates that are refused', { v: 'table', r: '2026-01-01..2026-11-01' }, ['/auth/me', '/reports/1000/v1/meta']],
  ['of a network that is not the member’s', { v: 'table', network: '9999' }, ['/auth/me']],
])('an address %s asks no report', async (_name, search, paths) => {
  expect((await begin(search)).sent.map(({ path }) => path)).toEqual(paths);
});
