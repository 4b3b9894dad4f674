import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, type TestDatabase } from '../../../test/support/stores.ts';
import type { ByteRange } from './byte-range.ts';
import { LocalReportFiles, type ReportFiles } from './report-files.ts';
import { SharedReportFiles } from './shared-report-files.ts';

let database: TestDatabase;
let folder: ReturnType<typeof createTestFolder>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const ID = { token: 'a-token-of-a-report', attempt: 1 };
const on = (node: string): ReportFiles =>
  new SharedReportFiles(database.db, new LocalReportFiles(join(folder.dir, node)));

async function make(files: ReportFiles, csv: string): Promise<void> {
  for (const [format, text] of [['csv', csv] as const, ['ndjson', ''] as const]) {
    const writer = await files.create(ID, format);
    await writer.write(text);
    await writer.finish();
  }
  await files.publish(ID);
}

async function read(files: ReportFiles, range: ByteRange | null): Promise<string | undefined> {
  const stream = await (await files.open(ID, 'csv'))?.read(range);
  return stream === null || stream === undefined ? undefined : (await buffer(stream)).toString();
}

test('a report that one node made is read from another, whole and in ranges that cross its parts', async () => {
  const csv = Array.from({ length: 250_000 }, (_none, at) => `row ${at}`).join('\n');
  await make(on('a'), csv);
  const other = on('b');
  expect((await other.open(ID, 'csv'))?.sizeBytes).toBe(csv.length);
  expect((await read(other, null)) === csv).toBe(true);
  const range = { first: 1_048_570, last: 1_048_590 };
  expect(await read(other, range)).toBe(csv.slice(range.first, range.last + 1));
  expect((await other.open(ID, 'ndjson'))?.sizeBytes).toBe(0);
  expect(await on('a').listOlder(Date.now() + 60_000, 10)).toEqual([]);
});

test('a report that is made again replaces the one before, and a removed one is gone on every node', async () => {
  await make(on('a'), 'first');
  await make(on('b'), 'second');
  expect(await read(on('a'), null)).toBe('second');
  await on('b').remove(ID);
  expect(await on('a').open(ID, 'csv')).toBeNull();
});
