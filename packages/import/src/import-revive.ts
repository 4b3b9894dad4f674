import { stat } from 'node:fs/promises';
import { ApiClient, type ApiAddress } from './api-client.ts';
import { type Applied, applyPlan } from './apply-plan.ts';
import { ImportError } from './plan/import-error.ts';
import type { ImportPlan } from './plan/import-plan.ts';
import { readPicture } from './read-picture.ts';
import { readDatabase } from './revive/read-database.ts';
import { readDump } from './revive/read-dump.ts';
import { planRevive } from './revive/plan-revive.ts';
import { collectRevive } from './revive/revive-data.ts';

/** What is imported. */
export interface ReviveImport {
  /** `mysql://…` of a live database, or the path of a dump. */
  readonly from: string;
  /** Of the names of tables. */
  readonly prefix: string;
  /** The folder of Revive's pictures; null: there is none. */
  readonly images: string | null;
  /** Null: nothing is changed. */
  readonly api: ApiAddress | null;
}

/** Reads an installation of Revive Adserver, plans its import and, with an address of the API, applies it. @throws ImportError */
export async function importRevive({
  from,
  prefix,
  images,
  api,
}: ReviveImport): Promise<{ plan: ImportPlan; applied: Applied | null }> {
  const isDatabase = /^(?:mysql|mariadb):\/\//.test(from);
  if (!isDatabase && !(await isFile(from))) throw new ImportError(`There is no file ${from}.`);
  const source = isDatabase ? readDatabase(from.replace(/^mariadb:/, 'mysql:'), prefix) : readDump(from, prefix);
  const plan = planRevive(await collectRevive(source));
  if (api === null) return { plan, applied: null };
  const applied = await applyPlan(new ApiClient(api), plan, (name) => readPicture(images, name));
  return { plan, applied };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}
