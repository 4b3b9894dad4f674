import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import {
  type BookedKind,
  type BookedObject,
  type Campaign,
  campaignFilter,
  type LineItem,
  loadCampaigns,
} from '../api/bookings/desk-list.ts';
import type { AppSearch } from '../session/app-search.ts';
import { usePageKey } from '../ui/page-keys.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { type Chosen, NONE_CHOSEN } from '../tables/chosen.ts';
import type { CellEditing, DeskColumn } from '../tables/desk-columns.ts';
import { formatCount } from '../format/desk-format.ts';
import {
  type DeskState,
  isFiltered,
  type KnownColumns,
  nextSort,
  shownColumns,
  toFilter,
  UNFILTERED,
} from '../tables/desk-state.ts';
import { DeskTable } from '../tables/desk-table.tsx';
import { compactLineItem, LINE_ITEM_COLUMNS, lineItemColumns } from './line-item-columns.tsx';
import { CAMPAIGN_COLUMNS, campaignColumns, compactCampaign } from './list-columns.tsx';
import { ListFilters } from '../tables/list-filters.tsx';
import { CampaignBulkBar, CsvMenu, LineItemBulkBar, TableViews } from './later-parts.ts';
import { ConflictDialog } from '../changes/later-changes.ts';
import { useRowExtras } from './row-extras.ts';
import { SetSwitch, TableTabs } from './table-tabs.tsx';
import { UndoButton } from '../changes/undo.tsx';
import { useDeskList, useDeskState } from '../tables/use-desk-list.ts';
import { useCellContext, type CellContext } from '../session/desk-scope.ts';
import { useInlineEdit } from '../changes/use-inline-edit.tsx';
import { useIsCompact } from '../ui/use-is-compact.ts';
import { useLineItemTable } from './use-line-item-table.ts';

/** Twenty rows are in sight on a screen of 900 px: a browser test counts them. */
const ROW_PX = 32;
const COMPACT_ROW_PX = 84;

const IN_CAMPAIGN: KnownColumns = {
  ...LINE_ITEM_COLUMNS,
  usual: LINE_ITEM_COLUMNS.usual.filter((id) => id !== 'campaign' && id !== 'advertiser'),
};

/** The tabs of all line items, for the line of the page's title. */
export function LineItemTabs() {
  const [state, change] = useDeskState(LINE_ITEM_COLUMNS);
  return <TableTabs state={state} change={change} />;
}

/** Line items: all, or those of one campaign. */
export function LineItemList({
  campaignId,
  openId = null,
}: {
  readonly campaignId?: string;
  /** The line item whose panel is open beside the table. */
  readonly openId?: string | null;
}) {
  const context = useCellContext();
  const known = campaignId === undefined ? LINE_ITEM_COLUMNS : IN_CAMPAIGN;
  const narrow = useMemo(() => (campaignId === undefined ? undefined : { campaignIds: [campaignId] }), [campaignId]);
  const [state, change] = useDeskState(known);
  const list = useLineItemTable(state, narrow);
  const extras = useRowExtras(list.inView, shownColumns(state, known), context);
  const columns = useMemo(() => lineItemColumns(context, extras), [context, extras]);
  const { editing, conflict, closeConflict } = useInlineEdit<LineItem>('lineItem', ['lineItemTable']);
  const [chosen, setChosen] = useState<Chosen>(NONE_CHOSEN);
  const filter = useMemo(() => ({ ...toFilter(state), ...narrow }), [state, narrow]);
  const canEdit = useCanEdit();
  const isCompact = useIsCompact();
  return (
    <>
      <ObjectTable<LineItem>
        kind="lineItem"
        state={state}
        change={change}
        known={known}
        columns={columns}
        compact={compactLineItem(context)}
        list={{ ...list, onMore: null }}
        openId={openId}
        hasCampaigns={campaignId === undefined}
        newSearch={campaignId === undefined ? {} : { campaign: campaignId }}
        ids={chosen.ids}
        onChoose={(ids) => setChosen({ ids, isAll: false })}
        editing={canEdit && !isCompact ? editing : null}
        above={narrow === undefined ? null : <TableTabs state={state} narrow={narrow} change={change} />}
        isPage={narrow === undefined}
        tools={
          <>
            {isCompact ? null : <SetSwitch state={state} sets={Object.keys(known.sets)} change={change} />}
            <TableViews table="line-items" state={state} />
            <CsvMenu kind="lineItems" tab={state.tab} filter={filter} />
            <UndoButton />
          </>
        }
      />
      {chosen.ids.size === 0 ? null : (
        <LineItemBulkBar
          chosen={chosen}
          loaded={list.inView}
          request={{ tab: state.tab, filter }}
          total={list.total}
          onChoose={setChosen}
        />
      )}
      {conflict === null ? null : <ConflictDialog sides={conflict} onClose={closeConflict} />}
    </>
  );
}

