import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { flatCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { PlaceCurve, TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { isNarrowed, placesCurve, requiredPlaces } from '../../../domain/pacing/traffic-places.ts';
import type { TrafficPlaces } from '../../../domain/pacing/traffic-places.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { loaderOf } from '../../kernel/loaders.ts';
import { readerOf } from '../../kernel/transactions.sql.ts';
import { readLineItemCurves, readSitesOf, readTrafficCurves } from './traffic-curve.sql.ts';

const DECIMAL_ID = /^\d{1,18}$/;

/** The traffic that a line item is paced by, as delivery sees it: of what it is meant for, or of the places that it needs, else of the network. */
export async function loadTrafficCurve(
  context: ManagementContext,
  row: StoredRow,
  networkTimezone: string,
): Promise<TrafficCurve> {
  const { workspaceId } = context.principal;
  const targeting = row['targeting'] as Targeting | null;
  const own = isNarrowed(targeting) ? await loadOwnCurve(context, row) : null;
  if (own !== null) return own;
  const curves = await loaderOf<number, ReadonlyMap<string, PlaceCurve>>(context, 'trafficCurves', (ids) =>
    Promise.all(ids.map((id) => readCurvesByPlace(context, id))),
  ).load(workspaceId);
  const whole = curves.get('site/0') ?? flatCurve(networkTimezone);
  const places = requiredPlaces(targeting);
  if (places === null || curves.size === 0) return whole;
  const siteIds = await loadSitesOf(context, places);
  return placesCurve(places, siteIds, (place, id) => curves.get(`${place}/${id}`)) ?? whole;
}

/** The curve of what a line item is meant for; batched with those of all line items that the same request asks for. */
function loadOwnCurve(context: ManagementContext, row: StoredRow): Promise<TrafficCurve | null> {
  return loaderOf<bigint, TrafficCurve | null>(context, 'lineItemCurves', async (ids) => {
    const found = await readLineItemCurves(readerOf(context), context.principal.workspaceId, ids);
    return ids.map((id) => found.get(String(id)) ?? null);
  }).load(row.id);
}

/** The sites of places, sorted, each once; batched with those of all line items that the same request asks for. */
async function loadSitesOf(context: ManagementContext, { place, ids }: TrafficPlaces): Promise<readonly string[]> {
  if (place === 'site') return ids;
  const loader = loaderOf<string, string | null>(context, `sitesOf/${place}`, async (batch) => {
    const known = batch.filter((id) => DECIMAL_ID.test(id)).map(BigInt);
    const sites = await readSitesOf(readerOf(context), context.principal.workspaceId, place, known);
    return batch.map((id) => sites.get(id) ?? null);
  });
  const found = await Promise.all(ids.map((id) => loader.load(id)));
  return [...new Set(found.filter((id) => id !== null))].sort();
}

async function readCurvesByPlace(
  context: ManagementContext,
  workspaceId: number,
): Promise<ReadonlyMap<string, PlaceCurve>> {
  const curves = await readTrafficCurves(readerOf(context), workspaceId);
  return new Map(curves.map((curve) => [`${curve.place}/${curve.placeId}`, curve]));
}
