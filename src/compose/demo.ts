import { networkExists, networksExist } from '../demo/demo-names.sql.ts';
import { type DemoFile, demoUrls, readDemoFile, writeDemoFile } from '../demo/demo-file.ts';
import { seedDemo } from '../demo/seed-demo.ts';
import type { ChildContext } from '../supervisor/part.ts';
import { openAssets } from './assets.ts';
import type { Stores } from './stores.ts';

interface DemoNeeds {
  readonly context: ChildContext;
  readonly stores: Stores;
  readonly caFile: string | null;
  readonly countedTables: readonly string[];
}

/** Makes the demo network when it is wanted and not there; answers what a person should read once everything is up. */
export async function prepareDemo({ context, stores, caFile, countedTables }: DemoNeeds): Promise<string[]> {
  const { settings, endpoints, log } = context;
  if (await isWanted(context, stores)) {
    await seedDemo({
      sql: stores.sql.db,
      olap: stores.olap,
      assets: openAssets(settings),
      secrets: stores.secrets,
      dataDir: settings.dataDir,
      urls: { core: endpoints.corePublicUrl, delivery: endpoints.deliveryPublicUrl },
      caFile,
      countedTables,
      nowMs: Date.now(),
      onProgress: (text) => log.info(text),
    });
  }
  const demo = refreshDemoFile(context, caFile);
  const lines = caFile === null ? [] : [`CA file   ${caFile}  (trust it, or give it to curl as --cacert)`];
  if (demo === null) return lines;
  return [
    ...lines,
    `demo page ${endpoints.corePublicUrl}/demo`,
    `demo file ${settings.dataDir}/demo.json  (keys, credentials, account, addresses)`,
  ];
}

/** `auto`: on the first start with stores of its own. */
async function isWanted({ settings }: ChildContext, stores: Stores): Promise<boolean> {
  if (settings.demo === 'false') return false;
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
