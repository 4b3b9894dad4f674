import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { DEAD_LETTERS_FOLDER, readDeadLetters } from '../spool/dead-letters.ts';
import type { DeadLetterReason, KeptDeadLetter } from '../spool/dead-letters.ts';
import { addExpected } from './expected-counters.ts';
import type { ExpectedCounter } from './expected-counters.ts';
import { isListDamaged, listBatchedFiles, listBatchFolders } from '../shipping/batch-folders.ts';
import { decodeSpoolLine, readEntries } from '../spool/spool-line.ts';
import type { SpoolLine } from '../spool/spool-line.ts';
import { listSpoolFiles, listWorkerIndexes, openedAtMs } from '../spool/spool-files.ts';
import type { SpoolFile } from '../spool/spool-files.ts';
import { nameColumns } from '../spool/spool-row.ts';

/** One spool file, as an operator looks at it. */
export interface InspectedFile {
  /** `w<worker index>/<file id>` */
  readonly file: string;
  readonly state: SpoolFile['state'];
  /** When it was begun, epoch milliseconds. */
  readonly openedAtMs: number;
  readonly bytes: number;
  /** Lines that can be read. */
  readonly lines: number;
  /** Name of the batch that it ships in; null = none yet. */
  readonly batch: string | null;
  /** Its faults, with positions. */
  readonly problems: readonly string[];
}

/** A whole spool. */
export interface InspectedSpool {
  readonly files: readonly InspectedFile[];
  /** Folders of batches whose lists of files cannot be read. */
  readonly damagedLists: readonly string[];
  readonly deadLetters: Readonly<Partial<Record<DeadLetterReason, number>>>;
}

/** Reads every file of a spool and checks every line. Safe beside running workers: files that they ship meanwhile are left out. */
export function inspectSpool(spoolDir: string): InspectedSpool {
  const files: InspectedFile[] = [];
  const batches = listBatchFolders(spoolDir);
  for (const workerIndex of listWorkerIndexes(spoolDir)) {
    const dir = join(spoolDir, `w${workerIndex}`);
    for (const file of listSpoolFiles(dir)) files.push(...inspectFile(file, null));
  }
  for (const batch of batches) for (const file of batch.files) files.push(...inspectFile(file, batch.name));
  const deadLetters: Partial<Record<DeadLetterReason, number>> = {};
  for (const { reason } of listDeadLetters(spoolDir)) deadLetters[reason] = (deadLetters[reason] ?? 0) + 1;
  const damagedLists = batches.filter(isListDamaged).map(({ dir, name }) => join(dir, name));
  return { files, damagedLists, deadLetters };
}

/** The dead letters of a spool. */
export function listDeadLetters(spoolDir: string): KeptDeadLetter[] {
  return readDeadLetters(join(spoolDir, DEAD_LETTERS_FOLDER));
}

/** The rows of one file that can be read; null when there is no such file. @param name `w<worker index>/<file id>` */
export function readFileRows(spoolDir: string, name: string): string[] | null {
  const [folder = '', fileId = ''] = name.split('/');
  const own = listSpoolFiles(join(spoolDir, folder));
  const file = [...own, ...listBatchedFiles(spoolDir, folder)].find((one) => one.fileId === fileId);
  if (file === undefined) return null;
  return claimsAndRows(file).flatMap(({ row, more }) => [row, ...more].map(nameColumns));
}

/**
 * Adds the counts of events that wait in the spool, each once: the delivery counters include them, the event table does not.
 * @returns how many there are
 */
export async function addUnshipped(
  spoolDir: string,
  hot: HotStore,
  expected: Map<string, ExpectedCounter>,
): Promise<number> {
  const seen = new Set<string>();
  let waiting = 0;
  const own = listWorkerIndexes(spoolDir).flatMap((workerIndex) => listSpoolFiles(join(spoolDir, `w${workerIndex}`)));
  for (const file of [...own, ...listBatchFolders(spoolDir).flatMap((batch) => batch.files)]) {
    for (const { claim } of claimsAndRows(file)) {
      if (claim === null || seen.has(claim.key)) continue;
      seen.add(claim.key);
      waiting += 1;
      if (!(await hot.isCounted(claim.key))) continue;
      for (const increment of claim.increments) if (increment.key.startsWith('d/')) addExpected(expected, increment);
    }
  }
  return waiting;
}

function claimsAndRows(file: SpoolFile): SpoolLine[] {
  return readEntries(contentOf(file) ?? Buffer.alloc(0)).flatMap(({ bytes, isWhole }) =>
    isWhole ? (decodeSpoolLine(bytes.toString('utf8')) ?? []) : [],
  );
}

/** Null when it was shipped or renamed meanwhile. */
function contentOf(file: SpoolFile): Buffer | null {
  return existsSync(file.path) ? readFileSync(file.path).subarray(0, file.bytes) : null;
}

function inspectFile(file: SpoolFile, batch: string | null): InspectedFile[] {
  const content = contentOf(file);
  if (content === null) return [];
  const entries = readEntries(content);
  const lastOffset = entries.at(-1)?.offset;
  const problems = entries
    .filter(({ isWhole, offset }) => !isWhole && !(file.state === 'open' && offset === lastOffset))
    .map(({ offset, bytes }) => `${bytes.length} bytes at ${offset} cannot be read`);
  if (content.length < file.bytes)
    problems.push(`${file.bytes - content.length} bytes at ${content.length} are missing`);
  return [
    {
      file: `${file.folder}/${file.fileId}`,
      state: file.state,
      openedAtMs: openedAtMs(file.fileId),
      bytes: file.bytes,
      lines: entries.filter(({ isWhole }) => isWhole).length,
      batch,
      problems,
    },
  ];
}
