import { ApiClient, type ApiAddress } from './api-client.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { type GamOptions, planGam } from './gam/plan-gam.ts';
import { readGam } from './gam/read-gam.ts';
import { ImportError } from './plan/import-error.ts';
import type { ImportPlan } from './plan/import-plan.ts';
import { readPicture } from './read-picture.ts';

/** What is imported. */
export interface GamImport {
  /** The folder of JSON, CSV and XLSX files. */
  readonly folder: string;
  /** Domains: `news.example` of all ad units, `sport=sport.example` of those below an ad unit. */
  readonly sites: readonly string[];
  readonly timezone: string;
  readonly dateOrder: string;
  /** The folder of pictures and bundles; null: there is none. */
  readonly images: string | null;
  /** Null: nothing is changed. */
  readonly api: ApiAddress | null;
}

/** Reads files of Google Ad Manager, plans their import and, with an address of the API, applies it. @throws ImportError */
export async function importGam({
  folder,
  images,
  api,
  ...options
}: GamImport): Promise<{ plan: ImportPlan; applied: Applied | null }> {
  const plan = planGam(await readGam(folder), readOptions(options));
  if (api === null) return { plan, applied: null };
  return { plan, applied: await applyPlan(new ApiClient(api), plan, (name) => readPicture(images, name)) };
}

const DATE_ORDERS = ['YMD', 'DMY', 'MDY'] as const;

function readOptions({ sites, timezone, dateOrder }: Pick<GamImport, 'sites' | 'timezone' | 'dateOrder'>): GamOptions {
  const order = DATE_ORDERS.find((one) => one === dateOrder);
  if (order === undefined) throw new ImportError(`--date-order is one of ${DATE_ORDERS.join(', ')}.`);
  const pairs = sites.map(
    (site) => [site.slice(0, site.lastIndexOf('=') + 1).replace(/=$/, ''), domainOf(site)] as const,
  );
  const all = pairs.filter(([code]) => code === '');
  if (all.length > 1) throw new ImportError('--site names two domains for all ad units: write code=domain.');
  return { domain: all[0]?.[1] ?? null, domains: new Map(pairs), timezone: zoneOf(timezone), dateOrder: order };
}

function domainOf(site: string): string {
  const text = site.slice(site.lastIndexOf('=') + 1);
  const url = `https://${text}`;
  if (!URL.canParse(url) || new URL(url).hostname !== text.toLowerCase())
    throw new ImportError(`--site ${site}: "${text}" is not a domain such as news.example.`);
  return text.toLowerCase();
}

function zoneOf(name: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch {
    throw new ImportError(`--timezone ${name}: use a name such as Europe/Berlin.`);
  }
}
