import { expect, test } from 'vitest';
import { CAMPAIGN_OVERVIEW } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import { normalizeQuery } from '../query/normalize.ts';
import { compileQuery } from './compile-query.olap.ts';

const NOW_MS = Date.parse('2026-07-15T13:00:00Z');
const index = new MemberIndex({ cubes: [CAMPAIGN_OVERVIEW] });
const member = (name: string): string => `campaign_overview.${name}`;
const lineItem = (operator: string, values: readonly (string | null)[]) => ({
  member: member('line_item_id'),
  operator,
  values,
});
const PHONES = { member: member('device_type'), operator: 'equals', values: ['phone'] };
const ids = (count: number): string[] => Array.from({ length: count }, (_none, at) => String(at + 1));

test.each<[string, boolean, readonly object[], string]>([
  ['one line item', true, [lineItem('equals', ['3'])], 'day'],
  ['ten line items', true, [lineItem('in', ids(10))], 'hour'],
  ['one line item on phones', true, [{ and: [PHONES, lineItem('equals', ['3'])] }], 'day'],
  ['all line items', false, [], 'day'],
  ['eleven line items', false, [lineItem('equals', ids(11))], 'day'],
  ['all but one', false, [lineItem('notEquals', ['3'])], 'day'],
  ['one line item, or phones', false, [{ or: [PHONES, lineItem('equals', ['3'])] }], 'day'],
  ['what has no line item', false, [lineItem('equals', [null])], 'day'],
  ['single events of one line item', false, [lineItem('equals', ['3'])], 'minute'],
])('a statement over %s is narrow: %s', (_over, isNarrow, filters, granularity) => {
  const query = normalizeQuery(
    {
      measures: [member('impressions')],
      timeDimensions: [{ dimension: member('time'), granularity, dateRange: ['2026-03-27', '2026-03-29'] }],
      filters,
    },
    { nowMs: NOW_MS, timezoneDefault: 'UTC' },
  );
  expect(compileQuery(index, query, { workspaceId: 1, networkId: '1' }, NOW_MS).isNarrow).toBe(isNarrow);
});
