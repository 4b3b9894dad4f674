import type { Database } from '../../../storage/sql/schema.ts';
import type { Kysely } from 'kysely';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { DeliveryCaps } from '../../../domain/booking/line-item.ts';
import type { CreativeFormat } from '../../../domain/creative-format.ts';
import { requiredFormat } from '../../../domain/pricing/pricing-models.ts';
import type { PricingModel } from '../../../domain/pricing/pricing-models.ts';
import { NANOS_PER_MICRO } from '../../../domain/money/money.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { DIMENSIONS } from '../../../domain/targeting/targeting-dimensions.ts';
import type { DimensionRow } from '../../../domain/targeting/targeting-dimensions.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { countedActivitiesOf } from './counted-activities.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** Facts beyond its own row that the rules of a line item use. */
export interface LineItemFacts {
  /** The spend so far, in micros; null when unknown. */
  readonly spentMicros: bigint | null;
  readonly campaign: StoredRow | null;
  readonly deal: StoredRow | null;
  /** Ids of the targeting tree that are unknown in this workspace, as `site 12`. */
  readonly unknownTargets: readonly string[];
  /** Companions among its creatives that are not archived. */
  readonly companionCount: number;
  /** Formats of its creatives that are neither companions nor archived; empty where its pricing model takes all. */
  readonly formats: readonly CreativeFormat[];
  /** The activities that it names and the workspace has. */
  readonly countedActivities: readonly StoredRow[];
}

/** Reads the facts; counters only when a stored line item has a money cap. */
export async function loadLineItemFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const { workspaceId } = context.principal;
  const [campaign] = await findRows(queryableOf(context), workspaceId, 'campaigns', [row['campaign_id'] as bigint]);
  const db = queryableOf(context);
  const dealId = (row['deal_id'] ?? null) as bigint | null;
  const isFormatFree = row.id === 0n || requiredFormat(row['pricing_model'] as PricingModel) === null;
  const facts: LineItemFacts = {
    spentMicros: await readSpent(context, row),
    campaign: campaign ?? null,
    deal: dealId === null ? null : ((await findRows(db, workspaceId, 'deals', [dealId]))[0] ?? null),
    unknownTargets: await findUnknownTargets(context, row['targeting'] as Targeting | null),
    companionCount: row.id === 0n ? 0 : await countCompanions(db, workspaceId, row.id),
    formats: isFormatFree ? [] : await listFormats(db, workspaceId, row.id),
    countedActivities: await findCountedActivities(context, row),
  };
  return { ...facts };
}

async function readSpent(context: ManagementContext, row: StoredRow): Promise<bigint | null> {
  const caps = row['caps'] as Partial<DeliveryCaps>;
  if (row.id === 0n || context.hot === null || (caps.spendMicrosLifetime ?? null) === null) return null;
  const subject = {
    workspaceId: context.principal.workspaceId,
    scope: 'li',
    id: String(row.id),
    kind: 'spend',
  } as const;
  const [nanos] = await context.hot.readCounters([lifetimeCounterKey(subject)]);
  return (nanos ?? 0n) / NANOS_PER_MICRO;
}

async function findCountedActivities(context: ManagementContext, row: StoredRow): Promise<StoredRow[]> {
  const ids = countedActivitiesOf(row).map(({ activityId }) => BigInt(activityId));
  return ids.length === 0 ? [] : findRows(queryableOf(context), context.principal.workspaceId, 'activities', ids);
}

async function findUnknownTargets(context: ManagementContext, targeting: Targeting | null): Promise<string[]> {
  const named = collectTargets(targeting);
  const unknown: string[] = [];
  for (const [dimension, { accepts }] of Object.entries<DimensionRow>(DIMENSIONS)) {
    if (accepts.are !== 'ids') continue;
    const ids = [...(named.get(dimension) ?? [])];
    if (ids.length === 0) continue;
    const rows = await findRows(queryableOf(context), context.principal.workspaceId, accepts.table, ids.map(BigInt));
    const found = new Set(rows.map((each) => String(each.id)));
    unknown.push(...ids.filter((id) => !found.has(id)).map((id) => `${dimension} ${id}`));
  }
  return unknown;
}

/** The ids that a tree names, by dimension. */
export function collectTargets(targeting: Targeting | null): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  const open: Targeting[] = targeting === null ? [] : [targeting];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('all' in node) open.push(...node.all);
    else if ('any' in node) open.push(...node.any);
    else if ('not' in node) open.push(node.not);
    else {
      const ids = named.get(node.dimension) ?? new Set<string>();
      for (const value of node.values) ids.add(value);
      named.set(node.dimension, ids);
    }
  }
  return named;
}

/** How many creatives of a line item are companions and not archived. */
async function countCompanions(sql: Kysely<Database>, workspaceId: number, lineItemId: bigint): Promise<number> {
  const { companions } = await sql
    .selectFrom('creatives')
    .select((eb) => eb.fn.countAll<string>().as('companions'))
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', lineItemId)
    .where('master_creative_id', 'is not', null)
    .where('status', '!=', 'ARCHIVED')
    .executeTakeFirstOrThrow();
  return Number(companions);
}

/** The formats of a line item's creatives that are neither companions nor archived. */
async function listFormats(sql: Kysely<Database>, workspaceId: number, lineItemId: bigint): Promise<CreativeFormat[]> {
  const rows = await sql
    .selectFrom('creatives')
    .select('format')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', '=', lineItemId)
    .where('master_creative_id', 'is', null)
    .where('status', '!=', 'ARCHIVED')
    .execute();
  return rows.map(({ format }) => format);
}
