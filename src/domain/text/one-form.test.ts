import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { domainForm, foldText, inNfc, inNfcExcept } from './one-form.ts';

/** Letters whose composed and decomposed forms differ, signs that combine, and plain letters. */
const letter = fc.constantFrom('ó', 'Ł', 'ź', 'ö', 'Å', '가', '\u0301', '\u0323', '\u0308', 'a', 'Z', '1', ' ');
const text = fc.oneof(fc.string({ unit: letter, maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 12 }));

describe('texts in one form', () => {
  test('the composed and the decomposed form of a text are one text, in any case', () => {
    fc.assert(
      fc.property(text, (any) => {
        const forms = ['NFC', 'NFD'].map((form) => any.normalize(form));
        expect(new Set(forms.map(inNfc)).size).toBe(1);
        expect(new Set(forms.map(foldText)).size).toBe(1);
        expect(inNfc(inNfc(any))).toBe(inNfc(any));
      }),
    );
  });

  test('a text of ASCII stays as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii' }), (ascii) => inNfc(ascii) === ascii));
  });

  test('all texts of a value are normalized but those of some names, and a value in that form is returned itself', () => {
    const verbatim = new Set(['html']);
    const given = { name: 'o\u0301', html: 'o\u0301', inner: [{ values: ['o\u0301', 1, null], html: ['o\u0301'] }] };
    const formed = { name: 'ó', html: 'o\u0301', inner: [{ values: ['ó', 1, null], html: ['o\u0301'] }] };
    expect(inNfcExcept(given, verbatim)).toEqual(formed);
    expect(inNfcExcept(formed, verbatim)).toBe(formed);
    expect(given.name).toBe('o\u0301');
  });
});

describe('domains in one form', () => {
  test.each([
    ['łódź.example', 'xn--d-uga0v4h.example'],
    ['ŁÓDŹ.Example', 'xn--d-uga0v4h.example'],
    ['ło\u0301dz\u0301.example', 'xn--d-uga0v4h.example'],
    ['XN--D-UGA0V4H.example', 'xn--d-uga0v4h.example'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['news.example.', 'news.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['a_b.example', 'a_b.example'],
    ['ó b.example', 'ó b.example'],
    ['Ó.example/x', 'ó.example/x'],
    ['ó.example?x', 'ó.example?x'],
    ['ó.example#x', 'ó.example#x'],
    ['ó.example\\x', 'ó.example\\x'],
    ['ó.example／x', 'ó.example／x'],
    ['', ''],
  ])('the form of %s is %s', (given, form) => {
    expect(domainForm(given)).toBe(form);
  });

  test('a domain and its Unicode form are one domain', () => {
    const label = fc.string({
      unit: fc.constantFrom('ł', 'ó', 'd', 'ź', 'ö', 'д', 'λ', 'x'),
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const form = domainForm(labels.join('.'));
        expect(form).toMatch(/^[a-z0-9.-]+$/);
        expect(domainForm(domainToUnicode(form))).toBe(form);
        expect(domainForm(form.toUpperCase())).toBe(form);
      }),
    );
  });
});
