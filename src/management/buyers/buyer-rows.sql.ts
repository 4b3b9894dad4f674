import {
  AliasNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type FromNode,
  type QueryId,
  RawNode,
  type RootOperationNode,
  sql,
  TableNode,
} from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import type { BuyerScope } from '../../domain/tenancy/principal.ts';

/** Whose rows are read: the advertisers of a buyer's key, in its workspace. */
interface Buyer {
  readonly scope: BuyerScope;
  readonly workspaceId: number;
  readonly actor: string;
}

type Rows = (buyer: Buyer) => OperationNode;

const raw = (
  buyer: Buyer,
  condition: (ids: unknown, workspaceId: unknown) => ReturnType<typeof sql<unknown>>,
  table: string,
): OperationNode => {
  const { workspaceId, scope } = buyer;
  const ids = sql`${[...scope.advertiserIds]}::text[]`;
  return sql`(SELECT * FROM ${sql.raw(`"${table}"`)} WHERE workspace_id = ${workspaceId} AND ${condition(ids, sql`${workspaceId}`)})`.toOperationNode();
};

/** The rows of each table that belong to a buyer. */
const OWN: Readonly<Record<string, Rows>> = {
  advertisers: (buyer) => raw(buyer, (ids) => sql`id = ANY(${ids}::bigint[])`, 'advertisers'),
  campaigns: (buyer) => raw(buyer, (ids) => sql`advertiser_id = ANY(${ids}::bigint[])`, 'campaigns'),
  library_creatives: (buyer) => raw(buyer, (ids) => sql`advertiser_id = ANY(${ids}::bigint[])`, 'library_creatives'),
  line_items: (buyer) => raw(buyer, (ids, ws) => sql`campaign_id IN (${campaignIds(ids, ws)})`, 'line_items'),
  creatives: (buyer) =>
    raw(
      buyer,
      (ids, ws) => sql`line_item_id IN (SELECT id FROM "line_items" AS own_items WHERE own_items.workspace_id = ${ws}
        AND own_items.campaign_id IN (${campaignIds(ids, ws)}))`,
      'creatives',
    ),
  agent_requests: (buyer) => raw(buyer, (ids) => sql`advertiser_id = ANY(${ids}::bigint[])`, 'agent_requests'),
  advertising_products: (buyer) =>
    raw(
      buyer,
      (ids) => sql`offered_to_buyers AND (offered_advertiser_ids = '[]'::jsonb OR offered_advertiser_ids ?| ${ids})`,
      'advertising_products',
    ),
};

function campaignIds(ids: unknown, workspaceId: unknown) {
  return sql`SELECT own_campaigns.id FROM "campaigns" AS own_campaigns WHERE own_campaigns.workspace_id = ${workspaceId} AND own_campaigns.advertiser_id = ANY(${ids}::bigint[])`;
}

/** What no buyer learns of: all rows are hidden. */
const HIDDEN: ReadonlySet<string> = new Set([
  'deals',
  'teams',
  'custom_fields',
  'targeting_presets',
  'experiments',
  'floors',
  'header_credentials',
  'webhooks',
]);

/** What rules and the bookkeeping of a request read; no operation of a buyer shows them. */
const INTERNAL: ReadonlySet<string> = new Set([
  'activities',
  'ad_units',
  'allocation_plans',
  'api_keys',
  'areas',
  'assets',
  'asset_files',
  'audit_heads',
  'audit_log',
  'booking_approvals',
  'history_imports',
  'idempotent_answers',
  'key_values',
  'line_item_goal_status',
  'memberships',
  'networks',
  'notification_choices',
  'notifications',
  'pg_catalog',
  'segments',
  'sites',
  'traffic_curves',
  'users',
  'workspaces',
]);

/** Columns of the publisher's own, and what a buyer reads instead. A list is neither filtered nor sorted by them. */
const WITHHELD: Readonly<Record<string, (value: unknown, buyer: Buyer) => unknown>> = {
  notes: () => '',
  owner: () => null,
  salesperson: () => null,
  team_id: () => null,
  custom_fields: () => ({}),
  labels: () => [],
  exclusion_labels: () => [],
  credit_micros: () => null,
  representative_percent: () => null,
  updated_by: (value, { actor }) => (value === actor ? actor : ''),
  offered_advertiser_ids: (value, buyer) => ownAdvertisers(value, buyer),
  price_options: (value, buyer) =>
    Array.isArray(value)
      ? value.flatMap((option: { readonly advertiserIds?: unknown }) => {
          const all = Array.isArray(option.advertiserIds) ? option.advertiserIds : [];
          const own = ownAdvertisers(all, buyer);
          return all.length > 0 && own.length === 0 ? [] : [{ ...option, advertiserIds: own }];
        })
      : value,
};

function ownAdvertisers(value: unknown, { scope }: Buyer): unknown[] {
  return Array.isArray(value) ? value.filter((id) => scope.advertiserIds.includes(String(id))) : [];
}

/**
 * Binds all that a request reads to the advertisers of a buyer's key, whatever code reads it: each table in a query is replaced by the rows of
 * it that belong to them, and the publisher's own columns are withheld from results. A table that is not known here is refused.
 */
