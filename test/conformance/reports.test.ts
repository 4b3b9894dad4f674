import { describe, expect, test } from 'vitest';
import { credentialHeaders, load, send, server, todayRange } from './support/server.ts';

const time = (dateRange: unknown, granularity?: string): unknown => ({
  dimension: 'campaign_overview.time',
  dateRange,
  ...(granularity === undefined ? {} : { granularity }),
});
const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('Q · Reports API', () => {
  test('Q1 POST /load answers rows under full member names', async () => {
    const answer = await load({
      measures: ['campaign_overview.impressions'],
      dimensions: ['campaign_overview.line_item_id'],
      timeDimensions: [time([dayBefore(7), dayBefore(1)])],
    });
    expect(answer.status).toBe(200);
    const { data } = answer.json<{ data: Record<string, string>[] }>();
    expect(data.length).toBeGreaterThan(10);
    expect(Number(data[0]?.['campaign_overview.impressions'])).toBeGreaterThan(0);
  });

  test('Q1 GET /load answers the same', async () => {
    const query = { measures: ['campaign_overview.clicks'], timeDimensions: [time([dayBefore(3), dayBefore(2)])] };
    const get = await send(
      `${server.demo.urls.reportsApi}/1000/v1/load?query=${encodeURIComponent(JSON.stringify(query))}`,
      { headers: credentialHeaders() },
    );
    expect(get.json<{ data: unknown }>().data).toEqual((await load(query)).json<{ data: unknown }>().data);
  });

  test('Q3 values are strings, and a day is YYYY-MM-DDT00:00:00.000', async () => {
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

  test('Q4 no dateRange: 400 with a message that says so', async () => {
    const answer = await load({ measures: ['campaign_overview.impressions'] });
    expect(answer.status).toBe(400);
    expect(answer.json<{ error: string }>().error).toMatch(/dateRange/);
  });

  test('Q4 91 days: 400 with the span and the limit; 90 days are allowed', async () => {
    const measures = ['campaign_overview.impressions'];
    const over = await load({ measures, timeDimensions: [time(['2026-01-01', '2026-04-01'])] });
    expect(over.status).toBe(400);
    expect(over.json<{ error: string }>().error).toMatch(/91.*90/);
    expect((await load({ measures, timeDimensions: [time(['2026-01-01', '2026-03-31'])] })).status).toBe(200);
  });

  test('Q5 /meta lists measures and dimensions with title and description', async () => {
    const answer = await send(`${server.demo.urls.reportsApi}/1000/v1/meta`, { headers: credentialHeaders() });
    const { cubes } = answer.json<{
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

  test('Q6 an unknown member is 400 naming it', async () => {
    const answer = await load({ measures: ['campaign_overview.wrong'], timeDimensions: [time(todayRange())] });
    expect(answer.status).toBe(400);
    expect(answer.json<{ error: string }>().error).toContain('wrong');
  });

  test('H2 without credentials 401, with a wrong token 401', async () => {
    expect((await load({}, {})).json()).toMatchObject({ error: 'authentication_required' });
    expect((await load({}, { ...credentialHeaders(), 'x-internal-auth-token': 'wrong' })).json()).toMatchObject({
      error: 'invalid_credentials',
    });
  });

  test('H4 a bearer key with REPORTS scope opens it too, one without does not', async () => {
    const query = { measures: ['campaign_overview.impressions'], timeDimensions: [time(todayRange())] };
    expect((await load(query, { authorization: `Bearer ${server.demo.keys.reports}` })).status).toBe(200);
    expect((await load(query, { authorization: `Bearer ${server.demo.keys.delivery}` })).status).toBe(403);
  });
});
