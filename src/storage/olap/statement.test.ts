import { describe, expect, test } from 'vitest';
import { addSettings, bindParams, classifyStatement, readFormat, readInsert, StatementError } from './statement.ts';

const bind = (sql: string, params: Record<string, string>) => bindParams(sql, new Map(Object.entries(params)));

describe('bindParams', () => {
  test.each([
    ['a text', 'SELECT {a:String}', { a: 'x' }, "SELECT 'x'"],
    ['a quote and a backslash', 'SELECT {a:String}', { a: "\\\\' OR 1" }, "SELECT '\\\\\\' OR 1'"],
    ['a tab that came escaped', 'SELECT {a:String}', { a: 'x\\ty' }, "SELECT 'x\\ty'"],
    ['a number, cast', 'LIMIT {n:UInt32}', { n: '5' }, "LIMIT CAST('5' AS UInt32)"],
    [
      'an array as it is',
      'IN {a:Array(String)}',
      { a: "['x','y\\'z']" },
      "IN CAST('[\\'x\\',\\'y\\\\\\'z\\']' AS Array(String))",
    ],
    ['null', 'SELECT {a:Nullable(String)}', { a: '\\N' }, 'SELECT NULL'],
    ['a name', 'FROM {t:Identifier}', { t: 'a`b' }, 'FROM `a\\`b`'],
    ['two of them', '{a:String}+{b:String}', { a: '1', b: '2' }, "'1'+'2'"],
    ['spaces inside', '{ a : String }', { a: '1' }, "'1'"],
  ])('bindParams inserts %s', (_name, sql, params, expected) => {
    expect(bind(sql, params as Record<string, string>)).toBe(expected);
  });

  test.each([
    ['a text literal', "SELECT '{a:String}'"],
    ['a quoted name', 'SELECT `{a:String}`'],
    ['a line comment', 'SELECT 1 -- {a:String}'],
    ['a block comment', 'SELECT /* {a:String} */ 1'],
    ['a heredoc', 'SELECT $x$ {a:String} $x$'],
    ['an escaped quote', "SELECT '\\'{a:String}'"],
    ['a doubled quote', "SELECT '''{a:String}'"],
  ])('bindParams leaves a placeholder in %s as it is', (_name, sql) => {
    expect(bind(sql, { a: 'never' })).toBe(sql);
  });

  test('bindParams refuses a placeholder without a value, as ClickHouse does', () => {
    expect(() => bind('SELECT {a:String}', {})).toThrow(expect.objectContaining({ code: 456 }) as StatementError);
  });

  test('bindParams refuses a quote that does not end', () => {
    expect(() => bind("SELECT '{a:String}", { a: 'x' })).toThrow(StatementError);
  });
});

describe('addSettings', () => {
  const one = new Map([['max_execution_time', '5']]);
  test.each([
    ['at the end', 'SELECT 1', "SELECT 1\nSETTINGS max_execution_time = '5'"],
    ['before FORMAT', 'SELECT 1 FORMAT CSV', "SELECT 1 SETTINGS max_execution_time = '5' FORMAT CSV"],
    ['into the clause that is there', 'SELECT 1 SETTINGS a = 1', "SELECT 1 SETTINGS max_execution_time = '5',  a = 1"],
    [
      'not into a subquery',
      'SELECT (SELECT 1 SETTINGS a = 1)',
      "SELECT (SELECT 1 SETTINGS a = 1)\nSETTINGS max_execution_time = '5'",
    ],
  ])('addSettings inserts settings %s', (_name, sql, expected) => {
    expect(addSettings(sql, one)).toBe(expected);
  });

  test('addSettings refuses an invalid name', () => {
    expect(() => addSettings('SELECT 1', new Map([['a = 1, b', '1']]))).toThrow(StatementError);
  });
});

test.each([
  ['select 1', 'read'],
  ['/* x */ WITH a AS (SELECT 1) SELECT 1', 'read'],
  ['INSERT INTO t FORMAT CSV', 'insert'],
  ['show tables', 'show'],
  ['KILL QUERY WHERE 1', 'kill'],
  ['create table t (a Int8)', 'command'],
])('classifyStatement recognizes %s as a statement of the kind %s', (sql, kind) => {
  expect(classifyStatement(sql)).toBe(kind);
});

test('readFormat finds the format only in the last clause', () => {
  expect(readFormat('SELECT format FROM t FORMAT JSONEachRow')).toBe('JSONEachRow');
  expect(readFormat("SELECT 'a FORMAT CSV'")).toBeNull();
  expect(readFormat('SELECT format FROM t')).toBeNull();
});

test('readInsert returns table, columns, settings and format of an insert', () => {
  expect(
    readInsert(
      "INSERT INTO db.`t` (a, `b`) SETTINGS insert_deduplication_token = 'x\\'y', async_insert=0 FORMAT JSONEachRow",
    ),
  ).toEqual({
    table: 'db.t',
    columns: ['a', 'b'],
    settings: { insert_deduplication_token: "x'y", async_insert: '0' },
    format: 'JSONEachRow',
  });
  expect(readInsert('INSERT INTO t VALUES (1)')).toBeNull();
  expect(readInsert('INSERT INTO t SELECT 1')).toBeNull();
});
