import type { Database } from '../../../storage/sql/schema.ts';
import type { Kysely } from 'kysely';
import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { DeliveryCaps } from '../../../domain/booking/line-item.ts';
import { CREATIVE_FORMATS, type CreativeFormat } from '../../../domain/creative-format.ts';
import { OPTIMISATION_GOALS, type OptimisationGoal } from '../../../domain/booking/optimisation-goal.ts';
import { earningFormats, formatsOf, type PricingModel } from '../../../domain/pricing/pricing-models.ts';
import { NANOS_PER_MICRO } from '../../../domain/money/money.ts';
import { type Targeting, testsOf } from '../../../domain/targeting/targeting.ts';
import { type DimensionRow, DIMENSIONS } from '../../../domain/targeting/targeting-dimensions.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { asksForApproval, findApprovals, holdFlights } from '../booking-approval/approvals.sql.ts';
import { isLiveBooking } from '../booking-approval/booking-terms.ts';
import { countedActivitiesOf } from './counted-activities.ts';
import { findInParts } from '../../kernel/checks.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** Facts beyond its own row that the rules of a line item use. */
export interface LineItemFacts {
  /** The spend so far, in micros; null when unknown. */
  readonly spentMicros: bigint | null;
  readonly campaign: StoredRow | null;
  readonly deal: StoredRow | null;
  /** The product that it is sold as. */
  readonly product: StoredRow | null;
  /** Ids of the targeting tree that are unknown in this workspace, as `site 12`. */
  readonly unknownTargets: readonly string[];
  /** Companions among its creatives that are not archived. */
  readonly companionCount: number;
  /** Formats of its creatives that are neither companions nor archived; empty where no rule asks for them. */
  readonly formats: readonly CreativeFormat[];
  /** The keys of requests that the workspace has described; null where its targeting names none. */
  readonly knownKeys: readonly string[] | null;
  /** The terms that were approved, '' = none; null: the network asks for no approval, or it is not to be live. */
  readonly approvedTerms: string | null;
  /** The activities that it names and the workspace has. */
  readonly countedActivities: readonly StoredRow[];
}

/** Reads the facts of each row; counters only of stored line items with a money cap. */
export async function loadLineItemFacts(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const db = queryableOf(context);
  const { workspaceId } = context.principal;
  const idsOf = (column: string): bigint[] => rows.map((row) => row[column]).filter((id) => typeof id === 'bigint');
  const activityIds = rows.flatMap((row) => countedActivitiesOf(row).map(({ activityId }) => BigInt(activityId)));
  const living = rows.map(({ id }) => id).filter((id) => id !== 0n);
  const bound = rows.filter((row) => !isFormatFree(row));
  const approved = await readApprovedTerms(context, rows);
  const campaigns = await findById(context, 'campaigns', idsOf('campaign_id'));
  const deals = await findById(context, 'deals', idsOf('deal_id'));
  const products = await findById(context, 'advertising_products', idsOf('advertising_product_id'));
  const activities = await findById(context, 'activities', activityIds);
  const unknownTargets = await findUnknownTargets(context, rows);
  const knownKeys = await findKnownKeys(context, rows);
  const spent = await readSpent(context, rows);
  const companions = living.length === 0 ? null : await countCompanions(db, workspaceId, living);
  const boundIds = bound.map(({ id }) => id);
  const formats = boundIds.length === 0 ? null : await listFormats(db, workspaceId, boundIds);
  return rows.map((row, index): LineItemFacts & Record<string, unknown> => ({
    spentMicros: spent.get(row) ?? null,
    campaign: campaigns.get(row['campaign_id'] as bigint) ?? null,
    deal: deals.get((row['deal_id'] ?? 0n) as bigint) ?? null,
    product: products.get((row['advertising_product_id'] ?? 0n) as bigint) ?? null,
    unknownTargets: unknownTargets[index] ?? [],
    companionCount: companions?.get(row.id) ?? 0,
    formats: formats?.get(row.id) ?? [],
    knownKeys,
    approvedTerms: approved === null ? null : (approved.get(row.id) ?? ''),
    countedActivities: countedActivitiesOf(row).flatMap(({ activityId }) => activities.get(BigInt(activityId)) ?? []),
  }));
}

/** Null where the network asks for no approval, or no row is a guaranteed booking that is to be live. Holds the flights of their campaigns. */
async function readApprovedTerms(
  context: ManagementContext,
  rows: readonly StoredRow[],
): Promise<Map<bigint, string> | null> {
  const live = rows.filter(isLiveBooking);
  if (live.length === 0) return null;
  const { networkId, workspaceId } = context.principal;
  if (!(await asksForApproval(queryableOf(context), networkId))) return null;
  await holdFlights(
    queryableOf(context),
    workspaceId,
    live.map((row) => row['campaign_id']).filter((id) => typeof id === 'bigint'),
  );
  const known = await findApprovals(
    queryableOf(context),
    workspaceId,
    live.map(({ id }) => id).filter((id) => id !== 0n),
  );
  return new Map([...known].map(([id, { approved_terms }]) => [id, approved_terms ?? '']));
}

