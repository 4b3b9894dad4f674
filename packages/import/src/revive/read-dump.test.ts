import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readDump, readTuples } from './read-dump.ts';
import { textOf } from './text.ts';

const DUMP = fileURLToPath(new URL('../../fixtures/revive.sql', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string, prefix = 'rv_') => Array.fromAsync(readDump(path, prefix));

function written(text: string, name = 'dump.sql'): string {
  const path = join(folder, name);
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

test('a dump is read with quotes, line breaks, letters of any language and bytes of pictures', async () => {
  const rows = await read(DUMP);
  const of = (table: string) => rows.filter((one) => one.table === table).map(({ row }) => row);
  expect(textOf(of('clients')[0] ?? {}, 'clientname')).toBe('Łódź Ferries');
  expect(of('clients')[0]?.['comments']).toBe('A line\nand another');
  expect(textOf(of('affiliates')[1] ?? {}, 'name')).toBe("Gull's Weekly");
  expect(of('zones')[0]?.['zonename']).toBe('Top; wide');
  const picture = Buffer.from(of('images')[0]?.['contents'] ?? '', 'latin1');
  expect(picture.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
  expect(picture.subarray(-8, -4).toString('latin1')).toBe('IEND');
  // A statement within a text of another table is skipped.
  expect(of('users')).toHaveLength(1);
});

test('a dump is read alike in pieces of any size, and packed', async () => {
  const text = `CREATE TABLE \`rv_clients\` (\n  \`clientid\` int,\n  \`clientname\` text\n);\nINSERT INTO \`rv_clients\` VALUES (1,'a\\\\'),(2,'b;''c\\'');\n-- it's a comment; with a quote\nINSERT INTO \`rv_clients\` (\`clientname\`, \`clientid\`) VALUES ('${'x'.repeat(200_000)}\\\\',3);\n`;
  const plain = await read(written(text));
  expect(plain.map(({ row }) => [row['clientid'], row['clientname']?.slice(0, 5)])).toEqual([
    ['1', 'a\\'],
    ['2', "b;'c'"],
    ['3', 'xxxxx'],
  ]);
  expect(await read(written(text, 'dump.sql.gz'))).toEqual(plain);
  for (const padding of [65_400, 65_425, 65_430, 65_435, 65_440, 65_450])
    expect(await read(written(`-- ${'p'.repeat(padding)}\n${text}`))).toEqual(plain);
});

test('tables of another prefix are not read, and a row that does not fit its table is refused', async () => {
  expect(await read(DUMP, 'ox_')).toEqual([]);
  const short =
    'CREATE TABLE `rv_zones` (\n  `zoneid` int,\n  `zonename` text\n);\nINSERT INTO `rv_zones` VALUES (1);\n';
  await expect(read(written(short))).rejects.toThrow('1 values for 2 columns');
  await expect(read(written("INSERT INTO `rv_zones` VALUES (1,'a');\n"))).rejects.toThrow('before its CREATE TABLE');
  await expect(read(written(short.replace('(1)', '(1,@evil)')))).rejects.toThrow('cannot be read');
});

test('values of a row are numbers, texts, hexadecimal bytes and NULL', () => {
  expect([...readTuples("(1,-2.5,'a',NULL,0x4142),('',1e3,_binary 'x',0x,NULL)", 0)]).toEqual([
    ['1', '-2.5', 'a', null, 'AB'],
    ['', '1e3', 'x', '', null],
  ]);
});
