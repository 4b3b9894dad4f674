import { createHash, randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { markOfKey } from './cluster-key.ts';
import { CLUSTER_SECRETS, secretFromSettings } from './secret-table.ts';

const CLUSTER_KEY_FILE = 'cluster-key';
const NEXT_KEY_FILE = 'cluster-key.next';
const NODE_ID_FILE = 'node-id';
const HEX_32 = /^[0-9a-f]{64}$/;

/** The folder of secrets in a data folder, made when it is missing (mode 0700). */
function openSecretsDir(dataDir: string): string {
  const dir = join(dataDir, 'secrets');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** The text of a secret's file; null when there is none. */
export function readSecretFile(dataDir: string, name: string): string | null {
  return readIfThere(join(dataDir, 'secrets', name));
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a secret's file. */
export function writeSecretFile(dataDir: string, name: string, text: string): void {
  writeWhole(dataDir, join(openSecretsDir(dataDir), name), text);
}

/** Writes a file (mode 0600): synced, then renamed, so that no process reads half of it. It belongs to the owner of the data folder. */
function writeWhole(dataDir: string, path: string, text: string): void {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    writeSynced(aside, text);
    const { uid, gid } = statSync(dataDir);
    if (process.getuid?.() === 0) chownSync(aside, uid, gid);
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** A disk that is full may take a part of a text without an error: `writeFileSync` goes on until it has all or fails. */
function writeSynced(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes the secrets of the settings to their files: everything else reads only these, also while a vault is unavailable. */
export function writeSecretsOfSettings(settings: Settings): void {
  for (const secret of CLUSTER_SECRETS) {
    const text = secretFromSettings(settings, secret);
    if (text !== null && readSecretFile(settings.dataDir, secret.name) !== text)
      writeSecretFile(settings.dataDir, secret.name, text);
  }
}

/** The cluster key of this node: of the settings, else of its file; null: it has none. @throws Error for a file that holds no key */
export function readClusterKey(settings: Pick<Settings, 'clusterKey' | 'dataDir'>): Buffer | null {
  return settings.clusterKey === null
    ? readKeyFile(settings.dataDir, CLUSTER_KEY_FILE)
    : Buffer.from(settings.clusterKey, 'hex');
}

function readKeyFile(dataDir: string, name: string): Buffer | null {
  const text = readSecretFile(dataDir, name)?.trim() ?? null;
  if (text === null) return null;
  if (!HEX_32.test(text)) throw new Error(`secrets/${name} of the data folder holds no key`);
  return Buffer.from(text, 'hex');
}

/** As `readClusterKey`. A key of `writeNextClusterKey` replaces it once PostgreSQL has the mark of it. */
export function presentClusterKey(
  settings: Pick<Settings, 'clusterKey' | 'dataDir'>,
  { key_mark }: { readonly key_mark: string },
): Buffer | null {
  const held = readClusterKey(settings);
  if (settings.clusterKey !== null || (held !== null && markOfKey(held) === key_mark)) return held;
  const next = readKeyFile(settings.dataDir, NEXT_KEY_FILE);
  if (next === null || markOfKey(next) !== key_mark) return held;
  writeClusterKey(settings, next);
  rmSync(join(settings.dataDir, 'secrets', NEXT_KEY_FILE), { force: true });
  return next;
}

/** Stores a new cluster key beside the present one: its transaction may fail, and the present one is the only copy then. */
export function writeNextClusterKey(settings: Pick<Settings, 'clusterKey' | 'dataDir'>, key: Buffer): void {
  if (settings.clusterKey === null) writeSecretFile(settings.dataDir, NEXT_KEY_FILE, `${key.toString('hex')}\n`);
}

/** Stores the cluster key, unless the settings hold it. */
export function writeClusterKey(settings: Pick<Settings, 'clusterKey' | 'dataDir'>, key: Buffer): void {
  if (settings.clusterKey === null) writeSecretFile(settings.dataDir, CLUSTER_KEY_FILE, `${key.toString('hex')}\n`);
}

/**
 * Tells a machine that runs this data folder from one that runs a copy of it: a copied folder has another file of the node id, and a copied
 * machine has been started at another time.
 */
export function machineOf(dataDir: string): string {
  loadNodeId(dataDir);
  const { ino, birthtimeMs } = statSync(join(dataDir, NODE_ID_FILE));
  const boot = readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? hostname();
  return createHash('sha256').update(`${boot} ${ino} ${birthtimeMs}`).digest('hex').slice(0, 16);
}

/**
 * The id of this node, made once, in its data folder; it is public. Not among the secrets, which operators copy from node to node: two
 * nodes with one id would overwrite each other's reports, and each would take itself to be alone.
 */
export function loadNodeId(dataDir: string): string {
  const path = join(dataDir, NODE_ID_FILE);
  const found = readIfThere(path)?.trim();
  if (found !== undefined && /^[0-9a-z]{8,20}$/.test(found)) return found;
  const made = randomBytes(6).toString('hex');
  writeWhole(dataDir, path, `${made}\n`);
  return made;
}
