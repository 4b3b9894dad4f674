import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Registry } from 'prom-client';
import { type AccessDeps, type AccessService, createAccessService } from '../../access/access-service.ts';
import { StartLink } from '../../access/sign-in/start-link.ts';
import type { ClusterGate } from '../../cluster/cluster-gate.ts';
import { loadNodeId } from '../../cluster/secret-files.ts';
import { withLease } from '../../cluster/with-lease.ts';
import { readVersion } from '../../config/version.ts';
import type { QuotaLimits } from '../../domain/tenancy/quota.ts';
import type { DemoHistory } from '../../demo/demo-history.ts';
import { demoHistoryOf } from '../../demo/demo-progress.ts';
import type { ReportShare } from '../../domain/reporting/report-share.ts';
import { registerDemoPage } from '../../demo/page.routes.ts';
import { registerDocs } from '../../docs/docs.routes.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import type { InsightService } from '../../delivery/insight/insight-service.ts';
import type { ExportJob } from '../../events/export/export-job.ts';
import { AnalyticsMarkJob, lookForLoss } from '../../events/marks/mark-job.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { type CoreServer, createCoreServer, mountRoutes } from '../../http/core/core-server.ts';
import { checkHeld } from '../../http/core/held-responses.ts';
import { traceRequests } from '../../http/core/request-spans.ts';
import { registerCertificate, watchCertificate } from '../../http/tls/certificate-watch.ts';
import { measureRequests } from '../../http/core/measure-requests.ts';
import { registerConnectionMetrics } from '../../http/shared/connection-metrics.ts';
import { drainReadiness, healthRoutes, type ReadinessCheck } from '../../http/shared/health.ts';
import { securityTextRoutes } from '../../http/core/security-text.ts';
import { prepareTls, type TlsMaterial, type Transport } from '../../http/tls/tls.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { registerAdcp } from '../../mcp/adcp.routes.ts';
import { registerMcp } from '../../mcp/mcp.routes.ts';
import { registerManagement } from '../../management/schema/register-management.ts';
import { registerBulkJobs } from '../../management/bulk-jobs/bulk-job.routes.ts';
import { registerSegmentUploads } from '../../management/resources/segment/segment-upload.routes.ts';
import { registerUploads } from '../../management/resources/upload/upload.routes.ts';
import { readSoldSites } from '../../management/resources/agent-request/sold-sites.sql.ts';
import { noticeJwkOf } from '../../management/changes/agent-notice-runner.ts';
import { readCleared } from '../../reports/rollups/cleared-prices.olap.ts';
import { readArmDays } from '../../reports/rollups/experiment-days.olap.ts';
import type { LegacyReports } from '../../reports/legacy-reports.ts';
import { createReportsService, type ReportsService } from '../../reports/reports-service.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import { yieldToAds } from '../../storage/olap/yielding-olap.ts';
import { migrateAsOwner } from '../../storage/sql/migrate.ts';
import type { ChildContext, RunningPart } from '../supervisor/part.ts';
import { startBackground } from './background.ts';
import { beginCluster, guardCore, joinAsPart } from './cluster.ts';
import { registerConsolePages } from './console.ts';
import { openDemoHistory, prepareDemo, startDemo } from './demo.ts';
import { mountPreviews } from './previews.ts';
import { openMailQueue } from './mail.ts';
import { readCompleteUntil } from './read-complete-until.ts';
import { diskReadiness, quotaLimits, registerStorageMetrics, startDiskWatch } from './storage-limits.ts';
import {
  analyticsReadiness,
  pauseReadiness,
  registerLostMetric,
  sideReadiness,
  storeReadiness,
} from './store-readiness.ts';
import { registerShares } from './shared-reports.ts';
import { openSqlEndpoint } from './sql-endpoint.ts';
import { stopInOrder } from './stop-in-order.ts';
import { openActivityInspector, openInsight } from './insight.ts';
import { openStores, type Stores } from './stores.ts';
import { registerShareMetrics, shareReadiness, watchReportShare } from './report-share.ts';
import { oidcSettings } from './oidc-settings.ts';
import { openTracing, type Tracing } from './tracing.ts';
import { tlsSettings } from './tls-settings.ts';
import { watchAccess } from './watch-access.ts';

