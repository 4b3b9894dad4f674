import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ExpectedDelivery, scoreForecast } from './forecast-record.ts';

const count = fc.integer({ min: 0, max: 10_000_000 });
/** A forecast within its intervals, the narrow one within the wide one. */
const expected = fc.tuple(count, count, count, count, count).map((drawn): ExpectedDelivery => {
  const [possibleLow = 0, likelyLow = 0, impressions = 0, likelyHigh = 0, possibleHigh = 0] = drawn.toSorted(
    (one, other) => one - other,
  );
  return { impressions, likelyLow, likelyHigh, possibleLow, possibleHigh };
});

test('a forecast that came true has no error and is inside both intervals', () => {
  fc.assert(
    fc.property(expected, (forecast) => {
      expect(scoreForecast(forecast, forecast.impressions)).toEqual({
        error: 0,
        isInsideLikely: true,
        isInsidePossible: true,
      });
    }),
  );
});

test('a delivery inside the interval of 80 % is inside that of 95 %, and one outside is below its low end or above its high end', () => {
  fc.assert(
    fc.property(expected, count, (forecast, delivered) => {
      const { isInsideLikely, isInsidePossible } = scoreForecast(forecast, delivered);
      if (isInsideLikely) expect(isInsidePossible).toBe(true);
      expect(isInsidePossible).toBe(delivered >= forecast.possibleLow && delivered <= forecast.possibleHigh);
      expect(isInsideLikely).toBe(delivered >= forecast.likelyLow && delivered <= forecast.likelyHigh);
    }),
  );
});

test('the error is positive exactly when the forecast was too high, and tells the forecast from the delivery', () => {
  fc.assert(
    fc.property(expected, count, (forecast, delivered) => {
      const { error } = scoreForecast(forecast, delivered);
      if (delivered > 0) {
        expect(Math.sign(error)).toBe(Math.sign(forecast.impressions - delivered));
        expect((1 + error) * delivered).toBeCloseTo(forecast.impressions, 3);
      } else expect(Number.isFinite(error)).toBe(true);
    }),
  );
});

test('an interval of one value, as of a goal that is surely reached, has this value inside', () => {
  const exact = { impressions: 500, likelyLow: 500, likelyHigh: 500, possibleLow: 500, possibleHigh: 500 };
  expect(scoreForecast(exact, 500)).toEqual({ error: 0, isInsideLikely: true, isInsidePossible: true });
  expect(scoreForecast(exact, 400)).toEqual({ error: 0.25, isInsideLikely: false, isInsidePossible: false });
});
