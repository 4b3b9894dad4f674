import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { DEAD_LETTERS_FOLDER, readDeadLetters } from './dead-letters.ts';
import { createDiskSegment } from './spool-files.ts';
import type { CreateSegment, SegmentWriter } from './spool-files.ts';
import { decodeSpoolLine, encodeSpoolLine, splitLines } from './spool-line.ts';
import { listSegments } from './spool-segments.ts';
import { openSpool } from './spool.ts';
import type { Spool, SpoolOptions } from './spool.ts';

const log = SILENT_LOG;
let root: string;
let dir: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'placard-spool-'));
  dir = join(root, 'w3');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function open(options: Partial<SpoolOptions> = {}): Spool {
  return openSpool({ dir, slot: 3, nowMs: Date.now, log, sealAfterMs: 60_000, ...options });
}

function line(name: string): Buffer {
  return encodeSpoolLine({ name }, null);
}

/** The rows that count, over all sealed segments in order. */
function sealedRows(): string[] {
  return listSegments(dir)
    .filter((file) => file.state === 'sealed')
    .flatMap((file) => splitLines(readFileSync(file.path).subarray(0, file.bytes)))
    .map((text) => (JSON.parse(decodeSpoolLine(text)?.row ?? '{"name":"unreadable"}') as { name: string }).name);
}

/** Disk segments whose operations fail while `faults` says so. */
function faultySegments(faults: {
  write?: (bytes: Buffer) => number | Error;
  sync?: () => Error | null;
  truncate?: () => Error | null;
}): CreateSegment {
  return async (path, folder) => {
    const disk = await createDiskSegment(path, folder);
    const faulty: SegmentWriter = {
      write: async (bytes, position) => {
        const fault = faults.write?.(bytes) ?? bytes.length;
        if (fault instanceof Error) throw fault;
        await disk.write(bytes.subarray(0, fault), position);
        return fault;
      },
      sync: async () => {
        const fault = faults.sync?.() ?? null;
        if (fault !== null) throw fault;
        await disk.sync();
      },
      truncate: async (bytes) => {
        const fault = faults.truncate?.() ?? null;
        if (fault !== null) throw fault;
        await disk.truncate(bytes);
      },
      close: () => disk.close(),
    };
    return faulty;
  };
}

