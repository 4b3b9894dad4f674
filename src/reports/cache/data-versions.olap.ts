import type { Log } from '../../domain/log/log.ts';
import type { Olap } from '../../storage/olap/olap.ts';

/** The versions of one workspace's days in the analytics store at one moment. */
export interface WorkspaceVersion {
  /** When this was read, epoch milliseconds. */
  readonly readAtMs: number;
  /** When the newest batch of the workspace's events came into the store, epoch milliseconds; null: it has none. */
  readonly writtenAtMs: number | null;
  /** A text that changes when rows of these UTC days come in, late ones as well; null = all of time. */
  ofRange(range: readonly [fromMs: number, toMs: number] | null): string;
}

/** Dependencies of the versions. */
export interface DataVersionsDeps {
  readonly olap: Olap;
  readonly log: Log;
  readonly nowMs: () => number;
}

const DAY_MS = 86_400_000;
/** Days of one workspace that are read, newest first: more than ten years. */
const DAYS_MAX = 4_000;
/** Most workspaces whose versions are kept; the least recently used is dropped. */
const WORKSPACES_MAX = 500;
/** The age at which a version is read again beside the response, and the age at which a response waits for that. Milliseconds. */
const FRESH_MS = 1_000;
const USABLE_MS = 2_000;
/** While the store is busy, a response waits this long for a newer version, and uses no version older than this. */
const PATIENCE_MS = 300;
const OLDEST_MS = 30_000;
const READ_TIMEOUT_MS = 5_000;

interface VersionRow {
  readonly day: number;
  readonly row_count: string;
  readonly written_at: string;
}

/**
 * Which days of a workspace changed, and when: read from `delivery_versions`, the last table that a batch reaches, so that what
 * it tells of is in all the others. Read at most once a second and workspace, whatever is asked.
 */
export class DataVersions {
  readonly #deps: DataVersionsDeps;
  readonly #known = new Map<number, WorkspaceVersion>();
  readonly #reading = new Map<number, Promise<WorkspaceVersion>>();

  constructor(deps: DataVersionsDeps) {
    this.#deps = deps;
  }

  /**
   * The version of a workspace: not older than this call (`now`), or at most two seconds old (`recent`; up to half a minute while
   * the store is too busy to say).
   * @throws OlapError when it is not known and cannot be read
   */
  async read(workspaceId: number, need: 'now' | 'recent'): Promise<WorkspaceVersion> {
    if (need === 'now') {
      // One that is being read may have begun before this call.
      await this.#reading.get(workspaceId)?.catch(() => undefined);
      return this.#refresh(workspaceId);
    }
    const known = this.#known.get(workspaceId);
    if (known === undefined) return this.#refresh(workspaceId);
    const ageMs = this.#deps.nowMs() - known.readAtMs;
    if (ageMs < FRESH_MS) return known;
    const refreshed = this.#refresh(workspaceId);
    if (ageMs < USABLE_MS) {
      refreshed.catch((error: unknown) => this.#deps.log.event('reports.versions_not_read', { err: error }));
      return known;
    }
    if (ageMs > OLDEST_MS) return refreshed;
    return withinPatience(refreshed, known);
  }

  #refresh(workspaceId: number): Promise<WorkspaceVersion> {
    const reading = this.#reading.get(workspaceId);
    if (reading !== undefined) return reading;
    const begun = this.#load(workspaceId).finally(() => this.#reading.delete(workspaceId));
    this.#reading.set(workspaceId, begun);
    return begun;
  }

  async #load(workspaceId: number): Promise<WorkspaceVersion> {
    const askedAtMs = this.#deps.nowMs();
    const rows = await this.#deps.olap.query<VersionRow>({
      sql: `SELECT toInt32(day) AS day, sum(row_count) AS row_count, toUnixTimestamp64Milli(max(written_at)) AS written_at
        FROM delivery_versions WHERE workspace_id = {workspaceId:UInt32} GROUP BY day ORDER BY day DESC LIMIT ${DAYS_MAX}`,
      params: { workspaceId },
      settings: { max_threads: 1 },
      timeoutMs: READ_TIMEOUT_MS,
      isFinal: true,
    });
    const version = toVersion(rows, { askedAtMs, readByMs: this.#deps.nowMs() });
    this.#known.delete(workspaceId);
    this.#known.set(workspaceId, version);
    const [oldest] = this.#known.keys();
    if (this.#known.size > WORKSPACES_MAX && oldest !== undefined) this.#known.delete(oldest);
    return version;
  }
}

function toVersion(
  rows: readonly VersionRow[],
  { askedAtMs, readByMs }: { readonly askedAtMs: number; readonly readByMs: number },
): WorkspaceVersion {
  const days = rows.map((row) => ({ day: row.day, text: `${row.day}:${row.row_count}:${row.written_at}` }));
  const writtenAtMs = rows.length === 0 ? null : Math.max(...rows.map((row) => Number(row.written_at)));
  // The store read a batch after it stored that batch.
  const readAtMs = Math.max(askedAtMs, Math.min(writtenAtMs ?? 0, readByMs));
  // Requests that were prepared once share their range.
  const known = new WeakMap<readonly [number, number], string>();
  const textOf = (range: readonly [number, number] | null): string => {
    const [first, last] = range === null ? [-Infinity, Infinity] : [range[0] / DAY_MS, range[1] / DAY_MS];
    const inside = days.filter(({ day }) => day + 1 > first && day < last);
    return inside.map(({ text }) => text).join(' ');
  };
  return {
    readAtMs,
    writtenAtMs,
    ofRange: (range) => {
      if (range === null) return textOf(null);
      const before = known.get(range);
      if (before !== undefined) return before;
      const text = textOf(range);
      known.set(range, text);
      return text;
    },
  };
}

async function withinPatience(newer: Promise<WorkspaceVersion>, known: WorkspaceVersion): Promise<WorkspaceVersion> {
  const { promise, resolve } = Promise.withResolvers<WorkspaceVersion>();
  const timer = setTimeout(() => resolve(known), PATIENCE_MS);
  try {
    return await Promise.race([newer.catch(() => known), promise]);
  } finally {
    clearTimeout(timer);
  }
}
