import type { Kysely, Selectable } from 'kysely';
import { readLabelCaps } from '../../../domain/frequency/label-cap.ts';
import type { Workspace } from '../../../domain/tenancy/workspace.ts';
import type { Targeting } from '../../../domain/targeting/targeting.ts';
import { splitConjuncts } from '../../../domain/targeting/targeting-conjuncts.ts';
import type { Database } from '../../../storage/sql/schema.ts';

type Row<Table extends keyof Database> = Selectable<Database[Table]>;

/** A creative without its content. */
export type CreativeState = Pick<
  Row<'creatives'>,
  | 'id'
  | 'version'
  | 'name'
  | 'status'
  | 'review_state'
  | 'updated_at'
  | 'starts_at'
  | 'ends_at'
  | 'width'
  | 'height'
  | 'format'
  | 'attributes'
  | 'frequency_caps'
  | 'master_creative_id'
  | 'line_item_id'
>;

/** The kinds of objects that targeting names by id and that can be archived. */
export type TargetKind = 'site' | 'area' | 'adUnit' | 'segment';

/** An object that targeting names. */
export interface TargetState {
  readonly kind: TargetKind;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version: number;
}

/** A line item with all that must be live for it to serve, as it is stored now: with versions, whatever its status. */
export interface BookedState {
  readonly network: Pick<Workspace, 'status' | 'currency' | 'labelCaps'> & { readonly version: number };
  readonly lineItem: Row<'line_items'>;
  readonly campaign: Row<'campaigns'>;
  readonly advertiser: Row<'advertisers'>;
  readonly deal: Row<'deals'> | null;
  readonly creatives: readonly CreativeState[];
  /** What each condition of its targeting names by id. */
  readonly targets: readonly (readonly TargetState[])[];
}

const TABLES = { site: 'sites', area: 'areas', adUnit: 'ad_units', segment: 'segments' } as const;
/** Most creatives that are looked at, and most ids of targeting of one kind. */
const CREATIVES_MAX = 20_000;
const TARGETS_MAX = 5_000;

/** Line items as they are booked, by id; those of other workspaces are absent. */
export async function readBookedStates(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItemIds: readonly string[],
): Promise<ReadonlyMap<string, BookedState>> {
  const ids = lineItemIds.filter((id) => /^\d{1,18}$/.test(id)).map(BigInt);
  if (ids.length === 0) return new Map();
  const own = <Table extends 'line_items' | 'campaigns' | 'advertisers' | 'deals'>(table: Table, wanted: bigint[]) =>
    wanted.length === 0
      ? Promise.resolve([])
      : sql
          .selectFrom(table as 'deals')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', 'in', wanted)
          .execute();
  const lineItems = (await own('line_items', ids)) as unknown as Row<'line_items'>[];
  const dealIds = lineItems.flatMap(({ deal_id: id }) => (id === null ? [] : [id]));
  const [network, campaigns, deals, creatives, targets] = await Promise.all([
    readNetwork(sql, workspaceId),
    own(
      'campaigns',
      lineItems.map((row) => row.campaign_id),
    ) as unknown as Promise<Row<'campaigns'>[]>,
    own('deals', dealIds),
    readCreatives(
      sql,
      workspaceId,
      lineItems.map(({ id }) => id),
    ),
    readTargets(sql, workspaceId, lineItems),
  ]);
  const advertiserIds = campaigns.map((row) => row.advertiser_id);
  const advertisers = (await own('advertisers', advertiserIds)) as unknown as Row<'advertisers'>[];
  const found = new Map<string, BookedState>();
  for (const lineItem of lineItems) {
    const campaign = campaigns.find(({ id }) => id === lineItem.campaign_id);
    const advertiser = advertisers.find(({ id }) => id === campaign?.advertiser_id);
    if (network === undefined || campaign === undefined || advertiser === undefined) continue;
    found.set(String(lineItem.id), {
      network,
      lineItem,
      campaign,
      advertiser,
      deal: deals.find(({ id }) => id === lineItem.deal_id) ?? null,
      creatives: creatives.filter((creative) => creative.line_item_id === lineItem.id),
      targets: listTargets(lineItem.targeting).map(({ kind, values }) =>
        targets.filter((target) => target.kind === kind && values.has(target.id)),
      ),
    });
  }
  return found;
}

async function readNetwork(sql: Kysely<Database>, workspaceId: number): Promise<BookedState['network'] | undefined> {
  const found = await sql
    .selectFrom('workspaces')
    .innerJoin('networks', 'networks.id', 'workspaces.network_id')
    .select(['networks.status', 'networks.currency', 'networks.version', 'networks.settings'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { settings, ...network } = found;
  return { ...network, ...readLabelCaps(settings) };
}

async function readCreatives(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItemIds: bigint[],
): Promise<CreativeState[]> {
  if (lineItemIds.length === 0) return [];
  return sql
    .selectFrom('creatives')
    .select(['id', 'version', 'name', 'status', 'review_state', 'starts_at', 'ends_at', 'width', 'height', 'format'])
    .select(['attributes', 'frequency_caps', 'master_creative_id', 'line_item_id', 'updated_at'])
    .where('workspace_id', '=', workspaceId)
    .where('line_item_id', 'in', lineItemIds)
    .orderBy('id')
    .limit(CREATIVES_MAX)
    .execute();
}

/** The content and the landing address of a creative, to copy it. */
export async function readCreativeContent(
  sql: Kysely<Database>,
  workspaceId: number,
  creativeId: bigint,
): Promise<Pick<Row<'creatives'>, 'content' | 'click_url'> | undefined> {
  return sql
    .selectFrom('creatives')
    .select(['content', 'click_url'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', creativeId)
    .executeTakeFirst();
}

interface TargetIds {
  readonly kind: TargetKind;
  readonly values: ReadonlySet<string>;
}

/** The ids that the conditions of a tree require, one of each condition. */
function listTargets(targeting: Targeting | null): TargetIds[] {
  return splitConjuncts(targeting).flatMap(({ requirement }) => {
    const kind = requirement?.dimension as TargetKind | undefined;
    return requirement !== null && kind !== undefined && Object.hasOwn(TABLES, kind)
      ? [{ kind, values: requirement.values }]
      : [];
  });
}

async function readTargets(
  sql: Kysely<Database>,
  workspaceId: number,
  lineItems: readonly Pick<Row<'line_items'>, 'targeting'>[],
): Promise<TargetState[]> {
  const wanted = lineItems.flatMap(({ targeting }) => listTargets(targeting));
  const reads = Object.entries(TABLES).map(async ([kind, table]) => {
    const ids = new Set(wanted.flatMap((one) => (one.kind === kind ? [...one.values] : [])));
    const decimal = [...ids].filter((id) => /^\d{1,18}$/.test(id)).slice(0, TARGETS_MAX);
    if (decimal.length === 0) return [];
    const rows = await sql
      .selectFrom(table as 'ad_units')
      .select(['id', 'name', 'status', 'version'])
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', decimal.map(BigInt))
      .execute();
    return rows.map((row) => ({ ...row, id: String(row.id), kind: kind as TargetKind }));
  });
  return (await Promise.all(reads)).flat();
}