describe('the spool', () => {
  test('gives every line a position of its own, in order, and has them when sealed', async () => {
    const spool = open();
    const positions = await Promise.all(Array.from({ length: 50 }, (_, index) => spool.append(line(`n${index}`))));
    await spool.close();
    expect(new Set(positions).size).toBe(50);
    expect(positions[49]).toMatch(/^3\/\d{13}-[0-9a-f]{8}b\/\d+$/);
    expect(sealedRows()).toEqual(Array.from({ length: 50 }, (_, index) => `n${index}`));
  });

  test('shares one sync between the lines that wait', async () => {
    let syncs = 0;
    const spool = open({
      createSegment: faultySegments({
        sync: () => {
          syncs += 1;
          return null;
        },
      }),
    });
    await Promise.all(Array.from({ length: 200 }, (_, index) => spool.append(line(`n${index}`))));
    expect(syncs).toBeLessThanOrEqual(3);
    await spool.close();
  });

  test('answers only after the sync', async () => {
    const order: string[] = [];
    const spool = open({
      createSegment: faultySegments({
        sync: () => {
          order.push('sync');
          return null;
        },
      }),
    });
    await spool.append(line('a')).then(() => order.push('answer'));
    expect(order).toEqual(['sync', 'answer']);
    await spool.close();
  });

  test('seals by size and by age', async () => {
    const spool = open({ segmentBytesMax: 100, sealAfterMs: 30 });
    await spool.append(line('x'.repeat(200)));
    await spool.append(line('b'));
    const states = (): string[] => listSegments(dir).map((file) => file.state);
    await expect.poll(states, { timeout: 10_000 }).toEqual(['sealed', 'sealed']);
    await spool.close();
  });

  test.each([
    ['a short write (a full disk)', 5],
    ['a failed write', new Error('EIO')],
  ])('refuses a line after %s, and cuts it away again', async (_title, fault) => {
    let failing = false;
    const spool = open({ createSegment: faultySegments({ write: (bytes) => (failing ? fault : bytes.length) }) });
    await spool.append(line('a'));
    failing = true;
    await expect(spool.append(line('refused'))).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await spool.append(line('b'));
    await spool.close();
    expect(sealedRows()).toEqual(['a', 'b']);
    expect(listSegments(dir)).toHaveLength(1);
  });

  test('never trusts a file again whose sync failed, and counts only what was synced before', async () => {
    let failing = false;
    const spool = open({ createSegment: faultySegments({ sync: () => (failing ? new Error('EIO') : null) }) });
    await spool.append(line('a'));
    failing = true;
    await expect(spool.append(line('refused'))).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await spool.append(line('b'));
    await spool.close();
    expect(sealedRows()).toEqual(['a', 'b']);
    expect(listSegments(dir)).toHaveLength(2);
    expect(spool.stats()).toMatchObject({ brokenSegments: 1, failedAppends: 1 });
  });

  test('leaves a refused line out even when the disk does not let it be cut away', async () => {
    let failing = false;
    const spool = open({
      createSegment: faultySegments({
        sync: () => (failing ? new Error('EIO') : null),
        truncate: () => new Error('EROFS'),
      }),
    });
    await spool.append(line('a'));
    failing = true;
    await expect(spool.append(line('refused'))).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await spool.close();
    expect(sealedRows()).toEqual(['a']);
  });

  test('refuses lines as overloaded when too many bytes wait, and takes them again later', async () => {
    const spool = open({ queueBytesMax: 100 });
    const first = spool.append(line('x'.repeat(60)));
    await expect(spool.append(line('y'.repeat(60)))).rejects.toMatchObject({ code: 'overloaded' });
    await first;
    await spool.append(line('z'));
    await spool.close();
    expect(sealedRows()).toHaveLength(2);
  });

  test('refuses lines once it is closed', async () => {
    const spool = open();
    await spool.close();
    await expect(spool.append(line('a'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('cuts a torn last line of a killed process, and keeps all before it', async () => {
    const spool = open();
    await spool.append(line('a'));
    const [file] = listSegments(dir);
    writeFileSync(file?.path ?? '', Buffer.concat([readFileSync(file?.path ?? ''), Buffer.from('deadbeef {"torn')]));
    const again = open();
    expect(sealedRows()).toEqual(['a']);
    await again.close();
    await spool.close();
  });

  test('keeps the torn end of a killed process as a dead letter, zeros of a power cut included', async () => {
    const spool = open();
    await spool.append(line('a'));
    const [file] = listSegments(dir);
    const whole = readFileSync(file?.path ?? '');
    writeFileSync(file?.path ?? '', Buffer.concat([whole, Buffer.from('deadbeef {"torn'), Buffer.alloc(4_096)]));
    const again = open();
    expect(readDeadLetters(join(root, DEAD_LETTERS_FOLDER))).toEqual([
      {
        file: `w3/${file?.segment}`,
        reason: 'torn',
        offset: whole.length,
        length: 15 + 4_096,
        text: 'deadbeef {"torn',
      },
    ]);
    await again.close();
    await spool.close();
  });

  test('leaves files alone that are no segments', async () => {
    const spool = open();
    writeFileSync(join(dir, 'notes.txt'), 'x');
    await spool.append(line('a'));
    await spool.close();
    expect(readdirSync(dir)).toContain('notes.txt');
    expect(sealedRows()).toEqual(['a']);
  });
});

describe('a line of the spool', () => {
  const claim = {
    key: 'e/1:imp',
    ttlMs: 5,
    increments: [{ key: 'd/1', by: 12_345_678_901_234_567_890n, ttlMs: 7 }],
    pushes: [{ key: 'tv/1/ab', value: '[1,"x\\ty"]', max: 8, ttlMs: 9 }],
  };

  test('reads back as it was written, TABs and line breaks in texts included', () => {
    const row = { event_id: 'a\tb\nc', n: 1 };
    const [text = ''] = splitLines(encodeSpoolLine(row, claim));
    expect(decodeSpoolLine(text)).toEqual({ claim, row: JSON.stringify(row) });
  });

  test('holds no half characters, which no store takes', () => {
    const row = { region: '\ud800', os: 'a\udc00b 🙂', key_values: { 7: '\ud83d' }, typed: String.raw`\ud800` };
    const line = encodeSpoolLine(row, { ...claim, key: 'e/\ud800' });
    const read = decodeSpoolLine(splitLines(line)[0] ?? '');
    expect(JSON.parse(read?.row ?? '')).toEqual({
      region: '\ufffd',
      os: 'a\ufffdb 🙂',
      key_values: { 7: '\ufffd' },
      typed: String.raw`\ud800`,
    });
    expect(read?.claim).toEqual({ ...claim, key: 'e/\ufffd' });
  });

  test('is unreadable when any character of it changed', () => {
    const [text = ''] = splitLines(encodeSpoolLine({ event_id: 'abc' }, claim));
    for (let index = 0; index < text.length; index += 1) {
      const changed = `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`;
      expect(decodeSpoolLine(changed)).toBeNull();
    }
    expect(decodeSpoolLine('')).toBeNull();
  });
});
