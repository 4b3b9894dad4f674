import { expect, test } from 'vitest';
import type { HttpReply, HttpRequest } from '../../http/shared/route.ts';
import type { AdServerDeps } from './ad-server.ts';
import { createReviveRoutes } from './revive.routes.ts';

const site = { id: '3', code: 'revive-3', name: 'N', domain: 'news.example', status: 'ACTIVE' };
const adUnits = new Map(
  ['revive-7', 'revive-12', 'home/top', 'revive-x'].map((name) => [name, { id: '1', name, siteId: '3' }]),
);
const compiled = { inventory: { adUnitsByName: adUnits }, snapshot: { sites: [site] } };
const deps = {
  deliveryUrl: 'https://ads.example',
  current: () => ({
    find: (network: string, environment: string) =>
      network === '1000' && environment === 'production' ? compiled : undefined,
  }),
} as unknown as AdServerDeps;

async function ask(address: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpReply> {
  const [path, query = ''] = address.split('?');
  const route = createReviveRoutes(deps, '1000').find(({ pattern }) => pattern === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  return await route.handler({ method: 'GET', query, headers } as unknown as HttpRequest);
}
const locationOf = async (address: string, headers = {}) => (await ask(address, headers)).headers?.['location'];

test('no old address has a route where no network is named', () => {
  expect(createReviveRoutes(deps, null)).toEqual([]);
});

test.each(['/delivery', '/www/delivery'])(
  'the script below %s knows the zones of the network alone',
  async (prefix) => {
    const { body } = await ask(`${prefix}/asyncjs.php`);
    expect(String(body)).toContain('(document, "https://ads.example", "1000", [7,12]);');
  },
);

test('a frame leads to the page of its ad unit, on its site', async () => {
  expect(await locationOf('/delivery/afr.php?zoneid=7&cb=1&source=a%20b')).toBe(
    'https://ads.example/tag-page.html?network=1000&ad-unit=revive-7&site=revive-3&domain=news.example&kv-source=a+b',
  );
});

test.each(['zoneid=99', 'zoneid=7x', 'zoneid=', '', 'zoneid=../7'])(
  'a zone that is unknown is empty: %s',
  async (query) => {
    expect(await ask(`/delivery/afr.php?${query}`)).toMatchObject({ status: 200 });
    expect(await ask(`/delivery/avw.php?${query}`)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/gif' },
    });
  },
);

test('a link leads to the click of the picture that the browser remembers under its name, and nowhere else', async () => {
  const cookie = 'a=1; placard-pair-n1=token.of-ad_1; placard-pair-n2=https://evil.example/';
  expect(await locationOf('/delivery/ck.php?n=n1&oadest=https://evil.example', { cookie })).toBe(
    'https://ads.example/1000/click/token.of-ad_1',
  );
  for (const query of ['n=n2', 'n=n3', 'n=', 'oadest=https://evil.example', 'n=n1%3B'])
    await expect(ask(`/delivery/ck.php?${query}`, { cookie })).rejects.toMatchObject({ code: 'not_found' });
});
