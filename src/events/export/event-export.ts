import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import { type ExportedWorkspace, readExportedWorkspaces } from '../../storage/export/exported-workspaces.sql.ts';
import type { ExportTarget } from '../../storage/export/export-target.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { countHours, isErasing, readHoursBefore, readHoursOfUser, readStoreClock } from './export-events.olap.ts';
import {
  eraseFromHour,
  exportHour,
  type HourChange,
  type HourExporter,
  readManifest,
  removeHour,
} from './export-hour.ts';
import { completePath, HOUR_MS } from './export-layout.ts';
import { tryExportLock, withExportLock } from './export-lock.sql.ts';

/** Dependencies of the export. */
export interface EventExportDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly target: ExportTarget;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. */
  readonly completeUntil: () => Promise<number | null>;
  readonly requireSpace?: HourExporter['requireSpace'];
  /** The clock of the store; default: its own. */
  readonly storeClock?: () => Promise<number>;
  readonly fileRowsMax?: number;
}

/** Which hours are exported. */
export interface ExportRange {
  /** Start of the first hour, epoch milliseconds. */
  readonly fromMs: number;
  /** End of the last hour. Hours that may still get events are left out. */
  readonly untilMs: number;
  /** Only this network. */
  readonly networkId?: string;
  /** Ends the export between two hours. */
  readonly signal?: AbortSignal;
  /** Told after each hour that was looked at. */
  readonly onHour?: (hour: ExportedHour) => void;
}

/** An hour that was looked at; without written files it was exported already. */
export interface ExportedHour extends HourChange {
  readonly workspace: ExportedWorkspace;
  readonly hourMs: number;
  /** Hours that are left. */
  readonly left: number;
}

/** The result of an export. */
export interface ExportOutcome {
  /** All hours of the range before this instant are exported. */
  readonly untilMs: number;
  readonly hours: number;
  readonly files: number;
  /** Events that were not exported before. */
  readonly rows: number;
  readonly bytes: number;
}

/** An insert that has begun is done long before this; one that takes longer is found by the next look at its hour. */
const IN_FLIGHT_MS = 300_000;
/** Sums of requests reach the spool some seconds after the time that they are of. */
const FLUSH_MS = 60_000;
/** After so many hours in a row that fail the target or the store must be the cause. */
const FAILURES_IN_A_ROW_MAX = 3;
const UNCHANGED = { added: 0, files: 0, bytes: 0 } as const;
/** Most hours of a workspace that are known to be exported; further ones are looked up again. */
const KNOWN_MAX = 500_000;

/** Writes hours of events as files, each event once, and takes users out of them. */
export class EventExport {
  readonly #deps: EventExportDeps;
  /** Events of hours that are exported, by workspace and hour: a look that finds as many needs nothing of the target. */
  readonly #known = new Map<string, number>();
  readonly #completeSaid = new Map<number, number>();

  constructor(deps: EventExportDeps) {
    this.#deps = deps;
  }

  get target(): ExportTarget {
    return this.#deps.target;
  }

