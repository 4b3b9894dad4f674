import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { type AccessService, createAccessService } from '../../access/access-service.ts';
import { assetRoutes } from '../../delivery/serving/assets.routes.ts';
import { bundleRoutes } from '../../delivery/serving/bundles.routes.ts';
import { HeldBundles } from '../../delivery/serving/held-bundles.ts';
import {
  createDeliveryService,
  type DeliveryDeps,
  type DeliveryService,
} from '../../delivery/serving/delivery-service.ts';
import { CutFollower } from '../../backup/follow-cut.ts';
import { admitPixel } from '../../access/limits/admit-pixel.ts';
import { isPausedByRestore } from '../../cluster/job-leases.sql.ts';
import { loadNodeId } from '../../cluster/secret-files.ts';
import { guardedNowMs } from '../../storage/guarded-clock.ts';
import type { Settings } from '../../config/settings.ts';
import { DecisionExport } from '../../delivery/insight/decision-log/decision-export.ts';
import { DECISIONS_FOLDER } from '../../delivery/insight/decision-log/decision-log-files.ts';
import { openGeoLookup } from '../../delivery/ad-request/geo-lookup.ts';
import { createEventService, type EventService } from '../../events/event-service.ts';
import { LostWatch } from '../../events/marks/lost-watch.ts';
import type { HotRecovery } from '../../events/recovery/hot-recovery.ts';
import { type DeliveryServer, startDeliveryServer } from '../../http/fast/delivery-server.ts';
import { registerConnectionMetrics } from '../../http/shared/connection-metrics.ts';
import { drainReadiness, healthRoutes, type ReadinessCheck } from '../../http/shared/health.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import { RouteDurations } from '../../http/core/route-durations.ts';
import type { Route } from '../../http/shared/route.ts';
import { behindStitchers } from '../../http/shared/stitcher.ts';
import { securityTextRoutes } from '../../http/core/security-text.ts';
import { readTls, type Transport } from '../../http/tls/tls.ts';
import { type CertificateWatch, registerCertificate, watchCertificate } from '../../http/tls/certificate-watch.ts';
import { demoFilePath } from '../../demo/demo-file.ts';
import { readRebuildOrder } from '../../storage/ledger/own-ledger.ts';
import { redisHealthOf } from '../../storage/hot/redis-hot-store.ts';
import { RedisWatch } from '../../storage/hot/redis-watch.ts';
import { SegmentMemberships } from '../../storage/hot/segment-memberships.ts';
import { type ChildContext, type CoreUp, LISTEN_FD, type PartCode, type RunningPart } from '../supervisor/part.ts';
import type { AssetStore } from '../../storage/assets.ts';
import { watchLinkKeys } from '../../storage/link-keys.ts';
import { openAssets } from './assets.ts';
import { beginCluster } from './cluster.ts';
import { openExportTarget } from './event-export.ts';
import { readProgramMark } from './program-mark.ts';
import { rebuildWhereOrdered } from './rebuild-where-ordered.ts';
import { lostReadiness, redisReadiness } from './store-readiness.ts';
import { openMachineHotStore, openStoresWith, type Stores } from './stores.ts';
import { tlsSettings } from './tls-settings.ts';
import { openTracingLater, type Tracing } from './tracing.ts';
import { openEventCopies, openHotRecovery, recoveryReadiness } from './hot-recovery.ts';
import { watchAccess } from './watch-access.ts';

const POOL_MAX = 4;
/** The core renews at most daily; workers look more often, so that they load a new certificate within the hour. */
const CERTIFICATE_EVERY_MS = 3_600_000;

/** The code of a delivery worker. */
export const deliveryCode: PartCode = {
  run: runDelivery,
};

