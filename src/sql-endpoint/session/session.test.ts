/** A session takes its messages one after the other, and leaves the event loop to others. */
import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { bindMessage, describeMessage, parseMessage } from '../fixtures/raw-client.ts';
import { ByteInput, InputEnded } from '../wire/byte-input.ts';
import { rowDescription } from '../wire/server-messages.ts';
import { Cursors } from './cursors.ts';
import { MESSAGES_PER_TURN } from './event-turns.ts';
import { CHUNK_BYTES, MessageWriter } from './message-writer.ts';
import { Session } from './session.ts';
import type { StatementRunner } from './statement-runner.ts';

const DESCRIBED = rowDescription([{ name: 'x'.repeat(1_000), type: 'text' }], () => 'text');

interface Client {
  readonly session: Session;
  /** Bytes of each write. */
  readonly written: number[];
  readonly startReading: () => void;
}

/** A session whose client has sent `messages` already. */
function openWith(messages: readonly Buffer[], isReading: boolean, onDescribe?: () => void): Client {
  const written: number[] = [];
  let isTaking = isReading;
  let release = (): void => undefined;
  const stream = new Duplex({
    read: () => undefined,
    highWaterMark: CHUNK_BYTES,
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk.length);
      if (isTaking) done();
      else release = done;
    },
  });
  stream.push(Buffer.concat(messages));
  const describe = async (): Promise<readonly Buffer[]> => {
    onDescribe?.();
    return [DESCRIBED];
  };
  const session = new Session({
    input: new ByteInput(stream),
    writer: new MessageWriter(stream),
    runner: { state: 'I', describe, cursors: new Cursors() } as unknown as StatementRunner,
    idleMs: 20,
    statementMs: () => 1_000,
    isCallerKnown: () => Promise.resolve(true),
    holdBytes: () => () => undefined,
    onFault: (error) => {
      throw error;
    },
  });
  const startReading = (): void => {
    isTaking = true;
    release();
  };
  return { session, written, startReading };
}

const MESSAGES = 2_000;
const DESCRIBES = Array.from({ length: MESSAGES }, () => describeMessage('S', ''));

test('a session gives the event loop to others while messages wait', async () => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  const turnsOfDescribes: number[] = [];
  const { session } = openWith([parseMessage('', 'SELECT 1'), ...DESCRIBES], true, () => turnsOfDescribes.push(turns));
  setImmediate(count);
  await expect(session.serve()).rejects.toBeInstanceOf(InputEnded);
  isOver = true;
  expect(turnsOfDescribes).toHaveLength(MESSAGES);
  const used = (turnsOfDescribes.at(-1) ?? 0) - (turnsOfDescribes[0] ?? 0);
  expect(used).toBeGreaterThanOrEqual(MESSAGES / MESSAGES_PER_TURN - 1);
});

test('a session sends responses that nobody asked for yet in chunks', async () => {
  const { session, written } = openWith([parseMessage('', 'SELECT 1'), ...DESCRIBES], true);
  await expect(session.serve()).rejects.toBeInstanceOf(InputEnded);
  expect(written.length).toBeGreaterThan((MESSAGES * DESCRIBED.length) / CHUNK_BYTES - 2);
  expect(Math.max(...written)).toBeLessThan(CHUNK_BYTES + DESCRIBED.length);
});

test('a session handles no further messages while its client reads nothing', async () => {
  const client = openWith([parseMessage('', 'SELECT 1'), ...DESCRIBES, bindMessage('', 'missing')], false);
  const served = client.session.serve().catch((error: unknown) => error);
  for (let turn = 0; turn < MESSAGES; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  // The greeting alone is under way: the first chunk waits behind it.
  expect(client.written).toHaveLength(1);
  client.startReading();
  expect(await served).toBeInstanceOf(InputEnded);
  expect(client.written.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(1_900 * DESCRIBED.length);
});
