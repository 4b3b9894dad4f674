import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import yauzl from 'yauzl';
import { CLICK_TAG } from '../../domain/booking/creative-scan.ts';
import { readPieces } from './code-pieces.ts';

/** The most that a bundle may hold: what ad servers and the IAB allow, with some air. */
export const BUNDLE_LIMITS = { packedBytes: 5 * 1024 * 1024, unpackedBytes: 10 * 1024 * 1024, files: 100 } as const;

/** The types of files in a bundle, by ending. Others are refused. */
export const BUNDLE_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
};

/** What operating systems put into archives by themselves. */
const BY_THE_WAY = /(?:^|\/)(?:__MACOSX(?:\/|$)|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;
/** What designers' tools leave in archives and no ad needs. */
const UNUSED = /\.(?:map|ico|md|scss|sass|less|fla|psd)$/i;
const PATH_LENGTH_MAX = 200;
/** Bits of `externalFileAttributes` that say "symbolic link" in Unix archives. */
const LINK_MODE = 0o120_000;
const MODE_MASK = 0o170_000;

/** Why a bundle is refused; the message says what to change. */
export class BundleRefused extends Error {}

/** The files of an HTML5 bundle. */
export interface Bundle {
  /** Path of the page that is shown. */
  readonly entry: string;
  readonly clickTag: string;
  /** By path, with slashes whatever the archive has. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Paths of files that are not served: source maps, icons of pages, sources of designers. */
  readonly leftOut: readonly string[];
  readonly unpackedBytes: number;
}

/**
 * Unpacks an HTML5 bundle in memory. Every size is checked against {@link BUNDLE_LIMITS} before and while it is unpacked, whatever the archive
 * declares; names that leave the archive, links, encrypted files and unknown types are refused.
 * @throws BundleRefused
 */
export async function openBundle(bytes: Buffer): Promise<Bundle> {
  if (bytes.length > BUNDLE_LIMITS.packedBytes)
    throw new BundleRefused(
      `An HTML5 bundle has at most ${BUNDLE_LIMITS.packedBytes} bytes; this one has ${bytes.length}.`,
    );
  const files = new Map<string, Buffer>();
  const leftOut: string[] = [];
  let unpackedBytes = 0;
  let entries = 0;
  const archive = await openArchive(bytes);
  try {
    for await (const entry of entriesOf(archive)) {
      entries += 1;
      if (entries > BUNDLE_LIMITS.files * 10) throw tooManyFiles();
      const path = entry.fileName;
      if (path.endsWith('/') || BY_THE_WAY.test(path)) continue;
      checkName(entry);
      if (UNUSED.test(path)) {
        leftOut.push(path);
        continue;
      }
      checkEntry(entry, unpackedBytes);
      if (files.size >= BUNDLE_LIMITS.files) throw tooManyFiles();
      if (files.has(path)) throw new BundleRefused(`The bundle has the file ${shown(path)} twice.`);
      const content = await unpack(archive, entry);
      unpackedBytes += content.length;
      files.set(path, content);
    }
  } finally {
    archive.close();
  }
  const entry = findEntry(files);
  return { entry, clickTag: await findClickTag(files), files, leftOut, unpackedBytes };
}

/** The type that a file of a bundle is served with; null for one that no bundle has. */
export function bundleTypeOf(path: string): string | null {
  const ending = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BUNDLE_TYPES, ending) ? (BUNDLE_TYPES[ending] ?? null) : null;
}

const tooManyFiles = (): BundleRefused => new BundleRefused(`A bundle has at most ${BUNDLE_LIMITS.files} files.`);
const shown = (path: string): string => JSON.stringify(path.slice(0, 100));

/** Archives of Windows may separate folders by backslashes, which are read as slashes; names that leave the archive are refused in either form. */
async function openArchive(bytes: Buffer): Promise<yauzl.ZipFile> {
  const options = { lazyEntries: true, validateEntrySizes: true, strictFileNames: false, autoClose: false };
  try {
    return await promisify<Buffer, yauzl.Options, yauzl.ZipFile>(yauzl.fromBuffer)(bytes, options);
  } catch (cause) {
    throw damaged(cause);
  }
}

