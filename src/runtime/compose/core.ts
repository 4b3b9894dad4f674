import { readFileSync } from 'node:fs';
import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { type AccessService, createAccessService } from '../../access/access-service.ts';
import { makePasswordLink } from '../../access/users/password-reset.sql.ts';
import type { DemoHistory } from '../../demo/demo-history.ts';
import { registerDemoPage } from '../../demo/page.routes.ts';
import { registerDocs } from '../../docs/docs.routes.ts';
import { DELIVERY_OLAP_MIGRATIONS } from '../../delivery/insight/diagnosis/decision-reasons.olap.ts';
import { createInsightService } from '../../delivery/insight/insight-service.ts';
import type { InsightService } from '../../delivery/insight/insight-service.ts';
import { openGeoLookup } from '../../delivery/ad-request/geo-lookup.ts';
import { EventExport } from '../../events/export/event-export.ts';
import type { ExportJob } from '../../events/export/export-job.ts';
import { EVENT_OLAP_MIGRATIONS } from '../../events/shipping/events.olap.ts';
import { type CoreServer, createCoreServer, mountRoutes } from '../../http/core/core-server.ts';
import { watchCertificate } from '../../http/tls/certificate-watch.ts';
import { registerConnectionMetrics } from '../../http/shared/connection-metrics.ts';
import { healthRoutes, type ReadinessCheck } from '../../http/shared/health.ts';
import { securityTextRoutes } from '../../http/core/security-text.ts';
import { prepareTls, type Transport } from '../../http/tls/tls.ts';
import type { MailQueue } from '../../mail/mail-queue.ts';
import { registerManagement } from '../../management/schema/register-management.ts';
import { registerSegmentUploads } from '../../management/resources/segment/segment-upload.routes.ts';
import { registerUploads } from '../../management/resources/upload/upload.routes.ts';
import { createLegacyReports, type LegacyReports } from '../../reports/legacy-reports.ts';
import { createReportsService, type ReportsService } from '../../reports/reports-service.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import { migrateOlap } from '../../storage/olap/migrate-olap.ts';
import { migrateAsOwner } from '../../storage/sql/migrate.ts';
import { pingPostgres } from '../../storage/sql/ping.sql.ts';
import type { ChildContext, RunningPart } from '../supervisor/part.ts';
import { bucketOf, openAssets } from './assets.ts';
import { registerConsolePages } from './console.ts';
import { startCoreJobs } from './core-jobs.ts';
import { openDemoHistory, prepareDemo } from './demo.ts';
import { openExportTarget } from './event-export.ts';
import { openMailQueue, startMailOutbox } from './mail.ts';
import { readCompleteUntil } from './read-complete-until.ts';
import { diskReadiness, quotaLimits, registerStorageMetrics, startDiskWatch } from './storage-limits.ts';
import { openStores, type Stores } from './stores.ts';
import { oidcSettings } from './oidc-settings.ts';
import { tlsSettings } from './tls-settings.ts';

const POOL_MAX = 12;
const CERTIFICATE_EVERY_MS = 86_400_000;
/** Free space that an exported file may need, beyond what uploads leave. */
const EXPORT_FILE_BYTES = 100_000_000;
/** How often a migration reports that it still runs: far below the time that the supervisor waits. */
const MIGRATING_EVERY_MS = 10_000;