/** Runs one delivery worker: decides, responds, records events and ships them. It listens on the socket that the supervisor holds for it. */
async function runDelivery(given: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log, coreUp } = given;
  const hot = await openMachineHotStore(given);
  // Lost counters are rebuilt by the present state of PostgreSQL.
  const context = { ...given, isRestart: given.isRestart && readRebuildOrder(settings.dataDir) === null };
  if (!context.isRestart) await coreUp.await();
  const stores = await openStoresWith(context, POOL_MAX, hot);
  const registry = new Registry();
  stores.registerMetrics(registry);
  const { gate, cluster } = await beginCluster(context, stores, registry);
  const services = await openServices(context, stores, registry);
  const { access, memberships, delivery, events, recovery } = services;
  const watching = watchAccess(stores, access);
  await Promise.all([access.start(context.isRestart, () => coreUp.await()), delivery.start()]);
  await rebuildWhereOrdered(context, stores, delivery.catalog);
  await recovery?.start();
  const assets = openAssets(settings, stores.sql.db);
  const linkKeys = watchLinkKeys(settings.dataDir, stores.secrets.linkKeys, { log });
  const transport = await readTls(tlsSettings(settings, endpoints), settings.dataDir);
  const server: DeliveryServer = await listen(context, { registry, transport, access }, [
    ...gate.guard([
      ...behindStitchers(listRoutes(services), context.settings.stitchers, STITCHED),
      ...assetRoutes(assets),
      ...bundleRoutes(holdBundles(assets, registry)),
    ]),
    ...securityTextRoutes({ contacts: settings.securityContacts, nowMs: Date.now }),
    ...healthRoutes({
      metrics: registry,
      readiness: async () => [
        ...gate.checks(),
        ...(await checkServices(services)),
        coreReadiness(coreUp),
        ...supervisorReadiness(process),
        ...drainReadiness(server),
      ],
    }),
  ]);
  // A restart serves first, and nothing asks or fills stores that may lack tables of this program.
  events.start(coreUp.event);
  const stopped = new AbortController();
  void coreUp.event.then(() => {
    if (stopped.signal.aborted) return;
    stores.changes.connect();
    services.lost.start();
    services.redis?.start();
    if (context.workerIndex === 0) void assets.share(log);
    void delivery.catchUp();
  });
  const machineJobs = startMachineJobs(context, stores);
  const certificates = watchOwnCertificate(context, transport, server);
  return {
    metrics: () => registry.getMetricsAsJSON(),
    drain: () => server.drain(),
    stop: async ({ timeoutMs, lingerMs, isReplaced }) => {
      stopped.abort();
      await cluster.stop();
      await certificates.stop();
      await machineJobs.stop();
      linkKeys.stop();
      await server.stop((timeoutMs - lingerMs) / 2, lingerMs);
      await events.stop(isReplaced ? 0 : timeoutMs / 3);
      await Promise.all([recovery?.stop(), services.lost.stop(), services.redis?.stop(), services.tracing.stop()]);
      await memberships.stop();
      await delivery.stop();
      await watching.close();
      await access.stop();
      await stores.close();
    },
  };
}

function watchOwnCertificate(
  { settings, endpoints, log }: ChildContext,
  transport: Transport,
  server: Pick<DeliveryServer, 'renewTls'>,
): CertificateWatch {
  return watchCertificate({
    transport,
    renew: () => readTls(tlsSettings(settings, endpoints), settings.dataDir),
    apply: (tls) => server.renewTls(tls),
    log,
    everyMs: CERTIFICATE_EVERY_MS,
  });
}

function holdBundles(assets: AssetStore, registry: Registry): HeldBundles {
  const bundles = new HeldBundles(assets);
  bundles.register(registry);
  return bundles;
}

async function checkServices({
  delivery,
  events,
  access,
  recovery,
  lost,
  redis,
}: WorkerServices): Promise<ReadinessCheck[]> {
  const checks = [await delivery.readiness(), await events.readiness(), await access.readiness()];
  return [...checks.flat(), ...recoveryReadiness(recovery), lostReadiness(lost.reason), ...redisReadiness(redis)];
}

/** Routes that a stitcher calls for a user. */
const STITCHED: ReadonlySet<string> = new Set(
  'vast vast.staging vmap vmap.staging unwrapped impression viewable measurable video click'.split(' '),
);

function listRoutes({ delivery, events, access }: WorkerServices): Route[] {
  const protectedRoutes = [...delivery.protectedRoutes, ...events.protectedRoutes];
  return [
    ...delivery.routes,
    ...events.routes,
    ...protectedRoutes.map((route) => access.guardRoute(route, environmentOf(route))),
  ];
}

