import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import type { DecisionMemory } from '../decision/index/decision-memory.ts';
import type { SnapshotChanges } from '../decision/index/snapshot-parts.ts';
import { StoredRecords } from '../decision/index/stored-records.ts';
import type { Identified, RecordChanges, Records } from '../decision/index/stored-records.ts';
import { columnOf, restoreWorkspace, storeWorkspace } from '../decision/index/stored-workspace.ts';
import type { StoredColumn, StoredColumns, StoredWorkspace } from '../decision/index/stored-workspace.ts';
import { sliceSteps } from './slice-steps.ts';
import { readColumnsFile, writeColumnsFile } from './columns-file.ts';
import { SNAPSHOT_FILE, checkSnapshotFile, linePrefixOf, parseWorkspace, writeSnapshotFile } from './snapshot-file.ts';
import type { SnapshotFileSeal } from './snapshot-file.ts';
import { LAZY_PARTS, SnapshotLayout, columnsOf } from './snapshot-layout.ts';
import type { LazyPart, LineRange } from './snapshot-layout.ts';

/** Its name in the snapshot's folder. */
export const COLUMNS_FILE = 'last-good.columns';

interface About {
  /** Names this file among all. Files of older programs have none. */
  readonly id?: string;
  /** The snapshot file that the columns belong to. */
  readonly seal: SnapshotFileSeal;
  readonly program: string | null;
  readonly workspaces: readonly (StoredWorkspace & {
    readonly ranges: readonly LineRange[];
    /** From the file that the writer reads from. */
    readonly changes?: SnapshotChanges;
  })[];
}

/** Writes the snapshots of compiled workspaces, then their columns, which name the file that they belong to. */
export async function writeStoredSnapshot(
  dir: string,
  workspaces: readonly CompiledWorkspace[],
  program?: string,
): Promise<void> {
  const layout = new SnapshotLayout();
  const snapshots = workspaces.map(({ snapshot }) => snapshot);
  const seal = await writeSnapshotFile(dir, snapshots, program, layout);
  const columns = new Map<string, StoredColumn>();
  const abouts: About['workspaces'][number][] = [];
  for (const [at, compiled] of workspaces.entries()) {
    const stored = await sliceSteps(storeWorkspace(compiled));
    const { parts, ranges } = layout.workspaces[at] as SnapshotLayout['workspaces'][number];
    for (const [name, column] of stored.columns) columns.set(`${at}/${name}`, column);
    for (const part of Object.keys(LAZY_PARTS) as LazyPart[])
      for (const [name, column] of columnsOf(part, parts[part])) columns.set(`${at}/${name}`, column);
    const { lineItems, creatives } = compiled.snapshot;
    const changes = { lineItems: changesOf(lineItems), creatives: changesOf(creatives) };
    abouts.push({ ...stored.about, ranges, changes });
  }
  const about: About = { id: randomUUID(), seal, program: program ?? null, workspaces: abouts };
  await writeColumnsFile(join(dir, COLUMNS_FILE), { about, columns });
}

function changesOf(list: Records<Identified>): RecordChanges | null {
  return list instanceof StoredRecords ? list.changes : null;
}

/** Compiled workspaces whose line items and creatives are read from the snapshot file on demand. */
export interface OpenSnapshot {
  readonly workspaces: readonly CompiledWorkspace[];
  /** By workspace, what changed since the file that its writer read from. */
  readonly changes: readonly SnapshotChanges[];
  /** Stays open while any record of the workspaces may be read. */
  readonly file: { readonly fd: number };
  close(): void;
}

interface OpenOptions {
  readonly program: string | null;
  readonly memory: DecisionMemory;
}

/**
 * Opens the last good snapshot by its columns: no line item is read or compiled. Null when there are no columns, or another program wrote them.
 * @throws Error when a file is damaged, or the columns belong to another snapshot file
 */
