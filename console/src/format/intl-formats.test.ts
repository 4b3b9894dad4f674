import { expect, test } from 'vitest';
import { dateFormat, numberFormat } from './intl-formats.ts';

test('a format is made once for each locale and options', () => {
  const polish = dateFormat('pl', { day: 'numeric', timeZone: 'Europe/Warsaw' });
  expect(dateFormat('pl', { day: 'numeric', timeZone: 'Europe/Warsaw' })).toBe(polish);
  expect(dateFormat('pl', { day: 'numeric', timeZone: 'UTC' })).not.toBe(polish);
  expect(dateFormat('de', { day: 'numeric', timeZone: 'Europe/Warsaw' })).not.toBe(polish);
  expect(numberFormat('de', { maximumFractionDigits: 1 })).toBe(numberFormat('de', { maximumFractionDigits: 1 }));
});

test('formats of more zones than are kept stay right', () => {
  const texts = Array.from({ length: 600 }, (_none, at) =>
    numberFormat('en', { minimumFractionDigits: at % 20, minimumIntegerDigits: 1 + (at % 21) }).format(0),
  );
  expect(texts[0]).toBe('0');
  expect(numberFormat('en', { minimumFractionDigits: 1, minimumIntegerDigits: 2 }).format(0)).toBe('00.0');
});
