/** COUNT of rows: alone it counts, beside other columns a sentence names the measures. */
import { expect, test } from 'vitest';
import { plan, RANGE } from '../fixtures/plan.ts';

const countOf = async (text: string): Promise<unknown> => {
  const { query, count, columns } = await plan(text);
  return [query['measures'], query['dimensions'], query['total'], query['ungrouped'] === true, count, columns[0]?.name];
};
const ALL = { skip: 0, most: Infinity };
const COUNTRY = 'campaign_overview.country';

test.each([
  [`SELECT COUNT(*) FROM delivery WHERE ${RANGE}`, [[], ['campaign_overview.time'], true, true, ALL, 'count']],
  [`SELECT COUNT(1) AS n FROM delivery WHERE ${RANGE}`, [[], ['campaign_overview.time'], true, true, ALL, 'n']],
  [
    `SELECT COUNT(*) FROM (SELECT country, impressions FROM delivery WHERE ${RANGE}) AS t`,
    [[], [COUNTRY], true, true, ALL, 'count'],
  ],
  [
    `SELECT COUNT(*) AS rowcount FROM (SELECT country, SUM(impressions) AS n FROM delivery WHERE ${RANGE} GROUP BY 1 LIMIT 5 OFFSET 2) t`,
    [['campaign_overview.impressions'], [COUNTRY], true, false, { skip: 2, most: 5 }, 'rowcount'],
  ],
  [`SELECT COUNT(DISTINCT country) FROM delivery WHERE ${RANGE}`, [[], [COUNTRY], true, false, ALL, 'count']],
])('%s asks for the number of rows', async (text, expected) => {
  expect(await countOf(text)).toEqual(expected);
});

test('COUNT(DISTINCT column) leaves missing values out', async () => {
  const { query } = await plan(`SELECT COUNT(DISTINCT country) FROM delivery WHERE ${RANGE}`);
  expect(query['filters']).toEqual([{ member: COUNTRY, operator: 'set' }]);
});

test('a SELECT that has one row for sure counts it without a report', async () => {
  const { isEmpty, isTotal, columns } = await plan(
    `SELECT COUNT(*) FROM (SELECT SUM(impressions) AS n FROM delivery WHERE ${RANGE}) t`,
  );
  expect([isEmpty, isTotal, columns[0]?.constant]).toEqual([true, true, '1']);
});

test.each([
  'SELECT country, COUNT(*) FROM delivery WHERE RANGE GROUP BY 1',
  'SELECT COUNT(*), COUNT(DISTINCT country) FROM delivery WHERE RANGE',
  'SELECT country FROM delivery WHERE RANGE GROUP BY 1 ORDER BY COUNT(*) DESC',
  'SELECT country FROM delivery WHERE RANGE GROUP BY 1 HAVING COUNT(*) > 5',
  'SELECT SUM(impressions) FROM delivery WHERE RANGE HAVING COUNT(1) > 0',
])('%s is refused with the measure to write', async (text) => {
  await expect(plan(text.replace('RANGE', RANGE))).rejects.toMatchObject({
    sqlstate: '0A000',
    hint: expect.stringContaining('MEASURE(impressions)'),
  });
});

test('HAVING COUNT(1) > 0 behind GROUP BY changes nothing', async () => {
  const text = `SELECT country, SUM(impressions) FROM delivery WHERE ${RANGE} GROUP BY 1`;
  expect((await plan(`${text} HAVING (COUNT(1) > 0)`)).query).toEqual((await plan(text)).query);
});
