import { join } from 'node:path';
import type { ActivityInspector } from '../../domain/events/activity-inspection.ts';
import type { Catalog } from '../../domain/booking/snapshot.ts';
import { openGeoLookup } from '../../delivery/ad-request/geo-lookup.ts';
import { createInsightService, type InsightService } from '../../delivery/insight/insight-service.ts';
import { hasUncountedMarks } from '../../events/spool/uncounted-marks.ts';
import { createActivityInspector } from '../../events/activities/activity-inspector.ts';
import { readAdUnitDays, readNetworkHours } from '../../reports/rollups/traffic-history.olap.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

/** Explains requests as delivery would decide them, with the geo of their addresses. */
export async function openInsight({ settings, log }: ChildContext, stores: Stores): Promise<InsightService> {
  return createInsightService({
    sql: stores.sql.db,
    watchChanges: async (handlers) => stores.changes.watch(handlers),
    hot: stores.hot,
    olap: stores.olap,
    userHashSecret: stores.secrets.userHashSecret,
    linkKeys: stores.secrets.linkKeys,
    ...(settings.geoDatabase === null ? {} : { findGeo: await openGeoLookup(settings.geoDatabase) }),
    readNetworkHours: (workspaceId, during) => readNetworkHours(stores.olap, workspaceId, during),
    readAdUnitDays: (workspaceId, during, of) => readAdUnitDays(stores.olap, workspaceId, during, of),
    dataDir: settings.dataDir,
    nowMs: Date.now,
    random: Math.random,
    log,
  });
}

/** Inspects events of activities as workers would record them. */
export function openActivityInspector(
  { settings }: Pick<ChildContext, 'settings'>,
  { hot, secrets }: Stores,
  catalog: Catalog,
): ActivityInspector {
  const { userHashSecret } = secrets;
  const spoolDir = join(settings.dataDir, 'spool');
  const hasUncounted = () => hasUncountedMarks({ spoolDir, hot });
  return createActivityInspector({ hot, hasUncounted, catalog, userHashSecret, nowMs: Date.now });
}
