import { PlacardError } from '../../domain/errors.ts';
import type { ExportTarget, StagedFile } from '../../storage/export/export-target.ts';
import { hourFolder } from '../../storage/export/exported-workspaces.sql.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import {
  countFiles,
  countFilesOfUser,
  type ExportHour,
  type FileRange,
  MANIFEST_COLUMNS,
  streamFile,
} from './export-events.olap.ts';
import { buildManifest, type ExportedFile, type HourManifest, MANIFEST_NAME, parseManifest } from './export-layout.ts';

/** Events of one file at most: it bounds the memory of the store. */
const FILE_ROWS_MAX = 500_000;
/** Events that come in while a file is written make its count uncertain: so many tries. */
const TRIES = 4;
const PARQUET_MAGIC = 'PAR1';

/** Where files are written, and from what. */
export interface HourExporter {
  readonly olap: Olap;
  readonly target: ExportTarget;
  /** @throws PlacardError `disk_space_low` when a file should not be begun */
  readonly requireSpace?: () => Promise<void>;
  /** Default: 500,000. */
  readonly fileRowsMax?: number;
}

/** The changes of one export. */
export interface HourChange {
  /** Events of all files of the hour now, and how many of them are new there. */
  readonly rows: number;
  readonly added: number;
  /** Files that were written, and their bytes. */
  readonly files: number;
  readonly bytes: number;
}

/** The manifest of an hour; null when it has none. @throws Error when it cannot be read; PlacardError of the target */
export async function readManifest(target: ExportTarget, hour: ExportHour): Promise<HourManifest | null> {
  const name = `${hourFolder(hour.workspace, 'events', hour.hourMs)}/${MANIFEST_NAME}`;
  const bytes = await target.read(name);
  return bytes === null ? null : parseManifest(bytes.toString('utf8'), name);
}

/**
 * Makes the files of an hour hold what the store holds of it, each event in exactly one of them: what came in since the last time goes
 * into a further file, and a file whose own events have become more is written again under its name. The manifest comes last. A repeat
 * changes nothing.
 *
 * @param storedUntilMs the store received everything before this instant, by its own clock
 */
export async function exportHour(exporter: HourExporter, hour: ExportHour, storedUntilMs: number): Promise<HourChange> {
  const { olap, target } = exporter;
  const earlier = await readManifest(target, hour);
  const files = [...(earlier?.files ?? [])];
  const counts = await countFiles(olap, hour, files);
  const written: ExportedFile[] = [];
  for (const [at, file] of files.entries()) {
    // Fewer: retention has deleted them from the store.
    if ((counts[at] ?? 0) <= file.rows) continue;
    written.push((files[at] = await writeFile(exporter, hour, { ...file, revision: file.revision + 1 })));
  }
  const storedFrom = Math.max(0, ...files.map((file) => file.storedUntil));
  for (const range of await splitNew(exporter, hour, { storedFrom, storedUntil: storedUntilMs })) {
    const name = `events-${String(files.length).padStart(5, '0')}.parquet`;
    const file = await writeFile(exporter, hour, { ...range, name, revision: 1 });
    files.push(file);
    written.push(file);
  }
  if (written.length > 0) {
    await removeFollowing(target, hour, files.length);
    await writeManifest(target, hour, { earlier, files });
  }
  return changeOf(earlier, files, written);
}

/**
 * Writes those files of an hour again that hold a user, without the user.
 * @param userHash as column `user_hash` has it, not '0'
 */
export async function eraseFromHour(exporter: HourExporter, hour: ExportHour, userHash: string): Promise<HourChange> {
  const { olap, target } = exporter;
  const earlier = await readManifest(target, hour);
  const files = [...(earlier?.files ?? [])];
  const counts = await countFilesOfUser(olap, hour, files, userHash);
  const written: ExportedFile[] = [];
  for (const [at, file] of files.entries()) {
    if ((counts[at] ?? 0) === 0) continue;
    written.push((files[at] = await writeFile(exporter, hour, { ...file, revision: file.revision + 1 }, userHash)));
  }
  if (written.length > 0) await writeManifest(target, hour, { earlier, files });
  return changeOf(earlier, files, written);
}

/** Deletes the files of an hour, its manifest last. @returns how many files there were */
export async function removeHour(target: ExportTarget, hour: ExportHour): Promise<number> {
  const manifest = await readManifest(target, hour);
  if (manifest === null) return 0;
  const folder = hourFolder(hour.workspace, 'events', hour.hourMs);
  for (const { name } of manifest.files) await target.remove(`${folder}/${name}`);
  await target.remove(`${folder}/${MANIFEST_NAME}`);
  return manifest.files.length;
}

