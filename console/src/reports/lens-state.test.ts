import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CHARTS,
  DEFAULT_LENS,
  FILTER_OPERATORS,
  type LensState,
  readLensParams,
  writeLensParams,
} from './lens-state.ts';
import { COMPARISONS, RANGE_PRESETS } from './date-range.ts';

const overview = (name: string): string => `campaign_overview.${name}`;

describe('the Lens in the address', () => {
  test('the first view leaves the address empty', () => {
    expect(writeLensParams(DEFAULT_LENS)).toEqual({});
    expect(readLensParams({})).toEqual(DEFAULT_LENS);
  });

  test('an address reads as a person would write it', () => {
    const state: LensState = {
      ...DEFAULT_LENS,
      measures: [overview('clicks')],
      dimensions: [overview('country'), 'other_cube.kind'],
      range: { from: '2026-01-01', to: '2026-01-31' },
      filters: [{ member: overview('country'), operator: 'equals', values: ['PL', 'DE'] }],
      order: { member: overview('clicks'), descending: true },
      chart: 'bar',
    };
    expect(writeLensParams(state)).toEqual({
      m: 'clicks',
      d: 'country,other_cube.kind',
      r: '2026-01-01..2026-01-31',
      f: 'country~equals~PL~DE',
      s: '-clicks',
      v: 'bar',
    });
  });

  const member = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).map(overview);
  const states = fc.record<LensState>({
    measures: fc.uniqueArray(member, { maxLength: 6 }),
    dimensions: fc.uniqueArray(member, { maxLength: 6 }),
    granularity: fc.constantFrom('hour', 'day', 'week', 'month', null),
    range: fc.oneof(fc.constantFrom(...RANGE_PRESETS), fc.constant({ from: '2026-01-01', to: '2026-02-28' })),
    comparison: fc.constantFrom(...COMPARISONS),
    filters: fc.array(
      fc.record({
        member,
        operator: fc.constantFrom(...FILTER_OPERATORS),
        values: fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[!~;0-2a]{0,6}$/)), {
          maxLength: 4,
        }),
      }),
      { maxLength: 5 },
    ),
    order: fc.option(fc.record({ member, descending: fc.boolean() })),
    timezone: fc.constantFrom(null, 'Europe/Warsaw', 'Asia/Kolkata'),
    chart: fc.constantFrom(...CHARTS),
    pivot: fc.constant(null),
  });

  test('every state comes back from its address as it was', () => {
    fc.assert(
      fc.property(states, (state) => {
        expect(readLensParams(writeLensParams(state))).toEqual(state);
      }),
      { numRuns: 500 },
    );
  });

  test('any text in the address gives a state', () => {
    const text = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ m: text, d: text, g: text, r: text, c: text, f: text, s: text, tz: text, v: text, p: text }),
        (params) => {
          const state = readLensParams(params as Record<string, string>);
          expect(readLensParams(writeLensParams(state))).toEqual(state);
        },
      ),
    );
  });

  test('a pivot that is not among the dimensions is dropped', () => {
    expect(readLensParams({ d: 'country', p: 'country' }).pivot).toBe(overview('country'));
    expect(readLensParams({ d: 'country', p: 'os' }).pivot).toBeNull();
    expect(readLensParams({ g: 'none', p: 'time' }).pivot).toBeNull();
  });
});
