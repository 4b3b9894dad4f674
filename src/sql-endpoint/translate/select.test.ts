import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan, RANGE } from '../fixtures/plan.ts';
import { SqlError } from '../wire/sql-error.ts';
import { givenParameters, type Parameters, UnknownParameters } from './parameters.ts';
import type { ReportPlan } from './select.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const WEEK = ['2026-03-01T00:00:00.000', '2026-03-07T23:59:59.999'];

const queryOf = async (text: string, parameters?: Parameters): Promise<Readonly<Record<string, unknown>>> =>
  (await plan(text, parameters)).query;
const filtersOf = async (condition: string): Promise<unknown> =>
  (await queryOf(`SELECT measure(impressions) FROM delivery WHERE ${RANGE} AND ${condition}`))['filters'];
const rangeOf = async (condition: string): Promise<unknown> => {
  const { query, isEmpty } = await plan(`SELECT measure(impressions) FROM delivery WHERE ${condition}`);
  const [time] = query['timeDimensions'] as { readonly dateRange?: unknown }[];
  return isEmpty ? null : time?.dateRange;
};

test('a grouped query becomes measures, dimensions, a range, an order and a limit', async () => {
  const text = `SELECT d.country AS land, date_trunc('day', time) AS day, MEASURE(impressions) FROM public.delivery AS d
    WHERE ${RANGE} GROUP BY land, 2 HAVING measure(impressions) > 10 ORDER BY 3 DESC, day LIMIT 5 OFFSET 10`;
  expect(await queryOf(text)).toEqual({
    measures: ['campaign_overview.impressions'],
    dimensions: ['campaign_overview.country'],
    timeDimensions: [{ dimension: 'campaign_overview.time', granularity: 'day', dateRange: WEEK }],
    filters: [{ member: 'campaign_overview.impressions', operator: 'gt', values: ['10'] }],
    order: [
      ['campaign_overview.impressions', 'desc'],
      ['campaign_overview.time.day', 'asc'],
    ],
    limit: 5,
    offset: 10,
    timezone: 'Europe/Warsaw',
  });
});

test('columns without aggregates or groups are single rows, and DISTINCT makes groups of them', async () => {
  const text = `country FROM delivery WHERE ${RANGE}`;
  expect(await queryOf(`SELECT ${text}`)).toMatchObject({ ungrouped: true });
  expect(await queryOf(`SELECT DISTINCT ${text}`)).not.toHaveProperty('ungrouped');
});

test.each([
  ["time >= '2026-03-01' AND time < '2026-03-08'", WEEK],
  ["time BETWEEN '2026-03-01' AND '2026-03-07 23:59:59.999'", WEEK],
  ["date_trunc('day', time) = '2026-03-02'", ['2026-03-02T00:00:00.000', '2026-03-02T23:59:59.999']],
  ["time::date BETWEEN '2026-03-01' AND '2026-03-07'", WEEK],
  [
    "date_trunc('month', time) > '2026-01-15' AND time < '2026-03-01'",
    ['2026-02-01T00:00:00.000', '2026-02-28T23:59:59.999'],
  ],
  // The network's clocks are an hour ahead of UTC in winter, two in summer: it is 12:30 on the last day of March.
  [
    "time >= '2026-03-01T00:00:00Z' AND time < '2026-03-30T00:00:00Z'",
    ['2026-03-01T01:00:00.000', '2026-03-30T01:59:59.999'],
  ],
  // Clocks in Warsaw show 02:30 twice on this day: an instant keeps its offset, a written time means both.
  [
    "time >= '2026-10-25T00:30:00Z' AND time < '2026-10-25T01:30:00Z'",
    ['2026-10-25T02:30:00.000+02:00', '2026-10-25T02:29:59.999+01:00'],
  ],
  ["time >= '2026-10-25 02:30' AND time < '2026-10-25 02:45'", ['2026-10-25T02:30:00.000', '2026-10-25T02:44:59.999']],
  ["time >= now() - INTERVAL '2 hours'", ['2026-03-31T10:30:00.000', '2026-03-31T23:59:59.999']],
  ['time >= current_date - 1 AND time < current_date', ['2026-03-30T00:00:00.000', '2026-03-30T23:59:59.999']],
  [
    "time >= current_date - INTERVAL '7' DAY AND time < current_date",
    ['2026-03-24T00:00:00.000', '2026-03-30T23:59:59.999'],
  ],
  [
    "time AT TIME ZONE 'UTC' >= '2026-03-01' AND time < timestamp '2026-03-02'",
    ['2026-03-01T00:00:00.000', '2026-03-01T22:59:59.999'],
  ],
  ["time >= '2026-03-01' AND time < '2026-03-08' AND time >= '2026-03-07'", ['2026-03-07T00:00:00.000', WEEK[1]]],
  ["NOT (time < '2026-03-01' OR time >= '2026-03-08')", WEEK],
  ["time >= '2026-03-08' AND time < '2026-03-01'", null],
])('the condition %s is the range %j', async (condition, range) => {
  expect(await rangeOf(condition)).toEqual(range);
});

