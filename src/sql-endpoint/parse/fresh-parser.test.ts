import { expect, test } from 'vitest';
import { FreshParser } from './fresh-parser.ts';
import { createWasmParser, GrammarError } from './wasm-parser.ts';

test('a parser that failed in its middle is used for no other text, not even for one that waited for it', async () => {
  let made = 0;
  const parser = new FreshParser(() => {
    made += 1;
    return createWasmParser();
  });
  const overflow = new RangeError('Maximum call stack size exceeded');
  const results = await Promise.allSettled([
    parser.run(() => {
      throw overflow;
    }),
    parser.run((parse) => parse('select 1')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(made).toBe(2);
});

test('an error of the grammar keeps the parser', async () => {
  let made = 0;
  const parser = new FreshParser(() => {
    made += 1;
    return createWasmParser();
  });
  await expect(parser.run((parse) => parse('select from from'))).rejects.toThrow(GrammarError);
  expect(await parser.run((parse) => parse('select 1'))).toMatchObject({ stmts: [{}] });
  expect(made).toBe(1);
});
