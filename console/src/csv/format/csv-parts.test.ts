import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  readCustomFields,
  readDayParts,
  readFrequencyCaps,
  writeCustomFields,
  writeDayParts,
  writeFrequencyCaps,
} from './csv-parts.ts';
import { CUSTOM_FIELDS, DAY_PARTS, FREQUENCY_CAPS } from './part-arbitraries.ts';

test('frequency caps, day-parts and custom fields are read as they were written', () => {
  fc.assert(
    fc.property(FREQUENCY_CAPS, (caps) => {
      expect(readFrequencyCaps(writeFrequencyCaps(caps))).toEqual(caps);
    }),
  );
  fc.assert(
    fc.property(DAY_PARTS, (parts) => {
      expect(readDayParts(writeDayParts(parts))).toEqual(parts);
    }),
  );
  fc.assert(
    fc.property(CUSTOM_FIELDS, (values) => {
      expect(readCustomFields(writeCustomFields(values))).toEqual(values);
    }),
  );
});

describe('frequency caps', () => {
  const cap = { event: 'IMPRESSIONS', count: 3, window: 'DAY', every: 1, per: 'USER' };

  test.each([
    ['3 per day', [cap]],
    ['3 Impressions per 1 Day;', [cap]],
    ['3 per day; 10 per  7 days', [cap, { ...cap, count: 10, every: 7 }]],
    ['1 click per week per household', [{ ...cap, event: 'CLICKS', count: 1, window: 'WEEK', per: 'HOUSEHOLD' }]],
    ['5 per lifetime', [{ ...cap, count: 5, window: 'LIFETIME' }]],
  ])('%s is read', (text, caps) => expect(readFrequencyCaps(text)).toEqual(caps));

  test.each(['3', '3 a day', '3 per fortnight', 'three per day', '3 per day, 10 per week', '3 views per day'])(
    '%s is refused',
    (text) => expect(readFrequencyCaps(text)).toBeNull(),
  );

  test('a cap is written in few words', () =>
    expect(writeFrequencyCaps([cap, { ...cap, event: 'CLICKS', count: 2, every: 2, per: 'HOUSEHOLD' }] as never)).toBe(
      '3 per day; 2 clicks per 2 days per household',
    ));
});

describe('day-parts', () => {
  const part = { days: [1, 2, 3, 4, 5], startMinute: 480, endMinute: 1_080 };

  test.each([
    ['mon-fri 08:00-18:00', [part]],
    ['Monday – Friday 8:00 – 18:00;', [part]],
    ['1-5 08:00-18:00; sat', [part, { days: [6], startMinute: 0, endMinute: 1_440 }]],
    ['fri-mon, wed 20:00-24:00', [{ days: [1, 3, 5, 6, 7], startMinute: 1_200, endMinute: 1_440 }]],
    ['sat sun 10:00-12:30', [{ days: [6, 7], startMinute: 600, endMinute: 750 }]],
  ])('%s is read', (text, parts) => expect(readDayParts(text)).toEqual(parts));

  test.each(['8:00-18:00', 'mon 22:00-02:00', 'mon 08:00-24:01', 'mon 8-18', 'mon 08:75-18:00', 'pon 08:00-18:00'])(
    '%s is refused',
    (text) => expect(readDayParts(text)).toBeNull(),
  );

  test('days that follow each other are written as a span', () =>
    expect(
      writeDayParts([
        { ...part, days: [1, 2, 4, 5, 6] },
        { ...part, days: [7], startMinute: 0, endMinute: 1_440 },
      ]),
    ).toBe('mon,tue,thu-sat 08:00-18:00; sun'));
});

describe('custom fields', () => {
  test.each([
    ['region=North; score=7', { region: 'North', score: 7 }],
    ['region = North West\nvip = TRUE', { region: 'North West', vip: true }],
    ['code="7"; due=2026-11-25;', { code: '7', due: '2026-11-25' }],
    ['text="a; b"; empty=; none=""', { text: 'a; b', none: '' }],
    ['; ;', {}],
  ])('%s is read', (text, values) => expect(readCustomFields(text)).toEqual(values));

  test.each(['North', 'region: North', 'a=1; a=2', '7=North', 'text="a; b', 'text="a" b'])('%s is refused', (text) =>
    expect(readCustomFields(text)).toBeNull(),
  );

  test('a text that looks like a number is in quotation marks, and keys are in their order', () =>
    expect(writeCustomFields({ z: '7', a: 7.5, b: 'plain text' })).toBe('a=7.5; b=plain text; z="7"'));
});
