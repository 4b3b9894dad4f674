import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { readTexts } from '../messages/all-texts.ts';
import { speakIn } from '../messages/language.ts';
import { LANGUAGE_CODES } from '../messages/languages.ts';
import { formatCount, formatMoney } from './desk-format.ts';
import {
  ambiguityOf,
  decimalOf,
  echoOf,
  exactOf,
  heldOf,
  marksOf,
  numberOf,
  readNumber,
  showNumber,
  typedText,
  wholeOf,
} from './typed-numbers.ts';

afterEach(() => speakIn('en'));

/** What the three languages read of a text, in a field with fractions and in a whole field. Null: nothing. */
const READINGS: readonly (readonly [
  text: string,
  fractions: readonly [en: string | null, de: string | null, pl: string | null],
  wholes: readonly [en: string | null, de: string | null, pl: string | null],
])[] = [
  ['1200', ['1200', '1200', '1200'], ['1200', '1200', '1200']],
  ['18.50', ['18.50', '18.50', '18.50'], [null, null, null]],
  ['18,50', ['18.50', '18.50', '18.50'], [null, null, null]],
  ['1,200', [null, '1.200', '1.200'], ['1200', null, null]],
  ['1.200', ['1.200', null, null], [null, '1200', null]],
  ['0,250', ['0.250', '0.250', '0.250'], [null, null, null]],
  ['1,200.50', ['1200.50', '1200.50', '1200.50'], [null, null, null]],
  ['1.200,50', ['1200.50', '1200.50', '1200.50'], [null, null, null]],
  ['1,234,567', ['1234567', '1234567', '1234567'], ['1234567', '1234567', '1234567']],
  ['12,34,567', ['1234567', '1234567', '1234567'], ['1234567', '1234567', '1234567']],
  ['1 000 000', ['1000000', '1000000', '1000000'], ['1000000', '1000000', '1000000']],
  ['1\u00a0200,5', ['1200.5', '1200.5', '1200.5'], [null, null, null]],
  ["1'000", ['1000', '1000', '1000'], ['1000', '1000', '1000']],
  ['-1.5', ['-1.5', '-1.5', '-1.5'], [null, null, null]],
  ['1,2,3', [null, null, null], [null, null, null]],
  ['1.000,000.5', [null, null, null], [null, null, null]],
  ['12 34', [null, null, null], [null, null, null]],
  ['', [null, null, null], [null, null, null]],
  ['few', [null, null, null], [null, null, null]],
  ['1e3', [null, null, null], [null, null, null]],
];

test.each(READINGS)('%j is read by the language of the page', async (text, fractions, wholes) => {
  for (const [at, language] of (['en', 'de', 'pl'] as const).entries()) {
    await speakIn(language);
    expect([language, exactOf(text, false), exactOf(text, true)]).toEqual([language, fractions[at], wholes[at]]);
  }
});

test.each([
  ['en', '1,200', '1,200 can mean 1.20 or 1200. Write 1.20 or 1200.'],
  ['de', '1.234', '1.234 kann 1,234 oder 1234 bedeuten. Schreiben Sie 1,234 oder 1234.'],
  ['pl', '1.200', '1.200 może oznaczać 1,20 lub 1200. Wpisz 1,20 lub 1200.'],
] as const)('in %s, %s is refused with both meanings', async (language, text, message) => {
  await speakIn(language);
  expect(decimalOf(text)).toBeNull();
  expect(ambiguityOf(text, false)).toBe(message);
});

test('a whole field refuses a fraction of three digits, and says how the whole number is written', () => {
  expect(wholeOf('1.234')).toBeNull();
  expect(ambiguityOf('1.234', true)).toBe('1.234 can mean 1.234 or 1234. This field takes a whole number: write 1234.');
  expect(ambiguityOf('1,234', true)).toBeNull();
});

