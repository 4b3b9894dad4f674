import { expect, test } from 'vitest';
import { inventoryAlerts, unitsQuery } from './inventory-alerts.ts';

const row = (site: string, unit: string, [requests, served, impressions, revenue]: readonly number[]) => ({
  'campaign_overview.site_id': site,
  'campaign_overview.site_domain': `Site ${site}`,
  'campaign_overview.ad_unit_id': unit,
  'campaign_overview.ad_unit_name': `Unit ${unit}`,
  'campaign_overview.requests': String(requests),
  'campaign_overview.served': String(served),
  'campaign_overview.impressions': String(impressions),
  'campaign_overview.revenue': String(revenue),
});
const told = (now: Parameters<typeof inventoryAlerts>[0], before: Parameters<typeof inventoryAlerts>[0]) =>
  inventoryAlerts(now, before).map(({ kind, siteId, unitName }) => `${kind} ${siteId} ${unitName}`.trim());

test('an ad unit without a request that had some a week ago stopped, and a site of such ad units stopped as one', () => {
  const before = [
    row('a', '1', [100, 90, 80, 3]),
    row('a', '2', [100, 90, 80, 4]),
    row('b', '3', [60, 50, 50, 9]),
    row('b', '4', [60, 50, 50, 1]),
    row('c', '5', [49, 40, 40, 50]),
  ];
  expect(told([row('b', '4', [55, 50, 50, 1])], before)).toEqual(['UNIT_STOPPED b Unit 3', 'SITE_STOPPED a']);
});

test('a fall of fill or eCPM is told where there is enough to compare, the dearest first', () => {
  const before = [
    row('a', '1', [1_000, 900, 800, 8]),
    row('a', '2', [1_000, 900, 800, 80]),
    row('a', '3', [400, 390, 380, 99]),
    row('a', '4', [1_000, 900, 800, 8]),
  ];
  const now = [
    row('a', '1', [1_000, 600, 500, 5]),
    row('a', '2', [1_000, 890, 800, 40]),
    row('a', '3', [400, 1, 1, 0]),
    row('a', '4', [1_000, 880, 780, 7.9]),
  ];
  expect(told(now, before)).toEqual(['ECPM a Unit 2', 'FILL a Unit 1']);
});

test('the report is of the same span of clock, a week apart', () => {
  const nowMs = Date.parse('2026-11-24T09:30:00Z');
  const rangeOf = (days: number) => unitsQuery('Europe/Warsaw', nowMs, days).timeDimensions[0]?.dateRange;
  expect(rangeOf(0)).toEqual(['2026-11-24T00:00:00.000', '2026-11-24T10:30:59.999']);
  expect(rangeOf(7)).toEqual(['2026-11-17T00:00:00.000', '2026-11-17T10:30:59.999']);
});
