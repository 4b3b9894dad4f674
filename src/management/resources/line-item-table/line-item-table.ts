import { requirePermission } from '../../../access/permissions/permissions.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { DimensionRef } from '../../fields/targeting-field.ts';
import { DeliveryStatusRef, LineItemTypeRef } from '../../fields/enumerations.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { loaderOf, loadObject } from '../../kernel/loaders.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { collationOf } from '../../kernel/collation.sql.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import {
  countReasons,
  countTable,
  listTableIds,
  readStandings,
  type StandingRow,
  type TableFilter,
  type TableSort,
} from './line-item-table.sql.ts';
import {
  type LineItemTab,
  REASON_DESCRIPTIONS,
  reasonsOf,
  STANDING_TABS,
  type StandingReason,
  TAB_DESCRIPTIONS,
} from './line-item-tabs.ts';

const OFFSET_MAX = 1_000_000;
const VALUES_MAX = 500;
const SEARCH_LENGTH_MAX = 200;

const TabRef = enumOf<LineItemTab>(
  'LineItemTab',
  'A tab of the desk: every living line item is in one.',
  TAB_DESCRIPTIONS,
);
const ReasonRef = enumOf<StandingReason>(
  'StandingReason',
  'Why a line item stands where it stands: the first that holds.',
  REASON_DESCRIPTIONS,
);
const SortRef = enumOf<TableSort>('LineItemTableSort', 'What a table is sorted by; rows without a value come last.', {
  ID: 'In order of creation.',
  NAME: 'By name.',
  CREATED_AT: 'By the instant of creation.',
  UPDATED_AT: 'By the instant of the last change.',
  STARTS_AT: 'By the start of the flight.',
  ENDS_AT: 'By the end of the flight.',
  PACE: 'By delivered in percent of the plan, as found in the last minute.',
  IMPRESSIONS: 'By impressions so far, as found in the last minute.',
  SPEND: 'By money earned so far, as found in the last minute.',
  AT_RISK: 'By the money that may be missed, as found in the last minute.',
});

const TargetsRef = builder.inputType('LineItemTargetsFilter', {
  description: 'What a targeting tests, at any depth; a test that excludes counts too.',
  fields: (t) => ({
    dimension: t.field({ type: DimensionRef, required: true, description: 'The dimension.' }),
    values: t.stringList({ description: 'With one of these values; objects by their decimal id. Absent: any.' }),
  }),
});

const FilterRef = builder.inputType('LineItemTableFilter', {
  description: 'Which line items a table shows. All given parts must match; a list means any of its values.',
  fields: (t) => ({
    search: t.string({ description: 'Whose name, external id or campaign name contains this text, or with this id.' }),
    ids: t.idList({ description: 'Only these.' }),
    statuses: t.field({ type: [DeliveryStatusRef], description: 'Only with one of these statuses.' }),
    types: t.field({ type: [LineItemTypeRef], description: 'Only of these tiers.' }),
    advertiserIds: t.idList({ description: 'Only of these advertisers.' }),
    campaignIds: t.idList({ description: 'Only of these campaigns.' }),
    labels: t.stringList({ description: 'Only with one of these labels.' }),
    levels: t.intList({ description: 'Only on one of these levels.' }),
    targets: t.field({ type: TargetsRef, description: 'Only whose targeting tests this.' }),
    endsBefore: t.field({ type: 'DateTime', description: 'Only whose flight ends before this instant.' }),
    reasons: t.field({ type: [ReasonRef], description: 'Only line items in the table for one of these reasons.' }),
    isSnoozed: t.boolean({
      description: 'false: without those that the signed-in member has snoozed. true or absent: with them.',
    }),
  }),
});

interface Table {
  readonly nodes: readonly StoredRow[];
  readonly totalCount: () => Promise<number>;
}

