import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf } from './lines.ts';

async function* given(pieces: readonly string[], error?: Error): AsyncGenerator<string> {
  yield* pieces;
  if (error !== undefined) throw error;
}

test('lines are the same however their text is cut', async () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'ź', '\n') }));
  await fc.assert(
    fc.asyncProperty(pieces, async (cut) => {
      const lines = cut.join('').split('\n');
      if (lines.at(-1) === '') lines.pop();
      expect(await Array.fromAsync(linesOf(given(cut)))).toEqual(lines);
    }),
  );
});

test('lines end with the error of their source', async () => {
  await expect(Array.fromAsync(linesOf(given(['a\nb'], new Error('broken'))))).rejects.toThrow('broken');
});