/** One worker exports what all workers of the machine have logged, and holds their shipping for backups that other nodes make. */
function startMachineJobs(context: ChildContext, stores: Stores): { stop(): Promise<void> } {
  if (context.workerIndex !== 0) return { stop: async () => undefined };
  const exporting = startDecisionExport(context, stores);
  const { settings, coreUp, log } = context;
  const { dataDir } = settings;
  const cuts = new CutFollower({ sql: stores.sql.db, nodeId: loadNodeId(dataDir), dataDir, log });
  const stopped = new AbortController();
  // Before that, PostgreSQL may lack its tables.
  void coreUp.event.then(() => stopped.signal.aborted || cuts.start());
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all([exporting?.stop(), cuts.stop()]);
    },
  };
}

function startDecisionExport({ settings, log }: ChildContext, stores: Stores): DecisionExport | null {
  const target = openExportTarget(settings, 'decisions');
  if (target === null) return null;
  const dir = join(settings.dataDir, DECISIONS_FOLDER);
  const sql = stores.sql.db;
  const isPaused = (): Promise<boolean> => isPausedByRestore(sql);
  const job = new DecisionExport({ sql, target, dir, isPaused, nowMs: Date.now, log });
  job.start();
  return job;
}

interface WorkerServices {
  readonly access: AccessService;
  readonly memberships: SegmentMemberships;
  readonly delivery: DeliveryService;
  readonly events: EventService;
  /** Null: the hot store is this machine's own. */
  readonly recovery: HotRecovery | null;
  /** Nothing is shipped to an analytics store that lacks events: the right one may come back. */
  readonly lost: LostWatch;
  /** Null: there is no Redis. */
  readonly redis: RedisWatch | null;
  readonly tracing: Pick<Tracing, 'stop'>;
}

function openAccess({ settings, workerIndex, log }: ChildContext, stores: Stores, registry: Registry): AccessService {
  return createAccessService({
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    dataDir: settings.dataDir,
    log,
    processName: `delivery-${workerIndex}`,
    processes: settings.nodes * settings.workers,
    registry,
    nowMs: Date.now,
  });
}

async function openServices(context: ChildContext, stores: Stores, registry: Registry): Promise<WorkerServices> {
  const { settings, endpoints, workerIndex, log } = context;
  const access = openAccess(context, stores, registry);
  const memberships = new SegmentMemberships({ hot: stores.hot, nowMs: Date.now, log });
  const delivery: DeliveryService = createDeliveryService({
    sql: stores.sql.db,
    watchChanges: async (handlers) => stores.changes.watch(handlers),
    hot: stores.hot,
    olap: stores.olap,
    ...(settings.geoDatabase === null ? {} : { findGeo: await openGeoLookup(settings.geoDatabase) }),
    ...decisionLogOf(settings, context.serviceReady),
    secrets: stores.secrets,
    memberships,
    requestCounts: () => events.requestCounts,
    recordVideoError: (ad, code) => events.recordVideoError(ad, code),
    vastAllowedRanges: settings.vastAllowedRanges,
    reviveNetwork: settings.reviveNetwork,
    deliveryUrl: endpoints.deliveryPublicUrl,
    consoleUrl: endpoints.corePublicUrl,
    dataDir: settings.dataDir,
    writesSnapshotFile: workerIndex === 0,
    isRestart: context.isRestart,
    program: readProgramMark(),
    databaseReady: () => context.coreUp.await(),
    processes: settings.nodes * settings.workers,
    workerIndex,
    nowMs: Date.now,
    expiryNowMs: guardedNowMs,
    random: Math.random,
    log,
  });
  delivery.registerMetrics(registry);
  // Ads are never traced and never wait for tracing: it is loaded once the core is up.
  const tracing = openTracingLater(settings, 'delivery', context.coreUp.event);
  const recovery = openHotRecovery(context, stores, { catalog: delivery.catalog, registry });
  const lost = new LostWatch({ sql: stores.sql.db, log });
  const readRedis = redisHealthOf(stores.hot);
  const redis = readRedis === null ? null : new RedisWatch({ read: readRedis, log });
  redis?.register(registry);
  const events: EventService = createEventService({
    gate: {
      mayCount: () => recovery?.mayCount() ?? true,
      mayShip: () => lost.reason === null && (recovery?.mayShip() ?? true),
    },
    recordRun: tracing.recordJob,
    copies: openEventCopies(context),
    catalog: delivery.catalog,
    hot: stores.hot,
    olap: stores.olap,
    linkKeys: stores.secrets.linkKeys,
    userHashSecret: stores.secrets.userHashSecret,
    memberships,
    admitPixel: (workspaceId) => admitPixel(access.limits, access.directory.findWorkspaceById(workspaceId)),
    dataDir: settings.dataDir,
    workerIndex,
    workers: settings.workers,
    nowMs: Date.now,
    expiryNowMs: guardedNowMs,
    log,
    registry,
  });
  return { access, memberships, delivery, events, recovery, lost, redis, tracing };
}

