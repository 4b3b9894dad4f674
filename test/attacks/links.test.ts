import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HttpResponse } from '../support/http-client.ts';
import { bid, type BidResponse, bidBody, eventually, fire, graphql } from '../conformance/support/server.ts';

/** Two addresses whose SHA-256 begin with the same 48 bits: found in a minute on one core. */
const LANDING = 'https://www.shop.example/?11147146';
const TWIN = 'https://evil.example/?6727981';

/** A separate site that shows only this creative. */
const name = `attack-links-${process.pid}-${Date.now()}`;
const booked = { campaign: '', lineItem: '', creative: '' };

async function mutate(query: string, variables: unknown): Promise<Record<string, { id: string }>> {
  const response = await graphql(query, { variables });
  const { data } = response.json<{ data: { made: Record<string, { id: string }> } | null }>();
  if (!data) throw new Error(`GraphQL returned ${response.status}: ${response.text}`);
  return data.made;
}

async function make(resource: string, input: object): Promise<string> {
  const singular = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
  const query = `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${singular} { id } } }`;
  return (await mutate(query, { input }))[singular]?.id ?? '';
}

async function update(resource: string, id: string, input: object): Promise<void> {
  const singular = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
  const query = `mutation ($id: ID!, $input: Update${resource}Input!) { made: update${resource}(id: $id, input: $input) { ${singular} { id } } }`;
  await mutate(query, { id, input });
}

const ask = (): Promise<HttpResponse> =>
  bid(
    bidBody(
      { site: { id: name, domain: `${name}.example`, page: `https://${name}.example/` } },
      { tagid: `${name}/top`, banner: { format: [{ w: 300, h: 250 }] } },
    ),
  );

/** The click link of a new ad. */
async function clickLink(): Promise<string> {
  const { seatbid } = (await ask()).json<BidResponse>();
  const link = /href="([^"]*\/click\/[^"]*)"/.exec(seatbid[0]?.bid[0]?.adm ?? '')?.[1];
  if (link === undefined) throw new Error('The ad has no click link');
  return link;
}

const follow = async (link: string): Promise<[number, string | undefined]> => {
  const { status, headers } = await fire(link);
  return [status, headers['location'] as string | undefined];
};

beforeAll(async () => {
  const siteId = await make('Site', { code: name, name, domain: `${name}.example` });
  await make('AdUnit', { siteId, name: `${name}/top`, mediaTypes: ['BANNER'], sizes: [{ width: 300, height: 250 }] });
  const advertiserId = await make('Advertiser', { name, domains: ['shop.example'] });
  booked.campaign = await make('Campaign', { advertiserId, name, status: 'ACTIVE' });
  booked.lineItem = await make('LineItem', {
    campaignId: booked.campaign,
    name,
    type: 'SPONSORSHIP',
    sharePercent: 100,
    status: 'ACTIVE',
    price: '20.00',
    targeting: { test: { dimension: 'SITE', operator: 'IS', values: [siteId] } },
  });
  booked.creative = await make('Creative', {
    lineItemId: booked.lineItem,
    name,
    clickUrl: LANDING,
    width: 300,
    height: 250,
    content: { image: { imageUrl: 'https://cdn.example/shop.png', alt: 'Shop' } },
  });
  await eventually(
    async () => (await ask()).json<BidResponse>().seatbid[0]?.bid[0]?.crid,
    (crid) => crid === booked.creative,
  );
});

describe('a click link', () => {
  test('a click link keeps its target against an address whose digest begins with the same 48 bits', async () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
    expect(digest(TWIN)).toBe(digest(LANDING));
    const link = await clickLink();
    for (const target of [TWIN, encodeURIComponent(TWIN), LANDING])
      expect(await follow(`${link}/${target}`)).toEqual([302, LANDING]);
  });

  test('a click link with a cut, changed or missing signature, or of another network or environment, is refused', async () => {
    const link = await clickLink();
    const [base = '', token = ''] = link.split('/click/');
    const last = token.at(-1) === 'A' ? 'Q' : 'A';
    const forged = [
      `${base}/click/${token.slice(0, -1)}`,
      `${base}/click/${token.slice(0, -8)}`,
      `${base}/click/${token.slice(0, -22)}`,
      `${base}/click/${token.slice(0, -1)}${last}`,
      `${base}/click/${token}AAAA`,
      `${base}/click/${token.replace(/\.(.)/, (_all, first: string) => `.${first === 'A' ? 'B' : 'A'}`)}`,
      `${base}/click/${token.replace(/^[^.]+/, 'zz')}`,
      `${base}/click/${token.replace(/^[^.]+/, '')}`,
      link.replace('/1000/click/', '/staging/1000/click/'),
      link.replace('/1000/click/', '/1001/click/'),
    ];
    for (const one of forged) expect([one, await follow(`${one}/${TWIN}`)]).toEqual([one, [404, undefined]]);
    expect(await follow(link)).toEqual([302, LANDING]);
  });

  test('a click link leads to the present target of its creative, even when the campaign is paused, and gets 404 once the creative is archived', async () => {
    const link = await clickLink();
    const moved = 'https://www.shop.example/moved';
    await update('Creative', booked.creative, { clickUrl: moved });
    await eventually(
      () => follow(link),
      ([, location]) => location === moved,
    );
    expect(await follow(`${link}/${LANDING}`)).toEqual([302, moved]);
    await update('Campaign', booked.campaign, { status: 'PAUSED' });
    await eventually(ask, ({ text }) => !text.includes(`"crid":"${booked.creative}"`));
    expect(await follow(link)).toEqual([302, moved]);
    await mutate('mutation ($id: ID!) { made: archiveCreative(id: $id) { creative { id } } }', { id: booked.creative });
    const [status, location] = await eventually(
      () => follow(`${link}/${moved}`),
      ([now]) => now !== 302,
    );
    expect([status, location]).toEqual([410, undefined]);
    const page = await fire(link);
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.headers['x-robots-tag']).toBe('noindex');
    expect(page.text).not.toContain('shop.example');
  });
});
