import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../domain/log/log.ts';
import { RecurringJob } from '../domain/time/recurring-job.ts';
import { isBucketAddress } from './backup-address.ts';
import { MANIFEST_FILE } from './manifest.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The first run waits until the service has finished starting. */
const FIRST_AFTER_MS = 5 * 60_000;
/** A folder of this job; it deletes no other. */
const OWN_NAME = /^\d{4}-\d{2}-\d{2}T\d{6}Z$/;

/** Dependencies of the job. */
export interface ScheduledBackupDeps {
  /** A folder, or the address of a bucket. */
  readonly location: string;
  /** How many backups stay in a folder. */
  readonly keep: number;
  /** Writes a backup; rejects with a sentence when there is none. */
  readonly write: (location: string, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Writes a backup once a day, and deletes the oldest ones of a folder. A bucket has rules of its own for that. */
export class ScheduledBackup extends RecurringJob {
  readonly #deps: ScheduledBackupDeps;
  #ending = new AbortController();

  constructor(deps: ScheduledBackupDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: DAY_MS, retryMs: HOUR_MS });
    this.#deps = deps;
  }

  override async stop(): Promise<void> {
    this.#ending.abort();
    await super.stop();
    this.#ending = new AbortController();
  }

  /** Writes one now. @throws Error why there is none; older ones stay */
  async run(): Promise<void> {
    const { location, write, nowMs, log } = this.#deps;
    const name = nameOf(nowMs());
    await write(`${location.replace(/\/+$/, '')}/${name}`, this.#ending.signal);
    const deleted = isBucketAddress(location) ? [] : await this.#deleteOldest(name);
    log.event('backup.written', { backup: name, deleted });
  }

  protected logFailure(error: unknown): void {
    if (!this.isStopped) this.#deps.log.event('backup.failed', { err: error });
  }

  /** Also deletes what a run left that was cut off: the manifest is written last. */
  async #deleteOldest(newest: string): Promise<string[]> {
    const { location, keep } = this.#deps;
    const names = (await readdir(location)).filter((name) => OWN_NAME.test(name) && name <= newest);
    const whole = new Set<string>();
    for (const name of names) if (await isFile(join(location, name, MANIFEST_FILE))) whole.add(name);
    const kept = new Set([...whole].sort().slice(-keep));
    const deleted = names.filter((name) => !kept.has(name)).sort();
    for (const name of deleted) await rm(join(location, name), { recursive: true, force: true });
    return deleted;
  }
}

/** `2026-11-30T031500Z`: names in the order of their times, without characters that a file system refuses. */
function nameOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