const TableRef = builder.objectRef<Table>('LineItemTableConnection').implement({
  description: 'A window of a table of line items.',
  fields: (t) => ({
    nodes: t.field({
      type: [objectRefOf('LineItem')],
      description: 'Its line items, in order.',
      resolve: (table) => [...table.nodes],
    }),
    totalCount: t.int({ description: 'How many line items the table has.', resolve: (table) => table.totalCount() }),
  }),
});

const TabCountRef = builder
  .objectRef<{ readonly tab: LineItemTab; readonly count: number }>('LineItemTabCount')
  .implement({
    description: 'How many line items a tab has.',
    fields: (t) => ({
      tab: t.field({ type: TabRef, description: 'The tab.', resolve: (one) => one.tab }),
      count: t.exposeInt('count', { description: 'Its line items.' }),
    }),
  });

const AT_RISK_TEXT =
  'The money that it may miss: what its goal lacks, at its price, or all that is left of the goal while nothing is shown.';

const StandingRef = builder.objectRef<StandingRow>('LineItemStanding').implement({
  description: 'Where a line item stands, and why.',
  fields: (t) => ({
    tab: t.field({
      type: TabRef,
      nullable: true,
      description: 'The tab of the desk that shows it; null when it is archived.',
      resolve: ({ reason }) => STANDING_TABS[reason],
    }),
    reason: t.field({ type: ReasonRef, description: 'Why.', resolve: ({ reason }) => reason }),
    movedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When its impressions were last found to have grown, to the minute; null before the first look.',
      resolve: (row) => row.moved_at,
    }),
    atRisk: t.field({
      type: 'Decimal',
      description: `${AT_RISK_TEXT} 0 without a goal.`,
      resolve: (row) => formatNanos(BigInt(row.risk_nanos)),
    }),
    atRiskMoney: t.field(moneyTwin<StandingRow>(AT_RISK_TEXT, (row) => formatNanos(BigInt(row.risk_nanos)))),
  }),
});

/** Adds `lineItemTable`, `lineItemTabs` and `LineItem.standing`. */
export function defineLineItemTable(): void {
  builder.objectField(objectRefOf('LineItem'), 'standing', (t) =>
    t.field({
      type: StandingRef,
      nullable: true,
      description: 'Where it stands, and why, as found in the last minute.',
      resolve: (row, _args, context) => loadStanding(context, row.id),
    }),
  );
  builder.queryField('lineItemTable', (t) =>
    t.field({
      type: TableRef,
      description:
        'A window of the line items of the network, from any position of a list of any length. Archived ones only by status.',
      args: {
        tab: t.arg({ type: TabRef, description: 'Only of this tab.' }),
        filter: t.arg({ type: FilterRef, description: 'Which line items.' }),
        sort: t.arg({ type: SortRef, defaultValue: 'ID', description: 'In which order; default ID.' }),
        descending: t.arg.boolean({ defaultValue: false, description: 'The largest first; default false.' }),
        offset: t.arg.int({ defaultValue: 0, description: `How many to leave out, 0…${OFFSET_MAX}; default 0.` }),
        first: t.arg.int({ description: `Size of the window, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.` }),
      },
      resolve: async (_root, args, context) => {
        requirePermission(context.caller, 'query.lineItemTable');
        const filter = readFilter(args.filter ?? {}, context);
        const window = {
          reasons: wantedReasons(args.tab ?? null, filter, args.filter?.reasons ?? null),
          filter,
          sort: args.sort ?? 'ID',
          descending: args.descending ?? false,
          collation: args.sort === 'NAME' ? await collationOf(context) : null,
          offset: bounded(args.offset ?? 0, 'offset', [0, OFFSET_MAX]),
          limit: bounded(args.first ?? PAGE_SIZE_DEFAULT, 'first', [1, PAGE_SIZE_MAX]),
          now: new Date(context.nowMs()),
        };
        const { workspaceId } = context.principal;
        const ids = await context.budget.read(() => listTableIds(queryableOf(context), workspaceId, window));
        const rows = await Promise.all(ids.map((id) => loadObject(context, 'LineItem', id)));
        return {
          nodes: rows.filter((row) => row !== null),
          totalCount: () => context.budget.read(() => countTable(queryableOf(context), workspaceId, window)),
        };
      },
    }),
  );
  builder.queryField('lineItemTabs', (t) =>
    t.field({
      type: [TabCountRef],
      description: 'How many line items each tab has; tabs without any are there too.',
      args: { filter: t.arg({ type: FilterRef, description: 'Which line items.' }) },
      resolve: async (_root, args, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.lineItemTabs');
        const request = { filter: readFilter(args.filter ?? {}, context), now: new Date(context.nowMs()) };
        const counts = await context.budget.read(() => countReasons(queryableOf(context), workspaceId, request));
        return (Object.keys(TAB_DESCRIPTIONS) as LineItemTab[]).map((tab) => ({
          tab,
          count: reasonsOf(tab).reduce((sum, reason) => sum + (counts.get(reason) ?? 0), 0),
        }));
      },
    }),
  );
}

