import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { describe, expect, test } from 'vitest';
import { parseBounded, QUERY_LIMITS } from './query-limits.ts';
import { scanDocument } from './scan-document.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const MILLION = 1_000_000;
const refused = (limitName: string) =>
  expect.objectContaining({ code: 'query_too_complex', details: expect.objectContaining({ limitName }) });

function failureOf(source: string): unknown {
  try {
    parseBounded(source);
    return null;
  } catch (error) {
    return error;
  }
}

describe('the text of a document', () => {
  // A scan that reads such a text again from each quotation mark takes an hour.
  test.each([
    ['a string without an end', `"${'\\"'.repeat(MILLION)}`],
    ['a block string without an end', `"""${'\\"""'.repeat(MILLION)}`],
    ['strings that a line cuts', '"a\n'.repeat(MILLION)],
  ])('%s of some megabytes is read once', (_name, source) => {
    expect(failureOf(source)).toMatchObject({ name: 'GraphQLError' });
  });

  const nested = (levels: number): string => `${'a{'.repeat(levels)}a${'}'.repeat(levels)}`;

  test('brackets cannot hide in what only looks like a string', () => {
    const hidden = `{ a(b: """ \\""" """) ${nested(2_000)} c(d: """x""") }`;
    expect(failureOf(hidden)).toEqual(refused('depth'));
    expect(failureOf(`{ a(b: "\\\\") ${nested(2_000)} c(d: "x") }`)).toEqual(refused('depth'));
    expect(failureOf(`{ # "\n ${nested(2_000)} c(d: "x") }`)).toEqual(refused('depth'));
  });

  test('brackets in strings and comments do not nest', () => {
    const brackets = '{[('.repeat(QUERY_LIMITS.nestingMax);
    for (const text of [`"${brackets}"`, `"\\"${brackets}"`, `"""${brackets}"""`, `""" \\""" " ${brackets} """`])
      expect(failureOf(`{ a(b: ${text}) } # ${brackets}`)).toBeNull();
  });

  test('comments are bounded as tokens are', () => {
    expect(failureOf(`${'#\n'.repeat(QUERY_LIMITS.tokensMax)}{ a }`)).toBeNull();
    expect(failureOf(`${'#\n'.repeat(QUERY_LIMITS.tokensMax + 1)}{ a }`)).toEqual(refused('tokens'));
  });

  test('the levels of any text are those of the brackets that the lexer finds', () => {
    const pieces = fc.array(
      fc.constantFrom('"', '""', '"""', '\\', '\\"""', '\\"', '{', '(', '[', '}', '#', '\n', 'a', ' '),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const source = parts.join('');
        const levels = levelsByLexer(source);
        if (levels !== null) expect([source, scanDocument(source).levels]).toEqual([source, levels]);
      }),
      { numRuns: runsOf(2_000) },
    );
  });
});

/** null for a text that the lexer refuses. */
function levelsByLexer(source: string): number | null {
  const lexer = new Lexer(new Source(source));
  let open = 0;
  let levels = 0;
  try {
    for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
      if (['{', '[', '('].includes(kind)) levels = Math.max(levels, (open += 1));
      if (['}', ']', ')'].includes(kind)) open -= 1;
    }
  } catch {
    return null;
  }
  return levels;
}
