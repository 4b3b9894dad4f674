import { expect, test } from 'vitest';
import type { Session } from '../api/account/auth.ts';
import { scopeOf } from './session.ts';

const network = (id: string) => ({ id, name: `Network ${id}`, timezone: 'UTC', role: 'viewer' }) as const;
const sessionOf = (...ids: string[]): Session => ({
  user: { id: '7', email: 'ann@example.com', name: 'Ann', operator: false, secondFactor: false },
  networks: ids.map(network),
  limitedTo: null,
});

test.each([
  ['the first network stands for none', ['1000', '2000'], {}, '1000', 'production'],
  ['an address names another network', ['1000', '2000'], { network: '2000' }, '2000', 'production'],
  ['a network that is not the member’s is none', ['1000'], { network: '3000' }, '', 'production'],
  ['an empty name names nothing', ['1000'], { network: '' }, '', 'production'],
  ['a member without networks has none', [], {}, '', 'production'],
  ['staging is named', ['1000'], { env: 'staging' }, '1000', 'staging'],
  ['any other environment is production', ['1000'], { env: 'Staging' }, '1000', 'production'],
] as const)('%s', (_title, ids, search, networkId, environment) => {
  const scope = scopeOf(sessionOf(...ids), search);
  expect([scope.networkId, scope.environment]).toEqual([networkId, environment]);
  expect(scope.membership?.id ?? '').toBe(networkId);
});