const member = 'campaign_overview.country';
test.each([
  ["country = 'PL'", [{ member, operator: 'equals', values: ['PL'] }]],
  ["country <> 'PL'", [{ member, operator: 'notEquals', values: ['PL', null] }]],
  [
    "NOT (country = 'PL' AND country IS NULL)",
    [
      {
        or: [
          { member, operator: 'notEquals', values: ['PL', null] },
          { member, operator: 'set' },
        ],
      },
    ],
  ],
  ["country NOT IN ('PL', NULL)", 'never'],
  ["country IN ('PL', NULL)", [{ member, operator: 'equals', values: ['PL'] }]],
  ["country ILIKE '%p\\%%'", [{ member, operator: 'contains', values: ['p%'] }]],
  ["lower(country) NOT LIKE 'p%'", [{ member, operator: 'notStartsWith', values: ['p', null] }]],
  ['country = ANY(\'{PL,"D,E"}\'::text[])', [{ member, operator: 'equals', values: ['PL', 'D,E'] }]],
  ['npa', [{ member: 'campaign_overview.npa', operator: 'equals', values: ['true'] }]],
  ['NOT npa', [{ member: 'campaign_overview.npa', operator: 'equals', values: ['false'] }]],
  ['1 = 1', []],
  ["(country = 'PL' OR 1 = 2)", [{ member, operator: 'equals', values: ['PL'] }]],
])('the condition %s is a filter that leaves missing values out', async (condition, filters) => {
  if (filters === 'never') {
    expect((await plan(`SELECT measure(ctr) FROM delivery WHERE ${RANGE} AND ${condition}`)).isEmpty).toBe(true);
  } else expect(await filtersOf(condition)).toEqual(filters);
});

test('LIMIT 0 gives the columns of a table without a time', async () => {
  const { isEmpty, columns } = await plan('SELECT * FROM delivery LIMIT 0');
  expect([isEmpty, columns.length > 2]).toEqual([true, true]);
});

const INNER = `SELECT country AS land, impressions, time FROM delivery WHERE ${RANGE}`;
test.each([
  [
    'rows are grouped outside',
    `SELECT s.land, SUM(s.impressions) AS shown FROM (${INNER}) AS s WHERE land = 'PL' GROUP BY s.land ORDER BY shown DESC LIMIT 5`,
    `SELECT country AS land, SUM(impressions) AS shown FROM delivery WHERE ${RANGE} AND country = 'PL' GROUP BY country ORDER BY 2 DESC LIMIT 5`,
  ],
  [
    'all columns are looked at',
    `SELECT * FROM (SELECT country, npa FROM delivery WHERE ${RANGE}) t LIMIT 7`,
    `SELECT country, npa FROM delivery WHERE ${RANGE} LIMIT 7`,
  ],
  [
    'a whole table is inside',
    `SELECT date_trunc('day', t.time) AS day, measure(ctr) FROM (SELECT * FROM delivery) AS t WHERE t.${RANGE.replace('AND ', 'AND t.')} GROUP BY 1 ORDER BY day`,
    `SELECT date_trunc('day', time) AS day, measure(ctr) FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY day`,
  ],
  [
    'groups are inside',
    `SELECT n AS shown FROM (SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1) g ORDER BY g.n LIMIT 3`,
    `SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY n LIMIT 3`,
  ],
  [
    'an order outside counts the columns outside',
    `SELECT n AS shown FROM (SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1) g ORDER BY 1`,
    `SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY n`,
  ],
  [
    'an order outside names the columns outside',
    `SELECT n AS shown FROM (SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1) g ORDER BY shown DESC`,
    `SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY n DESC`,
  ],
  [
    'an order inside means nothing to groups outside',
    `SELECT land, SUM(impressions) AS shown FROM (${INNER} ORDER BY 2) s GROUP BY land`,
    `SELECT country AS land, SUM(impressions) AS shown FROM delivery WHERE ${RANGE} GROUP BY country`,
  ],
  [
    'both have a limit',
    `SELECT * FROM (SELECT country, measure(impressions) FROM delivery WHERE ${RANGE} GROUP BY 1 LIMIT 9) g LIMIT 4`,
    `SELECT country, measure(impressions) FROM delivery WHERE ${RANGE} GROUP BY 1 LIMIT 4`,
  ],
])('a SELECT over a SELECT is one query where %s', async (_where, text, same) => {
  expect(await queryOf(text)).toEqual(await queryOf(same));
});

