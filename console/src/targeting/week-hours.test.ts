import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALL_HOURS, paint, toDayParts, toWeekHours } from './week-hours.ts';

const anyHours = fc.array(fc.boolean(), { minLength: 168, maxLength: 168 });

test('hours are found again from their day-parts', () => {
  fc.assert(
    fc.property(
      anyHours.filter((hours) => hours.includes(true)),
      (hours) => {
        const parts = toDayParts(hours);
        expect(toWeekHours(parts)).toEqual(hours);
        for (const { days, startMinute, endMinute } of parts) {
          expect(days.length).toBeGreaterThan(0);
          expect(startMinute).toBeLessThan(endMinute);
          expect(endMinute).toBeLessThanOrEqual(1_440);
        }
      },
    ),
  );
});

test('working hours are one day-part, and all hours are none', () => {
  const working = paint(
    ALL_HOURS.map(() => false),
    { day: 0, hour: 17 },
    { day: 4, hour: 9 },
    true,
  );
  expect(toDayParts(working)).toEqual([{ days: [1, 2, 3, 4, 5], startMinute: 540, endMinute: 1_080 }]);
  expect(toDayParts(ALL_HOURS)).toEqual([]);
  expect(toWeekHours([])).toEqual(ALL_HOURS);
});

test('day-parts within an hour are not shown as hours', () => {
  expect(toWeekHours([{ days: [1], startMinute: 30, endMinute: 600 }])).toBeNull();
});
