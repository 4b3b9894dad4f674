import { readFileSync } from 'node:fs';
import type { StartLink } from '../../access/sign-in/start-link.ts';
import { networkExists, networksExist } from '../../demo/demo-names.sql.ts';
import { type DemoFile, demoUrls, readDemoFile, writeDemoFile } from '../../demo/demo-file.ts';
import { DemoHistory, type DemoHistoryDeps } from '../../demo/demo-history.ts';
import { readDemoProgress, writeDemoProgress } from '../../demo/demo-progress.ts';
import { LiveTraffic } from '../../demo/live-traffic.ts';
import { seedDemo } from '../../demo/seed-demo.ts';
import { countDemoSegments } from '../../demo/segments.sql.ts';
import { openDeliverySender } from '../../demo/send-to-delivery.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { openAssets } from './assets.ts';
import { countImported, type ImportedHistory } from './history/count-imported.ts';
import { sampleImported } from './history/sample-imported.ts';
import type { Stores } from './stores.ts';

interface DemoNeeds {
  readonly context: ChildContext;
  readonly stores: Stores;
  readonly caFile: string | null;
  readonly countedTables: readonly string[];
  readonly startLink: StartLink;
}

/**
 * Creates the demo network, without its history, when it is wanted and missing. Returns the lines to print once everything is up.
 */
export async function prepareDemo({ context, stores, caFile, countedTables, startLink }: DemoNeeds): Promise<string[]> {
  const { settings, endpoints, log } = context;
  if (await isWanted(context, stores)) {
    await seedDemo({
      sql: stores.sql.db,
      olap: stores.olap,
      assets: openAssets(settings, stores.sql.db),
      secrets: stores.secrets,
      dataDir: settings.dataDir,
      urls: { core: endpoints.corePublicUrl, delivery: endpoints.deliveryPublicUrl },
      caFile,
      countedTables,
      nowMs: Date.now(),
      onProgress: (text) => log.event('demo.progress', { text }),
    });
  }
  const demo = refreshDemoFile(context, caFile);
  const lines = caFile === null ? [] : [`CA file   ${caFile}  (trust it, or give it to curl as --cacert)`];
  if (demo === null) return lines;
  return [
    ...lines,
    `sign in   ${startLink.make(endpoints.corePublicUrl, demo.account.email)}  (once, within an hour)`,
    `console   ${endpoints.corePublicUrl}/  (sign in as ${demo.account.email}; its password is in the demo file)`,
    `demo page ${endpoints.corePublicUrl}/demo`,
    `guide     ${endpoints.corePublicUrl}/docs`,
    `demo file ${settings.dataDir}/demo.json  (keys, credentials, account, addresses)`,
  ];
}

/** What follows from the whole history. */
export interface DemoFollowers {
  readonly workOutCurves: () => Promise<void>;
  readonly explainSample: (workspaceId: number, name: string) => Promise<void>;
}

/** The rest of the demo's history, planned by this start or an interrupted one; null where there is none. */
export function openDemoHistory(
  { settings, log }: ChildContext,
  { olap, sql, hot }: Pick<Stores, 'olap' | 'sql' | 'hot'>,
  { workOutCurves, explainSample }: DemoFollowers,
): DemoHistory | null {
  const { dataDir } = settings;
  if (settings.demo === 'false') return null;
  countOldHistory(dataDir);
  if (readDemoProgress(dataDir) === null) return null;
  const onProgress = (text: string): void => log.event('demo.progress', { text });
  const count = async (history: ImportedHistory): Promise<void> => {
    await countImported({ olap, sql: sql.db, hot }, history);
    await countDemoSegments({ sql: sql.db, hot }, history);
    await sampleImported({ olap, sql: sql.db }, { id: history.id, atMs: history.atMs ?? Date.now() });
  };
  const follow: DemoHistoryDeps['follow'] = async ({ id, plans }) => {
    await workOutCurves();
    for (const { workspaceId } of plans) await explainSample(workspaceId, id);
  };
  return new DemoHistory({ olap, dataDir, count, follow, onProgress, log });
}

/** Begins the rest of the history and the live traffic once the service is ready; returns the traffic. */
export function startDemo(
  context: ChildContext,
  caFile: string | null,
  history: DemoHistory | null,
): LiveTraffic | null {
  const traffic = openDemoTraffic(context, caFile);
  void context.serviceReady.then(() => [history, traffic].forEach((one) => one?.start()));
  return traffic;
}

/** The demo's live traffic; null where it is switched off or there is no demo. */
function openDemoTraffic({ settings, endpoints }: ChildContext, caFile: string | null): LiveTraffic | null {
  const { demo, demoTraffic, dataDir } = settings;
  if (demoTraffic === 'false' || demo === 'false' || readDemoFile(dataDir) === null) return null;
  const ca = caFile === null ? null : readFileSync(caFile, 'utf8');
  const { send } = openDeliverySender(endpoints.deliveryPublicUrl, ca);
  return new LiveTraffic({ send, nowMs: Date.now, random: Math.random });
}

/** A program before this one made the history without counting it. */
function countOldHistory(dataDir: string): void {
  const demo = readDemoFile(dataDir);
  if (demo === null || demo.historyCounted === true || readDemoProgress(dataDir) !== null) return;
  writeDemoProgress(dataDir, { step: 'history', id: `${demo.networkId}-before`, plans: [], done: 0 });
}

/** `auto`: on the first start with stores of its own. A booking that was cut off is made again from its beginning. */
async function isWanted({ settings }: ChildContext, stores: Stores): Promise<boolean> {
  if (settings.demo === 'false') return false;
  if (readDemoProgress(settings.dataDir)?.step === 'booking') return true;
  if (settings.demo === 'true') return !(await networkExists(stores.sql.db));
  const own = settings.postgresUrl === null && settings.clickhouseUrl === null;
  return own && !(await networksExist(stores.sql.db));
}

/** Ports and certificates may differ from start to start; the file always tells the present ones. */
function refreshDemoFile({ settings, endpoints }: ChildContext, caFile: string | null): DemoFile | null {
  const demo = readDemoFile(settings.dataDir);
  if (demo === null) return null;
  const present = { ...demo, urls: demoUrls(endpoints.corePublicUrl, endpoints.deliveryPublicUrl), caFile };
  if (JSON.stringify(present) !== JSON.stringify(demo)) writeDemoFile(settings.dataDir, present);
  return present;
}
