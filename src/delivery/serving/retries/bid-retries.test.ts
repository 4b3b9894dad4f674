import { closeSync, openSync, readdirSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createTestFolder, silentLog } from '../../../../test/support/stores.ts';
import type { HttpReply } from '../../../http/shared/route.ts';
import { BidRetries } from './bid-retries.ts';
import type { RequestIdentity } from './bid-retries.ts';
import { CLAIM, END, RecordBuffer } from './claim-record.ts';
import { ClaimLog, FILE_RECORDS_MAX } from './claim-log.ts';

let nowMs = 1_000_000;
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function newFolder(): string {
  const folder = createTestFolder();
  closing.push(() => folder.remove());
  return folder.dir;
}

async function startWorker(
  worker: number,
  dir: string | null,
  bounds: { claimsMax?: number; repliesBytesMax?: number } = {},
): Promise<BidRetries> {
  const retries = new BidRetries({
    dir,
    worker,
    nowMs: () => nowMs,
    log: silentLog,
    claimsMax: 256,
    repliesBytesMax: 1_000_000,
    ...bounds,
  });
  await retries.start();
  closing.push(() => retries.stop());
  return retries;
}

function identity(content: number, id = content): RequestIdentity {
  return {
    digest: String.fromCharCode(...Array.from({ length: 16 }, (_one, at) => (content * (at + 3)) % 256)),
    idHash: id,
  };
}

/** Returns a response with a number that rises with each call. */
function responder(): { made: () => number; next: () => HttpReply } {
  let made = 0;
  return {
    made: () => made,
    next: () => ({ status: 200, headers: { 'cache-control': 'no-store' }, body: `{"ad":"ź${++made}"}` }),
  };
}

describe('a retried bid request', () => {
  test('a retry gets the first response byte for byte within ten seconds, and is a new request after that', async () => {
    const retries = await startWorker(0, null);
    const responses = responder();
    const first = await retries.respondOnce(identity(1), responses.next);
    nowMs += 9_999;
    expect(await retries.respondOnce(identity(1), responses.next)).toEqual(first);
    nowMs += 1;
    expect(await retries.respondOnce(identity(1), responses.next)).not.toEqual(first);
    expect(responses.made()).toBe(2);
    expect(retries.stats).toMatchObject({ repeated: 1, reusedIds: 0 });
  });

  test('other content under the same id is a new request and counts as a reused id', async () => {
    const retries = await startWorker(0, null);
    const responses = responder();
    for (let user = 1; user <= 10; user += 1) await retries.respondOnce(identity(user, 77), responses.next);
    expect(responses.made()).toBe(10);
    expect(retries.stats).toMatchObject({ repeated: 0, reusedIds: 9 });
    nowMs += 10_000;
    await retries.respondOnce(identity(11, 77), responses.next);
    expect(retries.stats.reusedIds).toBe(9);
  });

  test('a retry waits for the first response at its own worker and at another', async () => {
    const dir = newFolder();
    const [one, other] = [await startWorker(0, dir), await startWorker(1, dir)];
    const first = Promise.withResolvers<HttpReply>();
    const responses = responder();
    const replies = [
      one.respondOnce(identity(1), () => first.promise),
      one.respondOnce(identity(1), responses.next),
      other.respondOnce(identity(1), responses.next),
    ];
    first.resolve({ status: 200, headers: {}, body: 'first' });
    for (const reply of await Promise.all(replies.map(async (one) => one)))
      expect(reply).toEqual({ status: 200, headers: {}, body: 'first' });
    expect(responses.made()).toBe(0);
  });

  test('a retry gets even the empty response and the headers of the first', async () => {
    const retries = await startWorker(0, null);
    const empty = { status: 204, headers: { 'x-openrtb-version': '2.6' } };
    await retries.respondOnce(identity(1), () => empty);
    expect(await retries.respondOnce(identity(1), responder().next)).toEqual({ ...empty, body: null });
  });

  test('a retry is a new request when the first failed or its response has been overwritten', async () => {
    const retries = await startWorker(0, null, { repliesBytesMax: 800_000 });
    const responses = responder();
    expect(() =>
      retries.respondOnce(identity(1), () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    await expect(
      retries.respondOnce(identity(1), async () => {
        throw new Error('broken again');
      }),
    ).rejects.toThrow();
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(1);
    for (let at = 0; at < 10; at += 1)
      await retries.respondOnce(identity(100 + at), () => ({ status: 200, body: 'x'.repeat(100_000) }));
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(2);
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(2);
  });

  test('a retry after the death of its first worker is a new request, which one of the remaining workers handles', async () => {
    const dir = newFolder();
    const dying = await startWorker(0, dir);
    const left = [await startWorker(1, dir), await startWorker(2, dir)];
    const responses = responder();
    const lost = await dying.respondOnce(identity(1), responses.next);
    await dying.stop();
    const replies = await Promise.all(
      [...left, ...left].map(async (worker) => worker.respondOnce(identity(1), responses.next)),
    );
    expect(responses.made()).toBe(2);
    expect(replies[0]).not.toEqual(lost);
    for (const reply of replies) expect(reply).toEqual(replies[0]);
  });

  test('a retry gets one response from a worker whose disk prevents the comparison', async () => {
    const retries = await startWorker(0, join(import.meta.filename, 'no-folder'));
    const responses = responder();
    const first = await retries.respondOnce(identity(1), responses.next);
    expect(await retries.respondOnce(identity(1), responses.next)).toEqual(first);
    expect(retries.stats.logFailures).toBeGreaterThan(0);
  });
});

test('each content gets one response in a window, from any of the workers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ worker: fc.nat(2), content: fc.integer({ min: 1, max: 6 }), waitMs: fc.constantFrom(0, 1, 4_000) }),
        { maxLength: 40 },
      ),
      async (sends) => {
        const dir = newFolder();
        const workers = [await startWorker(0, dir), await startWorker(1, dir), await startWorker(2, dir)];
        const holder = new Map<number, { reply: HttpReply; atMs: number }>();
        const responses = responder();
        for (const { worker, content, waitMs } of sends) {
          nowMs += waitMs;
          const before = responses.made();
          const reply = await (workers[worker] as BidRetries).respondOnce(identity(content), responses.next);
          const known = holder.get(content);
          if (known !== undefined && nowMs - known.atMs < 10_000)
            expect([reply, responses.made()]).toEqual([known.reply, before]);
          else {
            expect(responses.made()).toBe(before + 1);
            holder.set(content, { reply, atMs: nowMs });
          }
        }
        for (const close of closing.splice(0).toReversed()) await close();
      },
    ),
    { numRuns: 30 },
  );
});

