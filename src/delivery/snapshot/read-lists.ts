import type { Kysely } from 'kysely';
import type { Database } from '../../storage/sql/schema.ts';
import { beginReconciliation, type Reconciliation } from '../decision/index/sorted-by-id.ts';
import type { SnapshotLists } from '../decision/index/snapshot-lists.ts';
import { reconcileSnapshot } from '../decision/index/snapshot-parts.ts';
import type { Identified, Records } from '../decision/index/stored-records.ts';
import { sliceSteps } from './slice-steps.ts';
import { readSnapshotInPages } from './snapshot-pages.sql.ts';

/** Thrown when a record of the former lists cannot be read from its file. */
export class FormerListsError extends Error {
  constructor(cause: unknown) {
    super('The records on disk cannot be compared with the database', { cause });
    this.name = 'FormerListsError';
  }
}

interface WorkspaceToRead {
  readonly workspaceId: number;
  readonly nowMs: number;
  /** The present lists, whose records stay where the database says the same; null = none. */
  readonly former: SnapshotLists | null;
}

/**
 * Reads all lists of a workspace; null = it is gone. Line items and creatives are read and compared in pages, so that those that stay on
 * disk are never in memory together.
 * @throws FormerListsError
 */
export async function readLists(sql: Kysely<Database>, toRead: WorkspaceToRead): Promise<SnapshotLists | null> {
  const { former } = toRead;
  const lineItems = beginReconciliation(former?.lineItems ?? []);
  const creatives = beginReconciliation(former?.creatives ?? []);
  const pages = { lineItems: addTo(lineItems), creatives: addTo(creatives) };
  const short = await readSnapshotInPages(sql, toRead, pages);
  if (short === null) return null;
  const long = {
    lineItems: await compare(sliceSteps(lineItems.end())),
    creatives: await compare(sliceSteps(creatives.end())),
  };
  if (former === null) return { ...short, ...long };
  return compare(sliceSteps(reconcileSnapshot({ ...former, ...long }, { ...short, ...long })));
}

function addTo<T extends Identified>(list: Reconciliation<T>): (page: Records<T>) => Promise<void> {
  return (page) => compare(sliceSteps(list.add(page)));
}

async function compare<T>(comparison: Promise<T>): Promise<T> {
  try {
    return await comparison;
  } catch (error) {
    throw new FormerListsError(error);
  }
}
