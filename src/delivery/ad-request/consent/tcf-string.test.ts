import { GVL, PurposeRestriction, RestrictionType, TCModel, TCString } from '@iabtcf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTcfConsent } from './tcf-string.ts';

interface Choices {
  readonly purposes: readonly number[];
  readonly vendors?: readonly number[];
  readonly restrictedVendors?: readonly number[];
}

/** A TCF string, as IAB Tech Lab's own library encodes it. */
function encode({ purposes, vendors = [], restrictedVendors = [] }: Choices): string {
  const empty = {
    purposes: Object.fromEntries(Array.from({ length: 11 }, (_none, index) => [index + 1, { id: index + 1 }])),
    specialPurposes: {},
    features: {},
    specialFeatures: {},
    stacks: {},
    dataCategories: {},
  };
  const vendorIds = [...vendors, ...restrictedVendors];
  const list = {
    ...empty,
    gvlSpecificationVersion: 3,
    vendorListVersion: 1,
    tcfPolicyVersion: 5,
    lastUpdated: '2024-01-01T00:00:00Z',
    vendors: Object.fromEntries(
      vendorIds.map((id) => [
        id,
        {
          id,
          name: '',
          purposes: [2],
          legIntPurposes: [],
          flexiblePurposes: [2],
          specialPurposes: [],
          features: [],
          specialFeatures: [],
        },
      ]),
    ),
  };
  const model = new TCModel();
  model.gvl = new GVL(list as unknown as ConstructorParameters<typeof GVL>[0]);
  model.cmpId = 10;
  model.cmpVersion = 1;
  model.purposeConsents.set([...purposes]);
  model.vendorConsents.set([...vendors]);
  model.vendorsDisclosed.set([...vendors]);
  for (const vendor of restrictedVendors) {
    model.publisherRestrictions.add(vendor, new PurposeRestriction(2, RestrictionType.NOT_ALLOWED));
  }
  return TCString.encode(model);
}

test('a string is read as the library of IAB Tech Lab reads it', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { maxLength: 30 });
  const choices = fc.record({
    purposes: fc.uniqueArray(fc.integer({ min: 1, max: 11 })),
    vendors: ids,
    restrictedVendors: ids,
  });
  fc.assert(
    fc.property(choices, (chosen) => {
      const text = encode(chosen);
      const { purposeConsents } = TCString.decode(text);
      expect(readTcfConsent(text)).toBe([1, 3, 4].every((purpose) => purposeConsents.has(purpose)));
    }),
  );
});

test.each([
  ['of another version', `B${encode({ purposes: [1, 3, 4] }).slice(1)}`],
  ['that ends before its vendors', encode({ purposes: [1, 3, 4] }).slice(0, 35)],
  [
    'with foreign characters',
    encode({ purposes: [1, 3, 4] })
      .slice(0, 26)
      .padEnd(60, '*'),
  ],
  ['that is empty', ''],
])('a string %s is unreadable', (_title, text) => {
  expect(readTcfConsent(text)).toBeNull();
});
