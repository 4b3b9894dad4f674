import { open, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { mapFile } from '../../storage/mapped-file.ts';
import type { StoredColumn } from '../decision/index/stored-workspace.ts';

/** Another number for each change of the columns: a file of another number is not read. */
const MAGIC = 'PLCOL002';
const PREFIX_BYTES = 16;
const ALIGNMENT = 8;
/** Read at once. */
const CHUNK_BYTES = 1_048_576;
const KINDS = { BigInt64Array, Float64Array, Int32Array, Uint32Array, Uint16Array, Uint8Array } as const;
type Kind = keyof typeof KINDS;

interface Location {
  readonly name: string;
  readonly kind: Kind;
  readonly start: number;
  readonly length: number;
}

/** A file of columns: what describes them (JSON), and the columns by name. */
export interface ColumnsFile<T> {
  readonly about: T;
  readonly columns: ReadonlyMap<string, StoredColumn>;
}

/**
 * Writes columns as they are in memory, so that they are read in one move. Syncs and renames: other processes see the former file or the new one.
 * The file is for this machine: the order of bytes is that of the processor.
 */
export async function writeColumnsFile<T>(path: string, { about, columns }: ColumnsFile<T>): Promise<void> {
  const locations: Location[] = [];
  let start = 0;
  for (const [name, column] of columns) {
    locations.push({ name, kind: kindOf(column), start, length: column.length });
    start += padded(column.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ about, locations }));
  const parts: Uint8Array[] = [header, Buffer.alloc(padded(header.length) - header.length)];
  for (const column of columns.values()) {
    parts.push(Buffer.from(column.buffer, column.byteOffset, column.byteLength));
    parts.push(Buffer.alloc(padded(column.byteLength) - column.byteLength));
  }
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.write(MAGIC, 'latin1');
  prefix.writeUInt32LE(header.length, 8);
  prefix.writeUInt32LE(
    parts.reduce((checksum, part) => crc32(part, checksum), 0),
    12,
  );
  await replaceFile(path, [prefix, ...parts]);
}

async function replaceFile(path: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  const file = await open(temporary, 'w', 0o600);
  try {
    for (const part of parts) await file.appendFile(part);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await rename(temporary, path);
}

/**
 * The columns of a file, as views of its bytes; null when there is none. All processes of a machine share these bytes where the system can map a
 * file; elsewhere each has its own. @throws Error when it is damaged or of another format
 */
export async function readColumnsFile<T>(path: string): Promise<ColumnsFile<T> | null> {
  const bytes = await readBytes(path);
  if (bytes === null) return null;
  const headerBytes = bytes.readUInt32LE(8);
  const header = bytes.toString('utf8', PREFIX_BYTES, PREFIX_BYTES + headerBytes);
  const { about, locations } = JSON.parse(header) as { readonly about: T; readonly locations: readonly Location[] };
  const begin = bytes.byteOffset + PREFIX_BYTES + padded(headerBytes);
  const columns = locations.map(({ name, kind, start, length }) => {
    return [name, new KINDS[kind](bytes.buffer, begin + start, length)] as const;
  });
  return { about, columns: new Map(columns) };
}

/** The bytes of a file, in memory that begins at a multiple of eight. */
async function readBytes(path: string): Promise<Buffer<ArrayBuffer> | null> {
  const file = await openIfThere(path);
  if (file === null) return null;
  try {
    // Reading it also brings the file into the system's cache: the mapped bytes then never wait for the disk.
    await checkFile(file, path);
    const mapped = mapFile(file.fd);
    return mapped === null ? await readAligned(file) : Buffer.from(mapped);
  } finally {
    await file.close();
  }
}

/** Checks the bytes in parts, so that a worker serves in between. */
async function checkFile(file: FileHandle, path: string): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let checksum = 0;
  let expected: number | null = null;
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, position);
    if (expected === null) {
      if (bytesRead < PREFIX_BYTES || chunk.toString('latin1', 0, MAGIC.length) !== MAGIC)
        throw new Error(`${path} is of another format`);
      expected = chunk.readUInt32LE(12);
    }
    if (bytesRead === 0) break;
    checksum = crc32(chunk.subarray(position === 0 ? PREFIX_BYTES : 0, bytesRead), checksum);
    position += bytesRead;
  }
  if (checksum !== expected) throw new Error(`${path} is damaged`);
}

async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readAligned(file: FileHandle): Promise<Buffer<ArrayBuffer>> {
  const { size } = await file.stat();
  const bytes = Buffer.from(new ArrayBuffer(size));
  for (let position = 0; position < size; ) {
    const { bytesRead } = await file.read(bytes, position, Math.min(CHUNK_BYTES, size - position), position);
    if (bytesRead === 0) throw new Error('the file of columns is cut');
    position += bytesRead;
  }
  return bytes;
}

function kindOf(column: StoredColumn): Kind {
  return column.constructor.name as Kind;
}

function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
