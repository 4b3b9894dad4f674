import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteParser, ByteWriter } from './byte-fields.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** As the specification of ULIDs says: a number of 128 bits in base 32. */
function textOf(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (let count = 0; count < 26; count += 1, value /= 32n) text = CROCKFORD.charAt(Number(value % 32n)) + text;
  return text;
}

test('a ULID is read as its number of 128 bits in base 32, and written as the same bytes', () => {
  const anyBytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const parser = new ByteParser(Buffer.from(bytes));
      const id = parser.ulid();
      expect([id, parser.isExhausted()]).toEqual([textOf(bytes), true]);
      const writer = new ByteWriter();
      writer.ulid(id);
      expect(Buffer.from(writer.bytes())).toEqual(Buffer.from(bytes));
    }),
    { examples: [[new Uint8Array(16).fill(255)], [new Uint8Array(16)]] },
  );
});

test('a ULID whose bytes are cut does not read to the end', () => {
  const parser = new ByteParser(Buffer.alloc(15, 1));
  parser.ulid();
  expect(parser.isExhausted()).toBe(false);
});
