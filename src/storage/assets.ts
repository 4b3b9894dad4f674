import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The types that may be stored and served, by file ending. */
export const ASSET_TYPES = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  html: 'text/html; charset=utf-8',
  zip: 'application/zip',
} as const;
export type AssetExtension = keyof typeof ASSET_TYPES;

/** Largest asset, in bytes. */
export const ASSET_BYTES_MAX = 32 * 1024 * 1024;

/** Files of creatives, named by the SHA-256 of their content, so that a name never changes its meaning. */
export interface AssetStore {
  /** Stores the bytes and returns their public path, `/assets/<64 hex digits>.<extension>`. Safe to repeat. */
  put(bytes: Buffer, extension: AssetExtension): Promise<string>;
  /** The bytes under a name `<64 hex digits>.<extension>`, or null. */
  get(name: string): Promise<{ bytes: Buffer; contentType: string } | null>;
  /** Deletes the file of a name; one that is not there is fine. @throws Error for an invalid name */
  remove(name: string): Promise<void>;
}

const NAME = /^[0-9a-f]{64}\.([a-z0-9]{3,4})$/;

/** The name of a file by its content: `<64 hex digits>.<extension>`. */
export function assetName(bytes: Uint8Array, extension: AssetExtension): string {
  return `${createHash('sha256').update(bytes).digest('hex')}.${extension}`;
}

/** The name, when it is one. @throws Error when it is not, so that no other file can be meant */
export function requireAssetName(name: string): string {
  if (!NAME.test(name)) throw new Error('This is not the name of an asset');
  return name;
}

/** Whether a text is a name of an asset that may be served. */
export function isAssetName(name: string): boolean {
  const extension = NAME.exec(name)?.[1];
  return extension !== undefined && Object.hasOwn(ASSET_TYPES, extension);
}

/** Opens the store of assets in `<data>/assets`, or in another folder there. */
export function openAssetStore(dataDir: string, folder = 'assets'): AssetStore {
  const dir = join(dataDir, folder);
  return {
    async put(bytes, extension) {
      const name = assetName(bytes, extension);
      const path = join(dir, name);
      if (!(await exists(path))) await writeAside(dir, path, bytes);
      return `/assets/${name}`;
    },
    async get(name) {
      const extension = NAME.exec(name)?.[1] as AssetExtension | undefined;
      if (extension === undefined || !(extension in ASSET_TYPES)) return null;
      try {
        return { bytes: await readFile(join(dir, name)), contentType: ASSET_TYPES[extension] };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }
    },
    remove: (name) => rm(join(dir, requireAssetName(name)), { force: true }),
  };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function writeAside(dir: string, path: string, bytes: Buffer): Promise<void> {
  await mkdir(dir, { recursive: true });
  // The same file may be sent twice at a time.
  const aside = `${path}.${randomUUID()}.tmp`;
  const file = await open(aside, 'wx', 0o644);
  try {
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
}
