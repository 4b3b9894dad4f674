import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromNetworkMicros,
  isCurrencyCode,
  parseRate,
  rateOn,
  sortRates,
  toNetworkMicros,
  toNetworkMicrosDown,
} from './exchange-rates.ts';

const ONE = 10n ** 12n;
const rates = fc.bigInt({ min: 1n, max: 10n ** 21n - 1n });
/** Rates between currencies that are in use: from a Lebanese pound in dinars to a dinar in rials. */
const usualRates = fc.bigInt({ min: 10n ** 6n, max: 10n ** 18n });
/** CPMs in micros. */
const prices = fc.integer({ min: 1, max: 10 ** 11 });

function rateOf(text: string): bigint {
  const rate = parseRate(text);
  if (rate === null) throw new Error(`no rate: ${text}`);
  return rate;
}

describe('exchange rates', () => {
  test.each([
    ['1', ONE],
    ['0.92', 920_000_000_000n],
    ['0.000000000001', 1n],
    ['999999999.999999999999', 10n ** 21n - 1n],
    ['0', null],
    ['0.0', null],
    ['-1', null],
    ['1e3', null],
    ['1.', null],
    ['.5', null],
    ['1,5', null],
    ['0.0000000000001', null],
    ['1000000000', null],
  ])('a rate of %s is read exactly or not at all', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  test('codes of ISO 4217 are currencies, in capitals alone', () => {
    expect(['EUR', 'PLN', 'eur', 'XYZ', ''].map(isCurrencyCode)).toEqual([true, true, false, false, false]);
  });

  test('a rate holds from its day until that of the next entry of its currency', () => {
    const network = {
      currency: 'EUR',
      exchangeRates: sortRates([
        { currency: 'USD', rate: '0.9', from: '2026-11-01' },
        { currency: 'USD', rate: '0.8', from: '2026-10-01' },
        { currency: 'GBP', rate: '1.1', from: '2026-01-01' },
      ]),
    };
    const onDay = (day: string): bigint | null => rateOn(network, 'USD', day);
    expect(onDay('2026-09-30')).toBeNull();
    expect([onDay('2026-10-01'), onDay('2026-10-31')]).toEqual([rateOf('0.8'), rateOf('0.8')]);
    expect([onDay('2026-11-01'), onDay('2030-01-01')]).toEqual([rateOf('0.9'), rateOf('0.9')]);
    expect([rateOn(network, 'EUR', '2000-01-01'), rateOn(network, '', '2000-01-01')]).toEqual([ONE, ONE]);
    expect(rateOn({ currency: 'EUR' }, 'USD', '2026-11-01')).toBeNull();
  });
});

describe('conversions', () => {
  test.each([
    [1, '0.92', 920_000],
    [0.1, '3', 300_000],
    [0.3, '0.1', 30_000],
    [1e-7, '1', 1],
    [1e-20, '999999999', 1],
    [1.5e3, '0.000000000001', 1],
    [0, '0.92', 0],
    [1e300, '0.92', Number.POSITIVE_INFINITY],
    [1e12, '100000', Number.POSITIVE_INFINITY],
  ])('a floor of %d at a rate of %s is %d micros', (amount, rate, micros) => {
    expect(toNetworkMicros(amount, rateOf(rate))).toBe(micros);
  });

  test('a floor in another currency is the least price that is worth as much', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 ** 9 }),
        fc.integer({ min: 0, max: 9 }),
        rates,
        (digits, decimals, rate) => {
          const micros = toNetworkMicros(Number(`${digits}e-${decimals}`), rate);
          fc.pre(Number.isFinite(micros));
          // Both sides in units of 10⁻¹⁸ micros and 10⁻ᵈᵉᶜⁱᵐᵃˡˢ: micros · 10¹² · 10ᵈ against digits · rate · 10⁶.
          const exact = BigInt(digits) * rate * 10n ** 6n;
          const unit = ONE * 10n ** BigInt(decimals);
          expect(BigInt(micros) * unit >= exact).toBe(true);
          expect((BigInt(micros) - 1n) * unit < exact).toBe(true);
        },
      ),
    );
  });

  test('a price that reaches a floor still does when both are converted, whatever the two currencies', () => {
    fc.assert(
      fc.property(prices, usualRates, usualRates, prices, (floorMicros, floorRate, priceRate, margin) => {
        const floor = toNetworkMicros(floorMicros / 1_000_000, floorRate);
        fc.pre(Number.isFinite(floor));
        const price = fromNetworkMicros(floor + (margin % 3), priceRate);
        expect(price * priceRate >= BigInt(floorMicros) * floorRate).toBe(true);
      }),
    );
  });

  test('an amount comes back from another currency less than a micro of that currency above', () => {
    fc.assert(
      fc.property(prices, usualRates, (micros, rate) => {
        const foreign = fromNetworkMicros(micros, rate);
        const excess = foreign * rate - BigInt(micros) * ONE;
        expect(excess >= 0n && excess < rate).toBe(true);
      }),
    );
  });

  test('a header bid never competes with more than it pays', () => {
    fc.assert(
      fc.property(prices, usualRates, (micros, rate) => {
        const own = toNetworkMicrosDown(micros, rate);
        fc.pre(own < Number.MAX_SAFE_INTEGER);
        expect(BigInt(own) * ONE <= BigInt(micros) * rate).toBe(true);
        expect(BigInt(own + 1) * ONE > BigInt(micros) * rate).toBe(true);
      }),
    );
  });
});
