import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  digestJoinToken,
  type JoinToken,
  marksOf,
  newClusterKey,
  newJoinToken,
  openKey,
  openSecret,
  openWithToken,
  parseJoinToken,
  sealForToken,
  sealKey,
  sealSecret,
} from './cluster-key.ts';

const label = { clusterId: 'c1', name: 'pepper', revision: 1 };
const keyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

test('a sealed secret opens with its key and its label, and with no other', () => {
  fc.assert(
    fc.property(keyBytes, keyBytes, fc.string(), (key, other, text) => {
      fc.pre(!key.equals(other));
      const sealed = sealSecret(key, label, text);
      expect(openSecret(key, label, sealed)).toBe(text);
      expect(() => openSecret(other, label, sealed)).toThrow();
      for (const elsewhere of [{ clusterId: 'c2' }, { name: 'user-hash' }, { revision: 2 }])
        expect(() => openSecret(key, { ...label, ...elsewhere }, sealed)).toThrow();
    }),
  );
});

test('a sealed secret with any changed byte does not open', () => {
  fc.assert(
    fc.property(keyBytes, fc.string(), fc.nat(), fc.integer({ min: 1, max: 255 }), (key, text, at, flip) => {
      const sealed = sealSecret(key, label, text);
      sealed.writeUInt8(sealed.readUInt8(at % sealed.length) ^ flip, at % sealed.length);
      expect(() => openSecret(key, label, sealed)).toThrow();
    }),
  );
});

test('a token with any changed character is refused before or by its digest', () => {
  const text = newJoinToken();
  const digest = digestJoinToken(parseJoinToken(text) ?? { id: '', secret: '' });
  fc.assert(
    fc.property(
      fc.nat({ max: text.length - 1 }),
      fc.constantFrom('0', '1', '9', 'a', 'z', 'A', 'Z', '-', '_', ' ', 'é'),
      (at, character) => {
        fc.pre(text[at] !== character);
        const changed = parseJoinToken(text.slice(0, at) + character + text.slice(at + 1));
        expect(changed === null || !digestJoinToken(changed).equals(digest)).toBe(true);
      },
    ),
  );
});

test('the cluster key opens with the token that it was sealed under, and with no other', () => {
  const parts = (): JoinToken => parseJoinToken(newJoinToken()) ?? { id: '', secret: '' };
  const [token, other] = [parts(), parts()];
  const key = newClusterKey();
  const sealed = sealForToken(token, key);
  expect(openWithToken(token, sealed)).toEqual(key);
  expect(() => openWithToken(other, sealed)).toThrow();
  expect(() => openWithToken({ ...token, id: other.id }, sealed)).toThrow();
});

test('a key that is sealed for a rotation opens with the former key in its cluster only', () => {
  const [former, next] = [newClusterKey(), newClusterKey()];
  const sealed = sealKey(former, 'c1', next);
  expect(openKey(former, 'c1', sealed)).toEqual(next);
  expect([openKey(next, 'c1', sealed), openKey(former, 'c2', sealed)]).toEqual([null, null]);
});

test('marks depend on the cluster key, and there is one of each link key', () => {
  const [key, other] = [newClusterKey(), newClusterKey()];
  const text = `a:${'0'.repeat(64)}\nb:${'1'.repeat(64)}:17\n`;
  const marks = marksOf(key, 'link-keys', text);
  expect(Object.keys(marks)).toEqual(['a', 'b']);
  expect(marksOf(key, 'link-keys', text)).toEqual(marks);
  expect(Object.values(marksOf(other, 'link-keys', text))).not.toContain(marks['a']);
  expect(marksOf(key, 'pepper', 'x')).not.toEqual(marksOf(key, 'pepper', 'y'));
});
