import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256 } from './keyed-hash.ts';

test.each([
  [0, 32],
  [1, 32],
  [55, 32],
  [300, 1],
  [300, 64],
  [300, 65],
  [4_032, 32],
  [4_033, 32],
  [10_000, 200],
])('a message of %i bytes under a key of %i bytes gets the same code as from createHmac', (bytes, keyBytes) => {
  const secret = randomBytes(keyBytes);
  const message = randomBytes(bytes);
  const expected = createHmac('sha256', secret).update(message).digest('base64url');
  expect(hmacSha256(secret, message, 'base64url')).toBe(expected);
  expect(hmacSha256(secret, message, 'base64url'), 'and again with the kept key').toBe(expected);
});

test('text is hashed as UTF-8', () => {
  const secret = randomBytes(32);
  const text = 'zażółć gęślą jaźń 🙂';
  const code = createHmac('sha256', secret).update(text).digest();
  expect(hmacSha256(secret, text, 'hex')).toBe(code.toString('hex'));
  expect(hmacSha256(secret, text, 'latin1')).toBe(code.toString('latin1'));
});
