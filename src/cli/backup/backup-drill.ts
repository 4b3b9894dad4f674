import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Manifest } from '../../backup/manifest.ts';
import { type OwnProgram, startOwnProgram } from '../../backup/own-program.ts';
import { childNodeArguments, copyEnvironment } from '../../config/child-environment.ts';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../domain/log/log.ts';
import { UsageError } from '../context/cli-context.ts';
import { type BackupLocation, titleOf, withStaging } from './backup-location.ts';

const DAY_MS = 86_400_000;
/** The last week before the cut is compared. */
const COMPARED_DAYS = 7;
/** Comparisons in a row with the same result after which it stays so. */
const SAME_MAX = 5;
const LOOK_MS = 200;
const STOP_MS = 60_000;

/** A backup to prove. */
export interface Drill extends BackupLocation {
  readonly passphraseFile?: string;
  /** The address of an empty database, for a backup that ClickHouse made itself. It is empty again after the drill. */
  readonly clickhouseUrl: string | null;
  readonly settings: Settings;
  readonly log: Log;
  readonly modulePath: string;
  readonly progress: (line: string) => void;
}

/** What a drill found. Times in seconds. */
export interface DrillResult {
  readonly ok: boolean;
  readonly cutAt: string;
  readonly restoreSeconds: number;
  readonly startSeconds: number;
  readonly comparedCounters: number;
  readonly differences: number;
  /** Why the analytics store lacks events; null: it lacks none. */
  readonly lost: string | null;
}

interface Counts {
  readonly rollUps: readonly unknown[];
  readonly counters: readonly unknown[];
  readonly compared: number;
  /** Events of the spool that are on their way to the analytics store. */
  readonly unshipped: number;
  readonly lost: string | null;
}

/**
 * Restores a backup into a folder of its own, starts the copy on free ports of this machine, compares its events, reports and counters, and
 * deletes it. The copy sends nothing: its jobs wait.
 * @throws UsageError with what the step said that failed
 */
export function drillBackup(drill: Drill): Promise<DrillResult> {
  return withStaging(drill, (dir) =>
    withEmptyDatabase(drill, async () => {
      const copy = new Copy(drill, join(dir, 'data'));
      try {
        return await proveCopy(copy, drill, dir);
      } finally {
        await copy.stop();
      }
    }),
  );
}

/** Runs `work`, then removes what it left in the database. @throws BackupError before `work` when the database is not empty */
async function withEmptyDatabase<T>({ clickhouseUrl, log }: Drill, work: () => Promise<T>): Promise<T> {
  if (clickhouseUrl === null) return work();
  const [{ openOlap }, { dropTables, requireEmptyDatabase }] = await Promise.all([
    import('../../storage/olap/clickhouse.ts'),
    import('../../backup/clickhouse-part.olap.ts'),
  ]);
  const olap = openOlap({ url: clickhouseUrl, log });
  try {
    await requireEmptyDatabase(olap, '--clickhouse-url-file');
    try {
      return await work();
    } finally {
      await dropTables(olap);
    }
  } finally {
    await olap.close();
  }
}

async function proveCopy(copy: Copy, drill: Drill, dir: string): Promise<DrillResult> {
  const { seconds: restoreSeconds, value: manifest } = await timed(() => restoreInto(copy, drill, dir));
  drill.progress(`restored in ${restoreSeconds} s`);
  const { seconds: startSeconds } = await timed(() => copy.start());
  drill.progress(`started in ${startSeconds} s`);
  const { rollUps, counters, compared, lost } = await compareCopy(copy, manifest);
  const differences = rollUps.length + counters.length;
  const ok = differences === 0 && lost === null;
  const times = { restoreSeconds, startSeconds };
  return { ok, cutAt: manifest.cutAt, ...times, comparedCounters: compared, differences, lost };
}

async function restoreInto(copy: Copy, drill: Drill, dir: string): Promise<Manifest> {
  const { passphraseFile } = drill;
  const passphrase = passphraseFile === undefined ? [] : ['--passphrase-file', resolve(passphraseFile)];
  return JSON.parse(
    await copy.run(['restore', titleOf(drill), '--staging', dir, ...passphrase, '--json'], [0]),
  ) as Manifest;
}

/** Compares until the spool of the backup is shipped and nothing differs, or until nothing changes any more. */
async function compareCopy(copy: Copy, { cutAt }: Manifest): Promise<Counts> {
  const from = new Date(Date.parse(cutAt) - COMPARED_DAYS * DAY_MS).toISOString().slice(0, 10);
  let [found, before] = ['', ''];
  for (let same = 0; ; same = found === before ? same + 1 : 0) {
    before = found;
    // 1: they differ.
    found = await copy.run(['verify-counts', '--from', from, '--json'], [0, 1]);
    const counts = JSON.parse(found) as Counts;
    const isDone = counts.unshipped === 0 && counts.rollUps.length + counts.counters.length === 0;
    if (isDone || same >= SAME_MAX) return counts;
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly value: T }> {
  const startedMs = performance.now();
  const value = await work();
  return { seconds: Math.round((performance.now() - startedMs) / 100) / 10, value };
}

/** A second installation on this machine, with stores of its own and without the settings of the first. */
class Copy {
  readonly #drill: Drill;
  readonly #dataDir: string;
  #service: OwnProgram | null = null;

  constructor(drill: Drill, dataDir: string) {
    this.#drill = drill;
    this.#dataDir = dataDir;
  }

  /** Runs a command to its end; what it wrote to standard output. @throws UsageError on another exit code */
  async run(args: readonly string[], codes: readonly number[]): Promise<string> {
    const program = this.#spawn(args);
    const code = await program.exited;
    if (code !== null && codes.includes(code)) return program.output();
    throw new UsageError(`placard ${args[0]} of the copy ended with ${code}: ${program.said()}`);
  }

  /** Starts the service; resolves when it is ready. There is no limit of time: a large log takes long to read. */
  async start(): Promise<void> {
    const program = this.#spawn(['serve']);
    this.#service = program;
    const ended = program.exited.then((code) => `placard serve of the copy ended with ${code}: ${program.said()}`);
    for (;;) {
      if (await this.#isReady()) return;
      const end = await Promise.race([ended, sleep(LOOK_MS)]);
      if (typeof end === 'string') throw new UsageError(end);
    }
  }

  async stop(): Promise<void> {
    const program = this.#service;
    if (program === null) return;
    program.child.kill('SIGTERM');
    const code = await Promise.race([program.exited, sleep(STOP_MS, 'late' as const, { ref: false })]);
    if (code === 'late') program.child.kill('SIGKILL');
  }

  /** `placard health` looks as a service manager does. */
  async #isReady(): Promise<boolean> {
    if (!existsSync(join(this.#dataDir, 'run', 'endpoints.json'))) return false;
    return (await this.#spawn(['health']).exited) === 0;
  }

  #spawn(args: readonly string[]): OwnProgram {
    const { modulePath, settings, clickhouseUrl } = this.#drill;
    const command = [...childNodeArguments('core'), modulePath, ...args];
    return startOwnProgram(command, { env: copyEnvironment(this.#dataDir, settings, clickhouseUrl) });
  }
}
