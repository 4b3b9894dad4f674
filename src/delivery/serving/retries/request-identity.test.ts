import { expect, test } from 'vitest';
import { RequestIdentities } from './request-identity.ts';
import type { IdentifiedRequest } from './request-identity.ts';

const identities = new RequestIdentities(Buffer.alloc(32, 1));
const request: IdentifiedRequest = {
  content: '{"id":"r"}',
  id: 'r',
  workspaceId: 1,
  userIds: { lu: '', aid: '', hh: '' },
  headers: { 'user-agent': 'x', 'x-request-id': '1' },
  remoteAddress: '192.0.2.1',
};

test('the same bytes from the same caller are the same request, whatever a proxy adds', () => {
  const { digest } = identities.of(request);
  expect(digest).toHaveLength(4);
  expect(identities.of({ ...request, content: Buffer.from(request.content) }).digest).toEqual(digest);
  expect(identities.of({ ...request, headers: { 'user-agent': 'x', 'x-request-id': '2' } }).digest).toEqual(digest);
  expect(new RequestIdentities(Buffer.alloc(32, 2)).of(request).digest).not.toEqual(digest);
});

test('two large requests, and two requests with Polish letters, have different digests', () => {
  const digests = ['a'.repeat(100_000), `${'a'.repeat(99_999)}b`, 'ż', 'Ż'].flatMap((content) => [
    identities.of({ ...request, content }).digest.join(),
    identities.of({ ...request, content: Buffer.from(content), remoteAddress: '192.0.2.3' }).digest.join(),
  ]);
  expect(new Set(digests).size).toBe(digests.length);
  expect(identities.of({ ...request, content: 'ż' }).digest).toEqual(
    identities.of({ ...request, content: Buffer.from('ż') }).digest,
  );
});

test.each<[string, Partial<IdentifiedRequest>]>([
  ['network', { workspaceId: 2 }],
  ['body', { content: '{"id":"r" }' }],
  ['cookie', { userIds: { lu: 'c', aid: '', hh: '' } }],
  ['household', { userIds: { lu: '', aid: '', hh: 'h' } }],
  ['address', { remoteAddress: '192.0.2.2' }],
  ['user agent', { headers: { 'user-agent': 'y' } }],
  ['language of the browser', { headers: { 'user-agent': 'x', 'accept-language': 'pl' } }],
])('another %s makes another request', (_what, change) => {
  expect(identities.of({ ...request, ...change }).digest).not.toEqual(identities.of(request).digest);
});