export async function openStoredSnapshot(dir: string, options: OpenOptions): Promise<OpenSnapshot | null> {
  // Another worker may replace both files at this moment.
  return openPair(dir, options).catch(() => openPair(dir, options));
}

async function openPair(dir: string, { program, memory }: OpenOptions): Promise<OpenSnapshot | null> {
  const stored = await readColumnsFile<About>(join(dir, COLUMNS_FILE));
  if (stored === null || stored.about.program !== program) return null;
  const file = new LineFile(join(dir, SNAPSHOT_FILE));
  try {
    await checkSnapshotFile(file.fd, stored.about.seal);
    const columnsOf = groupByWorkspace(stored.columns);
    const workspaces = stored.about.workspaces.map((about, at) => {
      const columns = columnsOf.get(String(at)) ?? new Map<string, StoredColumn>();
      return restoreWorkspace(
        openWorkspace(file, { ranges: about.ranges, origin: stored.about.id }, columns),
        { about, columns },
        memory,
      );
    });
    const changes = stored.about.workspaces.map((about) => about.changes ?? {});
    return { workspaces, changes, file, close: () => file.close() };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The columns of each workspace, by its number and their names: `<number>/<name>` in the file. */
function groupByWorkspace(columns: StoredColumns): ReadonlyMap<string, StoredColumns> {
  const byWorkspace = new Map<string, Map<string, StoredColumn>>();
  for (const [path, column] of columns) {
    const slash = path.indexOf('/');
    const at = path.slice(0, slash);
    const own = byWorkspace.get(at) ?? new Map<string, StoredColumn>();
    byWorkspace.set(at, own.set(path.slice(slash + 1), column));
  }
  return byWorkspace;
}

interface WorkspaceLines {
  readonly ranges: readonly LineRange[];
  readonly origin: string | undefined;
}

function openWorkspace(file: LineFile, { ranges, origin }: WorkspaceLines, columns: StoredColumns): SnapshotLists {
  const lines = Buffer.concat(ranges.map(([start, end]) => Buffer.from(file.read(start, end - start))));
  const plain = parseWorkspace(lines);
  return {
    ...plain,
    lineItems: openPart({ file, origin }, 'lineItems', columns),
    creatives: openPart({ file, origin }, 'creatives', columns),
  };
}

function openPart<T extends Identified>(
  { file, origin }: { readonly file: LineFile; readonly origin: string | undefined },
  part: LazyPart,
  columns: StoredColumns,
): StoredRecords<T> {
  const starts = columnOf(columns, `${part}/starts`, Float64Array);
  const lengths = columnOf(columns, `${part}/lengths`, Uint32Array);
  const references = LAZY_PARTS[part].map((member) => [member, columnOf(columns, `${part}/${member}`, BigInt64Array)]);
  const prefixBytes = linePrefixOf(part).length;
  return StoredRecords.of<T>({
    ids: columnOf(columns, `${part}/ids`, BigInt64Array),
    references: Object.fromEntries(references) as Readonly<Record<string, BigInt64Array>>,
    ...(origin === undefined ? {} : { origin }),
    readText: (index) => {
      const bytes = file.read(starts[index] as number, lengths[index] as number);
      // The line without its prefix, the bracket that closes it, and the line feed.
      return bytes.toString('utf8', prefixBytes, bytes.length - 2);
    },
  });
}

/** Reads parts of a file that was opened once: another file of its name changes nothing. */
class LineFile {
  readonly fd: number;
  #buffer = Buffer.alloc(65_536);

  constructor(path: string) {
    this.fd = openSync(path, 'r');
  }

  /** The bytes are valid until the next call. */
  read(start: number, length: number): Buffer {
    if (this.#buffer.length < length) this.#buffer = Buffer.alloc(length * 2);
    const bytesRead = readSync(this.fd, this.#buffer, 0, length, start);
    if (bytesRead !== length) throw new Error('the snapshot file is cut');
    return this.#buffer.subarray(0, length);
  }

  close(): void {
    closeSync(this.fd);
  }
}