/** Runs the core: migrates the stores, makes the demo network when the settings want it, then serves the management and Reports APIs. */
export async function runCore(context: ChildContext): Promise<RunningPart> {
  const { settings, endpoints, log } = context;
  await migrateAsOwner(endpoints, log);
  const stores = await openStores(context, POOL_MAX);
  const { sql, olap, changes } = stores;
  const completeUntil = readCompleteUntil(stores.hot, Date.now);
  const reports = createReportsService({ sql: sql.db, olap, changes, nowMs: Date.now, log, completeUntil });
  await migrateAnalytics(context, stores, reports);
  const transport = await prepareTls(tlsSettings(settings, endpoints), settings.dataDir, { nowMs: Date.now() });
  const readyLines = await prepareDemo({
    context,
    stores,
    caFile: transport.tls?.caFile ?? null,
    countedTables: reports.countedTables,
  });
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { publicUrl, pepper } = { publicUrl: endpoints.corePublicUrl, pepper: stores.secrets.pepper };
  const mail = openMailQueue({ settings, pepper, publicUrl });
  const access = openAccess(context, stores, { registry, mail });
  const watching = stores.changes.watch({
    onChange: (batch) => access.onChange(batch),
    onReconnect: () => access.onChange(null),
  });
  await access.start();
  await reports.start();
  const disk = startDiskWatch(settings, log);
  const legacyReports = openLegacyReports(context, stores, { disk, mail });
  legacyReports.start();
  const outbox = startMailOutbox({
    settings,
    sql: stores.sql.db,
    pepper,
    publicUrl,
    log,
    registry,
    makePasswordLink: (db, email, now) => makePasswordLink({ sql: db, pepper, publicUrl }, email, now),
    readReport: (file) => legacyReports.readCsv(file),
  });
  const assets = openAssets(settings);
  const target = openExportTarget(settings, 'events');
  const requireSpace = (): Promise<void> => disk.requireSpace(EXPORT_FILE_BYTES);
  const exports = target === null ? null : new EventExport({ sql: sql.db, olap, target, completeUntil, requireSpace });
  const deletesExported = settings.exportRetention === 'delete';
  const jobs = startCoreJobs(stores, { assets, exports, deletesExported }, { log, registry });
  const decisions = await openInsight(context, stores);
  await decisions.start();
  const demoHistory = openDemoHistory(context, olap, () => jobs.workOutCurves());
  const stored = { stores, transport, registry, assets, disk, demoHistory, exporting: jobs.exporting };
  const server = await serve(context, { ...stored, access, mail, reports, legacyReports, decisions });
  const certificates = watchOwnCertificate(context, transport, server);
  void context.serviceReady.then(() => demoHistory?.start());
  return {
    readyLines,
    stop: async (timeoutMs) => {
      await demoHistory?.stop();
      await certificates.stop();
      await server.stop(timeoutMs / 2);
      await outbox?.stop();
      await legacyReports.stop();
      await jobs.stop();
      await disk.stop();
      await decisions.stop();
      await reports.stop();
      await watching.close();
      await access.stop();
      await stores.close();
    },
  };
}

function watchOwnCertificate(
  { settings, endpoints, log }: ChildContext,
  transport: Transport,
  server: CoreServer,
): ReturnType<typeof watchCertificate> {
  return watchCertificate({
    transport,
    renew: () => prepareTls(tlsSettings(settings, endpoints), settings.dataDir, { nowMs: Date.now() }),
    apply: (tls) => server.renewTls(tls),
    log,
    everyMs: CERTIFICATE_EVERY_MS,
  });
}

/** Filling a table may take long; each statement ends in ten minutes at most, so that nothing hangs for ever. */
async function migrateAnalytics(
  { log, stillStarting }: ChildContext,
  stores: Stores,
  reports: ReportsService,
): Promise<void> {
  const beat = setInterval(stillStarting, MIGRATING_EVERY_MS);
  try {
    await migrateOlap({
      olap: stores.olap,
      migrations: [...EVENT_OLAP_MIGRATIONS, ...DELIVERY_OLAP_MIGRATIONS, ...reports.migrations],
      log,
    });
  } finally {
    clearInterval(beat);
    stillStarting();
  }
}

function openAccess(
  { settings, endpoints, log }: ChildContext,
  stores: Stores,
  { registry, mail }: { readonly registry: Registry; readonly mail: MailQueue | null },
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
    nowMs: Date.now,
  });
}

/** Explains requests as delivery would decide them, with the geo of their addresses. */
async function openInsight({ settings, log }: ChildContext, stores: Stores): Promise<InsightService> {
  return createInsightService({
    sql: stores.sql.db,
    watchChanges: async (handlers) => stores.changes.watch(handlers),
    hot: stores.hot,
    olap: stores.olap,
    userHashSecret: stores.secrets.userHashSecret,
    ...(settings.geoDatabase === null ? {} : { findGeo: await openGeoLookup(settings.geoDatabase) }),
    dataDir: settings.dataDir,
    nowMs: Date.now,
    random: Math.random,
    log,
  });
}

