import { expect, test } from 'vitest';
import { mayAdminister, mayEdit } from './roles.ts';

test.each([
  ['an admin', false, 'admin', true, true],
  ['an editor', false, 'editor', false, true],
  ['a viewer', false, 'viewer', false, false],
  ['a stranger', false, null, false, false],
  ['an operator without a role', true, null, true, true],
  ['an operator who is a viewer', true, 'viewer', true, true],
] as const)('%s sees what the role may do', (_who, operator, role, administers, edits) => {
  const membership = role === null ? null : { role };
  expect([mayAdminister({ operator }, membership), mayEdit({ operator }, membership)]).toEqual([administers, edits]);
});
