import { networkExists, networksExist } from '../../demo/demo-names.sql.ts';
import { type DemoFile, demoUrls, readDemoFile, writeDemoFile } from '../../demo/demo-file.ts';
import { DemoHistory } from '../../demo/demo-history.ts';
import { readDemoProgress } from '../../demo/demo-progress.ts';
import { seedDemo } from '../../demo/seed-demo.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { openAssets } from './assets.ts';
import type { Stores } from './stores.ts';

interface DemoNeeds {
  readonly context: ChildContext;
  readonly stores: Stores;
  readonly caFile: string | null;
  readonly countedTables: readonly string[];
}

/**
 * Creates the demo network, without its history, when it is wanted and missing. Returns the lines to print once everything is up.
 */
export async function prepareDemo({ context, stores, caFile, countedTables }: DemoNeeds): Promise<string[]> {
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
    `console   ${endpoints.corePublicUrl}/  (sign in as ${demo.account.email}; its password is in the demo file)`,
    `demo page ${endpoints.corePublicUrl}/demo`,
    `demo file ${settings.dataDir}/demo.json  (keys, credentials, account, addresses)`,
  ];
}

/** The rest of the demo's history, planned by this start or an interrupted one; null where there is none. */
export function openDemoHistory(
  { settings, log }: ChildContext,
  olap: Olap,
  onComplete: () => Promise<void>,
): DemoHistory | null {
  if (settings.demo === 'false' || readDemoProgress(settings.dataDir) === null) return null;
  const onProgress = (text: string): void => log.event('demo.progress', { text });
  return new DemoHistory({ olap, dataDir: settings.dataDir, onProgress, log }, onComplete);
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
