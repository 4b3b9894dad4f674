import { Registry } from 'prom-client';
import type { ClusterGate } from '../../cluster/cluster-gate.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { type CoreServer, createCoreServer, mountRoutes } from '../../http/core/core-server.ts';
import { securityTextRoutes } from '../../http/core/security-text.ts';
import { drainReadiness, healthRoutes, type ReadinessCheck } from '../../http/shared/health.ts';
import { prepareTls } from '../../http/tls/tls.ts';
import { REPORT_OLAP_MIGRATIONS } from '../../reports/rollups/rollups.olap.ts';
import type { ChildContext, RunningPart } from '../supervisor/part.ts';
import { type Background, startBackground } from './background.ts';
import { beginCluster } from './cluster.ts';
import { openMailQueue } from './mail.ts';
import { readCompleteUntil } from './read-complete-until.ts';
import { diskReadiness, startDiskWatch } from './storage-limits.ts';
import { pauseReadiness, sideReadiness, storeReadiness } from './store-readiness.ts';
import { stopInOrder } from './stop-in-order.ts';
import { openStores, type Stores } from './stores.ts';
import { openTracing } from './tracing.ts';
import { tlsSettings } from './tls-settings.ts';
import { waitForSchema } from './wait-for-schema.ts';

const POOL_MAX = 8;

/** Runs the jobs on a clock and nothing else: no API, but probes and metrics at the port of the core. Cores then leave jobs to it. */
export async function runJobs(context: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log } = context;
  const stores = await openStores(context, POOL_MAX);
  await waitForSchema(context, stores, [
    ...EVENT_OLAP_MIGRATIONS,
    ...DELIVERY_OLAP_MIGRATIONS,
    ...REPORT_OLAP_MIGRATIONS,
  ]);
  const registry = new Registry();
  stores.registerMetrics(registry);
  const { gate, cluster } = await beginCluster(context, stores, registry);
  const disk = startDiskWatch(settings, log);
  const tracing = await openTracing(settings, 'jobs');
  const background = startBackground(context, stores, {
    part: 'jobs',
    gate,
    mail: openMailQueue({ settings, pepper: stores.secrets.pepper, publicUrl: endpoints.corePublicUrl }),
    disk,
    olap: stores.olap,
    completeUntil: readCompleteUntil(stores.hot, Date.now),
    registry,
    tracing,
  });
  const readiness = async (): Promise<ReadinessCheck[]> => [
    ...(await checkJobs(stores, gate, background)),
    diskReadiness(disk.state),
    ...drainReadiness(server),
  ];
  const server = await serveProbes(context, registry, readiness);
  return {
    metrics: () => registry.getMetricsAsJSON(),
    drain: () => server.drain(),
    stop: async ({ timeoutMs }) => {
      await stopInOrder([cluster, background.jobs]);
      await server.stop(timeoutMs / 2);
      await stopInOrder([disk, tracing]);
      await stores.close();
    },
  };
}

async function checkJobs(stores: Stores, gate: ClusterGate, background: Background): Promise<ReadinessCheck[]> {
  return [
    ...(await storeReadiness(stores)),
    ...gate.checks(),
    ...(await background.legacyReports.readiness()),
    ...sideReadiness('event export', background.jobs.exporting()),
    ...pauseReadiness(background.jobs.isPaused()),
  ];
}

async function serveProbes(
  { settings, endpoints, log }: ChildContext,
  metrics: Registry,
  readiness: () => Promise<ReadinessCheck[]>,
): Promise<CoreServer> {
  const server = await createCoreServer({
    transport: await prepareTls(tlsSettings(settings, endpoints), settings.dataDir, { nowMs: Date.now() }),
    bind: endpoints.bind,
    port: endpoints.corePort,
    log,
    trustedProxies: settings.trustedProxies,
    limits: { connectionsMax: settings.connections, connectionsPerAddressMax: settings.connectionsPerAddress },
  });
  mountRoutes(server.app, securityTextRoutes({ contacts: settings.securityContacts, nowMs: Date.now }));
  mountRoutes(server.app, healthRoutes({ metrics, readiness }));
  await server.listen();
  return server;
}
