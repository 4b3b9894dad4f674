import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, type BackupFile, MAC_FILE, MANIFEST_FILE, type Manifest } from './manifest.ts';

/** Writes the files of a backup and records their sizes and checksums. */
export class BackupWriter {
  readonly #folder: string;
  readonly #files: BackupFile[] = [];
  readonly #folders: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  files(): readonly BackupFile[] {
    return this.#files;
  }

  folders(): readonly string[] {
    return this.#folders;
  }

  /** The path of a file that another process writes; call `record` when it is whole. */
  async locate(path: string): Promise<string> {
    const full = join(this.#folder, path);
    await mkdir(dirname(full), { recursive: true, mode: 0o700 });
    return full;
  }

  /** A folder that a restore makes, even when it is empty. */
  addFolder(path: string): void {
    this.#folders.push(path);
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    await this.#store(path, Readable.from([Buffer.from(content)]));
  }

  async writeStream(path: string, content: Readable): Promise<void> {
    await this.#store(path, content);
  }

  /** @param from.bytes copies this many from the beginning; default: all there are */
  async copy(path: string, from: { readonly path: string; readonly bytes?: number }): Promise<void> {
    if (from.bytes === 0) return this.#store(path, Readable.from([]));
    // Opened first: a file that is gone leaves nothing behind.
    const handle = await open(from.path, 'r');
    await this.#store(path, handle.createReadStream(from.bytes === undefined ? {} : { start: 0, end: from.bytes - 1 }));
  }

  /** Records a file of the backup. */
  async record(path: string): Promise<void> {
    const full = join(this.#folder, path);
    this.#files.push({ path, ...(await readChecksum(full)) });
    await syncFile(full);
  }

  async #store(path: string, content: Readable): Promise<void> {
    const hash = createHash('sha256');
    const count = { bytes: 0 };
    const target = createWriteStream(await this.locate(path), { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(content, measure(hash, count), target);
    this.#files.push({ path, bytes: count.bytes, sha256: hash.digest('hex') });
  }
}

/** Passes a file on, and fails at its end unless it is as listed. */
export function requireChecksum(file: BackupFile): Transform {
  const hash = createHash('sha256');
  const count = { bytes: 0 };
  const transform = measure(hash, count);
  transform._flush = (done) => {
    try {
      requireSame(file, { ...count, sha256: hash.digest('hex') });
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  return transform;
}

function measure(hash: Hash, count: { bytes: number }): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      count.bytes += chunk.length;
      done(null, chunk);
    },
  });
}

async function readChecksum(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Puts a file or the entries of a folder on stable storage. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @throws BackupError that names the first file that is missing, was changed or was added */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  const listed = new Set([MANIFEST_FILE, MAC_FILE, ...files.map(({ path }) => path)]);
  for await (const { path, isFolder, isPlain } of walkFolder(folder)) {
    if (isFolder) continue;
    if (!listed.has(path))
      throw new BackupError(`The file ${path} was added to the backup: its manifest does not list it.`);
    if (!isPlain) throw new BackupError(`The file ${path} of the backup was changed: it is a link or a device.`);
  }
  for (const file of files) {
    const found = await readChecksum(join(folder, file.path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      throw new BackupError(`The file ${file.path} of the backup is missing.`);
    });
    requireSame(file, found);
  }
}

function requireSame({ path, bytes, sha256 }: BackupFile, found: Pick<BackupFile, 'bytes' | 'sha256'>): void {
  if (found.bytes !== bytes || found.sha256 !== sha256)
    throw new BackupError(`The file ${path} of the backup was changed: its checksum is another one.`);
}

/** A backup whose manifest was checked. */
export interface CheckedBackup {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The content of a file as the manifest lists it, also when somebody changes the file after the check. @throws BackupError */
export async function readListed({ folder, manifest }: CheckedBackup, path: string): Promise<Buffer> {
  const listed = findListed(manifest, path);
  const content = await readFile(join(folder, path));
  requireSame(listed, { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') });
  return content;
}

/** @throws BackupError when the manifest does not list the file */
export function findListed({ files }: Manifest, path: string): BackupFile {
  const listed = files.find((file) => file.path === path);
  if (listed === undefined) throw new BackupError(`The manifest of the backup does not list the file ${path}.`);
  return listed;
}

/**
 * Copies the files and folders below `prefix` of a backup into a folder.
 * @throws BackupError when a file was changed since it was checked
 */
export async function copyBack(
  { folder, manifest }: CheckedBackup,
  { prefix, to }: { readonly prefix: string; readonly to: string },
): Promise<void> {
  const below = (path: string): string => join(to, path.slice(prefix.length));
  for (const path of manifest.folders)
    if (path.startsWith(prefix)) await mkdir(below(path), { recursive: true, mode: 0o700 });
  for (const file of manifest.files) {
    const { path } = file;
    if (!path.startsWith(prefix)) continue;
    await mkdir(dirname(below(path)), { recursive: true, mode: 0o700 });
    const target = createWriteStream(below(path), { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(createReadStream(join(folder, path)), requireChecksum(file), target);
  }
}

/** A file or folder below another folder. */
export interface FolderEntry {
  /** Without the folder in which the walk began. */
  readonly path: string;
  readonly isFolder: boolean;
  /** A regular file: no link, no device. */
  readonly isPlain: boolean;
}

/** Everything below a folder, parents first; empty when there is none. */
export async function* walkFolder(dir: string, inside = ''): AsyncGenerator<FolderEntry> {
  const entries = await readdir(join(dir, inside), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return [] as Dirent[];
  });
  for (const entry of entries) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    yield { path, isFolder: entry.isDirectory(), isPlain: entry.isFile() };
    if (entry.isDirectory()) yield* walkFolder(dir, path);
  }
}
