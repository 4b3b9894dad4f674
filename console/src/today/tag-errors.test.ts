import { expect, test } from 'vitest';
import { errorsQuery, playsQuery, tagErrors } from './tag-errors.ts';

const failed = (creative: string, code: string, count: number, vendor = '') => ({
  'campaign_overview.creative_id': creative,
  'campaign_overview.creative_name': `Film ${creative}`,
  'campaign_overview.video_error_code': code,
  'campaign_overview.video_vendor_domain': vendor,
  'campaign_overview.video_errors': String(count),
});
const played = (creative: string, count: number) => ({
  'campaign_overview.creative_id': creative,
  'campaign_overview.video_starts': String(count),
});

test('a creative errs when many of its plays fail, with its most frequent error', () => {
  const errors = [failed('1', '402', 30), failed('2', '303', 15, 'a.example'), failed('2', '301', 90, 'b.example')];
  expect(tagErrors(errors, [played('1', 100), played('2', 0)])).toEqual([
    { creativeId: '2', name: 'Film 2', errors: 105, tries: 105, code: '301', vendor: 'b.example' },
    { creativeId: '1', name: 'Film 1', errors: 30, tries: 130, code: '402', vendor: '' },
  ]);
});

test('a few errors, and a small part of the plays, are left out', () => {
  expect(tagErrors([failed('1', '402', 19)], [])).toEqual([]);
  expect(tagErrors([failed('1', '402', 20)], [played('1', 380)])).toHaveLength(1);
  expect(tagErrors([failed('1', '402', 20)], [played('1', 381)])).toEqual([]);
});

test('both reports are of the day so far, in the time zone of the network', () => {
  const nowMs = Date.parse('2026-11-24T09:30:00Z');
  for (const query of [errorsQuery('Europe/Warsaw', nowMs), playsQuery('Europe/Warsaw', nowMs)])
    expect(query.timeDimensions[0]?.dateRange).toEqual(['2026-11-24T00:00:00.000', '2026-11-24T10:30:59.999']);
});
