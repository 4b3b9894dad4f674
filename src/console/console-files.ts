import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import type { PackedFile } from '../http/core/packed-file.ts';

/** One file of the built console, in memory, with the compressed forms that the build made. */
export interface ConsoleFile extends PackedFile {
  /** The name carries a hash of the content: it may be kept for ever. */
  readonly immutable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};
const FILES_MAX = 2_000;
const BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads the built console whole: a few megabytes, so that nothing a caller names ever reaches the file system. Keys are
 * addresses, such as `/assets/main-B3x.js` and `/index.html`. An absent folder gives an empty map.
 *
 * @throws Error for a folder that does not hold a built console: over 2,000 files or 64 MiB.
 */
export function readConsoleFiles(folder: string): Map<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  let bytes = 0;
  for (const path of listFiles(folder)) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const address = `/${relative(folder, path).replaceAll('\\', '/')}`;
    const plain = readFileSync(path);
    bytes += plain.length;
    if (files.size >= FILES_MAX || bytes > BYTES_MAX)
      throw new Error(`${folder} does not hold a built console: it is too large`);
    files.set(address, {
      type,
      plain,
      brotli: readIfThere(`${path}.br`),
      gzip: readIfThere(`${path}.gz`),
      immutable: address.startsWith('/assets/'),
    });
  }
  return files;
}

function listFiles(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