  /** Whether there is such a network. */
  async hasNetwork(networkId: string): Promise<boolean> {
    return (await readExportedWorkspaces(this.#deps.sql)).some((one) => one.networkId === networkId);
  }

  /** Up to when hours can be exported: start of the first one that may still get events. Null: not known. */
  async completeUntil(): Promise<number | null> {
    const [complete, storedMs] = await Promise.all([this.#deps.completeUntil(), this.#storedUntil()]);
    if (complete === null) return null;
    return Math.floor(Math.min(complete - FLUSH_MS, storedMs) / HOUR_MS) * HOUR_MS;
  }

  /**
   * Exports the hours of a range, oldest first. Hours that are exported already are left as they are.
   * @throws PlacardError `unavailable` when another process exports, when a user is being erased, or when it is not known which hours
   *   are complete; what the target and the store throw, after all other hours were tried
   */
  async run(range: ExportRange): Promise<ExportOutcome> {
    const { sql, olap } = this.#deps;
    const complete = await this.completeUntil();
    if (complete === null)
      throw new PlacardError('unavailable', 'It is not known which hours are complete: no delivery worker reports.');
    const storedUntilMs = await this.#storedUntil();
    const untilMs = Math.min(range.untilMs, complete);
    const sum = { hours: 0, files: 0, rows: 0, bytes: 0 };
    if (untilMs <= range.fromMs) return { untilMs: range.fromMs, ...sum };
    const all = await readExportedWorkspaces(sql);
    const workspaces = new Map(
      all
        .filter(({ networkId }) => range.networkId === undefined || networkId === range.networkId)
        .map((one) => [one.workspaceId, one]),
    );
    const counted = await countHours(olap, { fromMs: range.fromMs, untilMs, storedUntilMs });
    const due = counted.flatMap(({ workspaceId, ...one }) => {
      const workspace = workspaces.get(workspaceId);
      return workspace === undefined ? [] : [{ workspace, ...one }];
    });
    const failures: { readonly hourMs: number; readonly error: unknown }[] = [];
    let inARow = 0;
    for (const [at, { workspace, hourMs, rows }] of due.entries()) {
      range.signal?.throwIfAborted();
      try {
        const change = await this.#exportOne({ workspace, hourMs }, { rows, storedUntilMs });
        sum.hours += 1;
        sum.files += change.files;
        sum.bytes += change.bytes;
        sum.rows += change.added;
        inARow = 0;
        range.onHour?.({ workspace, hourMs, ...change, left: due.length - at - 1 });
      } catch (error) {
        failures.push({ hourMs, error });
        inARow += 1;
        if (inARow >= FAILURES_IN_A_ROW_MAX || error instanceof BusyError) break;
      }
    }
    const [failure] = failures;
    if (failure !== undefined) throw failure.error;
    for (const workspace of new Set(due.map((one) => one.workspace))) await this.#sayComplete(workspace, untilMs);
    return { untilMs, ...sum };
  }

  /**
   * Takes a user out of exported files, and then out of the store, while nothing else is exported. The files come first: a try that was
   * cut off finds the user in the store again.
   * @param userHash as column `user_hash` has it, not '0'
   * @param eraseStored takes the user out of the store
   * @returns files that were written again, and what `eraseStored` returns
   */
  async erase<T>(
    workspaceId: number,
    userHash: string,
    eraseStored: () => Promise<T>,
  ): Promise<{ readonly files: number; readonly stored: T }> {
    const { sql, olap } = this.#deps;
    const workspace = await this.#workspaceOf(workspaceId);
    return withExportLock(sql, async () => {
      let files = 0;
      for (const hourMs of await readHoursOfUser(olap, workspaceId, userHash))
        files += (await eraseFromHour(this.#exporter(), { workspace, hourMs }, userHash)).files;
      return { files, stored: await eraseStored() };
    });
  }

  /**
   * Deletes the files of hours that are older than an instant, and then their events in the store, while nothing else is exported. The
   * events tell which files there are, so they are deleted last.
   * @returns how many files there were
   */
  async removeBefore(workspaceId: number, beforeMs: number, deleteStored: () => Promise<void>): Promise<number> {
    const { sql, olap } = this.#deps;
    const workspace = await this.#workspaceOf(workspaceId);
    return withExportLock(sql, async () => {
      let files = 0;
      for (const hourMs of await readHoursBefore(olap, workspaceId, beforeMs)) {
        files += await removeHour(this.target, { workspace, hourMs });
        this.#known.delete(`${workspaceId}/${hourMs}`);
      }
      await deleteStored();
      return files;
    });
  }

  async #exportOne(
    hour: { readonly workspace: ExportedWorkspace; readonly hourMs: number },
    { rows, storedUntilMs }: { readonly rows: number; readonly storedUntilMs: number },
  ): Promise<HourChange> {
    const key = `${hour.workspace.workspaceId}/${hour.hourMs}`;
    if (this.#known.get(key) === rows) return { rows, ...UNCHANGED };
    const manifest = await readManifest(this.target, hour);
    const done =
      manifest !== null && manifest.rows >= rows
        ? { value: { rows: manifest.rows, ...UNCHANGED } }
        : await tryExportLock(this.#deps.sql, async () => {
            if (await isErasing(this.#deps.olap)) return null;
            return exportHour(this.#exporter(), hour, storedUntilMs);
          });
    if (done === null) throw new BusyError('Another process writes exported files; retry shortly.');
    if (done.value === null) throw new BusyError('The analytics store is erasing a user; retry shortly.');
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(key, rows);
    return done.value;
  }

  #exporter(): HourExporter {
    const { olap, target, requireSpace, fileRowsMax } = this.#deps;
    return {
      olap,
      target,
      ...(requireSpace === undefined ? {} : { requireSpace }),
      ...(fileRowsMax === undefined ? {} : { fileRowsMax }),
    };
  }

  async #storedUntil(): Promise<number> {
    const { olap, storeClock } = this.#deps;
    return storeClock === undefined ? (await readStoreClock(olap)) - IN_FLIGHT_MS : storeClock();
  }

  async #workspaceOf(workspaceId: number): Promise<ExportedWorkspace> {
    const all = await readExportedWorkspaces(this.#deps.sql);
    const workspace = all.find((one) => one.workspaceId === workspaceId);
    if (workspace === undefined) throw new PlacardError('unknown_network');
    return workspace;
  }

  /** For programs that load the files: an hour before this instant without a folder had no events. Nothing of ours reads it. */
  async #sayComplete(workspace: ExportedWorkspace, untilMs: number): Promise<void> {
    if ((this.#completeSaid.get(workspace.workspaceId) ?? 0) >= untilMs) return;
    const content = `${JSON.stringify({ completeUntil: new Date(untilMs).toISOString() })}\n`;
    await this.target.write(completePath(workspace), content);
    this.#completeSaid.set(workspace.workspaceId, untilMs);
  }
}

/** Something else has its turn; nothing failed. */
export class BusyError extends PlacardError {
  constructor(message: string) {
    super('unavailable', message);
  }
}
