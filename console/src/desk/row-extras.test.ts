import { expect, test } from 'vitest';
import type { ReportRow } from '../reports/report-rows.ts';
import { lastHourOf, lastHourQuery } from './row-extras.ts';

const row = (id: string, hour: string, impressions: string): ReportRow => ({
  'campaign_overview.line_item_id': id,
  'campaign_overview.time.hour': `${hour}:00:00.000`,
  'campaign_overview.impressions': impressions,
});
const lastHour = (rows: readonly ReportRow[], timezone: string, now: string) =>
  Object.fromEntries(lastHourOf(rows, timezone, Date.parse(now)));

test('the last hour has the present hour, and of the hour before the part that is not over for an hour', () => {
  const rows = [
    row('7', '2030-03-10T12', '30'),
    row('7', '2030-03-10T11', '100'),
    row('7', '2030-03-10T10', '9999'),
    row('8', '2030-03-10T11', '10'),
    row('9', '2030-03-10T10', '5'),
  ];
  expect(lastHour(rows, 'UTC', '2030-03-10T12:15:00Z')).toEqual({ 7: 105, 8: 8, 9: 0 });
  expect(lastHour(rows, 'UTC', '2030-03-10T12:00:00Z')).toEqual({ 7: 130, 8: 10, 9: 0 });
});

test('hours begin as clocks of the time zone do, also half an hour beside those of UTC', () => {
  const rows = [row('7', '2030-03-10T12', '10'), row('7', '2030-03-10T11', '100')];
  // 12:15 in Kolkata: three quarters of the hour before are within 60 minutes.
  expect(lastHour(rows, 'Asia/Kolkata', '2030-03-10T06:45:00Z')).toEqual({ 7: 85 });
  // 12:15 in Kathmandu.
  expect(lastHour(rows, 'Asia/Kathmandu', '2030-03-10T06:30:00Z')).toEqual({ 7: 85 });
});

test('the hour before midnight is of the day before', () => {
  const rows = [row('7', '2030-03-11T00', '1'), row('7', '2030-03-10T23', '60')];
  expect(lastHour(rows, 'Europe/Warsaw', '2030-03-10T23:30:00Z')).toEqual({ 7: 31 });
});

test('counts that are missing are zero', () => {
  const rows = [{ ...row('7', '2030-03-10T12', ''), 'campaign_overview.impressions': null }];
  expect(lastHour(rows, 'UTC', '2030-03-10T12:15:00Z')).toEqual({ 7: 0 });
});

test.each([
  ['the report during a day asks for that day', '2030-03-10T12:15:00Z', ['2030-03-10', '2030-03-10']],
  ['the report after midnight asks for the day before as well', '2030-03-10T23:15:00Z', ['2030-03-10', '2030-03-11']],
])('%s', (_title, now, dateRange) => {
  const query = lastHourQuery(['7', '8'], 'Europe/Warsaw', Date.parse(now));
  expect(query.timeDimensions).toEqual([expect.objectContaining({ dateRange, granularity: 'hour' })]);
  expect(query.filters).toEqual([expect.objectContaining({ values: ['7', '8'] })]);
  expect(query.timezone).toBe('Europe/Warsaw');
});
