import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Log } from '../domain/log/log.ts';
import { PlacardError } from '../domain/errors.ts';
import { FULL_SHARE, type ShareSource } from '../domain/reporting/report-share.ts';
import { isDecimalId } from '../domain/ids/ids.ts';
import type { OlapMigration } from '../storage/olap/migrate-olap.ts';
import type { Olap } from '../storage/olap/olap.ts';
import { yieldToAds } from '../storage/olap/yielding-olap.ts';
import type { ChangeNotice } from '../storage/sql/change-feed.ts';
import type { Database } from '../storage/sql/schema.ts';
import { DataVersions } from './cache/data-versions.olap.ts';
import { ResultCache } from './cache/result-cache.ts';
import { EXPORT_SLOT_LIMITS } from './load/export-rows.ts';
import { QuerySlots, SLOT_LIMITS } from './load/query-slots.ts';
import { ReportLoads, type LoadTiming } from './load/report-loads.ts';
import { NetworkIndexes } from './model/network-indexes.ts';
import { NamesSync } from './names/names-sync.ts';
import { readNetwork } from './names/names.sql.ts';
import { registerReportRoutes, type NetworkContext, type ReportRouteDeps } from './reports.routes.ts';
import { COUNTED_TABLES, REPORT_OLAP_MIGRATIONS } from './rollups/rollups.olap.ts';

/** Who tells of changes in the management database. */
export interface ReportChanges {
  watch(listener: { onChange(batch: readonly ChangeNotice[]): void; onReconnect(): void }): { close(): Promise<void> };
}

/** The dependencies of the reports service. */
export interface ReportsServiceDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly changes: ReportChanges;
  readonly log: Log;
  readonly nowMs: () => number;
  /** Up to when all events are in the analytics store, epoch milliseconds; null: not known. Default: not known. */
  readonly completeUntil?: () => Promise<number | null>;
  readonly timing?: Partial<LoadTiming>;
  /** How far queries and exports yield to ads; default: not at all. */
  readonly share?: ShareSource;
}

/** The functions of the access module that the routes use. */
export interface ReportsAccess {
  /** Throws PlacardError of the authentication codes; the principal's workspace decides whose rows are seen. */
  readonly authenticate: ReportRouteDeps['authenticate'];
}

/** The reports service as compose uses it. */
export interface ReportsService {
  /** Adds the routes of the Reports API. */
  register(app: FastifyInstance, access: ReportsAccess): void;
  /** Begins to keep names in step; does not wait for the first copy. Needs the migrations done. */
  start(): Promise<void>;
  /** Ends what runs. */
  stop(): Promise<void>;
  readiness(): Promise<{ readonly name: string; readonly ok: boolean; readonly detail?: string }[]>;
  /** Tables of the analytics store, to be run after those of the events module. */
  readonly migrations: readonly OlapMigration[];
  /** Tables that hold counts by workspace, `events` included. */
  readonly countedTables: readonly string[];
}

const NETWORK_TTL_MS = 5_000;
/** How long a request waits for newer facts of its network; then the known ones do. */
const NETWORK_PATIENCE_MS = 500;
const NETWORKS_MAX = 10_000;

/** Builds the service: roll-ups, semantic model, `/load` and `/meta`. */
export function createReportsService(deps: ReportsServiceDeps): ReportsService {
  const { sql, olap, changes, log, nowMs, timing = {}, share = FULL_SHARE } = deps;
  const names = new NamesSync({ db: sql, olap, log, nowMs });
  const loads = new ReportLoads({
    engine: { olap, slots: new QuerySlots(SLOT_LIMITS, { share, nowMs }) },
    cache: new ResultCache(),
    versions: new DataVersions({ olap, log, nowMs }),
    namesVersion: (workspaceId) => names.versionOf(workspaceId),
    log,
    nowMs,
    timing,
  });
  const exports = {
    olap: yieldToAds({ olap, share, nowMs }),
    slots: new QuerySlots(EXPORT_SLOT_LIMITS, { share, nowMs }),
  };
  const networks = new NetworkCache(sql, nowMs);
  const indexes = new NetworkIndexes(sql);
  let watching: { close(): Promise<void> } | null = null;
  return {
    migrations: REPORT_OLAP_MIGRATIONS,
    countedTables: COUNTED_TABLES,
    register: (app, access) =>
      registerReportRoutes(app, {
        ...access,
        networkOf: (networkId) => networks.get(networkId),
        indexOf: (workspaceId) => indexes.of(workspaceId),
        loads,
        exports,
        nowMs,
        ...(deps.completeUntil === undefined ? {} : { completeUntil: deps.completeUntil }),
      }),
    start: () => {
      watching ??= changes.watch({
        onChange: (batch) => {
          names.notice(batch);
          indexes.notice(batch);
        },
        onReconnect: () => {
          names.resync();
          indexes.forget();
        },
      });
      names.resync();
      return Promise.resolve();
    },
    stop: async () => {
      await watching?.close();
      loads.close();
      await names.stop();
    },
    readiness: () => {
      const detail = names.isComplete ? {} : { detail: 'Names have not been copied to the analytics store yet.' };
      return Promise.resolve([{ name: 'report names', ok: names.isComplete, ...detail }]);
    },
  };
}

interface KnownNetwork {
  readonly context: NetworkContext;
  readonly untilMs: number;
}

/** Time zone and currency of networks, for a few seconds, and for as long as PostgreSQL is unavailable. */
class NetworkCache {
  readonly #known = new Map<string, KnownNetwork>();
  readonly #db: Kysely<Database>;
  readonly #nowMs: () => number;

  constructor(db: Kysely<Database>, nowMs: () => number) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  /** @throws PlacardError `unknown_network` */
  async get(networkId: string): Promise<NetworkContext> {
    const known = this.#known.get(networkId);
    if (known === undefined) return this.#read(networkId);
    if (known.untilMs > this.#nowMs()) return known.context;
    const { promise: late, resolve } = Promise.withResolvers<NetworkContext>();
    const timer = setTimeout(() => resolve(this.#retain(networkId, known.context)), NETWORK_PATIENCE_MS);
    const newer = this.#read(networkId).catch((error: unknown) => {
      if (error instanceof PlacardError) throw error;
      return this.#retain(networkId, known.context);
    });
    try {
      return await Promise.race([newer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(networkId: string): Promise<NetworkContext> {
    const context = isDecimalId(networkId) ? await readNetwork(this.#db, networkId) : null;
    if (context === null) throw new PlacardError('unknown_network');
    return this.#retain(networkId, context);
  }

  #retain(networkId: string, context: NetworkContext): NetworkContext {
    if (this.#known.size >= NETWORKS_MAX) this.#known.clear();
    this.#known.set(networkId, { context, untilMs: this.#nowMs() + NETWORK_TTL_MS });
    return context;
  }
}
