import { GVL, TCModel, TCString } from '@iabtcf/core';

/** A TCF 2 consent string that allows the given purposes, and nothing else. */
export function encodeConsent(purposes: readonly number[]): string {
  const list = {
    gvlSpecificationVersion: 3,
    vendorListVersion: 1,
    tcfPolicyVersion: 4,
    lastUpdated: '2024-01-01T00:00:00Z',
    purposes: {},
    specialPurposes: {},
    features: {},
    specialFeatures: {},
    stacks: {},
    vendors: {},
    dataCategories: {},
  };
  const model = new TCModel();
  model.gvl = new GVL(list as unknown as ConstructorParameters<typeof GVL>[0]);
  model.cmpId = 10;
  model.cmpVersion = 1;
  model.purposeConsents.set([...purposes]);
  return TCString.encode(model);
}
