import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ACTIONS, KIND_NAMES, listQueryOf, mutationOf, objectQueryOf } from './changes.ts';
import { Confirmations } from './confirmations.ts';
import { DOCUMENTS, TOOLS } from './tools.ts';

const root = new URL('../../', import.meta.url);
const schema = buildSchema(readFileSync(new URL('contract/schema.graphql', root), 'utf8'));

test('every document of the tools fits the schema', () => {
  const documents = [
    ...DOCUMENTS,
    ...KIND_NAMES.flatMap((kind) => [
      listQueryOf(kind),
      objectQueryOf(kind),
      ...ACTIONS.map((action) => mutationOf(kind, action)),
    ]),
  ];
  const problems = documents.flatMap((text) => validate(schema, parse(text)).map(({ message }) => message));
  expect(problems).toEqual([]);
});

test('docs/mcp.md lists every tool', () => {
  const page = readFileSync(new URL('docs/mcp.md', root), 'utf8');
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(TOOLS.map(({ name }) => name));
});

test('a confirmation token fits one change of one caller for ten minutes', () => {
  let nowMs = 1_000_000;
  const own = new Confirmations(Buffer.alloc(32, 1), () => nowMs);
  const foreign = new Confirmations(Buffer.alloc(32, 2), () => nowMs);
  const change = fc.record({
    kind: fc.constant('site'),
    id: fc.string(),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  fc.assert(
    fc.property(change, change, fc.string(), fc.string(), (asked, other, caller, stranger) => {
      nowMs = 1_000_000;
      const { token } = own.issue(asked, caller);
      const shuffled = { input: asked.input, id: asked.id, kind: asked.kind };
      own.check(token, JSON.parse(JSON.stringify(shuffled)) as object, caller);
      if (JSON.stringify(other) !== JSON.stringify(asked))
        expect(() => own.check(token, { ...other, more: 1 }, caller)).toThrow('does not belong');
      if (stranger !== caller) expect(() => own.check(token, asked, stranger)).toThrow('does not belong');
      expect(() => foreign.check(token, asked, caller)).toThrow('does not belong');
      nowMs += 10 * 60_000;
      expect(() => own.check(token, asked, caller)).toThrow('expired');
    }),
  );
});

test('two proposals of the same change in one millisecond have tokens of their own', () => {
  const confirmations = new Confirmations(Buffer.alloc(32, 1), () => 1_000_000);
  const change = { kind: 'site', action: 'create', input: { name: 'x' } };
  const tokens = [1, 2].map(() => confirmations.issue(change, 'caller').token);
  // The token is the idempotency key of the change: with one token, the second site would not be made.
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) confirmations.check(token, change, 'caller');
  const [[until, , mac], [, nonce]] = tokens.map((token) => token.split('.')) as [string[], string[]];
  expect(() => confirmations.check(`${until}.${nonce}.${mac}`, change, 'caller')).toThrow('does not belong');
});
