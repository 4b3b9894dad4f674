import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinGzip, startGzip } from './gzip-start.ts';

test('any end after any start is valid gzip of both', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes(20_000), fc.array(bytes(500), { minLength: 1, maxLength: 3 }), (text, ends) => {
      const start = startGzip(text);
      for (const end of ends) expect(gunzipSync(joinGzip(start, end))).toEqual(Buffer.concat([text, end]));
    }),
  );
});

test('an end that does not fit one block is refused', () => {
  const start = startGzip(Buffer.from('{'));
  expect(gunzipSync(joinGzip(start, Buffer.alloc(65_535, 'a'))).length).toBe(65_536);
  expect(() => joinGzip(start, Buffer.alloc(65_536))).toThrow(RangeError);
});
