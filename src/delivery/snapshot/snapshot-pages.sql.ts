import type { Kysely } from 'kysely';
import type { Creative } from '../../domain/booking/creative.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { WorkspaceSnapshot } from '../../domain/booking/snapshot.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readCreatives, readLineItems, readShortParts, readWorkspaces } from './snapshot.sql.ts';

type Sql = Kysely<Database>;

/** Records of a page. */
export const PAGE_RECORDS = 2_000;

/** Takes the pages of the long lists, each in ascending order of id. */
export interface SnapshotPages {
  readonly lineItems: (page: readonly LineItem[]) => Promise<void>;
  readonly creatives: (page: readonly Creative[]) => Promise<void>;
}

/** Reads one workspace as `readSnapshots` does, but the long lists in pages. Returns the rest; null = the workspace is gone. */
export async function readSnapshotInPages(
  sql: Sql,
  {
    workspaceId,
    nowMs,
    pageRecords = PAGE_RECORDS,
  }: { readonly workspaceId: number; readonly nowMs: number; readonly pageRecords?: number },
  pages: SnapshotPages,
): Promise<Omit<WorkspaceSnapshot, 'lineItems' | 'creatives'> | null> {
  return sql
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const [workspace] = await readWorkspaces(trx, workspaceId);
      if (workspace === undefined) return null;
      const short = { ...(await readShortParts(trx, workspace, nowMs)), workspace };
      const kept = { nowMs, ids: null };
      await readPages(pageRecords, (page) => readLineItems(trx, workspace, { ...kept, page }), pages.lineItems);
      await readPages(pageRecords, (page) => readCreatives(trx, workspaceId, { ...kept, page }), pages.creatives);
      return short;
    });
}

/** Reads a list from its first page to the one that is not full. */
async function readPages<T extends { readonly id: string }>(
  records: number,
  read: (page: { readonly after: string; readonly records: number }) => Promise<T[]>,
  add: (page: readonly T[]) => Promise<void>,
): Promise<void> {
  let after = '0';
  for (;;) {
    const page = await read({ after, records });
    await add(page);
    const last = page.at(-1);
    if (last === undefined || page.length < records) return;
    after = last.id;
  }
}
