import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a machine's spool says of itself. */
export interface SpoolEpochs {
  /** The name of this spool among the machines of a cluster. */
  readonly machineId: string;
  /** By shard: the epoch in which the events of its counted files are counted. Null: not known yet. */
  readonly epochs: readonly string[] | null;
}

const FILE = 'hot-epochs.json';
const schema = z.object({ machineId: z.string(), epochs: z.array(z.string()).nullable() });

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
  const folder = openSync(spoolDir, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** The file as it is, or a new one with a new name. */
export function openSpoolEpochs(spoolDir: string): SpoolEpochs {
  const found = readSpoolEpochs(spoolDir);
  if (found !== null) return found;
  const fresh = { machineId: randomUUID(), epochs: null };
  writeSpoolEpochs(spoolDir, fresh);
  return fresh;
}
