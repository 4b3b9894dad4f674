import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { type AccessRoom, createAccessRoom } from '../access/access-room.ts';
import { assetRoutes } from '../delivery/assets.routes.ts';
import { createDeliveryRoom, type DeliveryRoom } from '../delivery/delivery-room.ts';
import { openPlaceLookup } from '../delivery/place-lookup.ts';
import { createEventRoom, type EventRoom } from '../events/event-room.ts';
import { type DeliveryServer, startDeliveryServer } from '../http/delivery-server.ts';
import { healthRoutes } from '../http/health.ts';
import type { ProtectedRoute } from '../http/protected-route.ts';
import type { Route } from '../http/route.ts';
import { readTls, type Transport } from '../http/tls.ts';
import { watchCertificate } from '../http/certificate-watch.ts';
import { SegmentMemberships } from '../storage/hot/segment-memberships.ts';
import type { ChildContext, RunningPart } from '../supervisor/part.ts';
import { openAssets } from './assets.ts';
import { openStores, type Stores } from './stores.ts';
import { tlsSettings } from './tls-settings.ts';

const POOL_MAX = 4;
/** The core renews at most daily; workers look more often, so that they take what it made within the hour. */
const CERTIFICATE_EVERY_MS = 3_600_000;

/** Runs one delivery worker: decides, answers, records events and ships them. Shares its port with the other workers. */
export async function runDelivery(context: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log } = context;
  const stores = await openStores(context, POOL_MAX);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { access, memberships, delivery, events } = await openRooms(context, stores, registry);
  const watching = stores.changes.watch({
    onChange: (batch) => access.onChange(batch),
    onReconnect: () => access.onChange(null),
  });
  await Promise.all([access.start(), delivery.start()]);
  events.start();
  const protectedRoutes = [...delivery.protectedRoutes, ...events.protectedRoutes];
  const transport = await readTls(tlsSettings(settings, endpoints), settings.dataDir);
  const server = await listen(context, { registry, transport }, [
    ...delivery.routes,
    ...events.routes,
    ...protectedRoutes.map((route) => access.guardRoute(route, environmentOf(route))),
    ...assetRoutes(openAssets(settings)),
    ...healthRoutes({
      metrics: registry,
      readiness: async () => [
        ...(await delivery.readiness()),
        ...(await events.readiness()),
        ...(await access.readiness()),
      ],
    }),
  ]);
  const certificates = watchCertificate({
    transport,
    renew: () => readTls(tlsSettings(settings, endpoints), settings.dataDir),
    apply: (tls) => server.renewTls(tls),
    log,
    everyMs: CERTIFICATE_EVERY_MS,
  });
  return {
    stop: async (timeoutMs) => {
      await certificates.stop();
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

interface WorkerRooms {
  readonly access: AccessRoom;
  readonly memberships: SegmentMemberships;
  readonly delivery: DeliveryRoom;
  readonly events: EventRoom;
}

async function openRooms(context: ChildContext, stores: Stores, registry: Registry): Promise<WorkerRooms> {
  const { settings, endpoints, slot, log } = context;
  const access = createAccessRoom({
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    dataDir: settings.dataDir,
    log,
    processName: `delivery-${slot}`,
    processes: settings.nodes * settings.workers,
    registry,
    nowMs: Date.now,
  });
  const memberships = new SegmentMemberships({ hot: stores.hot, nowMs: Date.now, log });
  const delivery: DeliveryRoom = createDeliveryRoom({
    sql: stores.sql.db,
    watchChanges: async (handlers) => stores.changes.watch(handlers),
    hot: stores.hot,
    olap: stores.olap,
    ...(settings.geoDatabase === null ? {} : { findPlace: await openPlaceLookup(settings.geoDatabase) }),
    secrets: stores.secrets,
    memberships,
    requestCounts: () => events.requestCounts,
    deliveryUrl: endpoints.deliveryPublicUrl,
    dataDir: settings.dataDir,
    writesSnapshotFile: slot === 0,
    processes: settings.nodes * settings.workers,
    slot,
    nowMs: Date.now,
    random: Math.random,
    log,
  });
  delivery.registerMetrics(registry);
  const events: EventRoom = createEventRoom({
    catalog: delivery.catalog,
    hot: stores.hot,
    olap: stores.olap,
    linkKeys: stores.secrets.linkKeys,
    userHashSecret: stores.secrets.userHashSecret,
    memberships,
    dataDir: settings.dataDir,
    slot,
    workers: settings.workers,
    nowMs: Date.now,
    log,
    registry,
  });
  return { access, memberships, delivery, events };
}

async function listen(
  { settings, endpoints, log }: ChildContext,
  { registry, transport }: { registry: Registry; transport: Transport },
  routes: readonly Route[],
): Promise<DeliveryServer> {
  const durations = new Histogram({
    name: 'placard_delivery_request_seconds',
    help: 'Time from request to answer, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  });
  const series = rememberSeries(durations);
  return startDeliveryServer({
    routes,
    transport,
    bind: endpoints.bind,
    port: endpoints.deliveryPort,
    reusePort: true,
    log,
    trustedProxies: settings.trustedProxies,
    observe: (route, status, durationMs) => series(route, status).observe(durationMs / 1000),
  });
}

/** Finding a series by its labels costs more than observing it: each is looked up once. Routes and statuses are few. */
function rememberSeries(
  durations: Histogram<'route' | 'status'>,
): (route: string, status: number) => { observe(seconds: number): void } {
  const byRoute = new Map<string, Map<number, { observe(seconds: number): void }>>();
  return (route, status) => {
    let byStatus = byRoute.get(route);
    if (byStatus === undefined) byRoute.set(route, (byStatus = new Map()));
    let found = byStatus.get(status);
    if (found === undefined) byStatus.set(status, (found = durations.labels(route, String(status))));
    return found;
  };
}

/** The environment that a protected route's address belongs to (checklist E2). */
function environmentOf(route: ProtectedRoute): 'production' | 'staging' {
  return route.pattern.startsWith('/staging/') ? 'staging' : 'production';
}
