import type { Creative } from '../../domain/booking/creative.ts';
import type { LineItem } from '../../domain/booking/line-item.ts';
import type { Workspace } from '../../domain/tenancy/workspace.ts';
import type { ViaCore } from '../../storage/sql/node-call.ts';
import { readPage, readShortLists, readWorkspaces, type ShortLists } from './snapshot-calls.ts';
import { PAGE_RECORDS, readPages, type SnapshotPages } from './snapshot-pages.sql.ts';

/**
 * As `readSnapshotInPages`, through a core: pages that did not change are not sent again, and neither side holds more than a page. The pages are
 * of different instants. What changed meanwhile comes as a change notice; parents are read after their children, so that none is missing.
 * @throws Error when settings changed that the pages depend on
 */
export async function readSnapshotInPagesOfCore(
  core: ViaCore,
  { workspaceId, nowMs }: { readonly workspaceId: number; readonly nowMs: number },
  pages: SnapshotPages,
): Promise<ShortLists | null> {
  const workspace = (await readWorkspaces(core)).find((one) => one.workspaceId === workspaceId);
  if (workspace === undefined) return null;
  const read =
    <T extends LineItem | Creative>(part: 'lineItems' | 'creatives') =>
    async (page: { readonly after: string; readonly records: number; readonly number: number }) =>
      (await readPage(core, workspace, { part, nowMs, ...page })) as T[];
  await readPages(PAGE_RECORDS, read<Creative>('creatives'), pages.creatives);
  await readPages(PAGE_RECORDS, read<LineItem>('lineItems'), pages.lineItems);
  const short = await readShortLists(core, nowMs, workspaceId);
  if (short !== null) requireTimezone(workspace, short.workspace);
  return short;
}

/** Line items without a time zone have that of their network. */
function requireTimezone({ timezone }: Workspace, now: Workspace): void {
  if (now.timezone !== timezone)
    throw new Error(`The time zone of workspace ${now.workspaceId} changed while it was read`);
}
