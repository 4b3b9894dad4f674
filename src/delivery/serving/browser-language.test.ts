import { afterAll, beforeAll, expect, test } from 'vitest';
import { runDelivery } from '../../../test/support/running-delivery.ts';
import type { RunningDelivery } from '../../../test/support/running-delivery.ts';
import { seedLineItem, seedNetwork } from '../../../test/worlds/seed.sql.ts';

const image = { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: 'A' };
const asksFor = (...values: string[]) => ({ dimension: 'browserLanguage', operator: 'is', values });
const served: Readonly<Record<string, string>> = { '1': 'any', '2': 'Polish', '3': 'Swiss German' };

let delivery: RunningDelivery;

beforeAll(async () => {
  delivery = await runDelivery(async ({ db }) => {
    await seedNetwork(db);
    await seedLineItem(db, { id: 1n, cpm: 1n, content: image });
    await seedLineItem(db, { id: 2n, cpm: 10n, content: image, targeting: asksFor('PL') });
    await seedLineItem(db, { id: 3n, cpm: 20n, content: image, targeting: asksFor('de-CH') });
  });
});
afterAll(() => delivery?.stop());

/** One request of a browser: the same id and body, so that only its header tells it from the others. */
async function bid(device: object, headers: Record<string, string>): Promise<string> {
  const imp = [{ id: 'i1', tagid: 'home/top', secure: 1, banner: { format: [{ w: 300, h: 250 }] } }];
  const site = { id: 'news', domain: 'news.example', page: 'https://news.example/1', ext: { area: 'sport' } };
  const body = JSON.stringify({ id: 'same', imp, site, device });
  const response = await fetch(`${delivery.url}/1000/bid`, { method: 'POST', headers, body });
  const { seatbid } = (await response.json()) as { seatbid: { bid: { cid: string; crid: string }[] }[] };
  return served[String(Number(seatbid[0]?.bid[0]?.crid) / 100)] ?? 'none';
}

test.each([
  ['nothing', {}, {}, 'any'],
  ['Accept-Language', {}, { 'accept-language': 'en-GB,pl-PL;q=0.4' }, 'Polish'],
  ['Accept-Language of a region', {}, { 'accept-language': 'de-CH,pl;q=0.5' }, 'Swiss German'],
  ['a language of Accept-Language that is not wanted', {}, { 'accept-language': 'en,pl;q=0' }, 'any'],
  ['device.langb', { langb: 'de-CH' }, { 'accept-language': 'pl' }, 'Swiss German'],
  ['device.language', { language: 'pl' }, {}, 'Polish'],
])('the bid endpoint serves by %s of the browser', async (_what, device, headers, expected) => {
  expect(await bid(device, headers)).toBe(expected);
});

test('an ad request serves by the language that it states of the device, and not by its own header', async () => {
  const ask = async (device: object): Promise<string> => {
    const body = JSON.stringify({ network: '1000', adUnit: 'home/top', count: 1, device });
    const headers = { 'accept-language': 'pl', 'content-type': 'application/json' };
    const response = await fetch(`${delivery.url}/api/v1/ads`, { method: 'POST', headers, body });
    const { ads } = (await response.json()) as { ads: { lineItemId: string }[] };
    return served[ads[0]?.lineItemId ?? ''] ?? 'none';
  };
  expect([await ask({}), await ask({ langb: 'pl-PL' }), await ask({ langb: 'de-CH' })]).toEqual([
    'any',
    'Polish',
    'Swiss German',
  ]);
});
