import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import type { CatalogKind, CatalogRow } from '../api/catalog.ts';
import { UPDATES_MAX } from '../api/desk-object.ts';
import { usePageKey } from '../app/page-keys.ts';
import { useCanEdit } from '../app/session.ts';
import { nextSort } from '../desk/desk-state.ts';
import { CSV_KINDS } from '../csv/csv-kinds.ts';
import { DeskTable } from '../desk/desk-table.tsx';
import { useCellContext } from '../desk/use-desk-list.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { actionsOf, type BulkAction, changingOf } from './bulk-actions.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { CatalogFilters } from './catalog-filters.tsx';
import { columnsOf, compactColumnOf, KINDS } from './catalog-kinds.tsx';
import { isNarrowed, NEW, toCatalogFilter } from './catalog-state.ts';
import { CsvTools } from './later-tools.ts';
import { ObjectPanel } from './object-panel.tsx';
import { useCatalogList, useCatalogState } from './use-catalog.ts';

const ROW_PX = 46;
const COMPACT_ROW_PX = 84;
const COMPACT = '(max-width: 48em)';

/** The table of one kind, with its filters, its side panel, and what can be done with chosen rows. */
function CatalogPage<Kind extends CatalogKind>({ kind }: { readonly kind: Kind }) {
  const { title, lead, empty, isMadeHere } = KINDS[kind];
  const { currency } = useCellContext();
  const [state, change] = useCatalogState();
  const list = useCatalogList(kind, state);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [action, setAction] = useState<BulkAction | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const isCompact = useMediaQuery(COMPACT, false, { getInitialValueInEffect: false });
  const canEdit = useCanEdit();
  const columns = useMemo(
    () => (isCompact ? [compactColumnOf(kind, currency)] : columnsOf(kind, currency)),
    [isCompact, kind, currency],
  );
  usePageKey('/', 'desk.search', () => searchRef.current?.focus());
  const csvKind = CSV_KINDS.find((one) => one === kind);
  const rows = list.rows ?? [];
  const selected = rows.filter(({ id }) => ids.has(id)).slice(0, UPDATES_MAX);
  const open = (id: string | null): void => change({ open: id });
  return (
    <Page
      title={say(title)}
      lead={say(lead)}
      actions={
        canEdit && isMadeHere ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open(NEW)}>
            {say('catalog.new')}
          </Button>
        ) : null
      }
    >
      <Stack gap="sm">
        <CatalogFilters kind={kind} state={state} change={change} searchRef={searchRef} />
        {csvKind === undefined ? null : (
          <CsvTools kind={csvKind} filter={toCatalogFilter(state, KINDS[kind].statuses)} />
        )}
        <ProblemAlert error={list.error} onRetry={list.refetch} />
        {list.isPending ? <LoadingPage /> : null}
        {list.rows === undefined ? null : (
          <div aria-busy={list.isStale}>
            {rows.length === 0 ? (
              <Text c="dimmed" py="md" component="output" display="block">
                {say(isNarrowed(state) ? 'desk.no_match' : empty)}
              </Text>
            ) : (
              <DeskTable
                label={say(title)}
                columns={columns}
                rows={rows}
                total={list.total}
                rowHeightPx={isCompact ? COMPACT_ROW_PX : ROW_PX}
                sort={state.sort}
                onSort={(field) => change({ sort: nextSort(state.sort, field) })}
                onOpen={({ id }) => open(id)}
                selection={canEdit ? { ids, change: setIds } : null}
                onMore={list.onMore}
              />
            )}
            {rows.length === 0 ? null : (
              <Group justify="space-between" mt={6}>
                <Text size="sm" c="dimmed" component="output">
                  {say('catalog.count', { shown: rows.length, total: list.total })}
                </Text>
                <Text size="sm" c="dimmed" visibleFrom="sm">
                  {say(kind === 'creatives' && canEdit ? 'catalog.keys_review' : 'catalog.keys')}
                </Text>
              </Group>
            )}
          </div>
        )}
        {selected.length === 0 ? null : (
          <BulkBar kind={kind} selected={selected} onAction={setAction} onClear={() => setIds(new Set())} />
        )}
      </Stack>
      {action === null ? null : (
        <BulkDialog
          kind={kind}
          action={action}
          rows={changingOf(action, selected)}
          onDone={() => {
            setAction(null);
            setIds(new Set());
          }}
          onClose={() => setAction(null)}
        />
      )}
      {state.open === null ? null : (
        <ObjectPanel kind={kind} id={state.open} onOpen={open} onClose={() => open(null)} />
      )}
    </Page>
  );
}

function BulkBar({
  kind,
  selected,
  onAction,
  onClear,
}: {
  readonly kind: CatalogKind;
  readonly selected: readonly CatalogRow[];
  onAction: (action: BulkAction) => void;
  onClear: () => void;
}) {
  const able = actionsOf(kind).filter(({ from, field }) =>
    selected.some((row) => from.includes(String(Reflect.get(row, field)))),
  );
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
        {able.map((action) => (
          <Button key={action.verb} size="xs" variant="default" onClick={() => onAction(action)}>
            {say(action.verb)}
          </Button>
        ))}
        <Button size="xs" variant="subtle" onClick={onClear}>
          {say('desk.unselect')}
        </Button>
        {able.map((action) =>
          action.key === null ? null : <ActionKey key={action.verb} action={action} onAction={onAction} />,
        )}
      </Group>
    </Paper>
  );
}

function ActionKey({ action, onAction }: { readonly action: BulkAction; onAction: (action: BulkAction) => void }) {
  usePageKey(action.key ?? '', action.verb, () => onAction(action));
  return null;
}

export const AdvertisersPage = () => <CatalogPage kind="advertisers" />;
export const CreativesPage = () => <CatalogPage kind="creatives" />;
export const SitesPage = () => <CatalogPage kind="sites" />;
export const AdUnitsPage = () => <CatalogPage kind="adUnits" />;
export const FloorsPage = () => <CatalogPage kind="floors" />;
export const DealsPage = () => <CatalogPage kind="deals" />;
export const SegmentsPage = () => <CatalogPage kind="segments" />;
export const ActivitiesPage = () => <CatalogPage kind="activities" />;
export const KeyValuesPage = () => <CatalogPage kind="keyValues" />;
export const ProductsPage = () => <CatalogPage kind="advertisingProducts" />;
