import { expect, test } from 'vitest';
import { REPORTS_MODEL } from '../model/campaign-overview.olap.ts';
import { MemberIndex } from '../model/member-index.ts';
import type { LoadContext } from './load-query.ts';
import { PreparedLoads } from './prepared-loads.ts';

const index = new MemberIndex(REPORTS_MODEL);
const context: LoadContext = {
  tenant: { workspaceId: 7, networkId: '1000' },
  timezoneDefault: 'UTC',
  nowMs: Date.parse('2026-11-20T23:59:59.400Z'),
};

function queryOf(dateRange: string) {
  const time = { dimension: 'campaign_overview.time', granularity: 'day', dateRange };
  return { measures: ['campaign_overview.impressions'], timeDimensions: [time] };
}

test('a request that was prepared in this second is prepared once for all callers', () => {
  const loads = new PreparedLoads();
  const asked = { query: queryOf('last 7 days'), isMulti: false };
  const first = loads.prepare(index, asked, context);
  const again = { query: queryOf('last 7 days'), isMulti: false };
  expect(loads.prepare(index, again, { ...context, nowMs: context.nowMs + 599 })).toBe(first);
});

test('a relative date follows the clock', () => {
  const loads = new PreparedLoads();
  const asked = { query: queryOf('yesterday'), isMulti: false };
  const rangeAt = (nowMs: number) =>
    loads.prepare(index, asked, { ...context, nowMs }).queries[0]?.query.timeDimensions[0]?.dateRange;
  expect(rangeAt(context.nowMs)?.[0]).toContain('2026-11-19');
  expect(rangeAt(context.nowMs + 600)?.[0]).toContain('2026-11-20');
});

test('a prepared request serves its own workspace, time zone, members, limit and form only', () => {
  const loads = new PreparedLoads();
  const asked = { query: queryOf('last 7 days'), isMulti: true };
  const first = loads.prepare(index, asked, context);
  const others = [
    loads.prepare(index, asked, { ...context, tenant: { workspaceId: 8, networkId: '1000' } }),
    loads.prepare(index, asked, { ...context, tenant: { workspaceId: 7, networkId: '2000' } }),
    loads.prepare(index, asked, { ...context, timezoneDefault: 'Europe/Warsaw' }),
    loads.prepare(index, asked, { ...context, limitDefault: 50 }),
    loads.prepare(new MemberIndex(REPORTS_MODEL, 'own members'), asked, context),
    loads.prepare(index, { ...asked, isMulti: false }, context),
    loads.prepare(index, { ...asked, query: queryOf('last 8 days') }, context),
  ];
  expect(others.filter((one) => one === first)).toEqual([]);
  expect(new Set(others.map((one) => one.queries[0]?.compiled.params['workspaceId']))).toEqual(new Set([7, 8]));
});

test('a query that is refused is refused each time', () => {
  const loads = new PreparedLoads();
  const asked = { query: { measures: ['campaign_overview.nothing'] }, isMulti: false };
  for (let time = 0; time < 2; time += 1) expect(() => loads.prepare(index, asked, context)).toThrow('nothing');
});
