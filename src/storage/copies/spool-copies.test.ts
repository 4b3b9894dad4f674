import fc from 'fast-check';
import { expect, test } from 'vitest';
import { joinParts } from './spool-copies.ts';

/** What a spool did with one commit: acknowledged, refused after its copy was made, or refused and its copy lost. */
const commits = fc.array(
  fc.record({ text: fc.string({ minLength: 1, maxLength: 8 }), end: fc.constantFrom('stored', 'refused', 'lost') }),
  { maxLength: 30 },
);

test('the copy of a file has every acknowledged byte at its offset, in whatever order its parts are read', () => {
  fc.assert(
    fc.property(commits, fc.func(fc.integer()), (made, orderOf) => {
      let file = Buffer.alloc(0);
      const parts = made.flatMap(({ text, end }, part) => {
        const bytes = Buffer.from(text);
        const copied = { part, offset: file.length, bytes };
        if (end === 'stored') file = Buffer.concat([file, bytes]);
        return end === 'lost' ? [] : [copied];
      });
      const shuffled = parts.toSorted((one, other) => orderOf(one.part) - orderOf(other.part));
      expect(joinParts(shuffled).subarray(0, file.length)).toEqual(file);
    }),
  );
});

test('a part that is missing is line feeds in the copy, so that lines around it are found', () => {
  const parts = [
    { part: 0, offset: 0, bytes: Buffer.from('one\n') },
    { part: 2, offset: 8, bytes: Buffer.from('three\n') },
  ];
  expect(joinParts(parts).toString()).toBe('one\n\n\n\n\nthree\n');
});