function loadStanding(context: ManagementContext, id: bigint): Promise<StandingRow | null> {
  return loaderOf<bigint, StandingRow | null>(context, 'lineItemStandings', async (ids) => {
    const now = new Date(context.nowMs());
    const found = await readStandings(queryableOf(context), context.principal.workspaceId, ids, now);
    return ids.map((one) => found.get(one) ?? null);
  }).load(id);
}

/** A status that is asked for is shown, archived ones too. */
function wantedReasons(
  tab: LineItemTab | null,
  { statuses }: TableFilter,
  only: readonly StandingReason[] | null,
): readonly StandingReason[] {
  const ofTab = reasonsOf(tab);
  const reasons: readonly StandingReason[] =
    tab === null && statuses.includes('ARCHIVED') ? [...ofTab, 'ARCHIVED'] : ofTab;
  return only === null ? reasons : reasons.filter((reason) => only.includes(reason));
}

type FilterInput = typeof FilterRef.$inferInput;

/** @throws PlacardError `invalid_request` that names the part */
function readFilter(input: FilterInput, { principal }: ManagementContext): TableFilter {
  const listOf = (name: 'statuses' | 'types' | 'labels'): readonly string[] => short(name, input[name] ?? []);
  const { targets } = input;
  // A malformed id matches nothing, as an unknown id does.
  const idsOf = (name: 'ids' | 'advertiserIds' | 'campaignIds', type: string): readonly string[] =>
    short(name, input[name] ?? []).map((id) => {
      const plain = plainIdOf(type, id);
      return isDecimalId(plain) ? plain : '0';
    });
  const search = (input.search ?? '').trim();
  if (search.length > SEARCH_LENGTH_MAX || search.includes('\0'))
    throw new PlacardError('invalid_request', `filter.search takes at most ${SEARCH_LENGTH_MAX} characters.`);
  return {
    search: search === '' ? null : search,
    ids: idsOf('ids', 'LineItem'),
    statuses: listOf('statuses'),
    types: listOf('types'),
    advertiserIds: idsOf('advertiserIds', 'Advertiser'),
    campaignIds: idsOf('campaignIds', 'Campaign'),
    labels: listOf('labels'),
    levels: short('levels', input.levels ?? []),
    targets:
      targets === null || targets === undefined
        ? null
        : { dimension: targets.dimension, values: short('targets.values', targets.values ?? []) },
    endsBefore: input.endsBefore ?? null,
    // A key has snoozed nothing.
    notSnoozedBy: input.isSnoozed === false && principal.kind === 'session' ? principal.id : null,
  };
}

function short<Value>(name: string, values: readonly Value[]): readonly Value[] {
  if (values.length > VALUES_MAX)
    throw new PlacardError(
      'invalid_request',
      `filter.${name} has ${values.length} values; at most ${VALUES_MAX} are taken.`,
    );
  return values;
}

function bounded(value: number, name: string, [min, max]: readonly [number, number]): number {
  if (value < min || value > max) throw new PlacardError('invalid_request', `${name} is from ${min} to ${max}.`);
  return value;
}
