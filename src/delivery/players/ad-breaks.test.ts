import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { BREAKS_MAX, parseAdBreaks } from './ad-breaks.ts';

describe('the list of ad breaks', () => {
  test('each form of a break becomes one of VMAP, in the order of the list', () => {
    expect(parseAdBreaks('start,50%, 00:10:00 ,00:20:00.500,#2,end')).toEqual([
      { timeOffset: 'start', roll: 'preroll', breakId: 'preroll' },
      { timeOffset: '50%', roll: 'midroll', breakId: 'midroll-1' },
      { timeOffset: '00:10:00', roll: 'midroll', breakId: 'midroll-2' },
      { timeOffset: '00:20:00.500', roll: 'midroll', breakId: 'midroll-3' },
      { timeOffset: '#2', roll: 'midroll', breakId: 'midroll-4' },
      { timeOffset: 'end', roll: 'postroll', breakId: 'postroll' },
    ]);
  });

  test('an empty list is the pre-roll', () => {
    expect(parseAdBreaks('')).toEqual([{ timeOffset: 'start', roll: 'preroll', breakId: 'preroll' }]);
  });

  test.each([
    '101%',
    '-1%',
    '1.5%',
    '10:00',
    '00:60:00',
    '00:00:00.5',
    '#0',
    'middle',
    'start,,end',
    'start,start',
    '50%"',
  ])('the list %s is refused by the name of the parameter', (text) => {
    expect(() => parseAdBreaks(text)).toThrow(/^breaks /);
  });

  test('more breaks than the maximum are refused', () => {
    const list = (count: number) => Array.from({ length: count }, (_none, index) => `#${index + 1}`).join();
    expect(parseAdBreaks(list(BREAKS_MAX))).toHaveLength(BREAKS_MAX);
    expect(() => parseAdBreaks(list(BREAKS_MAX + 1))).toThrow(/at most 20 breaks/);
  });

  test('any text is read or refused, and what is read has unique ids and no character of markup', () => {
    const part = fc.oneof(fc.constantFrom('start', 'end', '50%', '00:10:00', '#1'), fc.string({ maxLength: 12 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 25 }), (parts) => {
        try {
          const breaks = parseAdBreaks(parts.join());
          expect(new Set(breaks.map(({ breakId }) => breakId)).size).toBe(breaks.length);
          expect(breaks.every(({ timeOffset }) => /^[a-z0-9:.%#]+$/.test(timeOffset))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(PlacardError);
        }
      }),
    );
  });
});
