import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawDelay, seededRandom } from '../insight/forecast/seeded-random.ts';
import type { ConversionAges } from '../../domain/events/conversion-ages.ts';
import { learnMaturities, maturityOfAdvertiser, maturityOfLineItem } from './conversion-delays.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A line item that was shown evenly for some days, and whose conversions come after an exponential delay. */
function drawAges(
  of: { readonly days: number; readonly perHour: number; readonly rate: number; readonly meanMs: number },
  seed: number,
  lineItemId = '1',
): ConversionAges & { readonly came: number } {
  const random = seededRandom(seed);
  const hours = Array.from({ length: of.days * 24 }, (_none, hour) => (hour + 0.5) * HOUR_MS);
  const converted: { delayMs: number; count: number }[] = [];
  let due = 0;
  for (const ageMs of hours)
    for (let ad = 0; ad < of.perHour; ad += 1) {
      if (random() >= of.rate) continue;
      due += 1;
      const delayMs = drawDelay(of.meanMs, random);
      if (delayMs < ageMs) converted.push({ delayMs, count: 1 });
    }
  const shown = hours.map((ageMs) => ({ ageMs, count: of.perHour }));
  return { lineItemId, advertiserId: '9', shown, converted, came: converted.length / due };
}

describe('the part of the conversions that has come', () => {
  test.each([
    { days: 4, meanMs: 84 * HOUR_MS, name: 'four days into conversions that take three and a half' },
    { days: 14, meanMs: 84 * HOUR_MS, name: 'two weeks into them' },
    { days: 4, meanMs: 10 * 60_000, name: 'four days into conversions that take ten minutes' },
    { days: 10, meanMs: 12 * HOUR_MS, name: 'ten days into conversions that take half a day' },
  ])('the part follows from the conversions that came: $name', ({ days, meanMs }) => {
    const ages = drawAges({ days, meanMs, perHour: 200, rate: 0.02 }, 5);
    const found = learnMaturities([ages]).get(maturityOfLineItem('1')) ?? 0;
    expect(Math.abs(Math.log(found / ages.came))).toBeLessThan(0.2);
  });

  test('a line item that has just begun has the delays of its advertiser', () => {
    const old = drawAges({ days: 14, meanMs: 84 * HOUR_MS, perHour: 200, rate: 0.02 }, 5);
    const young: ConversionAges = {
      lineItemId: '2',
      advertiserId: '9',
      shown: [{ ageMs: HOUR_MS, count: 1_000 }],
      converted: [],
    };
    const found = learnMaturities([old, young]);
    expect(found.get(maturityOfLineItem('2'))).toBeLessThan(0.1);
    expect(found.get(maturityOfLineItem('1'))).toBeGreaterThan(0.6);
  });

  test('an advertiser has the mean of its line items, by their impressions', () => {
    const shown = (ageMs: number, count: number) => [{ ageMs, count }];
    const found = learnMaturities([
      { lineItemId: '1', advertiserId: '9', shown: shown(30 * DAY_MS, 300), converted: [] },
      { lineItemId: '2', advertiserId: '9', shown: shown(0, 100), converted: [] },
    ]);
    const [old, young] = ['1', '2'].map((id) => found.get(maturityOfLineItem(id)) ?? 0) as [number, number];
    expect(young).toBe(0);
    expect(found.get(maturityOfAdvertiser('9'))).toBeCloseTo(0.75 * old, 10);
  });

  test('the part lies between none and all, whatever came when', () => {
    const count = fc.integer({ min: 0, max: 1_000_000 });
    const ms = fc.integer({ min: 0, max: 40 * DAY_MS });
    const ages = fc.record({
      lineItemId: fc.constantFrom('1', '2', '3'),
      advertiserId: fc.constantFrom('8', '9'),
      shown: fc.array(fc.record({ ageMs: ms, count })),
      converted: fc.array(fc.record({ delayMs: ms, count })),
    });
    fc.assert(
      fc.property(fc.array(ages, { maxLength: 4 }), (lineItems) => {
        for (const part of learnMaturities(lineItems).values()) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
