import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, createTestFolder, silentLog, type TestDatabase } from '../../../../test/support/stores.ts';
import { openExportFolder } from '../../../storage/export/export-folder.ts';
import type { ExportTarget } from '../../../storage/export/export-target.ts';
import { DecisionExport } from './decision-export.ts';

const START_MS = Date.parse('2026-11-01T10:50:00Z');
const HOUR_MS = 3_600_000;
let database: TestDatabase;
let folder: ReturnType<typeof createTestFolder>;
let dir: string;
let out: string;
let isPaused: boolean;

beforeAll(async () => {
  database = await createTestDatabase();
  await sql`INSERT INTO networks (id, name, timezone, currency) VALUES (1000, 'N', 'UTC', 'EUR')`.execute(database.db);
  await sql`INSERT INTO workspaces (id, network_id, environment) VALUES (1, 1000, 'production'), (11, 1000, 'staging')`.execute(
    database.db,
  );
});
beforeEach(() => {
  isPaused = false;
  folder = createTestFolder();
  dir = join(folder.dir, 'decisions');
  out = join(folder.dir, 'out');
  mkdirSync(dir);
  return () => folder.remove();
});
afterAll(() => database.close());

/** A line of the log, some minutes after the start. */
const line = (id: number, workspaceId: number, minutes: number): string =>
  JSON.stringify({ snapshot: 's', workspaceId, atMs: START_MS + minutes * 60_000, id });

function writeLog(startedAtMs: number, worker: number, lines: readonly string[]): void {
  writeFileSync(join(dir, `${startedAtMs}-${worker}.ndjson`), `${lines.join('\n')}\n`);
}

const open = (nowMs: number, target: ExportTarget = openExportFolder(out)): DecisionExport =>
  new DecisionExport({
    sql: database.db,
    target,
    dir,
    isPaused: () => Promise.resolve(isPaused),
    nowMs: () => nowMs,
    log: silentLog,
  });

/** Ids of the records of each exported file, by its folder. */
function exported(): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const path of globSync('**/*.zst', { cwd: out }).sort()) {
    const text = zstdDecompressSync(readFileSync(join(out, path))).toString();
    const ids = text
      .trimEnd()
      .split('\n')
      .map((one) => (JSON.parse(one) as { id: number }).id);
    found[path.slice(0, path.lastIndexOf('/'))] = [...(found[path.slice(0, path.lastIndexOf('/'))] ?? []), ...ids];
  }
  return found;
}

const ALL = {
  'production/1000/decisions/date=2026-11-01/hour=10': [1],
  'production/1000/decisions/date=2026-11-01/hour=11': [3, 4],
  'staging/1000/decisions/date=2026-11-01/hour=10': [2],
};

describe('the export of logged decisions', () => {
  test('a closed log file becomes one file for each network environment and hour, once', async () => {
    writeLog(START_MS, 0, [line(1, 1, 0), line(2, 11, 5), line(3, 1, 20), '{"torn', line(9, 77, 1)]);
    writeLog(START_MS, 1, [line(4, 1, 30)]);
    const nowMs = START_MS + 65 * 60_000;
    expect(await open(nowMs).run()).toBe(2);
    expect(exported()).toEqual(ALL);
    const [manifest = ''] = globSync('_decisions/*/*-0.json', { cwd: out });
    expect(JSON.parse(readFileSync(join(out, manifest), 'utf8'))).toMatchObject({
      kind: 'decisions',
      logFile: `${START_MS}-0.ndjson`,
      unreadable: 2,
      files: [{ records: 1 }, { records: 1 }, { records: 1 }],
    });
    expect(await open(nowMs).run()).toBe(0);
  });

  test('on a restored copy nothing is exported', async () => {
    writeLog(START_MS, 0, [line(1, 1, 0)]);
    isPaused = true;
    expect(await open(START_MS + HOUR_MS).run()).toBe(0);
    expect(exported()).toEqual({});
  });

  test('a log file waits until its hour is over or its worker has begun another one', async () => {
    writeLog(START_MS, 0, [line(1, 1, 0)]);
    expect(await open(START_MS + HOUR_MS).run()).toBe(0);
    writeLog(START_MS + 1_000, 1, [line(2, 1, 0)]);
    expect(await open(START_MS + HOUR_MS).run()).toBe(0);
    writeLog(START_MS + 2_000, 0, [line(3, 1, 0)]);
    expect(await open(START_MS + 240_000).run()).toBe(0);
    expect(await open(START_MS + HOUR_MS).run()).toBe(1);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    'an export that is cut off before its step %i is completed, each record once',
    async (atStep) => {
      writeLog(START_MS, 0, [line(1, 1, 0), line(2, 11, 5), line(3, 1, 20)]);
      writeLog(START_MS, 1, [line(4, 1, 30)]);
      const target = openExportFolder(out);
      let steps = 0;
      const step = async (work: () => Promise<void>): Promise<void> => {
        steps += 1;
        if (steps > atStep) throw new Error('killed');
        await work();
      };
      const cut: ExportTarget = {
        ...target,
        write: (name, content) => step(() => target.write(name, content)),
        stage: async (name, chunks) => {
          const staged = await target.stage(name, chunks);
          return { ...staged, commit: () => step(() => staged.commit()) };
        },
      };
      const nowMs = START_MS + 2 * HOUR_MS;
      await expect(open(nowMs, cut).run()).rejects.toThrow('killed');
      await open(nowMs).run();
      expect(exported()).toEqual(ALL);
    },
  );

  test('a log file that is deleted while others are exported is left out', async () => {
    writeLog(START_MS, 0, [line(1, 1, 0)]);
    writeLog(START_MS, 1, [line(4, 1, 30)]);
    const target = openExportFolder(out);
    const deleting: ExportTarget = {
      ...target,
      exists: async (name) => {
        rmSync(join(dir, `${START_MS}-1.ndjson`), { force: true });
        return target.exists(name);
      },
    };
    expect(await open(START_MS + 2 * HOUR_MS, deleting).run()).toBe(1);
    expect(Object.values(exported())).toEqual([[1]]);
  });
});
