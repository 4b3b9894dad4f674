import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { parseActivityInput } from './activity-input.ts';

const nowMs = Date.parse('2026-11-20T10:00:00Z');
const body = { network: '1000', actgid: 'buy', event: 'purchased', cost: '129.99', ord: 'A-1' };

function wrongFields(change: Record<string, unknown>): string[] {
  try {
    parseActivityInput({ ...body, ...change }, nowMs);
    return [];
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return error.fields.map((field) => `${field.path} ${field.code}`);
  }
}

describe('an activity event', () => {
  test('the parser returns an event as sent, its amount exactly', () => {
    expect(parseActivityInput(body, nowMs)).toEqual({
      network: '1000',
      actgid: 'buy',
      event: 'purchased',
      costMicros: 129_990_000n,
      ord: 'A-1',
      lu: null,
      aid: null,
      clickId: null,
      itemCount: 1,
      taxMicros: 0n,
      currency: null,
      products: '',
      npa: false,
      timeMs: null,
    });
  });

  test('the parser accepts all optional fields', () => {
    const input = parseActivityInput(
      {
        ...body,
        lu: 'u1',
        aid: 'h1',
        clickId: '01J0000000000000000000000A',
        qty: 2,
        tax: '0.01',
        currency: 'PLN',
        products: [{ id: 1 }],
        npa: true,
        ts: '2026-11-20T09:59:00Z',
      },
      nowMs,
    );
    expect(input).toMatchObject({
      lu: 'u1',
      aid: 'h1',
      itemCount: 2,
      taxMicros: 10_000n,
      currency: 'PLN',
      products: '[{"id":1}]',
      npa: true,
      timeMs: nowMs - 60_000,
    });
  });

  test.each([
    [{ actgid: undefined }, ['actgid required']],
    [{ event: '' }, ['event required']],
    [{ network: null }, ['network required']],
    [{ network: 1000 }, []],
    [{ event: 5 }, ['event not_text']],
    [{ event: 'x'.repeat(65) }, ['event too_long']],
    [{ ord: 'a\nb' }, ['ord control_characters']],
    [{ cost: 'abc' }, ['cost not_decimal']],
    [{ cost: 12.5 }, ['cost not_decimal']],
    [{ cost: '-1' }, ['cost negative']],
    [{ cost: '1e3' }, ['cost not_decimal']],
    [{ cost: '0.1234567' }, ['cost not_decimal']],
    [{ cost: undefined, ord: undefined }, []],
    [{ tax: 'x', qty: -1 }, ['qty not_count', 'tax not_decimal']],
    [{ currency: 'zloty' }, ['currency too_long']],
    [{ currency: 'pln' }, ['currency not_currency']],
    [{ products: 'x' }, ['products not_products']],
    [{ products: Array.from({ length: 101 }, () => 1) }, ['products not_products']],
    [{ clickId: 'nope' }, ['clickId not_click_id']],
    [{ npa: 'maybe' }, ['npa not_boolean']],
    [{ ts: 'yesterday' }, ['ts not_instant']],
    [{ ts: '2026-11-31T00:00:00Z' }, ['ts not_instant']],
    [{ ts: nowMs - 8 * 86_400_000 }, ['ts too_old']],
    [{ ts: nowMs + 3_600_000 }, ['ts in_future']],
    [{ unknown: {} }, []],
  ])('an event with %o has these wrong fields: %o', (change, expected) => {
    expect(wrongFields(change).sort()).toEqual(expected);
  });

  test.each([[null], [[]], ['text'], [5]])('the parser refuses %o as an event', (value) => {
    expect(() => parseActivityInput(value, nowMs)).toThrow(PlacardError);
  });

  test('the parser throws only errors that a caller may see, for any input', () => {
    fc.assert(
      fc.property(
        fc.record({
          network: fc.anything(),
          actgid: fc.anything(),
          event: fc.anything(),
          cost: fc.anything(),
          qty: fc.anything(),
          ts: fc.anything(),
          npa: fc.anything(),
          products: fc.jsonValue(),
        }),
        (value) => {
          try {
            parseActivityInput(value, nowMs);
          } catch (error) {
            expect(error).toBeInstanceOf(PlacardError);
          }
        },
      ),
    );
  });
});