export function buyerRows(scope: BuyerScope, workspaceId: number, actor: string): KyselyPlugin {
  const buyer = { scope, workspaceId, actor };
  return {
    transformQuery: ({ node, queryId }) => new BuyerTransformer(buyer).transformRoot(node, queryId),
    transformResult: async ({ result }) => ({ ...result, rows: result.rows.map((row) => withhold(row, buyer)) }),
  };
}

function withhold<Row extends object>(row: Row, buyer: Buyer): Row {
  const names = Object.keys(row).filter((name) => Object.hasOwn(WITHHELD, name));
  if (names.length === 0) return row;
  const given = row as Readonly<Record<string, unknown>>;
  return { ...row, ...Object.fromEntries(names.map((name) => [name, WITHHELD[name]?.(given[name], buyer)])) };
}

const READ_FROM = /\b(?:from|join)\s+$/i;
const READ_TEXT = /\b(?:from|join)\s+"?([a-z_]+)"?/gi;
/** `name AS (`: a query with a name. */
const NAMED_QUERY = /\b([a-z_]+) as (?:materialized )?\(/gi;
const READS = /^\s*(?:with|select)\b/i;
/** Functions and parts of statements that stand behind FROM as tables do. */
const NO_TABLES: ReadonlySet<string> = new Set([
  'jsonb_array_elements',
  'jsonb_to_recordset',
  'jsonb_populate_recordset',
  'unnest',
  'lateral',
  'generate_series',
]);

class BuyerTransformer extends OperationNodeTransformer {
  readonly #buyer: Buyer;
  /** Whether the statement only reads: then its conditions and orders name no withheld column. */
  #reads = false;
  /** Names that the statement itself gives to queries. */
  readonly #queries = new Set<string>();

  constructor(buyer: Buyer) {
    super();
    this.#buyer = buyer;
  }

  transformRoot(node: RootOperationNode, queryId: QueryId): RootOperationNode {
    this.#reads = RawNode.is(node) && READS.test(node.sqlFragments[0] ?? '');
    return this.transformNode(node, queryId);
  }

  protected override transformFrom(node: FromNode, queryId?: QueryId): FromNode {
    const { froms } = super.transformFrom(node, queryId);
    return { kind: 'FromNode', froms: froms.map((one) => this.#bound(one)) };
  }

  protected override transformJoin(node: JoinNode, queryId?: QueryId): JoinNode {
    const joined = super.transformJoin(node, queryId);
    return { ...joined, table: this.#bound(joined.table) };
  }

  protected override transformIdentifier(node: IdentifierNode, queryId?: QueryId): IdentifierNode {
    if (this.#reads && Object.hasOwn(WITHHELD, node.name))
      throw new PlacardError('insufficient_permissions', `A buyer's list is not filtered or sorted by ${node.name}.`);
    return super.transformIdentifier(node, queryId);
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    for (const fragment of node.sqlFragments) {
      for (const [, name = ''] of fragment.matchAll(NAMED_QUERY)) this.#queries.add(name);
      for (const [, name = ''] of fragment.matchAll(READ_TEXT)) this.#refuseText(name);
    }
    const { sqlFragments, parameters } = super.transformRaw(node, queryId);
    const bound = parameters.map((parameter, at) => {
      const table = tableIn(parameter);
      if (table === null || !READ_FROM.test(sqlFragments[at] ?? '')) return parameter;
      const rows = this.#bound(TableNode.create(table));
      const isNamed = /^\s+as\b/i.test(sqlFragments[at + 1] ?? '');
      return isNamed && AliasNode.is(rows) ? rows.node : rows;
    });
    return { ...node, sqlFragments, parameters: bound };
  }

  /** The rows of a table that the buyer may read, under its name or the given alias. */
  #bound(node: OperationNode): OperationNode {
    if (AliasNode.is(node)) {
      const inner = this.#bound(node.node);
      return { ...node, node: AliasNode.is(inner) ? inner.node : inner } as AliasNode;
    }
    if (!TableNode.is(node)) return node;
    const name = node.table.identifier.name;
    if (INTERNAL.has(name)) return node;
    const rows = OWN[name]?.(this.#buyer) ?? (HIDDEN.has(name) ? nothingOf(name) : null);
    if (rows === null) throw unknownTable(name);
    return AliasNode.create(rows, IdentifierNode.create(name));
  }

  /** A table that a statement names in its text cannot be replaced. */
  #refuseText(name: string): void {
    const isOwn = Object.hasOwn(OWN, name) || HIDDEN.has(name);
    if (!isOwn && this.#queries.has(name)) return;
    if (isOwn || (!INTERNAL.has(name) && !NO_TABLES.has(name.toLowerCase()))) throw unknownTable(name);
  }
}

/** The table of `sql.table(…)` within a raw statement. */
function tableIn(node: OperationNode): string | null {
  if (TableNode.is(node)) return node.table.identifier.name;
  if (!RawNode.is(node) || node.sqlFragments.some((text) => text !== '')) return null;
  const [only, another] = node.parameters;
  return only === undefined || another !== undefined ? null : tableIn(only);
}

function nothingOf(table: string): OperationNode {
  return sql`(SELECT * FROM ${sql.raw(`"${table}"`)} WHERE false)`.toOperationNode();
}

function unknownTable(name: string): PlacardError {
  return new PlacardError('insufficient_permissions', `The key of a buyer does not reach ${name}.`);
}
