/** date_bin(), and groups of times that tools calculate. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { granularitiesOf, plan, RANGE } from '../fixtures/plan.ts';
import { granularityOf, readBin, startOfBin } from './bins.ts';

const grouped = (time: string): string => `SELECT ${time} AS t, MEASURE(ctr) FROM delivery WHERE ${RANGE} GROUP BY 1`;
const ORIGIN = "timestamp '2001-01-01'";

test.each([
  [`date_bin('15 minutes', time, ${ORIGIN})`, '900_seconds'],
  [`date_bin(INTERVAL '3 hours', time, timestamp '2001-01-01 01:30')`, '10800_seconds_from_19700101T013000'],
  // 2001-01-01 was a Monday, and so was 1970-01-05.
  [`date_bin('7 days', time, ${ORIGIN})`, '604800_seconds_from_19700105T000000'],
  [`date_bin('00:05:00', time AT TIME ZONE 'UTC', ${ORIGIN})`, '300_seconds'],
  ['floor(extract(epoch from time)/300)*300', '300_seconds'],
  ['floor(extract(epoch from time)/3600)*3600', 'hour'],
  ["date_trunc('hour', time) + INTERVAL '15 minutes' * floor(extract(minute from time) / 15)", '900_seconds'],
  ["date_trunc('minute', time) + INTERVAL '5 seconds' * floor(extract(second from time) / 5)", '5_seconds'],
  ["date_trunc('MONTH', CAST(time AS date))", 'month'],
])('the time %s is the granularity %s', async (time, granularity) => {
  expect(await granularitiesOf(grouped(time))).toEqual([granularity]);
});

test.each([
  [`date_bin('1 month', time, ${ORIGIN})`, '0A000', /date_trunc\('month', time\)/],
  [`date_bin('0 minutes', time, ${ORIGIN})`, '22023', /15 minutes/],
  [`date_bin('500 milliseconds', time, ${ORIGIN})`, '22023', /15 minutes/],
  [`date_bin('400 days', time, ${ORIGIN})`, '22023', /15 minutes/],
  ["date_bin('15 minutes', time)", '0A000', /origin/],
  [`date_bin('15 minutes', country, ${ORIGIN})`, '0A000', /column time/],
  ["date_trunc('hour', time) + INTERVAL '15 minutes' * floor(extract(minute from time) / 5)", '0A000', /date_bin/],
  ["date_trunc('hour', time) + INTERVAL '7 minutes' * floor(extract(minute from time) / 7)", '0A000', /date_bin/],
])('the time %s is refused with %s and what to write', async (time, sqlstate, hint) => {
  await expect(plan(grouped(time))).rejects.toMatchObject({ sqlstate, hint: expect.stringMatching(hint) });
});

test('a bin begins a whole number of its lengths from its origin, and holds its time', () => {
  const time = fc
    .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => {
      return Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('UTC').toPlainDateTime();
    });
  const seconds = fc.integer({ min: 1, max: 366 * 86_400 });
  fc.assert(
    fc.property(time, time, seconds, (origin, local, length) => {
      const bin = readBin(Temporal.Duration.from({ seconds: length }), origin);
      const start = startOfBin(bin, local);
      const behind = start.until(local, { largestUnit: 'seconds' }).total('seconds');
      const steps = origin.with({ millisecond: 0 }).until(start, { largestUnit: 'seconds' }).total('seconds') / length;
      expect([behind >= 0 && behind < length, Number.isInteger(steps)]).toEqual([true, true]);
      expect(granularityOf(bin)).toMatch(/^\d+_seconds(?:_from_197\dT?\d{4}T\d{6})?$/);
    }),
    { numRuns: 300 },
  );
});

test('a comparison with date_bin() is a range of whole bins', async () => {
  const condition = `date_bin('3 hours', time, ${ORIGIN}) = timestamp '2026-03-02 03:00'`;
  const { query } = await plan(`SELECT MEASURE(ctr) FROM delivery WHERE ${condition}`);
  expect(query['timeDimensions']).toMatchObject([
    { dateRange: ['2026-03-02T03:00:00.000', '2026-03-02T05:59:59.999'] },
  ]);
});