test('the oldest claims are dropped when there are more than the table holds', async () => {
  const retries = await startWorker(0, null, { claimsMax: 8 });
  const responses = responder();
  for (let content = 1; content <= 9; content += 1) await retries.respondOnce(identity(content), responses.next);
  for (let content = 2; content <= 9; content += 1) await retries.respondOnce(identity(content), responses.next);
  expect(responses.made()).toBe(9);
  await retries.respondOnce(identity(1), responses.next);
  expect(responses.made()).toBe(10);
});

describe('the log of claims', () => {
  const record = (sequence: number, owner: number) => ({
    kind: CLAIM,
    digest: `${sequence}/${owner}`.padEnd(16, '.'),
    timeMs: nowMs,
    idHash: 1,
    claim: { owner, sequence },
    former: null,
  });
  const openLog = (dir: string): { log: ClaimLog; seen: string[] } => {
    const seen: string[] = [];
    const onRecord = (records: RecordBuffer, at: number) => seen.push(`${records.owner(at)}/${records.sequence(at)}`);
    const log = new ClaimLog({ dir, nowMs: () => nowMs, onRecord });
    closing.push(() => log.close());
    return { log, seen };
  };

  test('the log has one order for all workers across the end of a file', () => {
    const dir = newFolder();
    const [one, other] = [openLog(dir), openLog(dir)];
    const ended = new RecordBuffer(1);
    for (let sequence = 1; sequence <= 300; sequence += 1) {
      (sequence % 3 === 0 ? one : other).log.append(record(sequence, sequence % 3));
      if (sequence % 100 > 0) continue;
      ended.write(0, { ...record(0, 9), kind: END });
      appendRaw(dir, ended.bytes);
    }
    one.log.catchUp();
    other.log.catchUp();
    expect(one.seen).toHaveLength(300);
    expect(other.seen).toEqual(one.seen);
    expect(readdirSync(dir).length).toBeGreaterThan(2);
  });

  test('the log continues in another file after a cut or garbled record', () => {
    for (const garbage of [Buffer.alloc(17, 3), Buffer.alloc(64, 3)]) {
      const dir = newFolder();
      const [one, other] = [openLog(dir), openLog(dir)];
      one.log.append(record(1, 0));
      appendRaw(dir, garbage);
      other.log.append(record(2, 1));
      one.log.append(record(3, 0));
      other.log.catchUp();
      expect(one.seen).toEqual(['0/1', '1/2', '0/3']);
      expect(other.seen).toEqual(one.seen);
    }
  });

  test('the log begins another file when one is full, and removes files that no retry needs', () => {
    const dir = newFolder();
    const [one, idle] = [openLog(dir), openLog(dir)];
    const whole = new RecordBuffer(FILE_RECORDS_MAX);
    for (let at = 0; at < FILE_RECORDS_MAX; at += 1) whole.write(at, record(at + 1, 0));
    appendRaw(dir, whole.bytes);
    one.log.catchUp();
    nowMs = Date.now();
    for (const name of readdirSync(dir)) utimesSync(join(dir, name), 1, 1);
    one.log.append(record(99, 1));
    expect(one.seen).toHaveLength(FILE_RECORDS_MAX + 1);
    idle.log.append(record(100, 2));
    expect(idle.seen.at(-1)).toBe('2/100');
    one.log.catchUp();
    expect(one.seen.at(-1)).toBe('2/100');
  });
});

function appendRaw(dir: string, bytes: Buffer): void {
  const newest = readdirSync(dir)
    .map((name) => Number(name.slice('claims-'.length)))
    .sort((a, b) => a - b)
    .at(-1);
  const file = openSync(join(dir, `claims-${newest}`), 'a');
  writeSync(file, bytes);
  closeSync(file);
}
