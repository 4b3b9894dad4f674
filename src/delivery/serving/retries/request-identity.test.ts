import { expect, test } from 'vitest';
import { RequestIdentities } from './request-identity.ts';
import type { IdentifiedRequest } from './request-identity.ts';

const identities = new RequestIdentities(Buffer.alloc(32, 1));
const value = {
  id: 'r',
  imp: [{ id: '1', banner: { format: [{ w: 300, h: 250 }] } }],
  site: { id: 's', domain: 's.example', page: 'https://s.example/' },
  user: { id: 'u' },
  device: { ua: 'x' },
};
const request: IdentifiedRequest = {
  value,
  id: 'r',
  workspaceId: 1,
  userIds: { lu: '', aid: '', hh: '' },
  headers: { 'user-agent': 'x', 'x-request-id': '1' },
  remoteAddress: '192.0.2.1',
};

test('the remaining time of a request, its unread members and its proxy headers do not change its identity', () => {
  const { digest } = identities.of(request);
  expect(digest).toHaveLength(16);
  expect(identities.of({ ...request, value: { ...value, tmax: 50, unknown: 1 } }).digest).toBe(digest);
  expect(identities.of({ ...request, headers: { 'user-agent': 'x', 'x-request-id': '2' } }).digest).toBe(digest);
  expect(new RequestIdentities(Buffer.alloc(32, 2)).of(request).digest).not.toBe(digest);
});

test.each<[string, Partial<IdentifiedRequest>]>([
  ['network', { workspaceId: 2 }],
  ['id', { value: { ...value, id: 'q' } }],
  ['imps', { value: { ...value, imp: [{ ...value.imp[0], id: '2' }] } }],
  ['user', { value: { ...value, user: { id: 'v' } } }],
  ['page', { value: { ...value, site: { ...value.site, page: 'https://s.example/2' } } }],
  ['device', { value: { ...value, device: { ua: 'y' } } }],
  ['cookie', { userIds: { lu: 'c', aid: '', hh: '' } }],
  ['household', { userIds: { lu: '', aid: '', hh: 'h' } }],
  ['address', { remoteAddress: '192.0.2.2' }],
  ['user agent', { headers: { 'user-agent': 'y' } }],
  ['language of the browser', { headers: { 'user-agent': 'x', 'accept-language': 'pl' } }],
])('another %s makes another request', (_what, change) => {
  expect(identities.of({ ...request, ...change }).digest).not.toBe(identities.of(request).digest);
});