test.each(LANGUAGE_CODES)('in %s, a form never holds a text with two meanings as a number', async (language) => {
  await speakIn(language);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 999 }), (thousands, rest) => {
      for (const mark of ['.', ','])
        for (const isWhole of [true, false]) {
          const text = `${thousands}${mark}${String(rest).padStart(3, '0')}`;
          const held = heldOf(text, isWhole);
          const reading = readNumber(text, { isWhole });
          if (reading.kind === 'number') expect(held).toBe(reading.value);
          else expect(held).not.toMatch(/^[\d.]+$/);
        }
    }),
  );
});

test('amounts are never negative, other numbers may be', () => {
  expect([decimalOf('-1'), wholeOf('-1'), numberOf('-1')]).toEqual([null, null, -1]);
});

test('the number that is read stands beside the field unless the text says it already', async () => {
  expect([echoOf('1200', false), echoOf('1,200', true), echoOf('x', false)]).toEqual(['1,200', null, null]);
  await speakIn('de');
  expect(echoOf('18.50', false)).toBe('18,50');
});

const amounts = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 15n - 1n }),
    fc.integer({ min: 0, max: 999_999 }),
    fc.integer({ min: 0, max: 6 }),
  )
  .map(([whole, fraction, digits]) =>
    digits === 0 ? String(whole) : `${whole}.${String(fraction).padStart(6, '0').slice(0, digits)}`,
  );

describe.each(LANGUAGE_CODES)('in %s', (language) => {
  test('a field reads the number that the console wrote into it', async () => {
    await speakIn(language);
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(exactOf(typedText(amount), false)).toBe(amount);
      }),
    );
  });

  test('a number that the console shows is read as the same number', async () => {
    await speakIn(language);
    fc.assert(
      fc.property(amounts, fc.nat(Number.MAX_SAFE_INTEGER), (amount, count) => {
        expect(wholeOf(formatCount(count))).toBe(count);
        const cents = `${amount.split('.')[0]}.05`;
        expect(decimalOf(formatMoney(cents, undefined))).toBe(cents);
        if (amount.includes('.')) expect(exactOf(showNumber(amount), false)).toBe(amount);
      }),
    );
  });

  test('no text is two different numbers in two fields, and each suggestion is read as what it stands for', async () => {
    await speakIn(language);
    const texts = fc.string({
      unit: fc.constantFrom(...'0123456789'.split(''), '.', ',', ' ', "'", '-'),
      maxLength: 14,
    });
    fc.assert(
      fc.property(texts, (text) => {
        const [fraction, whole] = [exactOf(text, false), exactOf(text, true)];
        if (fraction !== null && whole !== null) expect(Number(fraction)).toBe(Number(whole));
        const reading = readNumber(text, { isWhole: false });
        if (reading.kind !== 'ambiguous') return;
        expect(exactOf(typedText(reading.fraction), false)).toBe(reading.fraction);
        expect(exactOf(reading.whole, false)).toBe(reading.whole);
      }),
    );
  });

  test('the numbers in hints are numbers of the language', async () => {
    await speakIn(language);
    const texts = await readTexts(language);
    const keys = ['booking.fault_price', 'booking.fault_whole', 'booking.fault_number', 'catalog_field.decimal'];
    for (const key of keys)
      for (const [number] of texts.get(key)?.matchAll(/\d+[.,\u00a0]\d+/g) ?? []) {
        const isWhole = key === 'booking.fault_whole';
        const value = exactOf(number, isWhole);
        expect(value).not.toBeNull();
        expect(number.replaceAll(/\d/g, '').replaceAll('\u00a0', ' ')).toBe(
          (isWhole ? marksOf().group : marksOf().decimal).replaceAll('\u00a0', ' '),
        );
      }
  });
});

test.each(['de-AT', 'de-CH', 'en-GB', 'en-IN', 'en-ZA', 'pl-PL'])(
  'counts of %s are read as the same number',
  (locale) => {
    const format = new Intl.NumberFormat(locale);
    fc.assert(
      fc.property(fc.nat(Number.MAX_SAFE_INTEGER), (count) => {
        expect(readNumber(format.format(count), { isWhole: true, marks: marksOf(locale) })).toEqual({
          kind: 'number',
          value: String(count),
        });
      }),
    );
  },
);