const POOL_MAX = 12;
const CERTIFICATE_EVERY_MS = 86_400_000;

/** Runs the core: migrates the stores, makes the demo network when the settings want it, then serves the management and Reports APIs. */
export async function runCore(context: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log } = context;
  await migrateAsOwner(endpoints, log);
  await joinAsPart({ settings, endpoints, part: 'core', log });
  const stores = await openStores(context, POOL_MAX);
  const completeUntil = readCompleteUntil(stores.hot, Date.now);
  const { share, background, reports } = await openReports(context, stores, completeUntil);
  const transport = await prepareTls(tlsSettings(settings, endpoints), settings.dataDir, { nowMs: Date.now() });
  const caFile = transport.tls?.caFile ?? null;
  const startLink = new StartLink(Date.now);
  const readyLines = await prepareDemo({ context, stores, caFile, countedTables: reports.countedTables, startLink });
  const registry = new Registry();
  stores.registerMetrics(registry);
  const { gate, cluster } = await beginCluster(context, stores, registry);
  const mail = openMailQueue({ settings, pepper: stores.secrets.pepper, publicUrl: endpoints.corePublicUrl });
  const access = openAccess(context, stores, { registry, mail, startLink });
  const watching = watchAccess(stores, access);
  await access.start();
  await reports.start();
  const disk = startDiskWatch(settings, log);
  const tracing = await openTracing(settings, 'core');
  const { assets, legacyReports, jobs } = startBackground(context, stores, {
    part: 'core',
    gate,
    mail,
    disk,
    olap: background,
    completeUntil,
    registry,
    tracing,
  });
  const decisions = await openInsight(context, stores);
  await decisions.start();
  const demoHistory = openDemoHistory(context, stores, { ...decisions, workOutCurves: () => jobs.workOutCurves() });
  const stored = {
    stores,
    gate,
    share,
    transport,
    registry,
    assets,
    disk,
    demoHistory,
    tracing,
    exporting: () => jobs.exporting(),
    isPaused: () => jobs.isPaused(),
  };
  const server = await serve(context, { ...stored, access, mail, reports, legacyReports, decisions });
  const sqlEndpoint = await openSqlEndpoint(context, { app: server.app, transport, access });
  const renewTls = (tls: TlsMaterial) => [server, sqlEndpoint].forEach((one) => one?.renewTls(tls));
  const certificates = watchOwnCertificate(context, transport, renewTls);
  const demoTraffic = startDemo(context, caFile, demoHistory);
  return {
    readyLines,
    metrics: () => registry.getMetricsAsJSON(),
    drain: () => server.drain(),
    reload: () => certificates.checkNow(),
    stop: async ({ timeoutMs, lingerMs }) => {
      await stopInOrder([demoTraffic, demoHistory, cluster, certificates, sqlEndpoint]);
      await server.stop((timeoutMs - lingerMs) / 2, lingerMs);
      await stopInOrder([jobs, disk, decisions, reports, tracing]);
      await watching.close();
      await access.stop();
      await stores.close();
    },
  };
}

function watchOwnCertificate(
  { settings, endpoints, log }: ChildContext,
  transport: Transport,
  apply: (tls: TlsMaterial) => void,
): ReturnType<typeof watchCertificate> {
  return watchCertificate({
    transport,
    renew: () => prepareTls(tlsSettings(settings, endpoints), settings.dataDir, { nowMs: Date.now() }),
    apply,
    log,
    everyMs: CERTIFICATE_EVERY_MS,
  });
}

interface OpenReports {
  readonly share: ReportShare;
  /** For statements that nobody waits for: they yield to ads. */
  readonly background: Olap;
  readonly reports: ReportsService;
}

async function openReports(
  context: ChildContext,
  { sql, olap, changes }: Stores,
  completeUntil: () => Promise<number | null>,
): Promise<OpenReports> {
  const share = watchReportShare(context);
  const background = yieldToAds({ olap, share, nowMs: Date.now });
  const deps = { sql: sql.db, olap, changes, nowMs: Date.now, log: context.log };
  const reports = createReportsService({ ...deps, completeUntil, share });
  await migrateAnalytics(context, { sql, olap: background }, reports);
  return { share, background, reports };
}