test('a SELECT over groups shows its own columns under its own names', async () => {
  const { columns } = await plan(
    `SELECT n AS shown FROM (SELECT country, measure(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1) g`,
  );
  expect(columns.map(({ name, expression }) => [name, expression?.column.name])).toEqual([['shown', 'impressions']]);
});

test.each([
  [`SELECT impressions FROM (${INNER} ORDER BY 1) s LIMIT 3`, '0A000'],
  [`SELECT npa FROM (${INNER}) s`, '42703'],
  [`SELECT x.land FROM (${INNER}) s`, '42P01'],
  [`SELECT land FROM (SELECT land FROM (${INNER}) a) b`, '0A000'],
  [`SELECT sum(n) FROM (SELECT measure(ctr) AS n FROM delivery WHERE ${RANGE} GROUP BY country) g`, '42703'],
  [`SELECT n FROM (SELECT measure(ctr) AS n FROM delivery WHERE ${RANGE} LIMIT 5) g WHERE n > 1`, '0A000'],
  [`SELECT land FROM (${INNER}) a, (${INNER}) b`, '0A000'],
])('the statement %s over a subquery is refused with %s', async (text, sqlstate) => {
  await expect(plan(text)).rejects.toMatchObject({ sqlstate });
});

test('copies of a subquery’s expressions are bounded', async () => {
  const long = `lower(${'lower('.repeat(50)}country${')'.repeat(50)})`;
  const text = `SELECT ${Array.from({ length: 900 }, () => 'a').join()} FROM (SELECT ${long} AS a FROM delivery WHERE ${RANGE}) s`;
  await expect(plan(text)).rejects.toMatchObject({ sqlstate: '54000' });
});

test.each([
  ["to_timestamp('2026-03-01 06:07:08.250000', 'YYYY-MM-DD HH24:MI:SS.US')", '2026-03-01T06:07:08.250'],
  ["to_timestamp('01/03/2026', 'DD/MM/YYYY')", '2026-03-01T00:00:00.000'],
  ["to_date('20260301', 'YYYYMMDD')", '2026-03-01T00:00:00.000'],
])('a time written in a format is read: %s', async (time, from) => {
  expect(await rangeOf(`time >= ${time} AND time < '2026-03-05'`)).toEqual([from, '2026-03-04T23:59:59.999']);
});

test.each(['1 day', '0 days 86400.000000 seconds', '24:00:00', '0 months 1 days 0 seconds'])(
  'an interval in a parameter, as drivers write it, is taken from a time: %s',
  async (interval) => {
    const found = await queryOf(
      'SELECT measure(ctr) FROM delivery WHERE time >= now() - $1',
      givenParameters([interval]),
    );
    expect(found['timeDimensions']).toMatchObject([{ dateRange: ['2026-03-30T12:30:00.000', expect.anything()] }]);
  },
);

test.each([
  ["to_timestamp('2026-03-01', 'YYYY-MM-DD Q')", '0A000'],
  ["to_timestamp('soon', 'YYYY-MM-DD')", '22007'],
  ["to_date('2026-13-01', 'YYYY-MM-DD')", '22007'],
])('a time that its format does not fit is refused: %s', async (time, sqlstate) => {
  await expect(rangeOf(`time >= ${time}`)).rejects.toMatchObject({ sqlstate });
});

test.each([
  ["country LIKE 'P%'", '0A000'],
  ["country ILIKE 'a%b%'", '0A000'],
  ['impressions > 1', '42803'],
  ["time > 'soon'", '22007'],
  ['country = line_item_id', '0A000'],
  ['country = (SELECT 1)', '0A000'],
  ["country ~ 'P'", '0A000'],
])('the condition %s is refused with %s', async (condition, sqlstate) => {
  await expect(filtersOf(condition)).rejects.toMatchObject({ sqlstate });
});

