import { closeSync, existsSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../domain/log/log.ts';
import { makeFolder } from './spool-files.ts';
import { syncFolderNow } from '../../storage/disk-file.ts';
import type { RecoveredFile } from './spool-files.ts';

/** Folder of the spool that holds dead letters. */
export const DEAD_LETTERS_FOLDER = 'dead-letters';

/** Why something is a dead letter, and what that means for an operator. */
export const DEAD_LETTER_REASONS = {
  torn: 'the end of a file that was being written when its process died; it was not acknowledged unless the disk lost its end',
  damaged: 'the checksum of the line is wrong: the disk changed it after it was acknowledged',
  missing: 'the file is shorter than its name says: the disk lost its end',
  uncountable: 'the line is whole, but its counters are outside the bounds of the hot store',
  refused: 'the analytics store refuses the row',
} as const;
export type DeadLetterReason = keyof typeof DEAD_LETTER_REASONS;

/** One entry that cannot be processed. */
export interface DeadLetter {
  readonly reason: DeadLetterReason;
  /** Where it began in its file; null when unknown. */
  readonly offset: number | null;
  /** How long it was there. */
  readonly length: number;
  readonly text: string;
}

/** A stored dead letter, with the file that it came from. */
export interface KeptDeadLetter extends DeadLetter {
  /** `w<worker index>/<file id>` */
  readonly file: string;
}

/** What dead letters come from. */
export interface LetterSource {
  readonly file: string;
  /** Names the letters beside the file's name: a file may lose lines when it is counted and again when it is shipped. */
  readonly step: string;
}

/** Records dead letters. */
export interface DeadLetters {
  /**
   * Records what a step found in one file; returns when it is on stable storage. A repeat of the step replaces the same letters, and is
   * neither counted nor logged again.
   */
  record(from: LetterSource, letters: readonly DeadLetter[]): void;
  /** Whether letters of a step are recorded. */
  has(from: LetterSource): boolean;
  /** Records a torn end if it can. Never throws. */
  recordTornEnd(found: RecoveredFile): void;
  /** Letters recorded since the start, by reason. */
  counts(): Readonly<Record<DeadLetterReason, number>>;
  /** Files that are in the folder now. */
  files(): number;
}

/** Longest text of one letter: a torn end may be megabytes of zeros. */
const TEXT_CHARS_MAX = 65_536;
/** Positions that one log line names. */
const LOGGED_POSITIONS_MAX = 20;

/** Opens the folder, and makes it when it is missing. */
export function openDeadLetters(dir: string, log: Log): DeadLetters {
  makeFolder(dir);
  return new DeadLetterFolder(dir, log);
}

/** The letters in a folder, oldest file first. A line that cannot be read is a letter without a position. */
export function readDeadLetters(dir: string): KeptDeadLetter[] {
  return namesIn(dir).flatMap((name) =>
    readFileSync(join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseLetter(line, name)),
  );
}

class DeadLetterFolder implements DeadLetters {
  readonly #dir: string;
  readonly #log: Log;
  readonly #counts = Object.fromEntries(Object.keys(DEAD_LETTER_REASONS).map((reason) => [reason, 0])) as Record<
    DeadLetterReason,
    number
  >;

  constructor(dir: string, log: Log) {
    this.#dir = dir;
    this.#log = log;
  }

  has(of: LetterSource): boolean {
    return existsSync(join(this.#dir, nameOf(of)));
  }

  record({ file, step }: LetterSource, letters: readonly DeadLetter[]): void {
    if (letters.length === 0) return;
    const name = nameOf({ file, step });
    const path = join(this.#dir, name);
    const isRepeat = existsSync(path);
    const lines = letters.map((letter) => JSON.stringify({ file, ...letter, text: cleanText(letter.text) }));
    writeWholeSync(path, `${lines.join('\n')}\n`);
    syncFolderNow(this.#dir);
    if (isRepeat) return;
    for (const { reason } of letters) this.#counts[reason] += 1;
    const positions = letters
      .slice(0, LOGGED_POSITIONS_MAX)
      .map(({ reason, offset, length }) => `${reason} at ${offset ?? '?'}, ${length} bytes`);
    this.#log.event('spool.dead_letter', { spoolFile: file, letters: letters.length, positions, keptIn: name });
  }

  recordTornEnd({ folder, fileId, torn }: RecoveredFile): void {
    if (torn === null) return;
    const letter = {
      reason: 'torn',
      offset: torn.offset,
      length: torn.bytes.length,
      text: textOf(torn.bytes),
    } as const;
    try {
      this.record({ file: `${folder}/${fileId}`, step: 'open' }, [letter]);
    } catch (error) {
      // On a full disk the acknowledged lines before the torn end must still be counted.
      this.#counts.torn += 1;
      const at = { spoolFile: `${folder}/${fileId}`, offset: torn.offset, bytes: torn.bytes.length };
      this.#log.event('spool.torn_end_lost', { err: error, ...at });
    }
  }

  counts(): Readonly<Record<DeadLetterReason, number>> {
    return { ...this.#counts };
  }

  files(): number {
    return namesIn(this.#dir).length;
  }
}

/** Bytes as text, without the zeros that a file system fills lost blocks with. */
export function textOf(bytes: Buffer): string {
  return bytes.subarray(0, TEXT_CHARS_MAX).toString('utf8').replaceAll('\0', '');
}

/** Dead letters do not expire, so user hashes are replaced with zeros in rows and keys, also where a line is torn. */
function cleanText(text: string): string {
  return (
    text
      .replaceAll(/"user_hash"\s*:\s*"?[0-9a-f]+"?/g, '"user_hash":"0"')
      // A row without names: the hash stands behind `npa`.
      .replaceAll(/\b(true|false),"\d+"?/g, '$1,"0"')
      .replaceAll(/\/[0-9a-f]{16}(?=[/"])/g, `/${'0'.repeat(16)}`)
      .slice(0, TEXT_CHARS_MAX)
  );
}

function parseLetter(line: string, name: string): KeptDeadLetter {
  try {
    const letter = JSON.parse(line) as Partial<KeptDeadLetter> | null;
    if (letter?.reason !== undefined && Object.hasOwn(DEAD_LETTER_REASONS, letter.reason))
      return letter as KeptDeadLetter;
  } catch {
    // The disk changed it.
  }
  return {
    file: name.split('.')[0] ?? name,
    reason: 'damaged',
    offset: null,
    length: Buffer.byteLength(line),
    text: line,
  };
}

function nameOf({ file, step }: LetterSource): string {
  return `${file.replaceAll('/', '-')}.${step}.ndjson`;
}

function namesIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.ndjson'))
    .sort();
}

function writeWholeSync(path: string, text: string): void {
  const fd = openSync(path, 'w', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