function changeOf(
  earlier: HourManifest | null,
  files: readonly ExportedFile[],
  written: readonly ExportedFile[],
): HourChange {
  const rows = files.reduce((sum, one) => sum + one.rows, 0);
  return {
    rows,
    added: rows - (earlier?.rows ?? 0),
    files: written.length,
    bytes: written.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The files that new events need. */
async function splitNew(
  { olap, fileRowsMax = FILE_ROWS_MAX }: HourExporter,
  hour: ExportHour,
  stored: Pick<FileRange, 'storedFrom' | 'storedUntil'>,
): Promise<FileRange[]> {
  if (stored.storedUntil <= stored.storedFrom) return [];
  const [total = 0] = await countFiles(olap, hour, [{ ...stored, slice: 0, slices: 1 }]);
  const slices = Math.ceil(total / fileRowsMax);
  const ranges = Array.from({ length: slices }, (_none, slice) => ({ ...stored, slice, slices }));
  const counts = slices <= 1 ? [total] : await countFiles(olap, hour, ranges);
  return ranges.filter((_range, at) => (counts[at] ?? 0) > 0);
}

/** The count of a file is that of its rows: the store counts the same before and after it has written it. */
async function writeFile(
  exporter: HourExporter,
  hour: ExportHour,
  file: FileRange & Pick<ExportedFile, 'name' | 'revision'>,
  erased = '0',
): Promise<ExportedFile> {
  const { olap, target, requireSpace } = exporter;
  const { storedFrom, storedUntil, slice, slices, name, revision } = file;
  const range = { storedFrom, storedUntil, slice, slices };
  for (let tries = 0; tries < TRIES; tries += 1) {
    await requireSpace?.();
    const [rows = 0] = await countFiles(olap, hour, [range]);
    const ends = new FileEnds();
    const path = `${hourFolder(hour.workspace, 'events', hour.hourMs)}/${name}`;
    const staged = await target.stage(path, ends.watch(streamFile(olap, hour, range, erased)));
    const [after = 0] = await countFiles(olap, hour, [range]).catch(async (error: unknown) => {
      await staged.discard();
      throw error;
    });
    if (rows === after && rows > 0 && ends.isWhole) return commit(staged, { ...range, name, revision, rows });
    await staged.discard();
  }
  throw new PlacardError('unavailable', `The events of ${name} change while they are exported; retry shortly.`);
}

async function commit(staged: StagedFile, file: Omit<ExportedFile, 'bytes' | 'sha256'>): Promise<ExportedFile> {
  try {
    await staged.commit();
  } catch (error) {
    await staged.discard();
    throw error;
  }
  const { name, rows, revision, storedFrom, storedUntil, slice, slices } = file;
  const { bytes, sha256 } = staged;
  return { name, rows, bytes, sha256, revision, storedFrom, storedUntil, slice, slices };
}

/** A store that fails half-way ends the bytes early, or writes its reason behind them; a whole file ends as it began. */
class FileEnds {
  #first = Buffer.alloc(0);
  #last = Buffer.alloc(0);
  #bytes = 0;

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      if (this.#first.length < PARQUET_MAGIC.length)
        this.#first = Buffer.concat([this.#first, chunk.subarray(0, PARQUET_MAGIC.length - this.#first.length)]);
      this.#last = Buffer.concat([this.#last, chunk.subarray(-PARQUET_MAGIC.length)]).subarray(-PARQUET_MAGIC.length);
      yield chunk;
    }
  }

  get isWhole(): boolean {
    const isMagic = (bytes: Buffer): boolean => bytes.toString('latin1') === PARQUET_MAGIC;
    return this.#bytes > 2 * PARQUET_MAGIC.length && isMagic(this.#first) && isMagic(this.#last);
  }
}

/** Files of an earlier try that had more files than this one and no manifest. */
async function removeFollowing(target: ExportTarget, hour: ExportHour, from: number): Promise<void> {
  const folder = hourFolder(hour.workspace, 'events', hour.hourMs);
  for (let at = from; ; at += 1) {
    const name = `${folder}/events-${String(at).padStart(5, '0')}.parquet`;
    if (!(await target.exists(name))) return;
    await target.remove(name);
  }
}

async function writeManifest(
  target: ExportTarget,
  hour: ExportHour,
  { earlier, files }: { readonly earlier: HourManifest | null; readonly files: readonly ExportedFile[] },
): Promise<void> {
  const manifest = buildManifest({ ...hour, revision: (earlier?.revision ?? 0) + 1 }, files, MANIFEST_COLUMNS);
  const name = `${hourFolder(hour.workspace, 'events', hour.hourMs)}/${MANIFEST_NAME}`;
  await target.write(name, `${JSON.stringify(manifest, null, 1)}\n`);
}