test.each([
  [`SELECT country, measure(ctr) FROM delivery WHERE ${RANGE} GROUP BY 1 ORDER BY line_item_id`, '42803'],
  [`SELECT date_trunc('day', time) AS time, measure(ctr) FROM delivery WHERE ${RANGE} GROUP BY time`, '42803'],
  [`SELECT sum(ctr) FROM delivery WHERE ${RANGE}`, '0A000'],
  [`SELECT measure(ctr) FROM delivery WHERE ${RANGE} LIMIT -1`, '22023'],
  [`SELECT measure(ctr) FROM other.public.delivery WHERE ${RANGE}`, '0A000'],
  [`SELECT measure(ctr) FROM "Delivery" WHERE ${RANGE}`, '42P01'],
  [`SELECT x.country FROM delivery WHERE ${RANGE}`, '42P01'],
])('the statement %s is refused with %s', async (text, sqlstate) => {
  await expect(plan(text)).rejects.toMatchObject({ sqlstate });
});

test.each([
  ['a time', 'time >= $1', '22007'],
  ['an interval', 'time >= now() - $1::interval', '22007'],
  ['an instant', 'time >= $1::timestamptz', '22007'],
  ['a number', `${RANGE} AND country = $1::numeric::text`, '22P02'],
])('a text of 101 characters is not read as %s', async (_what, condition, sqlstate) => {
  const text = `SELECT measure(impressions) FROM delivery WHERE ${condition}`;
  const error = await plan(text, givenParameters(['1'.padStart(101)])).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ sqlstate, message: expect.stringContaining('101 characters') });
});

test('a list that many conditions use is refused before its copies fill the memory', async () => {
  const list = `{${Array.from({ length: 5_000 }, (_none, index) => index).join()}}`;
  const times = (count: number): Promise<ReportPlan> => {
    const conditions = Array.from({ length: count }, () => 'country = ANY($1)').join(' OR ');
    return plan(
      `SELECT measure(impressions) FROM delivery WHERE ${RANGE} AND (${conditions})`,
      givenParameters([list]),
    );
  };
  expect((await times(4)).isEmpty).toBe(false);
  await expect(times(5)).rejects.toMatchObject({ sqlstate: '54000' });
});

test('a text that many conditions use is refused before the report is asked', async () => {
  const times = (count: number): Promise<ReportPlan> => {
    const conditions = Array.from({ length: count }, () => 'country = $1').join(' OR ');
    return plan(
      `SELECT measure(impressions) FROM delivery WHERE ${RANGE} AND (${conditions})`,
      givenParameters(['x'.repeat(60_000)]),
    );
  };
  expect((await times(16)).isEmpty).toBe(false);
  await expect(times(17)).rejects.toMatchObject({ sqlstate: '54000' });
});

test('parameters get their types from what they are compared with', async () => {
  const unknown = new UnknownParameters();
  await plan(
    'SELECT measure(ctr) FROM delivery WHERE time >= $1 AND time < $2 AND country = $3 HAVING measure(impressions) > $4 LIMIT $5',
    unknown,
  );
  expect(unknown.oids([])).toEqual([1114, 1114, 25, 1700, 20]);
});

test('a statement of any words is translated or refused with a code', async () => {
  const words = fc.constantFrom(
    ...'SELECT FROM delivery WHERE AND OR NOT IN BETWEEN LIKE IS NULL time country npa impressions measure( lower( date_trunc( ) , * = <> < 1 -1 1e9 true now() INTERVAL AS x GROUP BY ORDER LIMIT DISTINCT HAVING ::date ::text CASE WHEN THEN END ANY( ARRAY[ ] $1'.split(
      ' ',
    ),
    "'day'",
    "'2026-03-01'",
    "'7 days'",
    "'%p%'",
    "AT TIME ZONE 'UTC'",
  );
  const tail = fc.array(words, { maxLength: 10 }).map((list) => list.join(' '));
  const texts = fc.oneof(
    tail.map((one) => `SELECT ${one} FROM delivery WHERE ${RANGE}`),
    tail.map((one) => `SELECT country FROM delivery WHERE ${RANGE} AND ${one}`),
    tail.map((one) => `SELECT measure(ctr) FROM delivery WHERE ${RANGE} ${one}`),
    fc
      .tuple(tail, tail)
      .map(([outer, inner]) => `SELECT ${outer} FROM (SELECT ${inner} FROM delivery WHERE ${RANGE}) AS x`),
  );
  let translated = 0;
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      try {
        await plan(text, givenParameters(['1']));
        translated += 1;
      } catch (error) {
        if (!(error instanceof SqlError)) expect(String(error)).toBe('Error: This is no SELECT');
      }
    }),
    { numRuns: runsOf(3_000) },
  );
  expect(translated).toBeGreaterThan(10);
});
