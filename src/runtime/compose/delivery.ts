import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type AccessService, createAccessService } from '../../access/access-service.ts';
import { assetRoutes } from '../../delivery/serving/assets.routes.ts';
import {
  createDeliveryService,
  type DeliveryDeps,
  type DeliveryService,
} from '../../delivery/serving/delivery-service.ts';
import type { Settings } from '../../config/settings.ts';
import { rehearseSnapshot } from '../../delivery/snapshot/rehearse-snapshot.ts';
import { DecisionExport } from '../../delivery/insight/decision-log/decision-export.ts';
import { DECISIONS_FOLDER } from '../../delivery/insight/decision-log/decision-log-files.ts';
import { openGeoLookup } from '../../delivery/ad-request/geo-lookup.ts';
import { createEventService, type EventService } from '../../events/event-service.ts';
import { type DeliveryServer, startDeliveryServer } from '../../http/fast/delivery-server.ts';
import { registerConnectionMetrics } from '../../http/shared/connection-metrics.ts';
import { healthRoutes, type ReadinessCheck } from '../../http/shared/health.ts';
import type { ProtectedRoute } from '../../http/shared/protected-route.ts';
import { RouteDurations } from '../../http/core/route-durations.ts';
import type { Route } from '../../http/shared/route.ts';
import { securityTextRoutes } from '../../http/core/security-text.ts';
import { readTls, type Transport } from '../../http/tls/tls.ts';
import { watchCertificate } from '../../http/tls/certificate-watch.ts';
import { readRebuildOrder } from '../../storage/hot/check-hot-store.ts';
import { SegmentMemberships } from '../../storage/hot/segment-memberships.ts';
import type { ChildContext, CoreUp, PartCode, RunningPart } from '../supervisor/part.ts';
import { watchLinkKeys } from '../../storage/link-keys.ts';
import { openAssets } from './assets.ts';
import { openExportTarget } from './event-export.ts';
import { readProgramMark } from './program-mark.ts';
import { rebuildWhereOrdered } from './rebuild-where-ordered.ts';
import { openStores, type Stores } from './stores.ts';
import { tlsSettings } from './tls-settings.ts';

const POOL_MAX = 4;
/** The core renews at most daily; workers look more often, so that they load a new certificate within the hour. */
const CERTIFICATE_EVERY_MS = 3_600_000;

/** The code of a delivery worker. */
export const deliveryCode: PartCode = {
  run: runDelivery,
  rehearse: (dataDir) => rehearseSnapshot(join(dataDir, 'snapshot')),
};

/** Runs one delivery worker: decides, responds, records events and ships them. Shares its port with the other workers. */
async function runDelivery(given: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log } = given;
  // Lost counters are rebuilt by the present state of PostgreSQL.
  const context = { ...given, isRestart: given.isRestart && readRebuildOrder(settings.dataDir) === null };
  const { coreUp } = context;
  if (!context.isRestart) await coreUp.await();
  const stores = await openStores(context, POOL_MAX);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { access, memberships, delivery, events } = await openServices(context, stores, registry);
  const watching = stores.changes.watch({
    onChange: (batch) => access.onChange(batch),
    onReconnect: () => access.onChange(null),
  });
  await Promise.all([access.start(context.isRestart, () => coreUp.await()), delivery.start()]);
  await rebuildWhereOrdered(context, stores, delivery.catalog);
  const protectedRoutes = [...delivery.protectedRoutes, ...events.protectedRoutes];
  const linkKeys = watchLinkKeys(settings.dataDir, stores.secrets.linkKeys, { log });
  const transport = await readTls(tlsSettings(settings, endpoints), settings.dataDir);
  const server = await listen(context, { registry, transport, access }, [
    ...delivery.routes,
    ...events.routes,
    ...protectedRoutes.map((route) => access.guardRoute(route, environmentOf(route))),
    ...assetRoutes(openAssets(settings)),
    ...securityTextRoutes({ contacts: settings.securityContacts, nowMs: Date.now }),
    ...healthRoutes({
      metrics: registry,
      readiness: async () => [
        ...(await delivery.readiness()),
        ...(await events.readiness()),
        ...(await access.readiness()),
        coreReadiness(coreUp),
      ],
    }),
  ]);
  // A restart serves first, and nothing asks or fills stores that may lack tables of this program.
  events.start(coreUp.event);
  const stopped = new AbortController();
  void coreUp.event.then(() => {
    if (stopped.signal.aborted) return;
    stores.changes.connect();
    void delivery.catchUp();
  });
  const decisionExport = startDecisionExport(context, stores);
  const certificates = watchCertificate({
    transport,
    renew: () => readTls(tlsSettings(settings, endpoints), settings.dataDir),
    apply: (tls) => server.renewTls(tls),
    log,
    everyMs: CERTIFICATE_EVERY_MS,
  });
  return {
    stop: async (timeoutMs) => {
      stopped.abort();
      await certificates.stop();
      await decisionExport?.stop();
      linkKeys.stop();
      await server.stop(timeoutMs / 2);
      await events.stop(timeoutMs / 3);
      await memberships.stop();
      await delivery.stop();
      await watching.close();
      await access.stop();
      await stores.close();
    },
  };
}

