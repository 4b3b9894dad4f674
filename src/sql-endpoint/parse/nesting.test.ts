import { expect, test } from 'vitest';
import { SQLSTATE, SqlError } from '../wire/sql-error.ts';
import { checkNesting, NESTING_MAX } from './nesting.ts';
import { parseSql } from './parse-sql.ts';

const depthOf = (sql: string): 'deep' | 'fine' => {
  try {
    checkNesting(sql);
    return 'fine';
  } catch (error) {
    if (error instanceof SqlError && error.sqlstate === SQLSTATE.tooComplex) return 'deep';
    throw error;
  }
};

test.each([
  ['sums', (count: number) => `select ${'1+'.repeat(count)}1`],
  ['negations', (count: number) => `select ${'not '.repeat(count)}true`],
  ['signs', (count: number) => `select ${'- '.repeat(count)}1`],
  ['parentheses', (count: number) => `select ${'('.repeat(count)}1${')'.repeat(count)}`],
  ['arrays', (count: number) => `select ${'array['.repeat(count)}1${']'.repeat(count)}`],
  ['casts', (count: number) => `select 1${'::int'.repeat(count)}`],
  ['collations', (count: number) => `select a${' collate "C"'.repeat(count)}`],
  ['choices', (count: number) => `select ${'case when '.repeat(count)}true${' then 1 end'.repeat(count)}`],
  ['joins', (count: number) => `select 1 from a${' join b on x = y'.repeat(count)}`],
  ['unions', (count: number) => `select 1${' union select 1'.repeat(count)}`],
  ['subqueries', (count: number) => `select ${'(select '.repeat(count)}1${')'.repeat(count)}`],
  ['sums in parentheses', (count: number) => `select ${'(1+'.repeat(count)}1${')'.repeat(count)}`],
  ['sums behind a comment', (count: number) => `select /* /* */ ' */ -- '\n ${'1+'.repeat(count)}1`],
  ['sums behind escapes', (count: number) => `select E'\\'', E'a'\n'\\' ', $a1$ ' $a1$, "'", ${'1+'.repeat(count)}1`],
])('nested %s are refused from a depth on', async (_what, write) => {
  expect(depthOf(write(60))).toBe('fine');
  await parseSql(write(60)).catch((error: unknown) => expect(error).toMatchObject({ sqlstate: SQLSTATE.syntaxError }));
  expect(depthOf(write(NESTING_MAX))).toBe('deep');
  await expect(parseSql(write(NESTING_MAX))).rejects.toMatchObject({ sqlstate: SQLSTATE.tooComplex });
});

test.each([
  ['values of a list', (count: number) => `select 1 from c where a in (1${',1'.repeat(count / 2)})`],
  ['columns', (count: number) => `select a${',a'.repeat(count / 2)}`],
  ['statements', (count: number) => 'select;'.repeat(count / 2)],
])('a text of too many %s is refused before it is parsed', (_what, write) => {
  expect(depthOf(write(8_900))).toBe('fine');
  expect(depthOf(write(9_100))).toBe('deep');
});

test.each([
  ['columns', `select ${Array.from({ length: 1_600 }, (_none, index) => `c.n${index}`).join(', ')} from c`],
  ['conditions', `select 1 from c where ${Array.from({ length: 900 }, () => "a <> 'b'").join(' or ')}`],
  ['values', `select 1 from c where a in (${Array.from({ length: 3_000 }, () => "'b'").join(',')})`],
  ['words of a text', `select '${'1 + '.repeat(3_000)}'`],
  ['words of an unclosed text', `select '${'1 + '.repeat(3_000)}`],
  ['words of a comment', `select 1 -- ${'1 + '.repeat(3_000)}`],
  ['rows', `values ${Array.from({ length: 2_000 }, () => '(1)').join(',')}`],
  ['statements', 'select 1 + 1 + 1;'.repeat(800)],
])('many %s add no depth', (_what, sql) => {
  expect(depthOf(sql)).toBe('fine');
});
