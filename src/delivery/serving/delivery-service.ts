import { join } from 'node:path';
import type { Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import type { RequestCounts } from '../../domain/events/event.ts';
import type { LinkKey, ServedAd } from '../../domain/events/served-ad.ts';
import { ImpressionIds } from '../../domain/ids/impression-ids.ts';
import type { SegmentObserver } from '../../domain/targeting/segment.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import type { Route } from '../../http/shared/route.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { HotCircuit } from '../../storage/hot/hot-circuit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { createAdsRoutes } from './ads.routes.ts';
import { createBidRoutes } from './bid.routes.ts';
import { BidRetries, registerRetryMetrics } from './retries/bid-retries.ts';
import { registerCircuitMetrics } from '../budget/circuit-metrics.ts';
import { registerBudgetMetrics } from '../budget/budget-metrics.ts';
import { HostedAssets } from '../markup/hosted-assets.ts';
import { createCatalog } from '../snapshot/compiled-networks.ts';
import { CurveFeed } from '../pacing/pacing-curve-feed.ts';
import { ContextFeed } from '../contexts/context-feed.ts';
import { PlanFeed } from '../plan/plan-feed.ts';
import { PacingInventories } from '../pacing/pacing-inventory.ts';
import { QuotaDraws } from '../decision/draws/quota-draws.ts';
import { type FindGeo, findNoGeo } from '../ad-request/geo-lookup.ts';
import { DeliveryControl } from '../pacing/delivery-control.ts';
import { ReportedValues } from './reported-key-values.ts';
import { OpportunityRecorder } from '../traffic/opportunity-sample.ts';
import { DecisionLog, type DecisionLogOptions } from '../insight/decision-log/decision-log.ts';
import { DECISIONS_FOLDER } from '../insight/decision-log/decision-log-files.ts';
import { DecisionReasons } from '../insight/diagnosis/decision-reasons.ts';
import { SnapshotFeed } from '../snapshot/snapshot-feed.ts';
import type { SnapshotFeedStats, WatchChanges } from '../snapshot/snapshot-feed-deps.ts';
import type { AdServerDeps } from './ad-server.ts';
import { DecisionMetrics } from './decision-metrics.ts';
import { createSnapshotMetrics } from './snapshot-metrics.ts';
import { createReviveRoutes } from './revive.routes.ts';
import { createTagRoutes } from './tag/tag.routes.ts';
import { createVastRoutes } from './vast.routes.ts';
import type { UnwrapServingDeps } from './unwrapped/unwrap-served.ts';
import { createUnwrappedRoutes } from './unwrapped/unwrapped.routes.ts';
import { createWhyRoutes } from './why.routes.ts';
import { createVastUnwrapper } from '../unwrap/vast-unwrapper.ts';

/** Dependencies of the delivery service. */
export interface DeliveryDeps {
  readonly sql: Kysely<Database>;
  /** Usually `(handlers) => openChangeFeed({ url, channel: 'placard_change', log, ...handlers })`. */
  readonly watchChanges: WatchChanges;
  readonly hot: HotStore;
  /** Stores samples of why line items win and lose; absent: no samples. Never called on the ad path. */
  readonly olap?: Pick<Olap, 'insertRaw'>;
  /** The geo of an address (`openGeoLookup`); absent: only requests state geos. */
  readonly findGeo?: FindGeo;
  readonly secrets: { readonly linkKeys: readonly LinkKey[]; readonly userHashSecret: Buffer };
  /** Logs a sample of decisions for replay; absent: none. */
  readonly decisionLog?: Pick<DecisionLogOptions, 'perSecond' | 'retentionMs' | 'bytesMax'>;
  /** Makes members of segments by key-values; absent = requests make none. */
  readonly memberships?: SegmentObserver;
  /** A function, because the event service needs this service's catalog first. Called at every count. */
  readonly requestCounts: () => RequestCounts;
  /** Records an error of a video that no player has met; absent: nothing does. */
  readonly recordVideoError?: (ad: ServedAd, code: number) => void;
  /** Private addresses that tags of third parties may have, as addresses and CIDR ranges; public ones they always may. */
  readonly vastAllowedRanges?: readonly string[];
  /** Public base address of delivery. */
  readonly deliveryUrl: string;
  /** Public base address of the console. */
  readonly consoleUrl: string;
  /** The network that is served at the addresses of Revive Adserver's tags; absent or null: none. */
  readonly reviveNetwork?: string | null;
  readonly dataDir: string;
  /** Workers that serve the same networks (default 1), and the index of this one, from 0 (default 0). */
  readonly processes?: number;
  readonly workerIndex?: number;
  /** One process per machine stores the last good snapshot on disk. */
  readonly writesSnapshotFile: boolean;
  /** This worker begins with the snapshot on disk, if there is one of this program. Default false. */
  readonly isRestart?: boolean;
  /** Names this program in the snapshot on disk. */
  readonly program?: string;
  /** Awaited before PostgreSQL is read, where the disk is not enough. */
  readonly databaseReady?: () => Promise<void>;
  readonly nowMs: () => number;
  /** By which requests stop being retries, and reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly log: Log;
}

/** One check of `/readyz`. */
interface ServiceCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly degraded?: boolean;
  readonly detail?: string;
}

/** Delivery, as the composition of services sees it. */
export interface DeliveryService {
  readonly routes: Route[];
  readonly protectedRoutes: ProtectedRoute[];
  readonly catalog: Catalog;
  readiness(): Promise<ServiceCheck[]>;
  snapshotStats(): SnapshotFeedStats;
  /** Adds this worker's metrics of hard limits and retried requests. */
  registerMetrics(registry: Registry): void;
  start(): Promise<void>;
  /**
   * Reads data that no bid waits for after a restart: until then pacing assumes flat traffic. Call it once bids are served. Never rejects.
   */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

/** The samples that are collected from requests. */
function createSamplers(deps: DeliveryDeps): Pick<AdServerDeps, 'reasons' | 'recorder' | 'decisionLog'> {
  const { nowMs, random, log, workerIndex = 0, decisionLog } = deps;
  const decisionsDir = join(deps.dataDir, DECISIONS_FOLDER);
  return {
    ...(decisionLog === undefined
      ? {}
      : { decisionLog: new DecisionLog({ ...decisionLog, dir: decisionsDir, workerIndex, nowMs, log }) }),
    reasons: new DecisionReasons({ olap: deps.olap ?? null, nowMs, log }),
    recorder: new OpportunityRecorder({ olap: deps.olap ?? null, nowMs, random, log }),
  };
}

function registerMetrics(registry: Registry, control: DeliveryControl, retries: BidRetries): void {
  registerBudgetMetrics(registry, control.ledger);
  registerRetryMetrics(registry, retries);
}

/** The state of the snapshot, for `/readyz`. */
function checkSnapshot({ isReady }: SnapshotFeed): { name: string; ok: boolean; detail?: string } {
  return { name: 'snapshot', ok: isReady, ...(isReady ? {} : { detail: 'no snapshot was read yet' }) };
}

/** Ads are served without the hot store: no reason to take the worker out of service. */
function checkCircuit(circuit: HotCircuit | null): ServiceCheck[] {
  if (circuit === null) return [];
  if (!circuit.isOpen) return [{ name: 'hot_store', ok: true }];
  const detail = 'the hot store is late or unavailable; decisions go on without it';
  return [{ name: 'hot_store', ok: true, degraded: true, detail }];
}

/** Null for a store that reads at once, from this machine. */
function createCircuit({ hot, log }: DeliveryDeps): HotCircuit | null {
  return hot.readCountersNow([]) === null ? new HotCircuit({ hot, log }) : null;
}

function createFeed(deps: DeliveryDeps, { observeChange }: ReturnType<typeof createSnapshotMetrics>): SnapshotFeed {
  return new SnapshotFeed({
    observeChange,
    sql: deps.sql,
    watchChanges: deps.watchChanges,
    dir: join(deps.dataDir, 'snapshot'),
    writesFile: deps.writesSnapshotFile,
    startsFromFile: deps.isRestart === true,
    ...(deps.program === undefined ? {} : { program: deps.program }),
    ...(deps.databaseReady === undefined ? {} : { databaseReady: deps.databaseReady }),
    log: deps.log,
    nowMs: deps.nowMs,
  });
}

function createDeliveryControl(
  deps: DeliveryDeps,
  {
    feed,
    curves,
    plans,
    contexts,
    circuit,
  }: { feed: SnapshotFeed; curves: CurveFeed; plans: PlanFeed; contexts: ContextFeed; circuit: HotCircuit | null },
): DeliveryControl {
  const inventories = new PacingInventories();
  return new DeliveryControl({
    hot: deps.hot,
    ...(circuit === null ? {} : { circuit }),
    processes: deps.processes ?? 1,
    workerIndex: deps.workerIndex ?? 0,
    curveOf: (workspaceId, lineItem) => {
      const compiled = feed.current().findById(workspaceId);
      if (compiled === undefined) return undefined;
      const { snapshot } = compiled;
      const own = curves.findOwn(workspaceId, lineItem.booked.id);
      return own ?? curves.find(workspaceId, snapshot.workspace.timezone, inventories.of(lineItem, snapshot));
    },
    freeTrafficOf: (workspaceId, lineItemId, nowMs) => plans.find(workspaceId, lineItemId, nowMs),
    contextModelOf: (workspaceId, nowMs) => contexts.find(workspaceId, nowMs),
    nowMs: deps.nowMs,
    ...(deps.expiryNowMs === undefined ? {} : { expiryNowMs: deps.expiryNowMs }),
    log: deps.log,
  });
}

/** The routes that need no key. */
function createRoutes(
  deps: AdServerDeps & UnwrapServingDeps,
  retries: BidRetries,
  { consoleUrl, reviveNetwork = null }: Pick<DeliveryDeps, 'consoleUrl' | 'reviveNetwork'>,
): Route[] {
  return [
    ...createBidRoutes(deps, retries),
    ...createVastRoutes(deps),
    ...createUnwrappedRoutes(deps),
    ...createWhyRoutes(deps),
    ...createTagRoutes(consoleUrl),
    ...createReviveRoutes(deps, reviveNetwork),
  ];
}

/** Builds the delivery service; nothing runs before `start`. */
export function createDeliveryService(deps: DeliveryDeps): DeliveryService {
  const metrics = new DecisionMetrics();
  const snapshotMetrics = createSnapshotMetrics(deps.nowMs);
  const feed = createFeed(deps, snapshotMetrics);
  const curves = new CurveFeed(deps.sql, deps.log);
  const { sql, dataDir, writesSnapshotFile: writesFile, nowMs, log } = deps;
  const plans = new PlanFeed({ sql, dataDir, writesFile, nowMs, log });
  const contexts = new ContextFeed({ sql, nowMs, log });
  const circuit = createCircuit(deps);
  const control = createDeliveryControl(deps, { feed, curves, plans, contexts, circuit });
  const samplers = createSamplers(deps);
  const deliveryUrl = deps.deliveryUrl.replace(/\/+$/, '');
  const { reasons, recorder, decisionLog } = samplers;
  const adServerDeps: AdServerDeps & UnwrapServingDeps = {
    current: () => feed.current(),
    hot: deps.hot,
    findGeo: deps.findGeo ?? findNoGeo,
    deliveryControl: control,
    ...samplers,
    metrics,
    requestCounts: { add: (sum, quantity, key) => deps.requestCounts().add(sum, quantity, key) },
    reportedValues: new ReportedValues(),
    impressionIds: new ImpressionIds(),
    linkKeys: deps.secrets.linkKeys,
    userHashSecret: deps.secrets.userHashSecret,
    ...(deps.memberships === undefined ? {} : { memberships: deps.memberships }),
    deliveryUrl,
    hostedAssets: new HostedAssets(deliveryUrl),
    unwrapper: createVastUnwrapper(deps.vastAllowedRanges ?? [], nowMs),
    recordVideoError: deps.recordVideoError ?? (() => undefined),
    nowMs: deps.nowMs,
    random: new QuotaDraws(deps.random).next,
    log: deps.log,
  };
  const retries = new BidRetries({ nowMs: deps.expiryNowMs ?? nowMs });
  return {
    routes: createRoutes(adServerDeps, retries, deps),
    protectedRoutes: createAdsRoutes(adServerDeps),
    catalog: createCatalog(() => feed.current()),
    readiness: () => Promise.resolve([checkSnapshot(feed), ...checkCircuit(circuit)]),
    snapshotStats: () => feed.stats,
    registerMetrics: (registry) => {
      registerMetrics(registry, control, retries);
      metrics.register(registry);
      snapshotMetrics.register(registry, () => feed.stats);
      plans.registerMetrics(registry);
      contexts.registerMetrics(registry);
      if (circuit !== null) registerCircuitMetrics(registry, circuit);
    },
    start: async () => {
      contexts.start();
      await Promise.all([feed.start(), deps.isRestart === true ? null : curves.start(), plans.start()]);
      await control.start();
      reasons.start();
      recorder.start();
      decisionLog?.start();
    },
    catchUp: () => (deps.isRestart === true ? curves.start() : Promise.resolve()),
    stop: async () => {
      await Promise.all([feed.stop(), curves.stop(), plans.stop(), contexts.stop()]);
      await control.stop();
      await reasons.stop();
      await recorder.stop();
      await decisionLog?.stop();
    },
  };
}
