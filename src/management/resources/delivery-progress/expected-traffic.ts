import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { InventoryCurve, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { isNarrowed, inventoryCurve, requiredInventory } from '../../../domain/pacing/traffic-inventory.ts';
import type { TrafficInventory } from '../../../domain/pacing/traffic-inventory.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { readerOf } from '../../kernel/transactions.sql.ts';
import { readLineItemCurves, readSitesOf, readTrafficCurves } from './traffic-curve.sql.ts';

const DECIMAL_ID = /^\d{1,18}$/;

/** The traffic that a line item is paced by, as delivery sees it: that of the traffic that it is meant for, or of the inventory that it needs, else of the network. */
export async function loadTrafficCurve(
  context: ManagementContext,
  row: StoredRow,
  networkTimezone: string,
): Promise<TrafficCurve> {
  const { workspaceId } = context.principal;
  const targeting = row['targeting'] as Targeting | null;
  const own = isNarrowed(targeting) ? await loadOwnCurve(context, row) : null;
  if (own !== null) return own;
  const curves = await loaderOf<number, ReadonlyMap<string, InventoryCurve>>(context, 'trafficCurves', (ids) =>
    Promise.all(ids.map((id) => readCurvesByInventory(context, id))),
  ).load(workspaceId);
  const whole = curves.get('site/0') ?? flatCurve(networkTimezone);
  const inventory = requiredInventory(targeting);
  if (inventory === null || curves.size === 0) return whole;
  const siteIds = await loadSitesOf(context, inventory);
  return inventoryCurve(inventory, siteIds, (kind, id) => curves.get(`${kind}/${id}`)) ?? whole;
}

/** The curve of what a line item is meant for; batched with those of all line items that the same request asks for. */
function loadOwnCurve(context: ManagementContext, row: StoredRow): Promise<TrafficCurve | null> {
  return loaderOf<bigint, TrafficCurve | null>(context, 'lineItemCurves', async (ids) => {
    const found = await readLineItemCurves(readerOf(context), context.principal.workspaceId, ids);
    return ids.map((id) => found.get(String(id)) ?? null);
  }).load(row.id);
}

/** The sites of inventory, sorted, each once; batched with those of all line items that the same request asks for. */
async function loadSitesOf(context: ManagementContext, { kind, ids }: TrafficInventory): Promise<readonly string[]> {
  if (kind === 'site') return ids;
  const loader = loaderOf<string, string | null>(context, `sitesOf/${kind}`, async (batch) => {
    const known = batch.filter((id) => DECIMAL_ID.test(id)).map(BigInt);
    const sites = await readSitesOf(readerOf(context), context.principal.workspaceId, kind, known);
    return batch.map((id) => sites.get(id) ?? null);
  });
  const found = await Promise.all(ids.map((id) => loader.load(id)));
  return [...new Set(found.filter((id) => id !== null))].sort();
}

async function readCurvesByInventory(
  context: ManagementContext,
  workspaceId: number,
): Promise<ReadonlyMap<string, InventoryCurve>> {
  const curves = await readTrafficCurves(readerOf(context), workspaceId);
  return new Map(curves.map((curve) => [`${curve.kind}/${curve.inventoryId}`, curve]));
}
