import { GppModel } from '@iabgpp/cmpapi';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resolvePrivacy } from '../privacy.ts';

const STATES = 'ca va co ut ct fl mt or tx de ia ne nh nj tn mn md in ky ri'.split(' ');
const SECTIONS = ['nat', ...STATES].map((name) => `us${name}`);
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];
const SENSITIVE = 'SensitiveDataProcessing';
const CHILD = 'KnownChildSensitiveDataConsents';
const signals = { gdpr: 0, consent: '', usPrivacy: '', coppa: false, npa: false, trackingLimited: false };
const reasonOf = (gpp: string): string | null => resolvePrivacy({ ...signals, gpp }).reason;

/** A model of IAB Tech Lab's own library that holds the sections as they are at first. */
function modelOf(...sections: string[]): GppModel {
  const model = new GppModel();
  for (const section of sections) model.setFieldValue(section, 'SaleOptOut', 2);
  return model;
}

const hasField = (section: string, field: string): boolean => modelOf(section).hasField(section, field);
const repeat = (value: number, length: number): number[] => Array.from({ length }, () => value);

/** Sets a field that is a number in some sections, and a list of numbers in others. */
function setAll(model: GppModel, section: string, field: string, value: number): void {
  const present = model.getFieldValue(section, field) as number | number[];
  model.setFieldValue(section, field, Array.isArray(present) ? repeat(value, present.length) : value);
}

test.each(SECTIONS)('a section "%s" without an opt-out keeps personalisation', (section) => {
  const model = modelOf(section);
  for (const field of OPT_OUTS) if (hasField(section, field)) model.setFieldValue(section, field, 2);
  if (hasField(section, SENSITIVE)) setAll(model, section, SENSITIVE, 2);
  if (hasField(section, 'Gpc')) model.setFieldValue(section, 'Gpc', false);
  expect(reasonOf(model.encode())).toBeNull();
});

test.each(
  SECTIONS.flatMap((section) => OPT_OUTS.map((field) => [section, field] as const)).filter(([section, field]) =>
    hasField(section, field),
  ),
)('a section "%s" with %s takes personalisation away', (section, field) => {
  const model = modelOf(section);
  model.setFieldValue(section, field, 1);
  expect(reasonOf(model.encode())).toBe('us_opt_out');
});

test.each(SECTIONS.filter((section) => hasField(section, 'Gpc')))(
  'Global Privacy Control in a section "%s" takes personalisation away',
  (section) => {
    const model = modelOf(section);
    model.setFieldValue(section, 'Gpc', true);
    expect(reasonOf(model.encode())).toBe('us_opt_out');
  },
);

test.each(SECTIONS.filter((section) => hasField(section, SENSITIVE)))(
  'an opt-out of each kind of sensitive data in a section "%s" takes personalisation away',
  (section) => {
    const kinds = (modelOf(section).getFieldValue(section, SENSITIVE) as number[]).length;
    for (let kind = 0; kind < kinds; kind += 1) {
      const model = modelOf(section);
      model.setFieldValue(section, SENSITIVE, repeat(0, kinds).with(kind, 1));
      expect(reasonOf(model.encode())).toBe('us_opt_out');
    }
  },
);

test.each(SECTIONS.filter((section) => hasField(section, CHILD)))(
  'a known child in a section "%s" takes personalisation away, with consent too',
  (section) => {
    for (const value of [1, 2]) {
      const model = modelOf(section);
      setAll(model, section, CHILD, value);
      expect(reasonOf(model.encode())).toBe('us_opt_out');
    }
  },
);

test('a string with any sections is read as the library of IAB Tech Lab reads it', () => {
  const value = fc.integer({ min: 0, max: 2 });
  const choice = fc.record({
    section: fc.constantFrom(...SECTIONS),
    sale: value,
    targeted: value,
    sensitive: value,
    child: value,
  });
  fc.assert(
    fc.property(fc.uniqueArray(choice, { selector: ({ section }) => section, maxLength: 6 }), (choices) => {
      const model = new GppModel();
      for (const { section, sale, targeted, sensitive, child } of choices) {
        model.setFieldValue(section, 'SaleOptOut', sale);
        if (hasField(section, 'TargetedAdvertisingOptOut'))
          model.setFieldValue(section, 'TargetedAdvertisingOptOut', targeted);
        if (hasField(section, SENSITIVE)) setAll(model, section, SENSITIVE, sensitive);
        if (hasField(section, CHILD)) setAll(model, section, CHILD, child);
      }
      const optedOut = choices.some(({ section, sale, targeted, sensitive, child }) => {
        const has = (field: string): boolean => hasField(section, field);
        return (
          sale === 1 ||
          (has('TargetedAdvertisingOptOut') && targeted === 1) ||
          (has(SENSITIVE) && sensitive === 1) ||
          (has(CHILD) && child > 0)
        );
      });
      expect(reasonOf(model.encode())).toBe(optedOut ? 'us_opt_out' : null);
    }),
  );
});

test('the shorter form of version 1 of "usnat" is read', () => {
  // Version, six notices, sale, sharing and targeted advertising, 12 kinds of sensitive data, two of children, four others.
  const usnat = (optOuts: string, children: string): string => {
    const bits = `000001${'01'.repeat(6)}${optOuts}${'00'.repeat(12)}${children}${'00'.repeat(3)}01`;
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return bits.replaceAll(/[01]{6}/g, (sextet) => alphabet.charAt(Number.parseInt(sextet, 2)));
  };
  expect(reasonOf(`DBABLA~${usnat('101010', '0000')}`)).toBeNull();
  expect(reasonOf(`DBABLA~${usnat('101001', '0000')}`)).toBe('us_opt_out');
  expect(reasonOf(`DBABLA~${usnat('101010', '0001')}`)).toBe('us_opt_out');
});

test.each([
  ['a section that is too short', 'DBABLA~BVQq'],
  ['a section with a foreign character', 'DBABLA~BVQqA*AAAAJY.QA'],
  ['a field with a value that is not defined', 'DBABLA~BVQ_AAAAAAJY.QA'],
  ['a version that is not defined', 'DBABLA~HVQqAAAAAAJY.QA'],
  ['a second part of another kind', 'DBABLA~BVQqAAAAAAJY.gA'],
  ['a third part', 'DBABLA~BVQqAAAAAAJY.QA.QA'],
  ['a section that is not registered', 'DBABSM~BVQqAAAAAAJY'],
  ['fewer sections than the header names', 'DBABLA'],
  ['more sections than the header names', 'DBABLA~BVQqAAAAAAJY.QA~BVQqAAAAAAJY.QA'],
  ['a header of another type', 'ABABLA~BVQqAAAAAAJY.QA'],
  ['a header that ends early', 'DBAP~1YNN'],
  ['a header that names a million sections', 'DBABsAAAAAG~1YNN'],
])('a GPP string with %s takes personalisation away', (_title, gpp) => {
  expect(reasonOf(gpp)).toBe('gpp_unread');
});