function openLegacyReports(
  { settings, endpoints, log }: ChildContext,
  stores: Stores,
  { disk, mail }: { readonly disk: DiskWatch; readonly mail: MailQueue | null },
): LegacyReports {
  return createLegacyReports({
    sql: stores.sql.db,
    olap: stores.olap,
    dataDir: settings.dataDir,
    bucket: bucketOf(settings),
    bytesMax: quotaLimits(settings).reportBytes,
    requireSpace: (bytes) => disk.requireSpace(bytes),
    publicUrl: endpoints.corePublicUrl,
    pepper: stores.secrets.pepper,
    webhooks: { allowedRanges: settings.webhookAllowedRanges },
    mail,
    log,
    nowMs: Date.now,
  });
}

interface CoreServices {
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
  readonly exporting: ExportJob | null;
}

async function serve(context: ChildContext, services: CoreServices): Promise<CoreServer> {
  const { stores, access, mail, reports, legacyReports, decisions, transport, registry, assets, disk } = services;
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
  access.registerAccess(app);
  registerDocs(app);
  mountRoutes(app, securityTextRoutes({ contacts: settings.securityContacts, nowMs: Date.now }));
  mountRoutes(app, healthRoutes({ metrics: registry, readiness: () => checkReadiness(services) }));
  await registerManagement(app, {
    sql: stores.sql.db,
    hot: stores.hot,
    secrets: stores.secrets,
    mail,
    quotas,
    log,
    nowMs: Date.now,
    reportTasks: legacyReports.tasks,
    reportSchedules: legacyReports.schedules,
    deliveryInsight: decisions.insight,
    authenticate: (request, options) => access.authenticate(request, options),
  });
  legacyReports.register(app, { authenticate: (request, options) => access.authenticate(request, options) });
  await registerSegmentUploads(app, {
    sql: stores.sql.db,
    hot: stores.hot,
    userHashSecret: stores.secrets.userHashSecret,
    membersMax: quotas.segmentMembers,
    requireSpace: () => disk.requireSpace(),
    nowMs: Date.now,
    authenticate: (request, options) => access.authenticate(request, options),
  });
  await registerUploads(app, {
    sql: stores.sql.db,
    nowMs: Date.now,
    assets,
    bytesMax: quotas.assetBytes,
    requireSpace: (bytes) => disk.requireSpace(bytes),
    authenticate: (request, options) => access.authenticate(request, options),
  });
  reports.register(app, {
    authenticate: (request: FastifyRequest, { operation, networkId, environment }) =>
      access.authenticate(request, { operation, networkId, environment }),
  });
  registerConsolePages(app, { stores, access, dataDir: settings.dataDir });
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
  await server.listen();
  return server;
}

async function checkReadiness({
  stores,
  access,
  reports,
  legacyReports,
  decisions,
  disk,
  demoHistory,
  exporting,
}: CoreServices): Promise<ReadinessCheck[]> {
  const tried = async (name: string, check: () => Promise<unknown>): Promise<ReadinessCheck> =>
    check().then(
      () => ({ name, ok: true }),
      (error: unknown) => ({ name, ok: false, detail: String(error) }),
    );
  const own = await Promise.all([
    tried('postgres', () => pingPostgres(stores.sql.db)),
    tried('analytics', () => stores.olap.ping()),
    tried('hot store', () => stores.hot.ping()),
  ]);
  return [
    ...own,
    ...(await access.readiness()),
    ...(await reports.readiness()),
    ...(await legacyReports.readiness()),
    { name: 'snapshot', ok: decisions.isReady },
    diskReadiness(disk.state),
    ...sideReadiness('demo history', demoHistory),
    ...sideReadiness('event export', exporting),
  ];
}

/** The service serves without it: no reason to take it out of service. */
function sideReadiness(name: string, job: Pick<DemoHistory, 'state'> | null): ReadinessCheck[] {
  if (job === null) return [];
  const { isFailing, text } = job.state;
  return [{ name, ok: true, ...(isFailing ? { degraded: true } : {}), detail: text }];
}