/** All campaigns. */
export function CampaignList() {
  const context: CellContext = useCellContext();
  const columns = useMemo(() => campaignColumns(context), [context]);
  const [state, change] = useDeskState(CAMPAIGN_COLUMNS);
  const list = useDeskList<Campaign>(state, { name: 'campaigns', load: loadCampaigns });
  const [chosen, setChosen] = useState<Chosen>(NONE_CHOSEN);
  const filter = useMemo(() => toFilter(state), [state]);
  const { editing, conflict, closeConflict } = useInlineEdit<Campaign>('campaign', ['campaigns']);
  const canEdit = useCanEdit();
  const isCompact = useIsCompact();
  return (
    <>
      <ObjectTable<Campaign>
        kind="campaign"
        state={state}
        change={change}
        known={CAMPAIGN_COLUMNS}
        columns={columns}
        compact={compactCampaign(context)}
        newSearch={{}}
        list={list}
        openId={null}
        hasCampaigns={false}
        isPage
        ids={chosen.ids}
        onChoose={(ids) => setChosen({ ids, isAll: false })}
        editing={canEdit && !isCompact ? editing : null}
        tools={
          <>
            <TableViews table="campaigns" state={state} />
            <CsvMenu kind="campaigns" tab={null} filter={campaignFilter(filter)} />
            <UndoButton />
          </>
        }
      />
      {chosen.ids.size === 0 ? null : (
        <CampaignBulkBar
          chosen={chosen}
          loaded={list.rows ?? []}
          filter={filter}
          total={list.total}
          onChoose={setChosen}
        />
      )}
      {conflict === null ? null : <ConflictDialog sides={conflict} onClose={closeConflict} />}
    </>
  );
}

interface ObjectTableProps<Row extends BookedObject> {
  readonly kind: BookedKind;
  readonly state: DeskState;
  change: (next: Partial<DeskState>, replace?: boolean) => void;
  readonly known: KnownColumns;
  readonly columns: ReadonlyMap<string, DeskColumn<Row>>;
  readonly compact: DeskColumn<Row>;
  readonly list: {
    readonly rows: readonly (Row | undefined)[] | undefined;
    readonly total: number;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly isStale: boolean;
    readonly onMore: (() => void) | null;
    readonly onRange?: (first: number, last: number) => void;
    readonly refetch: () => void;
  };
  readonly openId: string | null;
  readonly hasCampaigns: boolean;
  /** The table has the page for itself, and takes its height. */
  readonly isPage: boolean;
  readonly ids: ReadonlySet<string>;
  onChoose: (ids: ReadonlySet<string>) => void;
  /** Null: cells are not edited. */
  readonly editing: CellEditing<Row> | null;
  /** Of the page that makes the first object. */
  readonly newSearch: AppSearch;
  readonly above?: ReactNode;
  readonly tools: ReactNode;
}

