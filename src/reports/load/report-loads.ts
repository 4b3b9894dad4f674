import type { Log } from '../../domain/log/log.ts';
import { PlacardError } from '../../domain/errors.ts';
import type { WorkspaceVersion } from '../cache/data-versions.olap.ts';
import type { CachedRows, ResultCache } from '../cache/result-cache.ts';
import { PendingLoads, type LoadWaiting } from './pending-loads.ts';
import { readRows, type LoadEngine, type PreparedQuery } from './load-query.ts';

/** How long queries may take. */
export interface LoadTiming {
  /** A Cube client waits so long before it is told to ask again. */
  readonly continueWaitMs: number;
  /** Budget of one query of a Cube client. */
  readonly cubeTimeoutMs: number;
  /** Budget of one query of any other client: it gets 504 after it. */
  readonly plainTimeoutMs: number;
  /** After this time a caller that allows it gets an outdated result (`stale-if-slow`). */
  readonly staleAfterMs: number;
  /** How long a load goes on, and its result is retained, for a Cube client that was told to ask again. */
  readonly polledMs: number;
}

const TIMING: LoadTiming = {
  continueWaitMs: 8_000,
  cubeTimeoutMs: 120_000,
  plainTimeoutMs: 25_000,
  staleAfterMs: 1_500,
  polledMs: 10_000,
};
/** How long a load goes on that replaces an outdated result, with or without a waiting caller. */
const REFRESH_MS = 60_000;
/**
 * A slow result stays valid for as long as its computation took, up to this bound in milliseconds: otherwise a client that polls never gets
 * it.
 */
const GRACE_FROM_MS = 1_000;
const GRACE_MS_MAX = 60_000;

/** Where versions of the data come from. */
export interface VersionSource {
  read(workspaceId: number, need: 'now' | 'recent'): Promise<WorkspaceVersion>;
}

/** The dependencies of loads. */
export interface ReportLoadsDeps {
  readonly engine: LoadEngine;
  readonly cache: ResultCache;
  readonly versions: VersionSource;
  /** A text that changes when present names of the workspace do. */
  readonly namesVersion: (workspaceId: number) => string;
  readonly log: Log;
  readonly nowMs: () => number;
  readonly timing?: Partial<LoadTiming>;
}

/** Who asks, and how they wait. */
export interface LoadCaller {
  readonly workspaceId: number;
  /** A Cube client: it asks again when told to. */
  readonly isMulti: boolean;
  /** A signal that is aborted when the client disconnects. Called when there is something to wait for. */
  readonly watchClient: () => AbortSignal;
}

/** The version of the data that a query reads. */
export interface QueryVersion {
  readonly text: string;
  readonly workspace: WorkspaceVersion;
}

/**
 * Rows of queries: from the cache while the data that they were computed from is unchanged, so that a closed day is computed
 * once; else from the store, once for equal queries of many callers.
 */
export class ReportLoads {
  readonly #engine: LoadEngine;
  readonly #deps: ReportLoadsDeps;
  readonly #timing: LoadTiming;
  #uncached = 0;
  readonly #pending = new PendingLoads<CachedRows & { readonly isCached: boolean }>((rows) => rows.isCached);

  constructor(deps: ReportLoadsDeps) {
    this.#deps = deps;
    this.#engine = deps.engine;
    this.#timing = { ...TIMING, ...deps.timing };
  }

  /** Ends every load. */
  close(): void {
    this.#pending.close();
  }

