import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `<data>/demo.json`: the stable contract that scripts, the conformance suite and the README use to find the demo network.
 * Every secret in it is random per installation; the file's mode is 0600.
 */
export interface DemoFile {
  readonly networkId: string;
  readonly urls: {
    readonly base: string;
    readonly delivery: string;
    readonly pixel: string;
    readonly adDecision: string;
    readonly reportsApi: string;
    readonly reportsDownload: string;
    readonly lens: string;
    readonly console: string;
  };
  /** Certificate authority to trust, or null when the certificate is not our own. */
  readonly caFile: string | null;
  readonly keys: Readonly<Record<DemoKeyName, string>>;
  readonly credentials: { readonly login: string; readonly token: string };
  readonly account: { readonly email: string; readonly password: string };
  readonly sites: readonly {
    readonly id: string;
    readonly domain: string;
    readonly page: string;
    readonly areas: readonly string[];
  }[];
  readonly adUnits: readonly { readonly name: string; readonly sizes: readonly string[]; readonly format: string }[];
  readonly activity: { readonly actgid: string };
  /** The delivery counters hold the history; absent until the history is whole. */
  readonly historyCounted?: true;
}

/** The demo's bearer keys. `staging` is an admin key of the staging workspace. */
export const DEMO_KEY_NAMES = [
  'admin',
  'readWrite',
  'readOnly',
  'delivery',
  'inventory',
  'audience',
  'reports',
  'staging',
] as const;
export type DemoKeyName = (typeof DEMO_KEY_NAMES)[number];

/** Writes the file whole or not at all. */
export function writeDemoFile(dataDir: string, content: DemoFile): void {
  const path = demoFilePath(dataDir);
  const aside = `${path}.${process.pid}.tmp`;
  const file = openSync(aside, 'w', 0o600);
  writeSync(file, `${JSON.stringify(content, null, 2)}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(aside, path);
}

/** Notes that the delivery counters hold the history. */
export function markHistoryCounted(dataDir: string): void {
  const demo = readDemoFile(dataDir);
  if (demo !== null) writeDemoFile(dataDir, { ...demo, historyCounted: true });
}

/** The addresses that the demo file tells, from the public base addresses of core and delivery. */
export function demoUrls(core: string, delivery: string): DemoFile['urls'] {
  return {
    base: core,
    delivery,
    pixel: delivery,
    adDecision: delivery,
    reportsApi: `${core}/reports`,
    reportsDownload: `${core}/reports/download`,
    lens: `${core}/lens`,
    console: `${core}/`,
  };
}

/** The file's content, or null before the demo was seeded. */
export function readDemoFile(dataDir: string): DemoFile | null {
  try {
    return JSON.parse(readFileSync(demoFilePath(dataDir), 'utf8')) as DemoFile;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export function demoFilePath(dataDir: string): string {
  return join(dataDir, 'demo.json');
}
