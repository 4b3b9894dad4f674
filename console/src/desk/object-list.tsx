import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { type BookedObject, type Campaign, type LineItem, loadCampaigns, loadLineItems } from '../api/desk-list.ts';
import { type BookedKind, UPDATES_MAX } from '../api/desk-object.ts';
import { usePageKey } from '../app/page-keys.ts';
import { useCanEdit } from '../app/session.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { isFiltered, nextSort } from './desk-state.ts';
import { type DeskColumn, DeskTable } from './desk-table.tsx';
import {
  CAMPAIGN_COLUMNS,
  CAMPAIGN_USUAL,
  campaignColumns,
  type CellContext,
  compactCampaign,
  compactLineItem,
  LINE_ITEM_COLUMNS,
  LINE_ITEM_USUAL,
  lineItemColumns,
} from './list-columns.tsx';
import { ListFilters } from './list-filters.tsx';
import { StatusDialog } from './status-dialog.tsx';
import { ACTION_TEXTS, canAct, planStatus, type StatusAction, type StatusPlan } from './status-plan.ts';
import { useCellContext, useDeskList, useDeskState } from './use-desk-list.ts';

const ROW_PX = 46;
const COMPACT_ROW_PX = 84;
const COMPACT = '(max-width: 48em)';

/** Line items: all, or those of one campaign. */
export function LineItemList({ campaignId }: { readonly campaignId?: string }) {
  const context = useCellContext();
  const columns = useMemo(() => lineItemColumns(context), [context]);
  const usual = campaignId === undefined ? LINE_ITEM_USUAL : USUAL_IN_CAMPAIGN;
  return (
    <ObjectList<LineItem>
      kind="lineItem"
      columns={columns}
      compact={compactLineItem(context)}
      all={LINE_ITEM_COLUMNS}
      usual={usual}
      source={{
        name: 'lineItems',
        load: loadLineItems,
        ...(campaignId === undefined ? {} : { narrow: { campaignIds: [campaignId] } }),
      }}
    />
  );
}

const USUAL_IN_CAMPAIGN = LINE_ITEM_USUAL.filter((id) => id !== 'campaign' && id !== 'advertiser');

/** All campaigns. */
export function CampaignList() {
  const context: CellContext = useCellContext();
  const columns = useMemo(() => campaignColumns(context), [context]);
  return (
    <ObjectList<Campaign>
      kind="campaign"
      columns={columns}
      compact={compactCampaign(context)}
      all={CAMPAIGN_COLUMNS}
      usual={CAMPAIGN_USUAL}
      source={{ name: 'campaigns', load: loadCampaigns }}
    />
  );
}

interface ObjectListProps<Row extends BookedObject> {
  readonly kind: BookedKind;
  readonly columns: ReadonlyMap<string, DeskColumn<Row>>;
  readonly compact: DeskColumn<Row>;
  readonly all: readonly string[];
  readonly usual: readonly string[];
  readonly source: Parameters<typeof useDeskList<Row>>[1];
}

const TEXTS = {
  lineItem: { label: 'nav.line_items', empty: 'line_items.empty', count: 'desk.count', to: '/desk/line-items/$id' },
  campaign: {
    label: 'nav.campaigns',
    empty: 'campaigns.empty',
    count: 'desk.count_campaigns',
    to: '/desk/campaigns/$id',
  },
} as const;

