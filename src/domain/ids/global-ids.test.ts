import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalIdOf, decodeGlobalId, encodeGlobalId, plainIdOf } from './global-ids.ts';
import { isDecimalId } from './ids.ts';

const types = fc.constantFrom('LineItem', 'Campaign', 'AdUnit', 'KeyValue');
const ids = fc.bigInt({ min: 1n, max: 999_999_999_999_999_999n });

describe('global ids', () => {
  test('a global id names exactly the object that it was made of, and is never a decimal id', () => {
    fc.assert(
      fc.property(types, ids, (type, id) => {
        const text = encodeGlobalId(type, id);
        expect(decodeGlobalId(text)).toEqual({ type, id: String(id) });
        expect(isDecimalId(text)).toBe(false);
        expect(decimalIdOf(type, text)).toBe(String(id));
        expect(decimalIdOf(type, String(id))).toBe(String(id));
      }),
    );
  });

  test('a global id of one type is not accepted where another type is expected', () => {
    expect(decimalIdOf('Campaign', encodeGlobalId('LineItem', '12'))).toBeNull();
    expect(plainIdOf('Campaign', encodeGlobalId('LineItem', '12'))).toBe(encodeGlobalId('LineItem', '12'));
  });

  test('any other text names nothing: each object has one global id only', () => {
    const others = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.tuple(types, fc.string()).map(([type, rest]) => Buffer.from(`${type}:${rest}`).toString('base64url')),
      ids.map((id) => `${encodeGlobalId('LineItem', id)}=`),
      fc.constantFrom('', '0', '-1', '1e3', 'TGluZUl0ZW06MDE', 'TGluZUl0ZW06', '__proto__', 'a'.repeat(10_000)),
    );
    fc.assert(
      fc.property(others, (text) => {
        const named = decodeGlobalId(text);
        expect(named === null || encodeGlobalId(named.type, named.id) === text).toBe(true);
      }),
    );
    expect(decodeGlobalId(Buffer.from('LineItem:012').toString('base64url'))).toBeNull();
    expect(decodeGlobalId(`${encodeGlobalId('LineItem', '12')}=`)).toBeNull();
  });
});
