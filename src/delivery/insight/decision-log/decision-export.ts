import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Log } from '../../../domain/log/log.ts';
import { RecurringJob } from '../../../domain/time/recurring-job.ts';
import {
  type ExportedWorkspace,
  hourFolder,
  readExportedWorkspaces,
} from '../../../storage/export/exported-workspaces.sql.ts';
import type { ExportTarget } from '../../../storage/export/export-target.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../../storage/sql/schema.ts';
import { type DecisionLogFile, listClosedLogFiles, readLogLines } from './decision-log-files.ts';

/** Dependencies of the job. */
export interface DecisionExportDeps {
  readonly sql: Kysely<Database>;
  readonly target: ExportTarget;
  /** Folder of the decision log of this machine. */
  readonly dir: string;
  /** Whether it waits, on a restored copy. */
  readonly isPaused: () => Promise<boolean>;
  readonly nowMs: () => number;
  readonly log: Log;
}

const FIRST_AFTER_MS = 90_000;
const EVERY_MS = 300_000;
const HOUR_MS = 3_600_000;
/** The file in the log's folder that names the log: names of machines change, this one stays as long as its records. */
const NAME_FILE = 'name';
const compress = promisify(zstdCompress);

interface ExportedDecisions {
  readonly name: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * Exports the log files of this machine that nothing is added to any more: the records of each network environment and hour in a file of
 * their own, lines as they were logged, compressed. Runs in one worker of a machine. A manifest for each log file is written last; a log
 * file with one is done.
 */
export class DecisionExport extends RecurringJob {
  readonly #deps: DecisionExportDeps;
  readonly #done = new Set<string>();

  constructor(deps: DecisionExportDeps) {
    super({ firstMs: FIRST_AFTER_MS, everyMs: EVERY_MS });
    this.#deps = deps;
  }

  /** @returns how many log files were exported. @throws what the stores and the target throw; files that were done stay done */
  async run(): Promise<number> {
    const { sql, dir, isPaused, nowMs } = this.#deps;
    if (await isPaused()) return 0;
    const closed = await listClosedLogFiles(dir, nowMs());
    const names = new Set(closed.map(({ name }) => name));
    for (const name of this.#done) if (!names.has(name)) this.#done.delete(name);
    const due = closed.filter(({ name }) => !this.#done.has(name));
    if (due.length === 0) return 0;
    const logName = await readLogName(dir);
    const workspaces = new Map((await readExportedWorkspaces(sql)).map((one) => [one.workspaceId, one]));
    let exported = 0;
    for (const file of due) {
      if (this.isStopped) break;
      if (await this.#exportFile(file, logName, workspaces)) exported += 1;
      this.#done.add(file.name);
    }
    return exported;
  }

  protected logFailure(error: unknown): void {
    this.#deps.log.event('export.decisions_failed', { err: error, target: this.#deps.target.title });
  }

  async #exportFile(
    file: DecisionLogFile,
    logName: string,
    workspaces: ReadonlyMap<number, ExportedWorkspace>,
  ): Promise<boolean> {
    const { target, dir, log } = this.#deps;
    const base = file.name.slice(0, file.name.lastIndexOf('.'));
    const manifest = `_decisions/${logName}/${base}.json`;
    if (await target.exists(manifest)) return false;
    const groups = await groupLines(join(dir, file.name), workspaces);
    // The bound of the log has deleted it meanwhile.
    if (groups === null) return false;
    const files: ExportedDecisions[] = [];
    for (const [folder, lines] of groups.byFolder) {
      const name = `${folder}/${logName}-${base}.ndjson.zst`;
      const staged = await target.stage(name, one(await compress(Buffer.from(`${lines.join('\n')}\n`))));
      await staged.commit();
      files.push({ name, records: lines.length, bytes: staged.bytes, sha256: staged.sha256 });
    }
    const { unreadable } = groups;
    const content = { schemaVersion: 1, kind: 'decisions', logFile: file.name, unreadable, files };
    await target.write(manifest, `${JSON.stringify(content, null, 1)}\n`);
    const records = files.reduce((sum, each) => sum + each.records, 0);
    log.event('export.decisions_written', { logFile: file.name, records, files: files.length, unreadable });
    return true;
  }
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** The lines by the folder that they go to, in their order; null when the log file is gone. A log file has some 16 MB at most. */
async function groupLines(
  path: string,
  workspaces: ReadonlyMap<number, ExportedWorkspace>,
): Promise<{ readonly byFolder: ReadonlyMap<string, readonly string[]>; readonly unreadable: number } | null> {
  const byFolder = new Map<string, string[]>();
  let unreadable = 0;
  try {
    for await (const line of readLogLines(path)) {
      const at = readHead(line);
      const workspace = at === null ? undefined : workspaces.get(at.workspaceId);
      if (at === null || workspace === undefined) {
        unreadable += 1;
        continue;
      }
      const folder = hourFolder(workspace, 'decisions', Math.floor(at.atMs / HOUR_MS) * HOUR_MS);
      const lines = byFolder.get(folder);
      if (lines === undefined) byFolder.set(folder, [line]);
      else lines.push(line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return { byFolder, unreadable };
}

/** Null for a line that cannot be read: the last one of a killed worker. */
function readHead(line: string): { readonly workspaceId: number; readonly atMs: number } | null {
  try {
    const { workspaceId, atMs } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    return Number.isSafeInteger(workspaceId) && Number.isSafeInteger(atMs)
      ? { workspaceId: workspaceId as number, atMs: atMs as number }
      : null;
  } catch {
    return null;
  }
}

/** The name of the log in this folder; it gets one with its first export. */
async function readLogName(dir: string): Promise<string> {
  const path = join(dir, NAME_FILE);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await writeFile(path, randomBytes(6).toString('hex'), { flag: 'wx', mode: 0o600, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  const name = await readFile(path, 'utf8');
  if (!/^[0-9a-f]{12}$/.test(name)) throw new Error(`The name of the decision log in ${path} is damaged; delete it.`);
  return name;
}
