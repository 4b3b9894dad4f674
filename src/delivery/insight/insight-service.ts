import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Log } from '../../domain/log/log.ts';
import type { DeliveryInsight, FloorSuggestion } from '../../domain/booking/delivery-insight.ts';
import type { AvailabilityService } from '../../domain/booking/availability.ts';
import type { DecisionInspector } from '../../domain/booking/decision-inspection.ts';
import type { LinkKey } from '../../domain/events/served-ad.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { watchLinkKeys } from '../../storage/link-keys.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { DECISIONS_FOLDER } from './decision-log/decision-log-files.ts';
import { createDeliveryInsight } from './delivery-insight.ts';
import { explainSample } from './explain-sample.ts';
import type { InsightDeps } from './delivery-insight.ts';
import type { FloorJob } from './floors/suggest-floors.ts';
import { FLOORS_THREAD } from './floors/floors-thread.ts';
import { ForecastThreads } from './forecast/forecast-thread.ts';
import { CurveFeed } from '../pacing/pacing-curve-feed.ts';
import { ContextFeed } from '../contexts/context-feed.ts';
import { PlanFeed } from '../plan/plan-feed.ts';
import { PacingInventories } from '../pacing/pacing-inventory.ts';
import { findNoGeo } from '../ad-request/geo-lookup.ts';
import type { FindGeo } from '../ad-request/geo-lookup.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { createCatalog } from '../snapshot/compiled-networks.ts';
import { SnapshotFeed } from '../snapshot/snapshot-feed.ts';
import type { WatchChanges } from '../snapshot/snapshot-feed-deps.ts';

/** Dependencies of the core's view of decisions. */
export interface InsightServiceDeps {
  readonly sql: Kysely<Database>;
  readonly watchChanges: WatchChanges;
  readonly hot: HotStore;
  readonly olap: Olap;
  readonly userHashSecret: Buffer;
  /** All verify the links of ads; kept as their file says. */
  readonly linkKeys: LinkKey[];
  /** The geo of an address (`openGeoLookup`); absent: only requests state geos. */
  readonly findGeo?: FindGeo;
  readonly readNetworkHours: InsightDeps['readNetworkHours'];
  readonly readAdUnitDays: InsightDeps['readAdUnitDays'];
  readonly dataDir: string;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly log: Log;
}

/** Insight with its snapshot. */
export interface InsightService {
  readonly insight: DeliveryInsight & DecisionInspector & AvailabilityService;
  /** What the snapshot holds. */
  readonly catalog: Catalog;
  /** Counts why line items win and lose in the sample of imported history, once for each name. */
  explainSample(workspaceId: number, name: string): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  readonly isReady: boolean;
}

/** Builds it: the core holds a snapshot as workers do, and only explains from it. */
export function createInsightService(deps: InsightServiceDeps): InsightService {
  const feed = new SnapshotFeed({
    sql: deps.sql,
    watchChanges: deps.watchChanges,
    dir: join(deps.dataDir, 'snapshot'),
    writesFile: false,
    log: deps.log,
    nowMs: deps.nowMs,
  });
  const { hot, olap, userHashSecret, nowMs, random } = deps;
  const curves = new CurveFeed(deps.sql, deps.log);
  const { dataDir, nowMs: clock, log } = deps;
  const plans = new PlanFeed({ sql: deps.sql, dataDir, writesFile: false, nowMs: clock, log });
  const contexts = new ContextFeed({ sql: deps.sql, nowMs: clock, log });
  const inventories = new PacingInventories();
  const forecasts = new ForecastThreads(hot);
  let watchedKeys: { stop(): void } | null = null;
  const floors = new ForecastThreads<FloorJob, FloorSuggestion[]>(hot, FLOORS_THREAD);
  const insightDeps: InsightDeps = {
    current: () => feed.current(),
    hot,
    olap,
    userHashSecret,
    linkKeys: deps.linkKeys,
    decisionsDir: join(deps.dataDir, DECISIONS_FOLDER),
    findGeo: deps.findGeo ?? findNoGeo,
    sql: deps.sql,
    curveOf: ({ snapshot }, lineItem) => {
      const { workspaceId, timezone } = snapshot.workspace;
      if (lineItem === null) return curves.find(workspaceId, timezone, null);
      const own = curves.findOwn(workspaceId, lineItem.booked.id);
      return own ?? curves.find(workspaceId, timezone, inventories.of(lineItem, snapshot));
    },
    freeTrafficOf: (workspaceId, lineItemId, atMs) => plans.find(workspaceId, lineItemId, atMs),
    contextModelOf: (workspaceId, atMs) => contexts.find(workspaceId, atMs),
    readNetworkHours: deps.readNetworkHours,
    readAdUnitDays: deps.readAdUnitDays,
    forecasts,
    floors,
    nowMs,
    random,
  };
  return {
    insight: createDeliveryInsight(insightDeps),
    catalog: createCatalog(() => feed.current()),
    explainSample: async (workspaceId, name) => {
      // The curves of the history were worked out a moment ago.
      await curves.reload();
      const compiled = feed.current().findById(workspaceId);
      if (compiled !== undefined) await explainSample(insightDeps, compiled, name);
    },
    get isReady() {
      return feed.isReady;
    },
    start: async () => {
      contexts.start();
      watchedKeys = watchLinkKeys(dataDir, deps.linkKeys, { log });
      await Promise.all([feed.start(), curves.start(), plans.start()]);
    },
    stop: async () => {
      watchedKeys?.stop();
      await Promise.all([forecasts.stop(), floors.stop()]);
      await Promise.all([feed.stop(), curves.stop(), plans.stop(), contexts.stop()]);
    },
  };
}
