import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isChainLine, type KeptHeadLine, parseHeadLine, sha256 } from './audit-head-line.ts';

const FILE_NAME = /^\d{4}-\d{2}-\d{2}\.ndjson$/;

/** Where the signed heads of a data folder are. A copy elsewhere protects against an attacker who controls this machine. */
export function auditHeadsDir(dataDir: string): string {
  return join(dataDir, 'audit', 'heads');
}

/** A line of a file, with its position. */
export interface FileLine {
  /** `<file>, line <number>`. */
  readonly location: string;
  readonly text: string;
}

/**
 * Every line of a folder of day files, in the order of the days, or of one file. A missing path has no lines.
 * @throws when a file cannot be read
 */
export function readHeadFiles(path: string): FileLine[] {
  return listFiles(path).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text, index) => ({ location: `${basename(file)}, line ${index + 1}`, text }))
      .filter(({ text }) => text !== ''),
  );
}

/** The lines of older versions, which line 1 of the chain binds. */
export function hashLegacyLines(lines: readonly FileLine[]): string {
  return sha256(
    lines
      .filter(({ text }) => !isChainLine(text))
      .map(({ text }) => `${text}\n`)
      .join(''),
  );
}

/** The last line of the chain in files; null when there is none. */
export function lastOfChain(lines: readonly FileLine[]): KeptHeadLine | null {
  for (const { text } of lines.toReversed()) {
    const line = parseHeadLine(text);
    if (line !== null) return { text, line };
  }
  return null;
}

/** Appends a line to the file of its day and waits until it is on disk. @throws when the disk fails */
export async function appendHeadLine(dir: string, { text, line }: KeptHeadLine): Promise<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = await open(join(dir, `${line.at.slice(0, 10)}.ndjson`), 'a+', 0o600);
  try {
    const { size } = await file.stat();
    const last = Buffer.alloc(1);
    // A torn line from a crash must not swallow this one.
    if (size > 0) await file.read(last, 0, 1, size - 1);
    await file.appendFile(size > 0 && last.toString() !== '\n' ? `\n${text}\n` : `${text}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

function listFiles(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  const names = stats.isDirectory() ? readdirSync(path).filter((name) => FILE_NAME.test(name)) : [basename(path)];
  const dir = stats.isDirectory() ? path : dirname(path);
  return names.sort().map((name) => join(dir, name));
}