/** A table of booked objects with its filters, its choice of rows, and what can be done with them. */
function ObjectList<Row extends BookedObject>({ kind, columns, compact, all, usual, source }: ObjectListProps<Row>) {
  const [state, change] = useDeskState(all);
  const list = useDeskList<Row>(state, source);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const searchRef = useRef<HTMLInputElement>(null);
  const isCompact = useMediaQuery(COMPACT, false, { getInitialValueInEffect: false });
  const canEdit = useCanEdit();
  const navigate = useNavigate();
  usePageKey('/', 'desk.search', () => searchRef.current?.focus());
  const shown = ['name', ...all.filter((id) => (state.columns ?? usual).includes(id))];
  const { label, empty, count, to } = TEXTS[kind];
  const rows = list.rows ?? [];
  const selected = rows.filter(({ id }) => ids.has(id));
  const isNarrowed = isFiltered(state);
  return (
    <Stack gap="sm">
      <ListFilters
        state={state}
        change={change}
        searchRef={searchRef}
        columns={{ all, usual }}
        hasCampaigns={kind === 'lineItem' && source.narrow === undefined}
        isCompact={isCompact}
      />
      <ProblemAlert error={list.error} onRetry={list.refetch} />
      {list.isPending ? <LoadingPage /> : null}
      {list.rows === undefined ? null : (
        <div aria-busy={list.isStale}>
          {rows.length === 0 ? (
            <Text c="dimmed" py="md" component="output" display="block">
              {say(isNarrowed ? 'desk.no_match' : empty)}
            </Text>
          ) : (
            <DeskTable
              label={say(label)}
              columns={isCompact ? [compact] : shown.flatMap((id) => columns.get(id) ?? [])}
              rows={rows}
              total={list.total}
              rowHeightPx={isCompact ? COMPACT_ROW_PX : ROW_PX}
              sort={state.sort}
              onSort={(field) => change({ sort: nextSort(state.sort, field) })}
              onOpen={({ id }) => void navigate({ to, params: { id }, search: {} })}
              selection={canEdit ? { ids, change: setIds } : null}
              onMore={list.onMore}
            />
          )}
          {rows.length === 0 ? null : (
            <Group justify="space-between" mt={6}>
              <Text size="sm" c="dimmed" component="output">
                {say(count, { shown: rows.length, total: list.total, count: list.total })}
              </Text>
              <Text size="sm" c="dimmed" visibleFrom="sm">
                {say('desk.keys')}
              </Text>
            </Group>
          )}
        </div>
      )}
      {selected.length === 0 ? null : <BulkBar kind={kind} selected={selected} onClear={() => setIds(new Set())} />}
    </Stack>
  );
}

/** What can be done with the chosen rows. */
function BulkBar({
  kind,
  selected,
  onClear,
}: {
  readonly kind: BookedKind;
  readonly selected: readonly BookedObject[];
  onClear: () => void;
}) {
  const [plan, setPlan] = useState<StatusPlan | null>(null);
  const chosen = selected.slice(0, UPDATES_MAX);
  const done = (): void => {
    setPlan(null);
    onClear();
  };
  return (
    <Paper
      withBorder
      shadow="md"
      p="xs"
      className="desk-bulk"
      component="section"
      aria-label={say('desk.selected', { count: selected.length })}
    >
      <Group gap="xs">
        <Text fw={600} component="output">
          {say('desk.selected', { count: selected.length })}
        </Text>
        <StatusButtons targets={chosen} onPlan={setPlan} />
        <Button size="xs" variant="subtle" onClick={onClear}>
          {say('desk.unselect')}
        </Button>
      </Group>
      {plan === null ? null : <StatusDialog kind={kind} plan={plan} onDone={done} onClose={() => setPlan(null)} />}
    </Paper>
  );
}

const ACTIONS: readonly StatusAction[] = ['pause', 'resume'];
const ICONS = { pause: 'pause', resume: 'play' } as const;

/** The changes of status that do something to the objects. */
export function StatusButtons({
  targets,
  onPlan,
}: {
  readonly targets: readonly BookedObject[];
  onPlan: (plan: StatusPlan) => void;
}) {
  return ACTIONS.filter((action) => canAct(action, targets)).map((action) => (
    <Button
      key={action}
      size="xs"
      variant="default"
      leftSection={<Icon name={ICONS[action]} size={14} />}
      onClick={() => onPlan(planStatus(action, targets))}
    >
      {say(ACTION_TEXTS[action].verb)}
    </Button>
  ));
}
