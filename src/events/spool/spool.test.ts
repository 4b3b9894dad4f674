import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../domain/log/log.ts';
import { DEAD_LETTERS_FOLDER, readDeadLetters } from './dead-letters.ts';
import { createDiskFile } from '../../storage/disk-file.ts';
import type { CreateDiskFile, DiskFile } from '../../storage/disk-file.ts';
import { decodeSpoolLine, encodeSpoolLine } from './spool-line.ts';
import { splitLines } from '../fixtures/split-lines.ts';
import { listSpoolFiles } from './spool-files.ts';
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
  return openSpool({ dir, workerIndex: 3, nowMs: Date.now, log, sealAfterMs: 60_000, ...options });
}

function line(name: string): Buffer {
  return encodeSpoolLine({ name }, null);
}

/** The rows that count, over all sealed files in order. */
function sealedRows(): string[] {
  return listSpoolFiles(dir)
    .filter((file) => file.state === 'sealed')
    .flatMap((file) => splitLines(readFileSync(file.path).subarray(0, file.bytes)))
    .map((text) => (JSON.parse(decodeSpoolLine(text)?.row ?? '{"name":"unreadable"}') as { name: string }).name);
}

/** Disk files whose operations fail while `faults` says so. */
function faultyFiles(faults: {
  write?: (bytes: Buffer) => number | Error;
  sync?: () => Error | null;
  truncate?: () => Error | null;
}): CreateDiskFile {
  return async (path, folder) => {
    const disk = await createDiskFile(path, folder);
    const faulty: DiskFile = {
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
  test('the spool gives every line a position of its own, in order, and holds them all when sealed', async () => {
    const spool = open();
    const positions = await Promise.all(Array.from({ length: 50 }, (_, index) => spool.append(line(`n${index}`))));
    await spool.close();
    const [first] = positions;
    expect(first).toEqual({
      file: expect.stringMatching(/^3\/\d{13}-[0-9a-f]{8}b$/),
      offset: 0,
      end: line('n0').length,
    });
    for (const [at, { file, offset }] of positions.entries())
      expect({ file, offset }).toEqual({ file: first?.file, offset: positions[at - 1]?.end ?? 0 });
    expect(sealedRows()).toEqual(Array.from({ length: 50 }, (_, index) => `n${index}`));
  });

  test('lines that wait share one sync', async () => {
    let syncs = 0;
    const spool = open({
      createFile: faultyFiles({
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

  test('lines that come soon after a commit began share the next one, and a seal does not let them wait', async () => {
    const written: number[] = [];
    const spool = open({
      commitEveryMs: 600_000,
      createFile: faultyFiles({
        write: (bytes) => {
          written.push(bytes.length);
          return bytes.length;
        },
      }),
    });
    await spool.append(line('first'));
    const later: Promise<unknown>[] = [];
    for (const name of ['second', 'third', 'fourth']) {
      later.push(spool.append(line(name)));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toEqual([line('first').length]);
    await spool.seal();
    await Promise.all(later);
    expect(written).toHaveLength(2);
    expect(sealedRows()).toEqual(['first', 'second', 'third', 'fourth']);
    await spool.close();
  });

  test('lines are recorded in another file while one is being sealed, and closing waits for both', async () => {
    const sealing = Promise.withResolvers<void>();
    let closed = 0;
    const spool = open({
      fileBytesMax: 1,
      createFile: async (path, folder) => {
        const disk = await createDiskFile(path, folder);
        return {
          ...disk,
          close: () => ((closed += 1) === 1 ? sealing.promise.then(() => disk.close()) : disk.close()),
        };
      },
    });
    const first = await spool.append(line('first'));
    const second = await spool.append(line('second'));
    expect(second).toMatchObject({ offset: 0 });
    expect(second.file).not.toBe(first.file);
    expect(sealedRows()).toEqual([]);
    sealing.resolve();
    await spool.close();
    expect(sealedRows()).toEqual(['first', 'second']);
  });

  test('an append resolves only after the sync', async () => {
    const order: string[] = [];
    const spool = open({
      createFile: faultyFiles({
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

  test('the spool seals files by size and by age', async () => {
    const spool = open({ fileBytesMax: 100, sealAfterMs: 30 });
    await spool.append(line('x'.repeat(200)));
    await spool.append(line('b'));
    const states = (): string[] => listSpoolFiles(dir).map((file) => file.state);
    await expect.poll(states).toEqual(['sealed', 'sealed']);
    await spool.close();
  });

  test.each([
    ['a short write (a full disk)', 5],
    ['a failed write', new Error('EIO')],
  ])('the spool refuses a line after %s and cuts it off again', async (_title, fault) => {
    let failing = false;
    const spool = open({ createFile: faultyFiles({ write: (bytes) => (failing ? fault : bytes.length) }) });
    await spool.append(line('a'));
    failing = true;
    await expect(spool.append(line('refused'))).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await spool.append(line('b'));
    await spool.close();
    expect(sealedRows()).toEqual(['a', 'b']);
    expect(listSpoolFiles(dir)).toHaveLength(1);
  });

  test('the spool never reuses a file after a failed sync, and counts only the bytes that were synced before', async () => {
    let failing = false;
    const spool = open({ createFile: faultyFiles({ sync: () => (failing ? new Error('EIO') : null) }) });
    await spool.append(line('a'));
    failing = true;
    await expect(spool.append(line('refused'))).rejects.toMatchObject({ code: 'unavailable' });
    failing = false;
    await spool.append(line('b'));
    await spool.close();
    expect(sealedRows()).toEqual(['a', 'b']);
    expect(listSpoolFiles(dir)).toHaveLength(2);
    expect(spool.stats()).toMatchObject({ brokenFiles: 1, failedAppends: 1 });
  });

  test('the spool leaves out a refused line even when the disk fails to cut it off', async () => {
    let failing = false;
    const spool = open({
      createFile: faultyFiles({
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

  test('the spool refuses lines as overloaded while too many bytes wait, and accepts them again later', async () => {
    const spool = open({ queueBytesMax: 100 });
    const first = spool.append(line('x'.repeat(60)));
    await expect(spool.append(line('y'.repeat(60)))).rejects.toMatchObject({ code: 'overloaded' });
    await first;
    await spool.append(line('z'));
    await spool.close();
    expect(sealedRows()).toHaveLength(2);
  });

  test('a closed spool refuses lines', async () => {
    const spool = open();
    await spool.close();
    await expect(spool.append(line('a'))).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('the spool cuts off the torn last line of a killed process, and retains all lines before it', async () => {
    const spool = open();
    await spool.append(line('a'));
    const [file] = listSpoolFiles(dir);
    writeFileSync(file?.path ?? '', Buffer.concat([readFileSync(file?.path ?? ''), Buffer.from('deadbeef {"torn')]));
    const again = open();
    expect(sealedRows()).toEqual(['a']);
    await again.close();
    await spool.close();
  });

  test('the torn end of a killed process becomes a dead letter, including the zeros of a power cut', async () => {
    const spool = open();
    await spool.append(line('a'));
    const [file] = listSpoolFiles(dir);
    const whole = readFileSync(file?.path ?? '');
    writeFileSync(file?.path ?? '', Buffer.concat([whole, Buffer.from('deadbeef {"torn'), Buffer.alloc(4_096)]));
    const again = open();
    expect(readDeadLetters(join(root, DEAD_LETTERS_FOLDER))).toEqual([
      {
        file: `w3/${file?.fileId}`,
        reason: 'torn',
        offset: whole.length,
        length: 15 + 4_096,
        text: 'deadbeef {"torn',
      },
    ]);
    await again.close();
    await spool.close();
  });

  test('the spool leaves other files alone', async () => {
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

  test('a decoded line equals what was written, including TABs and line breaks in texts', () => {
    const row = { event_id: 'a\tb\nc', n: 1 };
    const [text = ''] = splitLines(encodeSpoolLine(row, claim));
    expect(decodeSpoolLine(text)).toEqual({ claim, row: JSON.stringify(row), more: [] });
  });

  test('a line holds no unpaired surrogates, which stores refuse', () => {
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

  test('a line is unreadable when any of its characters has changed', () => {
    const [text = ''] = splitLines(encodeSpoolLine({ event_id: 'abc' }, claim));
    for (let index = 0; index < text.length; index += 1) {
      const changed = `${text.slice(0, index)}${text[index] === 'x' ? 'y' : 'x'}${text.slice(index + 1)}`;
      expect(decodeSpoolLine(changed)).toBeNull();
    }
    expect(decodeSpoolLine('')).toBeNull();
  });
});
