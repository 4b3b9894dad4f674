import { afterAll, expect, test } from 'vitest';
import { createTestFolder } from '../../../test/support/stores.ts';
import type { HttpRequest } from '../../http/shared/route.ts';
import { openAssetStore } from '../../storage/assets.ts';
import { BUNDLE_PAGE, makeZip } from '../../storage/bundles/fixtures/make-zip.ts';
import { bundleRoutes } from './bundles.routes.ts';
import { type BundleCaller, HeldBundles } from './held-bundles.ts';

const folder = createTestFolder();
const assets = openAssetStore(folder.dir);
const [route] = bundleRoutes(new HeldBundles(assets));
afterAll(() => folder.remove());

const ask = (hash: string, path: string, query = '') =>
  route?.handler({
    params: { hash, path },
    query,
    headers: {},
    remoteAddress: '192.0.2.1',
    hasLeft: () => false,
  } as unknown as HttpRequest);

async function store(prefix = ''): Promise<string> {
  const files = [
    { path: `${prefix}index.html`, content: BUNDLE_PAGE },
    { path: `${prefix}js/ad.js`, content: 'go()' },
  ];
  const url = await assets.put(makeZip(files), 'zip');
  return /[0-9a-f]{64}/.exec(url)?.[0] ?? '';
}

test('the files of a bundle are served with their types, in a sandbox of their own', async () => {
  const hash = await store();
  const page = await ask(hash, '');
  expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(page?.headers?.['content-security-policy']).toMatch(/^sandbox allow-scripts allow-popups/);
  expect(page?.headers?.['content-security-policy']).not.toContain('allow-same-origin');
  expect(await ask(hash, 'js/ad.js')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
});

test('a page in a folder is shown under its own path with the click address', async () => {
  const hash = await store('ad unit/');
  expect(await ask(hash, '', 'clickTag=https%3A%2F%2Fx.example')).toMatchObject({
    status: 302,
    headers: { location: 'ad%20unit/index.html?clickTag=https%3A%2F%2Fx.example' },
  });
  expect(await ask(hash, 'ad%20unit/index.html')).toMatchObject({ status: 200 });
});

test('an unknown bundle, an unknown file and a malformed path get 404', async () => {
  const hash = await store();
  for (const [of, path] of [
    ['f'.repeat(64), ''],
    [hash, 'other.js'],
    [hash, '../index.html'],
    [hash, '%E0%A4%A'],
    ['../../secrets', ''],
  ] as const)
    await expect(Promise.resolve(ask(of, path))).rejects.toMatchObject({ code: 'not_found' });
});

test('a stored archive that is not a bundle gets 404', async () => {
  const url = await assets.put(makeZip([{ path: 'a.txt', content: 'x' }]), 'zip');
  await expect(Promise.resolve(ask(/[0-9a-f]{64}/.exec(url)?.[0] ?? '', ''))).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('while too many bundles wait, a request gets 503 with Retry-After that nobody stores', async () => {
  const slow = { get: () => new Promise<null>(() => undefined) };
  const limits = { bytesMax: 1, openingBytes: 1, openingMax: 1, waitingMax: 0 };
  const [busy] = bundleRoutes(new HeldBundles(slow, limits));
  const request = {
    params: { hash: await store() },
    query: '',
    requestId: 'r-1',
    remoteAddress: '192.0.2.1',
    hasLeft: () => false,
  };
  const response = await busy?.handler(request as unknown as HttpRequest);
  expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } });
  expect(JSON.parse(String(response?.body))).toMatchObject({ error: 'overloaded', requestId: 'r-1' });
});

test('the clients of one /64 network have one share of the queue', async () => {
  const networks: string[] = [];
  const held = { find: async (_hash: string, { network }: BundleCaller) => (networks.push(network), null) };
  const [shown] = bundleRoutes(held as unknown as HeldBundles);
  for (const remoteAddress of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1', '192.0.2.1', '192.0.2.2']) {
    const request = { params: { hash: '' }, query: '', remoteAddress, hasLeft: () => false };
    await Promise.resolve(shown?.handler(request as unknown as HttpRequest)).catch(() => null);
  }
  expect(networks.map((network) => networks.indexOf(network))).toEqual([0, 0, 2, 3, 4]);
});
