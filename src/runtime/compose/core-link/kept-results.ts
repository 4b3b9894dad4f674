import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = 'core-results';

/** A result as a core sent it. */
export interface KeptText {
  readonly tag: string;
  readonly text: Buffer;
}

/** Results of a core on this disk, with their tags: they are sent again only when they differ. The workers of a node share them. */
export class KeptResults {
  readonly #dir: string;

  constructor(dataDir: string) {
    this.#dir = join(dataDir, FOLDER);
  }

  /** Null: none is kept, or it cannot be read. */
  async read(name: string, key: string): Promise<KeptText | null> {
    const bytes = await readFile(this.#pathOf(name, key)).catch(() => null);
    const end = bytes?.indexOf('\n') ?? -1;
    if (bytes === null || end < 0) return null;
    const [tag, digest] = bytes.toString('utf8', 0, end).split(' ');
    const text = bytes.subarray(end + 1);
    return tag !== undefined && digest === digestOf(text) ? { tag, text } : null;
  }

  /** A disk that is full costs a transfer, no more. */
  async write(name: string, key: string, { tag, text }: KeptText): Promise<void> {
    const path = this.#pathOf(name, key);
    const aside = `${path}.${process.pid}`;
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(aside, Buffer.concat([Buffer.from(`${tag} ${digestOf(text)}\n`), text]), { mode: 0o600 });
      await rename(aside, path);
    } catch {
      // It is read again next time.
    }
  }

  #pathOf(name: string, key: string): string {
    return join(this.#dir, key === '' ? name : `${name}-${encodeURIComponent(key)}`);
  }
}

function digestOf(text: Buffer): string {
  return createHash('sha256').update(text).digest('base64url');
}
