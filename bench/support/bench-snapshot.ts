import { sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import type { WorkspaceSnapshot } from '../../src/domain/booking/snapshot.ts';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import type { Targeting } from '../../src/domain/targeting/targeting.ts';
import { BENCH_NETWORK_ID, DISTRICT } from './bench-network.ts';

/** The network of `bookBenchNetwork` as a worker reads it from the database. */
export function benchSnapshot(lineItems: number): WorkspaceSnapshot {
  const ids = Array.from({ length: lineItems }, (_row, index) => index + 1);
  const districts = Math.max(1, Math.floor(lineItems / DISTRICT));
  return sampleSnapshot({
    workspace: { networkId: BENCH_NETWORK_ID, networkName: 'Bench', currency: 'EUR', timezone: 'UTC' },
    sites: Array.from({ length: 4 * districts }, (_row, n) => ({
      id: String(1000 + n),
      code: `site-${n}`,
      domain: 'bench.example',
    })),
    adUnits: Array.from({ length: 20 * districts }, (_row, n) => ({
      id: String(1000 + n),
      siteId: String(1000 + Math.floor(n / 20) * 4 + (n % 4)),
      name: `unit-${n}`,
      sizes: [
        { width: 300, height: 250 },
        { width: 300, height: 600 },
      ],
    })),
    advertisers: Array.from({ length: 10 }, (_row, n) => ({
      id: String(1000 + n),
      name: `Advertiser ${n}`,
      domains: [`advertiser${n}.example`],
      dsaBehalf: `Advertiser ${n}`,
      dsaPaid: `Advertiser ${n}`,
    })),
    campaigns: Array.from({ length: 50 }, (_row, n) => ({
      id: String(1000 + n),
      advertiserId: String(1000 + (n % 10)),
    })),
    lineItems: ids.map(lineItemOf),
    creatives: ids.map((n) => ({
      id: String(500_000 + n),
      lineItemId: String(100_000 + n),
      content: { format: 'IMAGE', imageUrl: 'https://cdn.bench.example/picture.png', alt: 'A picture' },
      clickUrl: 'https://www.advertiser.example/landing',
    })),
  });
}

function lineItemOf(n: number): Partial<Omit<LineItem, 'caps'>> {
  const type = n % 50 === 0 ? 'SPONSORSHIP' : n % 10 < 3 ? 'STANDARD' : n % 10 === 9 ? 'HOUSE' : 'PRICE';
  return {
    id: String(100_000 + n),
    campaignId: String(1000 + (n % 50)),
    type,
    level: 8,
    sharePercent: n % 50 === 0 ? 5 : n % 10 === 9 ? 50 : null,
    goal: n % 10 < 3 ? { kind: 'IMPRESSIONS', amount: 100_000, period: 'DAY' } : null,
    priceMicros: 1_000_000 + ((n * 7919) % 9000) * 1000,
    serveWithoutUser: true,
    timezone: 'UTC',
    targeting: targetingOf(n),
  };
}

function targetingOf(n: number): Targeting | null {
  const district = Math.floor((n - 1) / DISTRICT);
  const unit = (at: number): string => String(1000 + district * 20 + (at % 20));
  const bySite = { dimension: 'site', operator: 'is', values: [String(1000 + district * 4 + (n % 4))] } as const;
  switch (n % 10) {
    case 1:
      return { dimension: 'adUnit', operator: 'is', values: [unit(n)] };
    case 2:
      return { dimension: 'adUnit', operator: 'is', values: [unit(n), unit(n + 7)] };
    case 3:
      return bySite;
    case 4: {
      const values = district === 0 ? ['news', 'sport'] : [`topic-${n % 200}`];
      const bySection = { dimension: 'keyValue', operator: 'is', key: 'section', values } as const;
      return { all: [{ ...bySite, operator: 'isNot' }, bySection] };
    }
    case 5:
      return { dimension: 'country', operator: 'is', values: ['PL', 'DE'] };
    default:
      return district === 0 ? null : bySite;
  }
}
