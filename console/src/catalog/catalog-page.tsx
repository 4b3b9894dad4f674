import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import type { CatalogKind, CatalogRow, CatalogRows } from '../api/catalog.ts';
import { usePageKey } from '../app/page-keys.ts';
import { useCanEdit } from '../app/session.ts';
import { nextSort } from '../desk/desk-state.ts';
import { CSV_KINDS } from '../csv/csv-kinds.ts';
import { DeskTable } from '../desk/desk-table.tsx';
import { ConflictDialog } from '../desk/later-parts.ts';
import { UndoButton } from '../desk/undo.tsx';
import { useCellContext } from '../desk/use-desk-list.ts';
import { useInlineEdit } from '../desk/use-inline-edit.tsx';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { later } from '../ui/later.tsx';
import { actionsOf, type BulkAction } from './bulk-actions.ts';
import { CatalogFilters } from './catalog-filters.tsx';
import { columnsOf, compactColumnOf, KINDS } from './catalog-kinds.tsx';
import { isNarrowed, NEW, toCatalogFilter } from './catalog-state.ts';
import { CsvTools } from './later-tools.ts';
import { ObjectPanel } from './object-panel.tsx';
import { useCatalogList, useCatalogState } from './use-catalog.ts';

const BulkDialog = later(async () => (await import('./bulk-dialog.tsx')).BulkDialog, ['catalog', 'desk', 'desk-table']);
const CatalogEditDialog = later(
  async () => (await import('./catalog-edit-dialog.tsx')).CatalogEditDialog,
  ['catalog', 'desk', 'desk-table'],
);

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
  const [action, setAction] = useState<BulkAction | 'edit' | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const isCompact = useMediaQuery(COMPACT, false, { getInitialValueInEffect: false });
  const canEdit = useCanEdit();
  const { editing, conflict, closeConflict } = useInlineEdit<CatalogRows[Kind]>(kind, ['catalog', kind]);
  const columns = useMemo(
    () => (isCompact ? [compactColumnOf(kind, currency)] : columnsOf(kind, currency)),
    [isCompact, kind, currency],
  );
  usePageKey('/', 'desk.search', () => searchRef.current?.focus());
  const csvKind = CSV_KINDS.find((one) => one === kind);
  const rows = list.rows ?? [];
  const selected = rows.filter(({ id }) => ids.has(id));
  const open = (id: string | null): void => change({ open: id });
  const done = (): void => {
    setAction(null);
    setIds(new Set());
  };
  return (
    <Page
      title={say(title)}
      lead={say(lead)}
      actions={
        canEdit ? (
          <Group gap="xs">
            <UndoButton />
            {isMadeHere ? (
              <Button leftSection={<Icon name="plus" size={16} />} onClick={() => open(NEW)}>
                {say('catalog.new')}
              </Button>
            ) : null}
          </Group>
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
                editing={canEdit && !isCompact ? editing : null}
              />
            )}
            {rows.length === 0 ? null : (
              <Group justify="space-between" mt={6}>
                <Text size="sm" c="dimmed" component="output">
                  {say('catalog.count', { shown: rows.length, total: list.total })}
                </Text>
                <Text size="sm" c="dimmed" visibleFrom="sm">
                  {say(canEdit ? (kind === 'creatives' ? 'catalog.keys_review' : 'desk.keys_edit') : 'catalog.keys')}
                </Text>
              </Group>
            )}
          </div>
        )}
        {selected.length === 0 ? null : (
          <BulkBar kind={kind} selected={selected} onAction={setAction} onClear={() => setIds(new Set())} />
        )}
      </Stack>
      {action === null ? null : action === 'edit' ? (
        <CatalogEditDialog kind={kind} rows={selected} onDone={done} onClose={() => setAction(null)} />
      ) : (
        <BulkDialog kind={kind} action={action} rows={selected} onDone={done} onClose={() => setAction(null)} />
      )}
      {conflict === null ? null : <ConflictDialog sides={conflict} onClose={closeConflict} />}
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
  onAction: (action: BulkAction | 'edit') => void;
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
        <Button size="xs" variant="default" onClick={() => onAction('edit')}>
          {say('bulk.edit')}
        </Button>
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
