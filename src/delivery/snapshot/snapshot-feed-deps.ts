import type { Log } from '../../domain/log/log.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';

/** One change in the database; `kind` as in `CHANGE_KINDS`. */
export interface SnapshotChange {
  readonly workspaceId: number;
  readonly kind: string;
  readonly id: string;
}

/** Starts listening for changes. `onReconnect` is also called after the first connection. */
export type WatchChanges = (handlers: {
  onChange(batch: readonly SnapshotChange[]): void;
  onReconnect(): void;
  /** The connection is lost: changes arrive after the next `onReconnect`. */
  onLost(): void;
}) => Promise<{ close(): Promise<void> }>;

/** Dependencies of the feed. */
export interface SnapshotFeedDeps {
  readonly sql: Kysely<Database>;
  readonly watchChanges: WatchChanges;
  /** Folder of the last good snapshot. */
  readonly dir: string;
  /** Whether this process keeps the file up to date (one process per machine does). */
  readonly writesFile: boolean;
  /** Whether the feed may begin with the file, if this program wrote it. The first connection reads everything. Default false. */
  readonly startsFromFile?: boolean;
  /** Names this program in the file: another one may have stored other fields. Absent: none is named, and any is accepted. */
  readonly program?: string;
  /** Awaited before a first read of the database, where the file is not enough. */
  readonly databaseReady?: () => Promise<void>;
  readonly log: Log;
  readonly nowMs: () => number;
  /** How many line items and creatives of a workspace may stay in memory; default 10,000. */
  readonly recordsInMemoryMax?: number;
  /** How often those beyond it are moved to the disk; default a minute. */
  readonly moveEveryMs?: number;
  /** How long a burst of changes is collected, in milliseconds; default 20. */
  readonly gatherMs?: number;
  /** Called with the time from a notice to the snapshot that has it, in milliseconds. */
  readonly observeChange?: (durationMs: number) => void;
}

/** The metrics of the feed. */
export interface SnapshotFeedStats {
  /** Full reads that were not used until a second one confirmed them. */
  readonly refused: number;
  readonly failures: number;
  readonly compileMs: number;
  /** `nowMs` of the last successful read; null while the feed serves from the file, or nothing. */
  readonly readAtMs: number | null;
  readonly fromFile: boolean;
  /** `nowMs` since when the snapshot may lack a change: one that was not read yet, or any while the feed is not connected; null: it is current. */
  readonly behindSinceMs: number | null;
}
