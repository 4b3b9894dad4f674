import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { credentialHeaders, load, send, server, todayRange } from './support/server.ts';

const time = (dateRange: unknown, granularity?: string): unknown => ({
  dimension: 'campaign_overview.time',
  dateRange,
  ...(granularity === undefined ? {} : { granularity }),
});
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Runs a module in a separate process, which trusts the server's authority from its start. */
function runNode(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const args = ['--input-type=module', '--eval', script];
  const cwd = new URL('../..', import.meta.url).pathname;
  return promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env }, cwd, timeout: 60_000 }).then(
    ({ stdout }) => stdout,
  );
}

describe('Reports API', () => {
  // Conformance: Q1
  test('POST /load returns rows under full member names', async () => {
    const response = await load({
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_id'],
      timeDimensions: [time([dayBefore(7), dayBefore(1)])],
    });
    expect(response.status).toBe(200);
    const { data } = response.json<{ data: Record<string, string>[] }>();
    expect(data.length).toBeGreaterThan(10);
    expect(Number(data[0]?.['campaign_overview.impressions'])).toBeGreaterThan(0);
  });

  // Conformance: Q1
  test('GET /load returns the same rows as POST', async () => {
    const query = { measures: ['campaign_overview.clicks'], timeDimensions: [time([dayBefore(3), dayBefore(2)])] };
    const get = await send(
      `${server.demo.urls.reportsApi}/1000/v1/load?query=${encodeURIComponent(JSON.stringify(query))}`,
      { headers: credentialHeaders() },
    );
    expect(get.json<{ data: unknown }>().data).toEqual((await load(query)).json<{ data: unknown }>().data);
  });

  // Conformance: Q2
  test('the filters equals and notEquals add up to the total', async () => {
    const ask = async (filters: unknown): Promise<number> => {
      const response = await load({
        measures: ['campaign_overview.impressions'],
        timeDimensions: [time([dayBefore(7), dayBefore(1)])],
        filters,
      });
      return Number(
        response.json<{ data: Record<string, string>[] }>().data[0]?.['campaign_overview.impressions'] ?? 0,
      );
    };
    const country = (operator: string, values: string[]): object => ({
      member: 'campaign_overview.country',
      operator,
      values,
    });
    const [all, polish, others, either] = [
      await ask([]),
      await ask([country('equals', ['PL'])]),
      await ask([country('notEquals', ['PL'])]),
      await ask([{ or: [country('contains', ['pl']), country('notIn', ['PL'])] }]),
    ];
    expect(polish).toBeGreaterThan(0);
    expect(others).toBeGreaterThan(0);
    expect([polish + others, either]).toEqual([all, all]);
  });

  // Conformance: Q2
  test.each(['Europe/Warsaw', 'UTC', 'Asia/Kolkata', 'America/New_York'])(
    'the days of %s equal the sums of their hours',
    async (timezone) => {
      const sums = async (granularity: string): Promise<Map<string, number>> => {
        const response = await load({
          measures: ['campaign_overview.impressions'],
          timeDimensions: [time([dayBefore(6), dayBefore(2)], granularity)],
          timezone,
        });
        const { data } = response.json<{ data: Record<string, string>[] }>();
        const byDay = new Map<string, number>();
        for (const row of data) {
          const day = row[`campaign_overview.time.${granularity}`]?.slice(0, 10) ?? '';
          byDay.set(day, (byDay.get(day) ?? 0) + Number(row['campaign_overview.impressions']));
        }
        return byDay;
      };
      const days = await sums('day');
      expect(days.size).toBe(5);
      expect(await sums('hour')).toEqual(days);
    },
  );

  // Conformance: Q2
  test.each([
    ['week', 2],
    ['month', 1],
  ])('granularity %s returns its buckets', async (granularity, atLeast) => {
    const { data } = (
      await load({
        measures: ['campaign_overview.clicks'],
        timeDimensions: [time([dayBefore(14), dayBefore(1)], granularity)],
      })
    ).json<{ data: Record<string, string>[] }>();
    expect(data.length).toBeGreaterThanOrEqual(atLeast);
    expect(data[0]?.[`campaign_overview.time.${granularity}`]).toMatch(/T00:00:00\.000$/);
  });

  // Conformance: Q3
  test('values are strings, and a day is YYYY-MM-DDT00:00:00.000', async () => {
    const { data } = (
      await load({
        measures: ['campaign_overview.impressions', 'campaign_overview.revenue'],
        timeDimensions: [time([dayBefore(5), dayBefore(2)], 'day')],
      })
    ).json<{ data: Record<string, string>[] }>();
    expect(data).toHaveLength(4);
    expect(data[0]?.['campaign_overview.time.day']).toBe(`${dayBefore(5)}T00:00:00.000`);
    expect(data[0]?.['campaign_overview.impressions']).toMatch(/^\d+$/);
    expect(data[0]?.['campaign_overview.revenue']).toMatch(/^\d+(\.\d+)?$/);
  });

  // Conformance: Q4
  test('a query that lacks a dateRange gets 400 with a message that says so', async () => {
    const response = await load({ measures: ['campaign_overview.impressions'] });
    expect(response.status).toBe(400);
    expect(response.json<{ error: string }>().error).toMatch(/dateRange/);
  });

  // Conformance: Q4
  test('a query of 91 days gets 400 with the span and the limit, and 90 days are allowed', async () => {
    const measures = ['campaign_overview.impressions'];
    const over = await load({ measures, timeDimensions: [time(['2026-01-01', '2026-04-01'])] });
    expect(over.status).toBe(400);
    expect(over.json<{ error: string }>().error).toMatch(/91.*90/);
    expect((await load({ measures, timeDimensions: [time(['2026-01-01', '2026-03-31'])] })).status).toBe(200);
  });

  // Conformance: Q5
  test('/meta lists measures and dimensions with title and description', async () => {
    const response = await send(`${server.demo.urls.reportsApi}/1000/v1/meta`, { headers: credentialHeaders() });
    const { cubes } = response.json<{
      cubes: {
        name: string;
        measures: { name: string; title: string; description: string }[];
        dimensions: { name: string; title: string }[];
      }[];
    }>();
    const cube = cubes.find((one) => one.name === 'campaign_overview');
    for (const member of cube?.measures ?? [])
      expect([member.name, member.title, member.description]).toEqual([
        expect.any(String),
        expect.stringMatching(/\S/),
        expect.stringMatching(/\S/),
      ]);
    expect(cube?.measures.map((one) => one.name)).toContain('campaign_overview.viewability');
    expect(cube?.dimensions.map((one) => one.name)).toEqual(
      expect.arrayContaining([
        'campaign_overview.line_item_id',
        'campaign_overview.deal_name',
        'campaign_overview.advertising_product_name',
      ]),
    );
  });

  // Conformance: Q6
  test.each([
    ['member', { measures: ['campaign_overview.wrong'] }, 'wrong'],
    ['cube', { measures: ['nowhere.clicks'] }, 'nowhere'],
    [
      'operator',
      { filters: [{ member: 'campaign_overview.country', operator: 'resembles', values: ['PL'] }] },
      'resembles',
    ],
    ['timezone', { timezone: 'Europe/Atlantis' }, 'Europe/Atlantis'],
    ['timezone that is empty', { timezone: '' }, 'timezone'],
    ['granularity', { timeDimensions: [time(['2026-01-01', '2026-01-02'], 'fortnight')] }, 'fortnight'],
    ['date', { timeDimensions: [time(['2026-02-30', '2026-03-02'])] }, '2026-02-30'],
    ['date of year 0', { timeDimensions: [time(['0000-01-01', '0000-01-02'])] }, '0000-01-01'],
    ['date that no store holds', { timeDimensions: [time(['9999-12-30', '9999-12-31'])] }, '9999-12-30'],
    ['range that ends before it begins', { timeDimensions: [time(['2026-03-02', '2026-03-01'])] }, '2026-03-01'],
    [
      'range of a million years',
      { timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'last 999999 years' }] },
      '999999',
    ],
    [
      'date of year 0 in a filter',
      { filters: [{ member: 'campaign_overview.time', operator: 'afterDate', values: ['0000-01-01'] }] },
      '0000-01-01',
    ],
  ])('an unknown or malformed %s gets a 400 that names it', async (_what, part, named) => {
    const query = {
      measures: ['campaign_overview.clicks'],
      timeDimensions: [time(['2026-01-01', '2026-01-02'])],
      ...part,
    };
    const response = await load(query);
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({ type: 'UserError', code: 'invalid_request' });
    expect(response.json<{ error: string }>().error).toContain(named);
  });

  // Conformance: Q7
  test('the first query after the start gets its data within the time limit of a query', async () => {
    const query = {
      measures: ['campaign_overview.impressions', 'campaign_overview.unique_users'],
      dimensions: ['campaign_overview.creative_name', 'campaign_overview.browser'],
      timeDimensions: [time([dayBefore(80), dayBefore(1)], 'day')],
      cache: 'no-cache',
    };
    const response = await load(query);
    expect(response.status).toBe(200);
    expect(response.json()).not.toHaveProperty('error');
  });

  // Conformance: Q8
  test('the model has every published member', async () => {
    const members = (names: readonly string[]): string[] => names.map((name) => `campaign_overview.${name}`);
    const response = await load({
      measures: members([
        'impressions',
        'clicks',
        'revenue',
        'viewability',
        'viewable_impressions',
        'measurable_impressions',
      ]),
      dimensions: members([
        'line_item_id',
        'creative_id',
        'deal_id',
        'deal_name',
        'advertising_product_id',
        'advertising_product_name',
      ]),
      timeDimensions: [time([dayBefore(7), dayBefore(1)], 'day')],
      limit: 5,
    });
    expect(response.status).toBe(200);
    expect(Object.keys(response.json<{ data: object[] }>().data[0] ?? {})).toHaveLength(14);
  });

  // Conformance: Q9
  test('the unmodified Cube client loads, pivots and reads the model', async () => {
    const script = `
      import cubejs from '@cubejs-client/core';
      const api = (cubejs.default ?? cubejs)({ apiUrl: process.env.API_URL, headers: JSON.parse(process.env.API_HEADERS) });
      const result = await api.load(JSON.parse(process.env.API_QUERY));
      const meta = await api.meta();
      console.log(JSON.stringify({ points: result.chartPivot().length, title: meta.resolveMember('campaign_overview.clicks', 'measures').shortTitle }));`;
    const query = {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [time([dayBefore(7), dayBefore(1)], 'day')],
    };
    const printed = await runNode(script, {
      API_URL: `${server.demo.urls.reportsApi}/${server.demo.networkId}/v1`,
      API_HEADERS: JSON.stringify(credentialHeaders()),
      API_QUERY: JSON.stringify(query),
      ...(server.demo.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: server.demo.caFile }),
    });
    expect(JSON.parse(printed)).toEqual({ points: 7, title: 'Clicks' });
  });

  // Conformance: Q10
  test('a result states its freshness, and its ETag gets 304 until something changes', async () => {
    const query = {
      measures: ['campaign_overview.clicks'],
      timeDimensions: [time([dayBefore(20), dayBefore(10)], 'day')],
    };
    const first = await load(query);
    const { lastRefreshTime, dataAsOf } = first.json<{ lastRefreshTime: string; dataAsOf: string }>();
    expect(Date.parse(lastRefreshTime)).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(dataAsOf)).toBeLessThanOrEqual(Date.parse(lastRefreshTime));
    // Events of other files of this run, which share the network, may arrive between two loads.
    const loadTwice = async () => {
      const { headers } = await load(query);
      const again = await load(query, { ...credentialHeaders(), 'if-none-match': headers.etag ?? '' });
      return [again.status, again.text];
    };
    await expect.poll(loadTwice).toEqual([304, '']);
  });

  // Conformance: Q11
  test('a load with Accept text/csv returns the whole result as CSV, gzip on request, and NDJSON works alike', async () => {
    const query = {
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_name', 'campaign_overview.country'],
      timeDimensions: [time([dayBefore(7), dayBefore(1)], 'hour')],
    };
    const csv = await load(query, { ...credentialHeaders(), accept: 'text/csv' });
    expect(csv.headers['content-type']).toMatch(/^text\/csv/);
    const packed = await load(query, { ...credentialHeaders(), accept: 'text/csv', 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.bytes).toString()).toBe(csv.text);
    const ndjson = await load(query, { ...credentialHeaders(), accept: 'application/x-ndjson' });
    expect(ndjson.text.trimEnd().split('\n')).toHaveLength(csv.text.trimEnd().split('\r\n').length - 1);
  });

  // Conformance: E2
  test('staging has its own reports, under its prefix, and refuses production credentials', async () => {
    const url = `${server.coreUrl}/staging/reports/${server.demo.networkId}/v1/load`;
    const query = { measures: ['campaign_overview.clicks'], timeDimensions: [time(todayRange())] };
    const response = await send(url, { headers: credentialHeaders(), json: { query } });
    expect([response.status, response.json()]).toMatchObject([401, { error: 'invalid_credentials' }]);
  });

  // Conformance: H2
  test('a query that lacks credentials gets 401, and a wrong token gets 401', async () => {
    expect((await load({}, {})).json()).toMatchObject({ error: 'authentication_required' });
    expect((await load({}, { ...credentialHeaders(), 'x-internal-auth-token': 'wrong' })).json()).toMatchObject({
      error: 'invalid_credentials',
    });
  });

  // Conformance: H4
  test('a bearer key opens the Reports API only with REPORTS scope', async () => {
    const query = { measures: ['campaign_overview.impressions'], timeDimensions: [time(todayRange())] };
    expect((await load(query, { authorization: `Bearer ${server.demo.keys.reports}` })).status).toBe(200);
    expect((await load(query, { authorization: `Bearer ${server.demo.keys.delivery}` })).status).toBe(403);
  });
});
