/** Converts the spool files of batches in a thread of its own, one batch after the other. */
import { closeSync, openSync, readSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { BinaryRows } from './binary-rows.ts';
import type { BodyMessage, ConvertMessage, FileToConvert } from './body-thread.ts';

/** As far behind ads as the analytics store, which the rows are for. */
const LEVELS_BEHIND_ADS = 15;

const port = parentPort;
if (port === null) throw new Error('This module runs in a thread');
yieldToAds();

/** Holds one file at a time. A buffer for each file would be garbage that the process collects while it serves ads. */
let space = Buffer.alloc(0);

port.on('message', ({ id, files }: ConvertMessage) => {
  try {
    const { target, body, rows } = convert(files);
    const message: BodyMessage = { id, bytes: target, length: body, rows };
    port.postMessage(message, target === null ? [] : [target]);
  } catch (error) {
    port.postMessage({ id, failure: error } satisfies BodyMessage);
  }
});

/** `target` is null when the rows cannot be converted, or a file has lost its end. */
function convert(files: readonly FileToConvert[]): {
  readonly target: ArrayBuffer | null;
  readonly body: number;
  readonly rows: number;
} {
  const binary = new BinaryRows(files.reduce((sum, { bytes }) => sum + bytes, 0));
  for (const file of files) {
    const content = readWhole(file);
    if (content.length < file.bytes || binary.add(content, 0, Number.POSITIVE_INFINITY) === null)
      return { target: null, body: 0, rows: 0 };
  }
  return { target: binary.target.buffer, body: binary.body().length, rows: binary.rows };
}

/** The bytes of a file that count, fewer where the file has lost its end. They are valid until the next call. */
function readWhole({ path, bytes }: FileToConvert): Buffer {
  if (space.length < bytes) space = Buffer.allocUnsafeSlow(bytes);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    while (length < bytes) {
      const read = readSync(file, space, length, bytes - length, length);
      if (read === 0) break;
      length += read;
    }
    return space.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Only on Linux is a priority that of a thread; elsewhere it would be that of the whole process, which serves ads. */
function yieldToAds(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(LEVELS_BEHIND_ADS);
  } catch {
    // Best effort: a system may refuse it.
  }
}
