import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../test/support/stores.ts';
import { formatEventTime } from '../../domain/events/event.ts';
import { EMPTY_EVENT_ROW } from '../recording/event-rows.ts';
import { openDeadLetters } from '../spool/dead-letters.ts';
import { listSpoolFiles, spoolFilePath } from '../spool/spool-files.ts';
import { encodeSpoolLine, rowText } from '../spool/spool-line.ts';
import { collectBatch } from './batch-folders.ts';
import { readBatchBody } from './batch-rows.ts';
import { BodyThread } from './body-thread.ts';
import type { ShipBatch } from './ship-batch.ts';

let folder: ReturnType<typeof createTestFolder>;
let thread: BodyThread;
beforeEach(() => {
  folder = createTestFolder();
  thread = new BodyThread();
});
afterEach(async () => {
  await thread.end();
  folder.remove();
});

const ROW = { ...EMPTY_EVENT_ROW, workspace_id: 1, kind: 'click', time: formatEventTime(1_800_000_000_000) };
const LARGE = 8_000_000;
/** As long as a file of a worker can be, or longer. */
const LONG_ID = 'x'.repeat(100_000);

/** Lines of one spool file: plain ones, escaped texts, key-values, and two rows in a line. */
function linesOf(file: number): Buffer[] {
  return [
    encodeSpoolLine({ ...ROW, event_id: `${file}-a` }, null),
    encodeSpoolLine({ ...ROW, event_id: `${file}-"\n\\`, key_values: { 7: 'ż' } }, null, [
      rowText({ ...ROW, event_id: `${file}-b` }),
    ]),
  ];
}

async function batchOf(files: readonly (readonly Buffer[])[], missingBytes = 0): Promise<ShipBatch> {
  const dir = join(folder.dir, 'w0');
  mkdirSync(dir, { recursive: true });
  for (const [at, lines] of files.entries()) {
    const bytes = Buffer.concat(lines);
    const path = spoolFilePath(dir, `${1_700_000_000_000 + at}-0123abcdb`, 'settled', bytes.length + missingBytes);
    writeFileSync(path, bytes);
  }
  const batch = await collectBatch(folder.dir, listSpoolFiles(dir), Date.now());
  if (batch === null) throw new Error('There is no batch');
  return batch;
}

function largeFiles(): Buffer[][] {
  const line = encodeSpoolLine({ ...ROW, event_id: LONG_ID }, null);
  // A long file, a short one and a long one: the buffer of the thread still has what was read before.
  const long = Array.from({ length: Math.ceil(LARGE / 2 / line.length) + 1 }, () => line);
  return [[...linesOf(0), ...long], linesOf(1), [...long, ...linesOf(2)]];
}

function letters(): ReturnType<typeof openDeadLetters> {
  return openDeadLetters(join(folder.dir, 'letters'), silentLog);
}

test('a large batch has the same body from the thread as from the event loop', async () => {
  const batch = await batchOf(largeFiles());
  const expected = await readBatchBody(batch, letters());
  const found = await readBatchBody(batch, letters(), thread);
  expect([thread.isRunning, expected.isBinary, expected.rows]).toEqual([true, true, found.rows]);
  expect(found.body.equals(expected.body)).toBe(true);
  expect({ ...found, body: null }).toEqual({ ...expected, body: null });
});

test('a small batch starts no thread', async () => {
  const body = await readBatchBody(await batchOf([linesOf(0), linesOf(1)]), letters(), thread);
  expect([thread.isRunning, body.rows, body.isBinary]).toEqual([false, 6, true]);
});

test.each([
  ['a damaged line', (lines: Buffer[]) => [...lines, Buffer.from('damaged\n')], 0, 1],
  ['a file that lost its end', (lines: Buffer[]) => lines, 10, 0],
])('a large batch with %s has all other rows, as JSON', async (_name, change, missingBytes, damaged) => {
  const [first = [], ...rest] = largeFiles();
  const batch = await batchOf([change(first), ...rest], missingBytes);
  const found = await readBatchBody(batch, letters(), thread);
  const expected = await readBatchBody(batch, letters());
  expect([found.isBinary, found.damaged, found.rows]).toEqual([false, damaged, expected.rows]);
  expect(found.body.equals(expected.body)).toBe(true);
});

test('a file that cannot be read fails its batch, and the thread goes on', async () => {
  const batch = await batchOf([linesOf(0)]);
  const missing = { path: join(folder.dir, 'missing'), bytes: 10 };
  const [failed, converted] = await Promise.allSettled([thread.convert([missing]), thread.convert(batch.files)]);
  expect(failed).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('ENOENT') } });
  expect(converted).toMatchObject({ status: 'fulfilled', value: { rows: 3 } });
});

test('batches fail when their thread is ended, and the next one starts another', async () => {
  const batch = await batchOf([linesOf(0)]);
  const failing = expect(thread.convert(batch.files)).rejects.toThrow('ended');
  const ending = thread.end();
  const next = thread.convert(batch.files);
  await Promise.all([ending, failing]);
  expect(await next).toMatchObject({ rows: 3 });
});

test('the thread ends when it has nothing to do', async () => {
  const batch = await batchOf([linesOf(0)]);
  const short = new BodyThread({ idleMs: 0 });
  expect(await short.convert(batch.files)).toMatchObject({ rows: 3 });
  await expect.poll(() => short.isRunning).toBe(false);
  expect(await short.convert(batch.files)).toMatchObject({ rows: 3 });
  await short.end();
});

test('a batch whose thread failed is converted on the event loop at its next try', async () => {
  const batch = await batchOf(largeFiles());
  const failing = new BodyThread({ module: new URL('data:text/javascript,throw new Error("no memory")') });
  await expect(readBatchBody(batch, letters(), failing)).rejects.toThrow('no memory');
  const body = await readBatchBody(batch, letters(), failing);
  expect([body.isBinary, failing.isRunning]).toEqual([true, false]);
});