function damaged(cause: unknown): BundleRefused {
  const why = cause instanceof Error ? cause.message.slice(0, 200) : '';
  return new BundleRefused(`The archive cannot be read: ${why}`, { cause });
}

/** Entries one after the other: the next one is read when the one before is done. */
async function* entriesOf(archive: yauzl.ZipFile): AsyncGenerator<yauzl.Entry> {
  for (;;) {
    const entry = await new Promise<yauzl.Entry | null>((resolve, reject) => {
      archive.removeAllListeners();
      archive.once('entry', resolve);
      archive.once('end', () => resolve(null));
      archive.once('error', (cause) => reject(damaged(cause)));
      archive.readEntry();
    });
    if (entry === null) return;
    yield entry;
  }
}

function checkName({ fileName: path }: yauzl.Entry): void {
  const isOutside = path.startsWith('/') || /(?:^|\/)\.{1,2}(?:\/|$)|\\|\p{Cc}/u.test(path);
  if (isOutside || path.length > PATH_LENGTH_MAX)
    throw new BundleRefused(`The file name ${shown(path)} is not allowed.`);
}

function checkEntry(entry: yauzl.Entry, unpackedBytes: number): void {
  const path = entry.fileName;
  const name = shown(path);
  if (((entry.externalFileAttributes >>> 16) & MODE_MASK) === LINK_MODE)
    throw new BundleRefused(`${name} is a link; put the file itself into the bundle.`);
  if (entry.isEncrypted()) throw new BundleRefused(`${name} is encrypted.`);
  if (bundleTypeOf(path) === null)
    throw new BundleRefused(`${name} has an unknown type. Known ones: ${Object.keys(BUNDLE_TYPES).join(', ')}.`);
  if (unpackedBytes + entry.uncompressedSize > BUNDLE_LIMITS.unpackedBytes)
    throw new BundleRefused(`The files have more than ${BUNDLE_LIMITS.unpackedBytes} bytes together.`);
}

/** The content of one file. Reading ends with an error as soon as it has more bytes than the archive declares. */
async function unpack(archive: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer> {
  try {
    const stream = await promisify(archive.openReadStream.bind(archive) as OpenStream)(entry);
    return await buffer(stream);
  } catch (cause) {
    throw damaged(cause);
  }
}

type OpenStream = (
  entry: yauzl.Entry,
  callback: (error: Error | null, stream: NodeJS.ReadableStream & AsyncIterable<Uint8Array>) => void,
) => void;

/** `index.html` nearest to the root, or the only page. */
function findEntry(files: ReadonlyMap<string, Buffer>): string {
  const depth = (path: string): number => path.split('/').length;
  const pages = [...files.keys()].filter((path) => /\.html?$/i.test(path)).toSorted((a, b) => depth(a) - depth(b));
  const entry =
    pages.find((path) => /(?:^|\/)index\.html?$/i.test(path)) ?? (pages.length === 1 ? pages[0] : undefined);
  if (entry !== undefined) return entry;
  throw new BundleRefused(
    pages.length === 0 ? 'The bundle has no page: add index.html.' : 'Name the page that is shown index.html.',
  );
}

async function findClickTag(files: ReadonlyMap<string, Buffer>): Promise<string> {
  for (const [path, content] of files) {
    if (!/\.(?:html?|m?js)$/i.test(path)) continue;
    for await (const { text } of readPieces(content)) {
      const found = CLICK_TAG.exec(text)?.[0];
      if (found !== undefined) return found;
    }
  }
  throw new BundleRefused(
    'The bundle has no click tag: write `var clickTag = "https://your-landing-page"` into its page and open it with window.open(window.clickTag).',
  );
}
