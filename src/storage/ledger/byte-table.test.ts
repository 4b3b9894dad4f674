import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteTable, TABLE_PARTS } from './byte-table.ts';

const KINDS = [0x63, 0x76];
const someKey = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ä', 'é/1', '日本', '\u{1F600}'),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);
/** Lengths around the edges of pieces, and beyond what pieces share a slab. */
const someLength = fc.oneof(fc.nat(80), fc.constantFrom(0, 15, 16, 17, 500, 8_192, 131_000, 131_072, 300_000));
const someStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('put' as const),
      key: someKey,
      kind: fc.constantFrom(...KINDS),
      length: someLength,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('remove' as const), key: someKey, kind: fc.constantFrom(...KINDS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('take' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const) }) },
);

test('a table holds what a map holds, and so does a table that was loaded from its changes', () => {
  fc.assert(
    fc.property(fc.array(someStep, { maxLength: 60 }), (steps) => {
      const table = new ByteTable();
      const copy = new ByteTable();
      const model = new Map<string, Buffer>();
      let byte = 0;
      for (const step of steps) {
        if (step.do === 'put') {
          const value = Buffer.alloc(step.length, (byte += 1) & 0xff);
          put(table, step, value);
          model.set(`${step.kind}/${step.key}`, value);
        } else if (step.do === 'remove') {
          const position = table.find(step.kind, step.key);
          if (position !== 0) table.remove(position, false);
          model.delete(`${step.kind}/${step.key}`);
        } else if (step.do === 'take') copy.load(table.collectChanges());
        else table.restoreChanges(table.collectChanges());
      }
      copy.load(table.collectChanges());
      expect(table.hasChanges).toBe(false);
      expect(contentOf(table)).toEqual(contentOf(copy));
      expect(table.entries).toBe(model.size);
      for (const [name, value] of model) {
        const [kind = '', ...rest] = name.split('/');
        const position = table.find(Number(kind), rest.join('/'));
        expect(table.valueOf(position).equals(value)).toBe(true);
      }
    }),
  );
});

test('a value that grows and shrinks keeps its beginning, and other values stay', () => {
  const table = new ByteTable();
  const others = Array.from({ length: 3_000 }, (_none, at) => `other ${at}`);
  for (const [at, key] of others.entries()) put(table, { kind: 1, key }, Buffer.from(String(at)));
  put(table, { kind: 1, key: 'grows' }, Buffer.from('abc'));
  for (const length of [40, 1_000, 200_000, 250_000, 140_000, 100, 3]) table.resize(table.find(1, 'grows'), length);
  expect(table.valueOf(table.find(1, 'grows')).toString()).toBe('abc');
  expect(others.map((key) => table.valueOf(table.find(1, key)).toString())).toEqual(
    others.map((_key, at) => String(at)),
  );
});

test('memory of removed entries is used again', () => {
  const table = new ByteTable();
  const round = (): number => {
    for (let at = 0; at < 5_000; at += 1) put(table, { kind: 1, key: `k${at}` }, Buffer.alloc(at % 300));
    for (let at = 0; at < 5_000; at += 1) table.remove(table.find(1, `k${at}`), true);
    return table.bytes;
  };
  const first = round();
  for (let again = 0; again < 5; again += 1) expect(round()).toBe(first);
  expect(table.entries).toBe(0);
});

test('the table refuses bytes that hold other things than entries', () => {
  const table = new ByteTable();
  put(table, { kind: 1, key: 'a' }, Buffer.from('value'));
  const whole = table.collectChanges();
  for (let length = 1; length < whole.length; length += 1)
    expect(() => new ByteTable().load(whole.subarray(0, length))).toThrow(RangeError);
});

function put(table: ByteTable, { kind, key }: { kind: number; key: string }, value: Buffer): void {
  const found = table.find(kind, key);
  const position =
    found === 0
      ? table.insert(kind, key, { valueBytes: value.length, expiresAtMs: 1 })
      : table.resize(found, value.length);
  value.copy(table.valueOf(position));
  table.change(position);
}

function contentOf(table: ByteTable): string[] {
  const found: string[] = [];
  for (let part = 0; part < TABLE_PARTS; part += 1)
    table.visitPart(part, (position) =>
      found.push(`${table.kindOf(position)} ${table.keyOf(position)} ${table.valueOf(position).toString('latin1')}`),
    );
  return found.sort();
}
