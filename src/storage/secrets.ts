import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LinkKey } from '../domain/events/served-ad.ts';
import { LINK_KEYS_FILE, newLinkKeys, parseLinkKeys } from './link-keys.ts';

const PEPPER_FILE = 'pepper';
const USER_HASH_FILE = 'user-hash';

/** The files of all secrets, below `<data>/secrets`. */
export const SECRET_FILES: readonly string[] = [LINK_KEYS_FILE, PEPPER_FILE, USER_HASH_FILE];

/** The installation's own secrets, kept as files (mode 0600) in `<data>/secrets`. Nodes of one cluster share copies of them. */
export interface InstallationSecrets {
  /** Pepper under which API keys and header-credential tokens are digested. */
  readonly pepper: Buffer;
  /** Keys of signed links: one signs (`signingKey`), all verify. `watchLinkKeys` keeps the list up to date. */
  readonly linkKeys: LinkKey[];
  /** Key of user hashes. */
  readonly userHashSecret: Buffer;
}

/** Reads the secrets, making each that is missing; safe when several processes start at once. */
export function loadSecrets(dataDir: string): InstallationSecrets {
  const dir = join(dataDir, 'secrets');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return {
    pepper: hexSecret(dir, PEPPER_FILE),
    linkKeys: parseLinkKeys(readOrCreate(dir, LINK_KEYS_FILE, newLinkKeys), Date.now()),
    userHashSecret: hexSecret(dir, USER_HASH_FILE),
  };
}

function hexSecret(dir: string, name: string): Buffer {
  return Buffer.from(readOrCreate(dir, name, () => `${randomBytes(32).toString('hex')}\n`).trim(), 'hex');
}

/** Reads a secret file, or creates it: written to a temporary file, synced, then linked, so that no process reads half a secret. */
export function readOrCreate(dir: string, name: string, create: () => string): string {
  const path = join(dir, name);
  const found = readIfThere(path);
  if (found !== null) return found;
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const file = openSync(aside, 'wx', 0o600);
  writeSync(file, create());
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return readFileSync(path, 'utf8');
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
