import { existsSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from './random.ts';

/** The faults that are injected into every process of the server. */
export interface InjectedFaults {
  /** Syncs of spool files fail with EIO. */
  readonly syncFails: boolean;
  /** Added to the clock of every process of the server. */
  readonly clockOffsetMs: number;
}

/** Tells the processes which faults to have from now on. */
export function injectFaults(dir: string, faults: InjectedFaults): void {
  const aside = join(dir, 'faults.json.tmp');
  writeFileSync(aside, JSON.stringify(faults));
  renameSync(aside, join(dir, 'faults.json'));
}

/**
 * Simulates a power cut on spool files, after all processes were killed: the data behind the last synced byte is lost, or a part of it
 * remains, or zeros.
 * @returns how many files it cut
 */
export function cutToSynced(dir: string, random: Random): number {
  const log = join(dir, 'synced.log');
  if (!existsSync(log)) return 0;
  const synced = new Map<string, number>();
  for (const line of readFileSync(log, 'utf8').trimEnd().split('\n')) {
    const at = line.lastIndexOf(' ');
    synced.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  let cut = 0;
  for (const [path, bytes] of synced) {
    if (!existsSync(path)) continue;
    const content = readFileSync(path);
    const tail = content.subarray(bytes);
    const left = Math.floor(random() * (tail.length + 1));
    truncateSync(path, bytes);
    const end = random() < 0.5 ? tail.subarray(0, left) : Buffer.alloc(left + 4_096);
    if (random() < 0.7) writeFileSync(path, Buffer.concat([content.subarray(0, bytes), end]));
    cut += 1;
  }
  writeFileSync(log, '');
  return cut;
}