async function findById(
  context: ManagementContext,
  table: string,
  ids: readonly bigint[],
): Promise<Map<bigint, StoredRow>> {
  const { workspaceId } = context.principal;
  const rows = await findInParts([...new Set(ids)], (part) => findRows(queryableOf(context), workspaceId, table, part));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Whether no rule asks for the formats of its creatives: neither its price nor its optimisation goal needs one. */
function isFormatFree(row: StoredRow): boolean {
  if (row.id === 0n) return true;
  const needed = [earningFormats(row['pricing_model'] as PricingModel), optimisedFormats(row)];
  return needed.every((formats) => formats === CREATIVE_FORMATS);
}

/** The formats whose creatives bring the event of its optimisation goal; without a goal, all do. */
export function optimisedFormats(row: StoredRow): readonly CreativeFormat[] {
  const goal = (row['optimisation_goal'] ?? null) as OptimisationGoal | null;
  return goal === null ? CREATIVE_FORMATS : formatsOf(OPTIMISATION_GOALS[goal].event);
}

async function readSpent(context: ManagementContext, rows: readonly StoredRow[]): Promise<Map<StoredRow, bigint>> {
  const { hot } = context;
  const capped = rows.filter(
    (row) => row.id !== 0n && ((row['caps'] as Partial<DeliveryCaps>).spendMicrosLifetime ?? null) !== null,
  );
  if (hot === null || capped.length === 0) return new Map();
  const own = { workspaceId: context.principal.workspaceId, scope: 'li', kind: 'spend' } as const;
  const nanos = await hot.readCounters(capped.map(({ id }) => lifetimeCounterKey({ ...own, id: String(id) })));
  return new Map(capped.map((row, index) => [row, (nanos[index] ?? 0n) / NANOS_PER_MICRO]));
}

/** The ids in the targeting of each row that the workspace does not have. */
export async function findUnknownTargets(context: ManagementContext, rows: readonly StoredRow[]): Promise<string[][]> {
  const named = rows.map((row) => collectTargets(row['targeting'] as Targeting | null));
  const unknown: string[][] = rows.map(() => []);
  for (const [dimension, { accepts }] of Object.entries<DimensionRow>(DIMENSIONS)) {
    if (accepts.are !== 'ids') continue;
    const wanted = new Set(named.flatMap((targets) => [...(targets.get(dimension) ?? [])]));
    if (wanted.size === 0) continue;
    const found = await findInParts([...wanted].map(BigInt), (ids) =>
      findRows(queryableOf(context), context.principal.workspaceId, accepts.table, { ids, columns: ['id'] }),
    );
    for (const { id } of found) wanted.delete(String(id));
    for (const [index, targets] of named.entries())
      for (const id of targets.get(dimension) ?? []) if (wanted.has(id)) unknown[index]?.push(`${dimension} ${id}`);
  }
  return unknown;
}

/** The most keys that are compared with those of a tree. */
const KNOWN_KEYS_MAX = 2_000;

/** The keys that the workspace has described; null where no row names a key, or there are too many to compare. */
async function findKnownKeys(context: ManagementContext, rows: readonly StoredRow[]): Promise<string[] | null> {
  const named = rows.some((row) => collectTargets(row['targeting'] as Targeting | null).has('keyValue'));
  if (!named) return null;
  const found = await queryableOf(context)
    .selectFrom('key_values')
    .select('key')
    .where('workspace_id', '=', context.principal.workspaceId)
    .limit(KNOWN_KEYS_MAX + 1)
    .execute();
  return found.length > KNOWN_KEYS_MAX ? null : found.map(({ key }) => key);
}

/** The ids that a tree names, by dimension. */
export function collectTargets(targeting: Targeting | null): Map<string, Set<string>> {
  const named = new Map<string, Set<string>>();
  for (const { dimension, values } of testsOf(targeting)) {
    const ids = named.get(dimension) ?? new Set<string>();
    for (const value of values) ids.add(value);
    named.set(dimension, ids);
  }
  return named;
}

/** How many creatives of each line item are companions and not archived. */
async function countCompanions(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<Map<bigint, number>> {
  const rows = await sql
    .selectFrom('creatives')
    .select((eb) => ['line_item_id', eb.fn.countAll<bigint>().as('companions')])
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', lineItemIds)
    .where('master_creative_id', 'is not', null)
    .where('status', '!=', 'ARCHIVED')
    .groupBy('line_item_id')
    .execute();
  return new Map(rows.map((row) => [row.line_item_id, Number(row.companions)]));
}

/** The formats of each line item's creatives that are neither companions nor archived. */
async function listFormats(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly bigint[],
): Promise<Map<bigint, CreativeFormat[]>> {
  const rows = await sql
    .selectFrom('creatives')
    .select(['line_item_id', 'format'])
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', lineItemIds)
    .where('master_creative_id', 'is', null)
    .where('status', '!=', 'ARCHIVED')
    .execute();
  const byLineItem = Map.groupBy(rows, (row) => row.line_item_id);
  return new Map([...byLineItem].map(([id, found]) => [id, found.map(({ format }) => format)]));
}
