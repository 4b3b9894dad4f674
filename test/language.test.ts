/** The language of a file as `npm run check` sees it: declared names, texts for people, and titles of tests. */
import { describe, expect, test } from 'vitest';
import { blankCode, readCode, wordsOf } from '../scripts/language/pieces.ts';
import { languageRules } from '../scripts/language/rules.ts';
import { titleFault } from '../scripts/language/titles.ts';

function piecesOf(code: string, path = 'a.test.ts'): string[] {
  return readCode(path, code).map((piece) => `${piece.kind} ${piece.line}: ${piece.text.replace(/\s+/g, ' ').trim()}`);
}

describe('the language check', () => {
  test.each([
    ['findPlaceById', 'find place by id'],
    ['HTTPDoor', 'http door'],
    ['access-room.test', 'access room test'],
    ['MAX_ROWS', 'max rows'],
  ])('the identifier %s has the words "%s"', (name, words) => {
    expect(wordsOf(name)).toBe(words);
  });

  test('declared names are found, and imported names are left out', () => {
    const code =
      'interface Door { readonly place: string; take(): void }\nfunction give({ rows, text: answer }: Door, [noun]: string[]) {\n  const room = rows.view;\n  return { answer, settle: room };\n}';
    expect(piecesOf(code)).toEqual([
      'name 1: door',
      'name 1: place',
      'verb 1: take',
      'verb 2: give',
      'name 2: answer',
      'name 2: noun',
      'name 3: room',
    ]);
  });

  test('comments and texts for people are prose; SQL, GraphQL, keys and code spans are left out', () => {
    const code =
      "/**\n * The `door` of\n * the reader.\n */\nlog('the store is away');\nrun('SELECT place FROM row');\nask(`query { answer }`);\nread('a-door');";
    expect(piecesOf(code)).toEqual(['prose 1: The of the reader.', 'prose 5: the store is away']);
  });

  test('blanked code keeps length and lines', () => {
    const text = 'see `a\nb` at https://a.b/door and [this](docs/door.md)\n```sh\ndoor\n```\nend';
    const blanked = blankCode(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked.split('\n')).toHaveLength(text.split('\n').length);
    expect(blanked).not.toContain('door');
    expect(blanked).toContain('end');
  });

  test('titles of tests are found also after each, only and skipIf', () => {
    const code = "describe('a', () => {\n  test.each([1])('b %s', () => {});\n  test.skipIf(true)('c', () => {});\n});";
    expect(piecesOf(code)).toEqual(['title 2: b %s', 'title 3: c']);
  });

  test.each([
    ['bid endpoint returns 408 when a client drips its headers', null],
    ['a key of another module gets 403', null],
    ['limits hold across workers', null],
    ['%s is refused', null],
    ['B14 a retry gets the first response', 'title-point'],
    ['is refused with %s', 'title-subject'],
    ['with a stolen key the log is found out', 'title-subject'],
    ['legacy report tasks', 'title-sentence'],
    ['no dateRange: 400 with a message that says so', 'title-sentence'],
  ])('the title "%s" has the fault %s', (title, fault) => {
    expect(titleFault(title)).toBe(fault);
  });

  test.each([
    ['* What the sender works with.', 'what-it-needs'],
    ['* What a client is made from. Keys belong on servers.', 'what-it-needs'],
    ['* What became of an event.', 'what-became'],
    ['* Whoever reads the file builds the index.', 'archaic'],
    ['* The index is built anew.', 'archaic'],
    ['* A new index is built.', null],
    ['* What users need to sign in again', null],
    ['* Dependencies of the sender.', null],
  ])('the comment "%s" breaks the rule %s', (comment, id) => {
    const rules = ['what-it-needs', 'what-became', 'archaic'];
    const broken = languageRules.filter((rule) => comment.toLowerCase().search(rule.pattern) !== -1);
    expect(broken.map((rule) => rule.id).filter((one) => rules.includes(one))).toEqual(id === null ? [] : [id]);
  });
});
