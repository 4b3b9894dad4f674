import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { syncFolderNow } from '../../storage/disk-file.ts';
import { endedIn } from '../../storage/hot/redis-epochs.ts';

/** What a machine's spool says of itself. */
export interface SpoolEpochs {
  /** The name of this spool among the machines of a cluster. */
  readonly machineId: string;
  /** By shard: the epoch in which the events of its counted files are counted. Null: not known yet. */
  readonly epochs: readonly string[] | null;
  /** By shard: the writes that it had seen in that epoch at this machine's last check. Absent in files of older versions. */
  readonly writes?: readonly number[] | undefined;
  /** Epochs that have ended, in every shard or as `endedIn` one, the newest last. */
  readonly past?: readonly string[] | undefined;
}

const FILE = 'hot-epochs.json';
const schema = z.object({
  machineId: z.string(),
  epochs: z.array(z.string()).nullable(),
  writes: z.array(z.number()).optional(),
  past: z.array(z.string()).optional(),
});
/** Recoveries are rare: this covers years of them. */
const PAST_MAX = 200;

/** Null when there is no such file, or it cannot be read. */
export function readSpoolEpochs(spoolDir: string): SpoolEpochs | null {
  try {
    return schema.parse(JSON.parse(readFileSync(join(spoolDir, FILE), 'utf8')));
  } catch {
    return null;
  }
}

/** On stable storage before any of its files is shipped. */
export function writeSpoolEpochs(spoolDir: string, epochs: SpoolEpochs): void {
  const path = join(spoolDir, FILE);
  writeFileSync(`${path}.tmp`, JSON.stringify(epochs), { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
  syncFolderNow(spoolDir);
}

/** What the file says once all shards are whole again, or have seen more writes. */
export function nextEpochs(
  before: SpoolEpochs | null,
  machineId: string,
  standing: readonly { readonly epoch: string; readonly writes: number }[],
): SpoolEpochs {
  const epochs = standing.map(({ epoch }) => epoch);
  const ended = (before?.epochs ?? []).flatMap((epoch, shard) => {
    if (epoch === epochs[shard]) return [];
    return [epochs.includes(epoch) ? endedIn(shard, epoch) : epoch];
  });
  const past = [...new Set([...(before?.past ?? []), ...ended])].slice(-PAST_MAX);
  return { machineId, epochs, writes: standing.map(({ writes }) => writes), past };
}

/** For a spool that was restored: a shared hot store may have lost what its files counted, so all of them are counted again, once, in every shard. */
export function writeRestoredEpochs(spoolDir: string): void {
  writeSpoolEpochs(spoolDir, { machineId: randomUUID(), epochs: [] });
}

/** The file as it is, or a new one with a new name: of processes that make one at once, all get that of the first. */
export function openSpoolEpochs(spoolDir: string): SpoolEpochs {
  const found = readSpoolEpochs(spoolDir);
  if (found !== null) return found;
  const fresh = { machineId: randomUUID(), epochs: null };
  const path = join(spoolDir, FILE);
  const aside = `${path}.${fresh.machineId}.tmp`;
  writeFileSync(aside, JSON.stringify(fresh), { mode: 0o600, flush: true });
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const others = readSpoolEpochs(spoolDir);
    if (others !== null) return others;
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  syncFolderNow(spoolDir);
  return fresh;
}
