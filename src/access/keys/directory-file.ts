import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DirectoryData } from './directory-data.ts';
import { isSameDigest } from '../secrets/secret-text.ts';

const FOLDER = 'access';
const NAME = /^directory-[a-z0-9-]+\.json$/;
/** Most files that are read, including copies of processes that no longer run. */
const FILES_MAX = 200;

/**
 * The last good copy of the directory on disk, so that keys work (and revoked ones do not) while PostgreSQL is unavailable. It holds only
 * digests, has mode 0600, and is trusted only under the installation's own seal.
 */
export class DirectoryFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #sealKey: Buffer;

  /** @param processName each process writes its own file, such as `core` or `delivery-0` */
  constructor(dataDir: string, processName: string, pepper: Buffer) {
    this.#folder = join(dataDir, FOLDER);
    this.#path = join(this.#folder, `directory-${processName}.json`);
    this.#sealKey = createHmac('sha256', pepper).update('directory-seal').digest();
  }

  /** The newest valid copy of any process of this machine; null when there is none. */
  readNewest(): DirectoryData | null {
    let newest: DirectoryData | null = null;
    for (const name of this.#listNames()) {
      const data = this.#readCopy(join(this.#folder, name));
      if (data !== null && (newest === null || data.asOfMs > newest.asOfMs)) newest = data;
    }
    return newest;
  }

  /** Replaces this process's copy: written aside, synced, renamed. */
  async write(data: DirectoryData): Promise<void> {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify(data);
    const aside = `${this.#path}.${randomBytes(4).toString('hex')}.tmp`;
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(`${this.#seal(text).toString('hex')}\n${text}`);
      await file.datasync();
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    await rename(aside, this.#path);
  }

  #listNames(): string[] {
    try {
      const names = readdirSync(this.#folder);
      for (const stale of names.filter((name) => name.endsWith('.tmp') && name.startsWith(this.#ownName()))) {
        rmSync(join(this.#folder, stale), { force: true });
      }
      return names.filter((name) => NAME.test(name)).slice(0, FILES_MAX);
    } catch {
      return [];
    }
  }

  #ownName(): string {
    return this.#path.slice(this.#folder.length + 1);
  }

  #readCopy(path: string): DirectoryData | null {
    try {
      const content = readFileSync(path, 'utf8');
      const end = content.indexOf('\n');
      const text = content.slice(end + 1);
      if (!isSameDigest(Buffer.from(content.slice(0, end), 'hex'), this.#seal(text))) return null;
      return JSON.parse(text) as DirectoryData;
    } catch {
      return null;
    }
  }

  #seal(text: string): Buffer {
    return createHmac('sha256', this.#sealKey).update(text).digest();
  }
}