  /** The version of the data that a query reads. @throws PlacardError `unavailable` */
  async versionOf(one: PreparedQuery, workspaceId: number): Promise<QueryVersion> {
    // Rows that are computed now are never older than a version that was read before.
    const need = one.query.cacheMode === 'must-revalidate' ? 'now' : 'recent';
    const names = one.compiled.readsNames ? this.#deps.namesVersion(workspaceId) : '';
    const workspace = await this.#deps.versions.read(workspaceId, need).catch((error: unknown) => {
      throw new PlacardError('unavailable', 'The analytics store is unavailable; retry shortly.', {
        cause: error,
        details: { retryAfterSeconds: 2 },
      });
    });
    return { text: `${names} ${workspace.ofRange(one.compiled.range)}`, workspace };
  }

  /**
   * The rows of one query at a version; null when a Cube client is to ask again.
   * @throws PlacardError `query_timeout`, `overloaded`, `unavailable`, `query_too_complex`
   */
  async rowsOf(one: PreparedQuery, version: QueryVersion, caller: LoadCaller): Promise<CachedRows | null> {
    const { workspaceId, isMulti } = caller;
    const { cacheMode } = one.query;
    const known = cacheMode === 'no-cache' ? undefined : this.#deps.cache.get(workspaceId, one.key);
    if (known !== undefined && this.#isUsable(known, version, cacheMode)) return known;
    const load = (waiting: Partial<LoadWaiting>): Promise<CachedRows | null> =>
      this.#join(one, version, caller, waiting);
    if (known !== undefined && cacheMode === 'stale-while-revalidate') {
      load({ waitMs: 0, abandonedMs: REFRESH_MS, gone: NEVER }).catch((error: unknown) =>
        this.#deps.log.event('reports.refresh_failed', { err: error }),
      );
      return known;
    }
    if (known !== undefined && cacheMode === 'stale-if-slow') {
      return (await load({ waitMs: this.#timing.staleAfterMs, abandonedMs: REFRESH_MS })) ?? known;
    }
    const rows = await load(isMulti ? { abandonedMs: this.#timing.polledMs } : { abandonedMs: 0 });
    if (rows !== null || isMulti) return rows;
    throw new PlacardError('query_timeout', undefined, { details: { retryAfterSeconds: 5 } });
  }

  /** Whether a cached result may be returned: its data is unchanged, or it is younger than its computing time. */
  #isUsable(known: CachedRows, version: QueryVersion, cacheMode: string): boolean {
    if (known.version === version.text) {
      known.verifiedAtMs = Math.max(known.verifiedAtMs, version.workspace.readAtMs);
      known.writtenAtMs = version.workspace.writtenAtMs;
      return true;
    }
    const graceMs = known.tookMs < GRACE_FROM_MS ? 0 : Math.min(GRACE_MS_MAX, known.tookMs);
    return cacheMode !== 'must-revalidate' && this.#deps.nowMs() - known.computedAtMs < graceMs;
  }

  #join(
    one: PreparedQuery,
    version: QueryVersion,
    caller: LoadCaller,
    waiting: Partial<LoadWaiting>,
  ): Promise<CachedRows | null> {
    const { workspaceId, isMulti, watchClient } = caller;
    const { continueWaitMs, plainTimeoutMs, cubeTimeoutMs } = this.#timing;
    const timeoutMs = isMulti ? cubeTimeoutMs : plainTimeoutMs;
    const share = one.query.cacheMode === 'no-cache' ? this.#shareOfUncached(isMulti) : '';
    return this.#pending.join(
      `${workspaceId} ${isMulti} ${one.key} ${share}`,
      (signal) => this.#compute(one, version, { workspaceId, timeoutMs, signal }),
      {
        waitMs: isMulti ? continueWaitMs : plainTimeoutMs,
        gone: waiting.gone ?? watchClient(),
        abandonedMs: 0,
        ...waiting,
      },
    );
  }

  /**
   * A caller that bypasses the cache joins no other load. Cube clients do: one that was told to ask again must find the load that it began,
   * and other Cube clients of the network with the same query join it while it runs.
   */
  #shareOfUncached(isMulti: boolean): string {
    if (isMulti) return 'no-cache';
    this.#uncached += 1;
    return `no-cache ${this.#uncached}`;
  }

  async #compute(
    one: PreparedQuery,
    version: QueryVersion,
    limits: { workspaceId: number; timeoutMs: number; signal: AbortSignal },
  ): Promise<CachedRows & { readonly isCached: boolean }> {
    const startedAtMs = this.#deps.nowMs();
    const { data, total } = await readRows(this.#engine, one, limits);
    const computedAtMs = this.#deps.nowMs();
    const rows: CachedRows = {
      dataJson: Buffer.from(JSON.stringify(data)),
      total,
      version: version.text,
      computedAtMs,
      tookMs: computedAtMs - startedAtMs,
      verifiedAtMs: version.workspace.readAtMs,
      writtenAtMs: version.workspace.writtenAtMs,
    };
    const isPut = this.#deps.cache.put(limits.workspaceId, one.key, rows);
    return Object.assign(rows, { isCached: isPut && one.query.cacheMode !== 'no-cache' });
  }
}

const NEVER = new AbortController().signal;