/** Decisions a second that are logged with a demo network, where nothing else is set: enough to try the inspector. */
const DEMO_LOGGED_PER_SECOND = 5;

/**
 * The settings of the decision log. When nothing is logged any more, earlier records still expire.
 * @param serviceReady the first start has made the demo network by then
 */
export function decisionLogOf(
  settings: Pick<Settings, 'decisionLogPerSecond' | 'decisionLogDays' | 'decisionLogMegabytes' | 'demo' | 'dataDir'>,
  serviceReady: Promise<void>,
): Required<Pick<DeliveryDeps, 'decisionLog'>> {
  const { decisionLogPerSecond, decisionLogDays, decisionLogMegabytes, demo, dataDir } = settings;
  let perSecond = decisionLogPerSecond ?? 0;
  if (decisionLogPerSecond === null && demo !== 'false')
    void serviceReady.then(() => {
      if (existsSync(demoFilePath(dataDir))) perSecond = DEMO_LOGGED_PER_SECOND;
    });
  return {
    decisionLog: {
      perSecond: () => perSecond,
      retentionMs: decisionLogDays * 86_400_000,
      bytesMax: decisionLogMegabytes * 1_000_000,
    },
  };
}

async function listen(
  { settings, endpoints, log }: ChildContext,
  { registry, transport, access }: { registry: Registry; transport: Transport; access: AccessService },
  routes: readonly Route[],
): Promise<DeliveryServer> {
  const durations = new RouteDurations('placard_delivery_request_seconds');
  durations.register(registry);
  registerCertificate(registry, transport);
  const server = await startDeliveryServer({
    routes,
    transport,
    bind: endpoints.bind,
    port: endpoints.deliveryPort,
    fd: LISTEN_FD,
    log,
    trustedProxies: settings.trustedProxies,
    limits: { connectionsMax: settings.connections, connectionsPerAddressMax: settings.connectionsPerAddress },
    failureHeaders: (request, route) => access.failureHeaders(request, route),
    observe: (route, status, durationMs) => durations.observe(route, status, durationMs),
  });
  registerConnectionMetrics(registry, () => server.connections());
  return server;
}

/** A worker serves on when its supervisor is gone. Of a process that never had one, nothing is said. */
export function supervisorReadiness({ connected }: { readonly connected?: boolean }): ReadinessCheck[] {
  if (connected !== false) return [];
  const detail = 'the supervisor is gone; start the service again, and it replaces this worker';
  return [{ name: 'supervisor', ok: true, degraded: true, detail }];
}

/** Ads are served without the core: no reason to take the worker out of service. */
export function coreReadiness({ isUp }: CoreUp): ReadinessCheck {
  if (isUp) return { name: 'core', ok: true };
  return {
    name: 'core',
    ok: true,
    degraded: true,
    detail: 'ads are served from the disk; PostgreSQL, the analytics store and the core are still starting',
  };
}

/** The environment that a protected route's address belongs to. */
function environmentOf(route: ProtectedRoute): 'production' | 'staging' {
  return route.pattern.startsWith('/staging/') ? 'staging' : 'production';
}
