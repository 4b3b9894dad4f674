import { expect, test } from 'vitest';
import { changeOf, figuresOf, todayQuery } from './today-numbers.ts';

const row = (hour: string, impressions: number) => ({
  'campaign_overview.time.hour': `${hour}:00:00.000`,
  'campaign_overview.impressions': String(impressions),
});
const at = { timezone: 'Europe/Warsaw', nowMs: Date.parse('2026-11-24T09:30:00Z') };

test('earlier days count up to this time of the day, in the time zone of the network', () => {
  const rows = [
    row('2026-11-17T08', 100),
    row('2026-11-17T10', 100),
    row('2026-11-17T11', 100),
    row('2026-11-23T00', 7),
    row('2026-11-23T10', 10),
    row('2026-11-23T23', 1_000),
    row('2026-11-24T10', 40),
  ];
  // It is half past ten in Warsaw.
  expect(figuresOf(rows, 'impressions', at)).toEqual({ today: 40, yesterday: 12, lastWeek: 150 });
});

test('the report is of eight days by hour', () => {
  expect(todayQuery(at.timezone, at.nowMs).timeDimensions).toEqual([
    { dimension: 'campaign_overview.time', dateRange: ['2026-11-17', '2026-11-24'], granularity: 'hour' },
  ]);
});

test('a change is in percent, and unknown from nothing', () => {
  expect([changeOf(150, 100), changeOf(50, 100), changeOf(0, 0)]).toEqual([50, -50, null]);
});
