/** For tests: any frequency caps, day-parts and values of custom fields, as the API has them. */
import fc from 'fast-check';

/** Any frequency caps. */
export const FREQUENCY_CAPS = fc.array(
  fc.record({
    event: fc.constantFrom('IMPRESSIONS', 'CLICKS'),
    count: fc.integer({ min: 1, max: 100_000 }),
    window: fc.constantFrom('MINUTE', 'HOUR', 'DAY', 'WEEK', 'MONTH', 'LIFETIME'),
    every: fc.integer({ min: 1, max: 1_000 }),
    per: fc.constantFrom('USER', 'HOUSEHOLD'),
  } as const),
  { maxLength: 3 },
);

/** Any day-parts: days in their order, at least one. */
export const DAY_PARTS = fc.array(
  fc.record({
    days: fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }),
    startMinute: fc.integer({ min: 0, max: 719 }),
    endMinute: fc.integer({ min: 720, max: 1_440 }),
  }),
  { maxLength: 3 },
);

/** Any values of custom fields, with texts that look like other things. */
export const CUSTOM_FIELDS = fc.dictionary(
  fc.stringMatching(/^[a-zA-Z][\w.-]{0,5}$/),
  fc.oneof(
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((one) => !Object.is(one, -0)),
    fc.constantFrom('', 'true', '7', '-1e5', '2026-11-25', ' a', '"', '\\', 'a;b', 'a=b', 'two\nlines', "'", 'a"b'),
    fc.string({ maxLength: 6 }),
  ),
  { maxKeys: 4 },
);