/** Filling a table may take long; each statement ends in ten minutes at most, so that nothing hangs for ever. */
async function migrateAnalytics(
  { settings, log, stillStarting }: ChildContext,
  { sql, olap }: Pick<Stores, 'sql' | 'olap'>,
  reports: ReportsService,
): Promise<void> {
  const migrations = [...EVENT_OLAP_MIGRATIONS, ...DELIVERY_OLAP_MIGRATIONS, ...reports.migrations];
  // Cores that start together take turns.
  const once = { sql: sql.db, nodeId: loadNodeId(settings.dataDir), name: 'analytics-migrations' };
  await withLease({ ...once, onWait: stillStarting }, async () => {
    const marked = { sql: sql.db, olap, log };
    // Before there are tables, into which nodes would ship.
    await lookForLoss(marked);
    await migrateOlap({ olap, migrations, log });
    await new AnalyticsMarkJob(marked).run();
  });
  stillStarting();
}

function openAccess(
  { settings, endpoints, log }: ChildContext,
  stores: Stores,
  { registry, mail, startLink }: Required<Pick<AccessDeps, 'registry' | 'mail' | 'startLink'>>,
): AccessService {
  return createAccessService({
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    dataDir: settings.dataDir,
    log,
    processName: 'core',
    publicUrl: endpoints.corePublicUrl,
    oidc: oidcSettings(settings),
    processes: settings.nodes,
    registry,
    mail,
    startLink,
    nowMs: Date.now,
  });
}

interface CoreServices {
  readonly gate: ClusterGate;
  readonly share: ReportShare;
  readonly registry: Registry;
  readonly assets: AssetStore;
  readonly disk: DiskWatch;
  readonly stores: Stores;
  readonly access: AccessService;
  readonly mail: MailQueue | null;
  readonly reports: ReportsService;
  readonly legacyReports: LegacyReports;
  readonly decisions: InsightService;
  readonly transport: Transport;
  readonly demoHistory: DemoHistory | null;
  readonly tracing: Tracing | null;
  readonly exporting: () => ExportJob | null;
  readonly isPaused: () => boolean;
}

async function registerAllUploads(
  app: FastifyInstance,
  { stores, access, assets, disk }: CoreServices,
  quotas: QuotaLimits,
): Promise<void> {
  await registerSegmentUploads(app, {
    sql: stores.sql.db,
    hot: stores.hot,
    userHashSecret: stores.secrets.userHashSecret,
    get membersMax() {
      return quotas.segmentMembers;
    },
    requireSpace: () => disk.requireSpace(),
    nowMs: Date.now,
    authenticate: (request, options) => access.authenticate(request, options),
  });
  await registerBulkJobs(app, {
    sql: stores.sql.db,
    nowMs: Date.now,
    requireSpace: (bytes) => disk.requireSpace(bytes),
    authenticate: (request, options) => access.authenticate(request, options),
  });
  await registerUploads(app, {
    sql: stores.sql.db,
    nowMs: Date.now,
    assets,
    get bytesMax() {
      return quotas.assetBytes;
    },
    requireSpace: (bytes) => disk.requireSpace(bytes),
    authenticate: (request, options) => access.authenticate(request, options),
  });
}

async function serveManagement(
  app: FastifyInstance,
  { settings, endpoints, log }: ChildContext,
  services: CoreServices,
): Promise<void> {
  const { stores, access, mail, legacyReports, decisions } = services;
  await registerManagement(app, {
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    mail,
    quotas: quotaLimits(settings),
    webhookPolicy: { allowedRanges: settings.webhookAllowedRanges },
    log,
    nowMs: Date.now,
    reportTasks: legacyReports.tasks,
    reportSchedules: legacyReports.schedules,
    isHistoryMade: demoHistoryOf(settings.dataDir),
    deliveryInsight: decisions.insight,
    experimentFigures: { readArmDays: (question) => readArmDays(stores.olap, question) },
    clearedPrices: { readCleared: (question) => readCleared(stores.olap, question) },
    activityInspector: openActivityInspector({ settings }, stores, decisions.catalog),
    ...mountPreviews(app, services, endpoints),
    authenticate: (request, options) => access.authenticate(request, options),
  });
}