const TEXTS = {
  lineItem: {
    label: 'nav.line_items',
    empty: 'line_items.empty',
    count: 'desk.total',
    to: '/desk/line-items/$id',
    first: '/desk/line-items/new',
    firstText: 'line_items.first',
  },
  campaign: {
    label: 'nav.campaigns',
    empty: 'campaigns.empty',
    count: 'desk.total_campaigns',
    to: '/desk/campaigns/$id',
    first: '/desk/campaigns/new',
    firstText: 'campaigns.first',
  },
} as const;

/** A table of booked objects with its filters and its choice of rows. */
function ObjectTable<Row extends BookedObject>(props: ObjectTableProps<Row>) {
  const { kind, state, change, known, columns, compact, list, openId, ids, onChoose, editing } = props;
  const searchRef = useRef<HTMLInputElement>(null);
  const isCompact = useIsCompact();
  const canEdit = useCanEdit();
  const navigate = useNavigate();
  usePageKey('/', 'desk.search', () => searchRef.current?.focus());
  const shown = ['name', ...shownColumns(state, known)];
  const { label, count, to } = TEXTS[kind];
  const drawn = useMemo(
    () => (isCompact ? [compact] : shown.flatMap((id) => columns.get(id) ?? [])),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the columns by their names
    [isCompact, isCompact ? compact : null, columns, shown.join(',')],
  );
  const isNarrowed = isFiltered(state) || state.tab !== null;
  return (
    <Stack gap="xs" className={props.isPage ? 'desk-page' : undefined}>
      {props.above}
      <ListFilters
        state={state}
        change={change}
        searchRef={searchRef}
        columns={known}
        hasCampaigns={props.hasCampaigns}
        isCompact={isCompact}
        tools={props.tools}
      />
      <ProblemAlert error={list.error} onRetry={list.refetch} />
      {list.isPending ? <LoadingPage /> : null}
      {list.rows === undefined ? null : (
        <div aria-busy={list.isStale}>
          {list.rows.length === 0 ? (
            <NoRows kind={kind} isNarrowed={isNarrowed} newSearch={props.newSearch} change={change} />
          ) : (
            <DeskTable
              label={say(label)}
              columns={drawn}
              rows={list.rows}
              total={list.total}
              rowHeightPx={isCompact ? COMPACT_ROW_PX : ROW_PX}
              sort={state.sort}
              onSort={(field) => change({ sort: nextSort(state.sort, field) })}
              onOpen={({ id }) => void navigate({ to, params: { id }, search: kind === 'lineItem' ? true : {} })}
              selection={canEdit ? { ids, change: onChoose } : null}
              onMore={list.onMore}
              openId={openId}
              {...(list.onRange === undefined ? {} : { onRange: list.onRange })}
              editing={editing}
            />
          )}
          {list.rows.length === 0 ? null : (
            <Group justify="space-between" mt={6}>
              <Text size="sm" c="dimmed" component="output">
                {say(count, { total: formatCount(list.total), count: list.total })}
              </Text>
              <Text className="screen-only" size="sm" c="dimmed" visibleFrom="sm">
                {say(editing === null ? 'desk.keys' : 'desk.keys_edit')}
              </Text>
            </Group>
          )}
        </div>
      )}
    </Stack>
  );
}

interface NoRowsProps extends Pick<ObjectTableProps<BookedObject>, 'kind' | 'newSearch' | 'change'> {
  readonly isNarrowed: boolean;
}

/** A word for why there are no rows, and what to do next. */
function NoRows({ kind, isNarrowed, newSearch, change }: NoRowsProps) {
  const canEdit = useCanEdit();
  const { empty, first, firstText } = TEXTS[kind];
  if (isNarrowed)
    return (
      <EmptyState text={say('desk.no_match')}>
        <Button variant="default" onClick={() => change({ ...UNFILTERED, tab: null })}>
          {say('desk.clear')}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState text={say(empty)}>
      {canEdit ? (
        <Button renderRoot={(rest) => <Link to={first} search={newSearch} {...rest} />}>{say(firstText)}</Button>
      ) : null}
    </EmptyState>
  );
}