/** One worker exports what all workers of the machine have logged. */
function startDecisionExport({ settings, workerIndex, log }: ChildContext, stores: Stores): DecisionExport | null {
  const target = openExportTarget(settings, 'decisions');
  if (target === null || workerIndex !== 0) return null;
  const dir = join(settings.dataDir, DECISIONS_FOLDER);
  const job = new DecisionExport({ sql: stores.sql.db, target, dir, nowMs: Date.now, log });
  job.start();
  return job;
}

interface WorkerServices {
  readonly access: AccessService;
  readonly memberships: SegmentMemberships;
  readonly delivery: DeliveryService;
  readonly events: EventService;
}

async function openServices(context: ChildContext, stores: Stores, registry: Registry): Promise<WorkerServices> {
  const { settings, endpoints, workerIndex, log } = context;
  const access = createAccessService({
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
  const memberships = new SegmentMemberships({ hot: stores.hot, nowMs: Date.now, log });
  const delivery: DeliveryService = createDeliveryService({
    sql: stores.sql.db,
    watchChanges: async (handlers) => stores.changes.watch(handlers),
    hot: stores.hot,
    olap: stores.olap,
    ...(settings.geoDatabase === null ? {} : { findGeo: await openGeoLookup(settings.geoDatabase) }),
    ...decisionLogOf(settings),
    secrets: stores.secrets,
    memberships,
    requestCounts: () => events.requestCounts,
    deliveryUrl: endpoints.deliveryPublicUrl,
    dataDir: settings.dataDir,
    writesSnapshotFile: workerIndex === 0,
    isRestart: context.isRestart,
    program: readProgramMark(),
    databaseReady: () => context.coreUp.await(),
    processes: settings.nodes * settings.workers,
    workerIndex,
    workers: settings.workers,
    nowMs: Date.now,
    random: Math.random,
    log,
  });
  delivery.registerMetrics(registry);
  const events: EventService = createEventService({
    catalog: delivery.catalog,
    hot: stores.hot,
    olap: stores.olap,
    linkKeys: stores.secrets.linkKeys,
    userHashSecret: stores.secrets.userHashSecret,
    memberships,
    dataDir: settings.dataDir,
    workerIndex,
    workers: settings.workers,
    nowMs: Date.now,
    log,
    registry,
  });
  return { access, memberships, delivery, events };
}

/** The settings of the decision log. When nothing is logged any more, earlier records still expire. */
export function decisionLogOf(
  settings: Pick<Settings, 'decisionLogPerSecond' | 'decisionLogDays' | 'decisionLogMegabytes'>,
): Required<Pick<DeliveryDeps, 'decisionLog'>> {
  const { decisionLogPerSecond: perSecond, decisionLogDays, decisionLogMegabytes } = settings;
  return {
    decisionLog: { perSecond, retentionMs: decisionLogDays * 86_400_000, bytesMax: decisionLogMegabytes * 1_000_000 },
  };
}

async function listen(
  { settings, endpoints, log }: ChildContext,
  { registry, transport, access }: { registry: Registry; transport: Transport; access: AccessService },
  routes: readonly Route[],
): Promise<DeliveryServer> {
  const durations = new RouteDurations();
  durations.register(registry);
  const server = await startDeliveryServer({
    routes,
    transport,
    bind: endpoints.bind,
    port: endpoints.deliveryPort,
    reusePort: true,
    log,
    trustedProxies: settings.trustedProxies,
    limits: { connectionsMax: settings.connections, connectionsPerAddressMax: settings.connectionsPerAddress },
    failureHeaders: (request, route) => access.failureHeaders(request, route),
    observe: (route, status, durationMs) => durations.observe(route, status, durationMs),
  });
  registerConnectionMetrics(registry, () => server.connections());
  return server;
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