async function serve(context: ChildContext, services: CoreServices): Promise<CoreServer> {
  const { stores, access, legacyReports, transport, registry, disk } = services;
  const { settings, endpoints, log } = context;
  const quotas = quotaLimits(settings);
  const server = await createCoreServer({
    transport,
    bind: endpoints.bind,
    port: endpoints.corePort,
    log,
    trustedProxies: settings.trustedProxies,
    limits: { connectionsMax: settings.connections, connectionsPerAddressMax: settings.connectionsPerAddress },
  });
  const { app } = server;
  measureRequests(app, registry);
  registerCertificate(registry, transport);
  if (services.tracing !== null) traceRequests(app, services.tracing.beginRequest);
  guardCore(app, services.gate);
  access.registerAccess(app);
  registerDocs(app, readVersion());
  mountRoutes(app, securityTextRoutes({ contacts: settings.securityContacts, nowMs: Date.now }));
  const readiness = async () => [...(await checkReadiness(services)), ...drainReadiness(server)];
  mountRoutes(app, healthRoutes({ metrics: registry, readiness }));
  await serveManagement(app, context, services);
  registerAgents(app, services, endpoints.corePublicUrl);
  legacyReports.register(app, { authenticate: (request, options) => access.authenticate(request, options) });
  await registerAllUploads(app, services, quotas);
  registerReports(server, services);
  registerShares(app, stores);
  registerConsolePages(app, { stores, access, dataDir: settings.dataDir, delivery: endpoints.deliveryPublicUrl });
  const caFile = transport.tls?.caFile;
  await registerDemoPage(app, {
    sql: stores.sql.db,
    olap: stores.olap,
    dataDir: settings.dataDir,
    deliveryPublicUrl: endpoints.deliveryPublicUrl,
    ca: caFile === undefined ? null : readFileSync(caFile, 'utf8'),
  });
  registerStorageMetrics(registry, { sql: stores.sql.db, limits: quotas, disk: () => disk.state, nowMs: Date.now });
  registerConnectionMetrics(registry, () => server.connections());
  registerShareMetrics(registry, services.share);
  registerLostMetric(registry, stores.sql.db);
  await server.listen();
  return server;
}

/** The tools of the network's own agents, and the seller for buyers' agents. */
function registerAgents(app: FastifyInstance, { access, stores }: CoreServices, publicUrl: string): void {
  const authenticate = async (request: FastifyRequest, options: Parameters<AccessService['authenticate']>[1]) => {
    const principal = await access.authenticate(request, options);
    // A tool may change things: its response is never refused, so its work is.
    checkHeld(principal.networkId);
    return principal;
  };
  const base = { authenticate, version: readVersion(), nowMs: Date.now };
  registerMcp(app, { ...base, secret: stores.secrets.pepper });
  registerAdcp(app, {
    ...base,
    publicUrl,
    keysOf: (networkId, environment) => [noticeJwkOf(stores.secrets.pepper, networkId, environment)],
    soldSitesOf: (networkId) => readSoldSites(stores.sql.db, networkId),
  });
}

function registerReports(server: CoreServer, { reports, access }: CoreServices): void {
  reports.register(server.app, {
    authenticate: (request: FastifyRequest, { operation, networkId, environment }) =>
      access.authenticate(request, { operation, networkId, environment }),
  });
}

async function checkReadiness({
  stores,
  gate,
  access,
  reports,
  legacyReports,
  decisions,
  disk,
  demoHistory,
  exporting,
  isPaused,
  share,
}: CoreServices): Promise<ReadinessCheck[]> {
  return [
    ...(await storeReadiness(stores)),
    await analyticsReadiness(stores.sql.db),
    ...gate.checks(),
    ...(await access.readiness()),
    ...(await reports.readiness()),
    ...(await legacyReports.readiness()),
    { name: 'snapshot', ok: decisions.isReady },
    diskReadiness(disk.state),
    shareReadiness(share),
    ...sideReadiness('demo history', demoHistory),
    ...sideReadiness('event export', exporting()),
    ...pauseReadiness(isPaused()),
  ];
}
