import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { InventoryCurve, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { isNarrowed, inventoryCurve, requiredInventory } from '../../../domain/pacing/traffic-inventory.ts';
import type { TrafficInventory } from '../../../domain/pacing/traffic-inventory.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf, onceInRequest } from '../../kernel/loaders.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import type { FreeTraffic } from '../../../domain/pacing/free-timeline.ts';
import { readFreeTraffic, readLineItemCurves, readSitesOf, readTrafficCurves } from './traffic-curve.sql.ts';

const DECIMAL_ID = /^\d{1,18}$/;

/**
 * The traffic curve that delivery paces a line item by: that of its targeting, else that of the inventory it is restricted to, else that
 * of the network.
 */
export async function loadTrafficCurve(
  context: ManagementContext,
  row: StoredRow,
  networkTimezone: string,
): Promise<TrafficCurve> {
  const { workspaceId } = context.principal;
  const targeting = row['targeting'] as Targeting | null;
  const own = isNarrowed(targeting) ? await loadOwnCurve(context, row) : null;
  if (own !== null) return own;
  const curves = await onceInRequest(context, 'trafficCurves', () =>
    context.budget.read(() => readCurvesByInventory(context, workspaceId)),
  );
  const whole = curves.get('site/0') ?? flatCurve(networkTimezone);
  const inventory = requiredInventory(targeting);
  if (inventory === null || curves.size === 0) return whole;
  const siteIds = await loadSitesOf(context, inventory);
  return inventoryCurve(inventory, siteIds, (kind, id) => curves.get(`${kind}/${id}`)) ?? whole;
}

/** Loads the curve of a line item's targeting, batched with those of all line items of the same request. */
function loadOwnCurve(context: ManagementContext, row: StoredRow): Promise<TrafficCurve | null> {
  return loaderOf<bigint, TrafficCurve | null>(context, 'lineItemCurves', async (ids) => {
    const found = await readLineItemCurves(queryableOf(context), context.principal.workspaceId, ids);
    return ids.map((id) => found.get(String(id)) ?? null);
  }).load(row.id);
}

/** What other goals leave to a line item, by the plan that delivery paces it by; null: nothing is planned. Batched as curves are. */
export function loadFreeTraffic(context: ManagementContext, row: StoredRow): Promise<FreeTraffic | null> {
  return loaderOf<bigint, FreeTraffic | null>(context, 'freeTraffic', async (ids) => {
    const { workspaceId } = context.principal;
    const found = await readFreeTraffic(queryableOf(context), workspaceId, { ids, nowMs: context.nowMs() });
    return ids.map((id) => found.get(String(id)) ?? null);
  }).load(row.id);
}

/** Loads the sites of areas and ad units, sorted, each once; batched over all line items of the same request. */
async function loadSitesOf(context: ManagementContext, { kind, ids }: TrafficInventory): Promise<readonly string[]> {
  if (kind === 'site') return ids;
  const loader = loaderOf<string, string | null>(context, `sitesOf/${kind}`, async (batch) => {
    const known = batch.filter((id) => DECIMAL_ID.test(id)).map(BigInt);
    const sites = await readSitesOf(queryableOf(context), context.principal.workspaceId, kind, known);
    return batch.map((id) => sites.get(id) ?? null);
  });
  const found = await Promise.all(ids.map((id) => loader.load(id)));
  return [...new Set(found.filter((id) => id !== null))].sort();
}

async function readCurvesByInventory(
  context: ManagementContext,
  workspaceId: number,
): Promise<ReadonlyMap<string, InventoryCurve>> {
  const curves = await readTrafficCurves(queryableOf(context), workspaceId);
  return new Map(curves.map((curve) => [`${curve.kind}/${curve.inventoryId}`, curve]));
}
