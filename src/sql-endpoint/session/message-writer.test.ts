/** Rows go to a client in chunks: as fast as it reads them, and no faster than others get their turn. */
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { InputEnded } from '../wire/byte-input.ts';
import { CHUNK_BYTES, MessageWriter } from './message-writer.ts';

const ROWS = Array.from({ length: 40 }, () => Buffer.alloc(CHUNK_BYTES));

/** A connection; `onWrite` says whether its client takes the chunk. */
const connection = (onWrite: () => boolean): Duplex =>
  new Duplex({
    read: () => undefined,
    highWaterMark: CHUNK_BYTES * 2,
    write: (_chunk, _encoding, done) => {
      if (onWrite()) done();
    },
  });

async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

test('others get a turn of the event loop after each chunk, also when the client reads at once', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const turns: number[] = [];
  await new MessageWriter(connection(() => turns.push(turn) > 0)).putAll(ROWS);
  isOver = true;
  expect(turns).toHaveLength(ROWS.length);
  expect(new Set(turns).size).toBe(ROWS.length);
});

test('nothing more is sent to a client that reads nothing, and its leaving ends the writing', async () => {
  let written = 0;
  const stream = connection(() => {
    written += 1;
    return false;
  });
  let end: unknown = null;
  void new MessageWriter(stream).putAll(ROWS).catch((error: unknown) => (end = error));
  await someTurns();
  expect(written).toBe(1);
  expect(stream.writableLength).toBeLessThanOrEqual(2 * CHUNK_BYTES);
  expect(end).toBeNull();
  stream.destroy();
  await someTurns();
  expect(end).toBeInstanceOf(InputEnded);
});
