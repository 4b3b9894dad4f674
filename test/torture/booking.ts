import { nanosPerImpression } from '../../src/domain/money/money.ts';
import { pause, type TorturedServer } from './tortured-server.ts';
import type { Booking } from './verify.ts';

const PRICE = '12.34';
const PRICE_MICROS = 12_340_000n;

/** Books one line item that alone serves on an ad unit, and waits until workers know it. */
export async function bookLoad(server: TorturedServer, at: { site: string; tagId: string }): Promise<Booking> {
  const siteId = await server.create('Site', { code: at.site, name: at.site, domain: `${at.site}.example` });
  const adUnitId = await server.create('AdUnit', {
    siteId,
    name: at.tagId,
    sizes: [{ width: 300, height: 250 }],
    mediaTypes: ['BANNER'],
  });
  const advertiserId = await server.create('Advertiser', {
    name: 'Torture Ltd',
    domains: ['torture-shop.example'],
    dsaBehalf: 'Torture Ltd',
    dsaPaid: 'Torture Ltd',
  });
  const campaignId = await server.create('Campaign', { advertiserId, name: 'Torture', status: 'ACTIVE' });
  const lineItemId = await server.create('LineItem', {
    campaignId,
    name: 'Torture',
    type: 'SPONSORSHIP',
    level: 1,
    sharePercent: 100,
    pricingModel: 'CPM',
    price: PRICE,
    status: 'ACTIVE',
    targeting: { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
    caps: { impressionsLifetime: 100_000_000, spendLifetime: '10000000.00' },
  });
  await server.create('Creative', {
    lineItemId,
    name: 'Torture',
    width: 300,
    height: 250,
    clickUrl: 'https://www.torture-shop.example/landing',
    content: { image: { imageUrl: 'https://cdn.torture-shop.example/picture.png', alt: 'Torture' } },
  });
  await pause(1_500);
  // The production workspace of the demo network.
  return { workspaceId: 1, advertiserId, campaignId, lineItemId, nanosPerImpression: nanosPerImpression(PRICE_MICROS) };
}
