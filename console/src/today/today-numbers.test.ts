import { expect, test } from 'vitest';
import { changeOf, figuresOf, seriesOf, todayQuery, trafficOf } from './today-numbers.ts';

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

test('a number has a course by hour: today until now, and the whole day a week ago', () => {
  const { today, lastWeek } = seriesOf([row('2026-11-24T09', 4), row('2026-11-17T23', 9)], 'impressions', at);
  // It is half past ten in Warsaw.
  expect(today).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0]);
  expect([lastWeek.length, lastWeek[23]]).toEqual([24, 9]);
});

const asked = (hour: string) => ({
  'campaign_overview.time.hour': `${hour}:00:00.000`,
  'campaign_overview.requests': '5',
});

test('traffic that the same hours of last week had, and that is missing now, has stopped', () => {
  const before = [asked('2026-11-17T09'), asked('2026-11-17T10')];
  expect(trafficOf([], at)).toEqual({ kind: 'NEVER' });
  expect(trafficOf([...before, asked('2026-11-24T09')], at)).toEqual({ kind: 'FLOWS' });
  expect(trafficOf([...before, asked('2026-11-24T07')], at)).toEqual({ kind: 'STOPPED', date: '2026-11-24', hour: 7 });
});

test('a quiet night does not count as a stop where last week was quiet too', () => {
  expect(trafficOf([asked('2026-11-17T12'), asked('2026-11-23T20')], at)).toEqual({ kind: 'FLOWS' });
});
