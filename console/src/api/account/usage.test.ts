import { expect, test } from 'vitest';
import { QUOTA_NAMES, QUOTAS } from '../../../../src/domain/tenancy/quota.ts';
import { EN_QUOTAS } from '../../messages/en/quotas.ts';

test('every storage quota has a text to translate, which is the title of the server', () => {
  expect(EN_QUOTAS).toEqual(Object.fromEntries(QUOTA_NAMES.map((name) => [`quota.${name}`, QUOTAS[name].title])));
});
