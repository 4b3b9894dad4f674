import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useRef, useState } from 'react';
import { loadBulkCatalog } from '../api/bookings/bulk-rows.ts';
import type { CatalogFilter, CatalogKind, CatalogRows } from '../api/bookings/catalog.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { usePageKey } from '../ui/page-keys.ts';
import { useCanEdit } from '../session/session.ts';
import { type Chosen, countChosen, NONE_CHOSEN, readChosen } from '../tables/chosen.ts';
import { Reading, SelectAll } from '../tables/chosen-parts.tsx';
import { formatCount } from '../format/desk-format.ts';
import { nextSort } from '../tables/desk-state.ts';
import type { CellEditing } from '../tables/desk-columns.ts';
import { CSV_KINDS } from '../csv/format/csv-kinds.ts';
import { DeskTable } from '../tables/desk-table.tsx';
import { ConflictDialog } from '../changes/later-changes.ts';
import { UndoButton } from '../changes/undo.tsx';
import { useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useInlineEdit } from '../changes/use-inline-edit.tsx';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { later } from '../ui/later.tsx';
import { actionsOf, type BulkAction, changingOf } from './bulk-actions.ts';
import { CatalogFilters } from './catalog-filters.tsx';
import { columnsOf, compactColumnOf, KINDS } from './catalog-kinds.tsx';
import { type CatalogState, isNarrowed, NEW, toCatalogFilter, UNNARROWED } from './catalog-state.ts';
import { Gallery, GalleryTools, type DrawnKind, isDrawn } from './gallery.tsx';
import { CsvMenu } from './later-tools.ts';
import { useCatalogList, useCatalogState } from './use-catalog.ts';

const ObjectPanel = later(
  async () => (await import('./object-panel.tsx')).ObjectPanel,
  ['catalog', 'desk', 'desk-table'],
);
const BulkDialog = later(async () => (await import('./bulk-dialog.tsx')).BulkDialog, ['catalog', 'desk', 'desk-table']);
const CatalogEditDialog = later(
  async () => (await import('./catalog-edit-dialog.tsx')).CatalogEditDialog,
  ['catalog', 'desk', 'desk-table'],
);

const FloorSuggestions = later(
  async () => (await import('./floor-suggestions.tsx')).FloorSuggestions,
  ['catalog', 'desk', 'desk-table'],
);

const ROW_PX = 46;
const COMPACT_ROW_PX = 84;
const COMPACT = '(max-width: 48em)';

/** The table of one kind, with its filters, its side panel, and what can be done with chosen rows. */
function CatalogPage<Kind extends CatalogKind>({ kind }: { readonly kind: Kind }) {
  const { title, lead, isMadeHere } = KINDS[kind];
  const [state, change] = useCatalogState();
  const list = useCatalogList(kind, state);
  const [chosen, setChosen] = useState<Chosen>(NONE_CHOSEN);
  const [step, setStep] = useState<Step<CatalogRows[Kind]> | null>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const canEdit = useCanEdit();
  const { editing, conflict, closeConflict } = useInlineEdit<CatalogRows[Kind]>(kind, ['catalog', kind]);
  usePageKey('/', 'desk.search', () => searchRef.current?.focus());
  const rows = list.rows ?? [];
  // Then its only button stands with the words for it.
  const isEmpty = list.rows?.length === 0 && !isNarrowed(state);
  const filter = toCatalogFilter(state, KINDS[kind].statuses);
  const open = (id: string | null): void => change({ open: id });
  const done = (): void => {
    setStep(null);
    setChosen(NONE_CHOSEN);
  };
  return (
    <Page
      title={say(title)}
      lead={say(lead)}
      actions={canEdit ? <PageActions isMadeHere={isMadeHere && !isEmpty} onNew={() => open(NEW)} /> : null}
    >
      <Stack gap="sm">
        {kind === 'floors' ? <FloorSuggestions /> : null}
        <CatalogFilters
          kind={kind}
          state={state}
          change={change}
          searchRef={searchRef}
          tools={<Tools kind={kind} state={state} change={change} />}
        />
        <ProblemAlert error={list.error} onRetry={list.refetch} />
        {list.isPending ? <LoadingPage /> : null}
        <CatalogTable
          kind={kind}
          list={list}
          state={state}
          change={change}
          chosen={chosen}
          onChoose={setChosen}
          editing={editing}
        />
        {chosen.ids.size === 0 ? null : (
          <BulkBar
            kind={kind}
            chosen={chosen}
            loaded={rows}
            filter={filter}
            total={list.total}
            onChoose={setChosen}
            onStep={setStep}
          />
        )}
      </Stack>
      {step === null ? null : step.action === 'edit' ? (
        <CatalogEditDialog kind={kind} rows={step.rows} onDone={done} onClose={() => setStep(null)} />
      ) : (
        <BulkDialog kind={kind} action={step.action} rows={step.rows} onDone={done} onClose={() => setStep(null)} />
      )}
      {conflict === null ? null : <ConflictDialog sides={conflict} onClose={closeConflict} />}
      {state.open === null ? null : (
        <ObjectPanel kind={kind} id={state.open} onOpen={open} onClose={() => open(null)} />
      )}
    </Page>
  );
}

/** Further tools of the table of a kind. */
function Tools({
  kind,
  state,
  change,
}: { readonly kind: CatalogKind } & Omit<Parameters<typeof GalleryTools>[0], 'kind'>) {
  const csvKind = CSV_KINDS.find((one) => one === kind);
  if (isDrawn(kind)) return <GalleryTools kind={kind} state={state} change={change} />;
  if (csvKind === undefined) return null;
  return <CsvMenu kind={csvKind} tab={null} filter={toCatalogFilter(state, KINDS[kind].statuses)} />;
}

function PageActions({ isMadeHere, onNew }: { readonly isMadeHere: boolean; onNew: () => void }) {
  return (
    <Group gap="xs">
      <UndoButton />
      {isMadeHere ? <NewButton onNew={onNew} /> : null}
    </Group>
  );
}

function NewButton({ onNew }: { onNew: () => void }) {
  return (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={onNew}>
      {say('catalog.new')}
    </Button>
  );
}

/** The rows, or a word for when there are none, and how many there are. */
function CatalogTable<Kind extends CatalogKind>({
  kind,
  list,
  state,
  change,
  chosen,
  onChoose,
  editing,
}: {
  readonly kind: Kind;
  readonly list: ReturnType<typeof useCatalogList<Kind>>;
  readonly state: CatalogState;
  change: (next: Partial<CatalogState>) => void;
  readonly chosen: Chosen;
  onChoose: (chosen: Chosen) => void;
  readonly editing: CellEditing<CatalogRows[Kind]>;
}) {
  const { title } = KINDS[kind];
  const { currency } = useCellContext();
  const canEdit = useCanEdit();
  const isCompact = useMediaQuery(COMPACT, false, { getInitialValueInEffect: false });
  const columns = useMemo(
    () => (isCompact ? [compactColumnOf(kind, currency)] : columnsOf(kind, currency)),
    [isCompact, kind, currency],
  );
  const { rows, total } = list;
  if (rows === undefined) return null;
  if (rows.length === 0)
    return (
      <div aria-busy={list.isStale}>
        <NoRows kind={kind} state={state} change={change} />
      </div>
    );
  if (state.isGallery && isDrawn(kind))
    return (
      <div aria-busy={list.isStale}>
        <Gallery kind={kind} rows={rows as readonly CatalogRows[DrawnKind][]} onMore={list.onMore} />
        <Count shown={rows.length} total={total} />
      </div>
    );
  return (
    <div aria-busy={list.isStale}>
      <DeskTable
        label={say(title)}
        columns={columns}
        rows={rows}
        total={total}
        rowHeightPx={isCompact ? COMPACT_ROW_PX : ROW_PX}
        sort={state.sort}
        onSort={(field) => change({ sort: nextSort(state.sort, field) })}
        onOpen={({ id }) => change({ open: id })}
        selection={canEdit ? { ids: chosen.ids, change: (ids) => onChoose({ ids, isAll: false }) } : null}
        onMore={list.onMore}
        editing={canEdit && !isCompact ? editing : null}
      />
      <Group justify="space-between" mt={6}>
        <Count shown={rows.length} total={total} />
        <Text className="screen-only" size="sm" c="dimmed" visibleFrom="sm">
          {say(canEdit ? (isDrawn(kind) ? 'catalog.keys_review' : 'desk.keys_edit') : 'catalog.keys')}
        </Text>
      </Group>
    </div>
  );
}

/** Says why there are no rows, with the one next step. */
function NoRows({
  kind,
  state,
  change,
}: { readonly kind: CatalogKind } & Omit<Parameters<typeof GalleryTools>[0], 'kind'>) {
  const { empty, isMadeHere } = KINDS[kind];
  const canEdit = useCanEdit();
  if (isNarrowed(state))
    return (
      <EmptyState text={say('desk.no_match')}>
        <Button variant="default" onClick={() => change(UNNARROWED)}>
          {say('desk.clear')}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState text={say(empty)}>
      {canEdit && isMadeHere ? <NewButton onNew={() => change({ open: NEW })} /> : null}
    </EmptyState>
  );
}

function Count({ shown, total }: { readonly shown: number; readonly total: number }) {
  return (
    <Text size="sm" c="dimmed" component="output">
      {say('catalog.count', { shown, total })}
    </Text>
  );
}

/** What is done to which rows. */
interface Step<Row> {
  readonly action: BulkAction | 'edit';
  readonly rows: readonly Row[];
}

/** What can be done with the chosen objects; their rows are read when something is to be done. */
function BulkBar<Kind extends CatalogKind>({
  kind,
  chosen,
  loaded,
  filter,
  total,
  onChoose,
  onStep,
}: {
  readonly kind: Kind;
  readonly chosen: Chosen;
  readonly loaded: readonly CatalogRows[Kind][];
  readonly filter: CatalogFilter;
  readonly total: number;
  onChoose: (chosen: Chosen) => void;
  onStep: (step: Step<CatalogRows[Kind]>) => void;
}) {
  const scope = useDeskScope();
  const [reading, setReading] = useState<number | null>(null);
  const seen = loaded.filter(({ id }) => chosen.ids.has(id));
  const isSeen = !chosen.isAll && seen.length === chosen.ids.size;
  const able = actionsOf(kind).filter((action) => !isSeen || changingOf(action, seen).length > 0);
  const begin = async (action: BulkAction | 'edit'): Promise<void> => {
    setReading(0);
    try {
      const rows = await readChosen<CatalogRows[Kind]>(chosen, {
        loaded,
        loadAll: (max) => loadBulkCatalog(scope, { kind, filter }, { max, onProgress: setReading }),
        loadIds: (ids) => loadBulkCatalog(scope, { kind, filter: { ids } }, { max: ids.length }),
      });
      onStep({ action, rows });
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
    setReading(null);
  };
  const isBusy = reading !== null;
  const text = say('desk.selected', { count: formatCount(countChosen(chosen, total)) });
  return (
    <Paper withBorder shadow="md" p="xs" className="desk-bulk" component="section" aria-label={text}>
      <Group gap="xs">
        <Text fw={600} component="output">
          {text}
        </Text>
        <SelectAll chosen={chosen} total={total} onChoose={onChoose} />
        {able.map((action) => (
          <Button key={action.verb} size="xs" variant="default" disabled={isBusy} onClick={() => void begin(action)}>
            {say(action.verb)}
          </Button>
        ))}
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void begin('edit')}>
          {say('bulk.edit')}
        </Button>
        <Button size="xs" variant="subtle" onClick={() => onChoose(NONE_CHOSEN)}>
          {say('desk.unselect')}
        </Button>
        <Reading count={reading} />
        {able.map((action) =>
          action.key === null ? null : (
            <ActionKey key={action.verb} action={action} onAction={(one) => void begin(one)} />
          ),
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
export const LibraryPage = () => <CatalogPage kind="libraryCreatives" />;
export const SitesPage = () => <CatalogPage kind="sites" />;
export const AdUnitsPage = () => <CatalogPage kind="adUnits" />;
export const FloorsPage = () => <CatalogPage kind="floors" />;
export const DealsPage = () => <CatalogPage kind="deals" />;
export const SegmentsPage = () => <CatalogPage kind="segments" />;
export const ActivitiesPage = () => <CatalogPage kind="activities" />;
export const KeyValuesPage = () => <CatalogPage kind="keyValues" />;
export const ProductsPage = () => <CatalogPage kind="advertisingProducts" />;
export const AreasPage = () => <CatalogPage kind="areas" />;
export const TargetingPresetsPage = () => <CatalogPage kind="targetingPresets" />;
export const TeamsPage = () => <CatalogPage kind="teams" />;
export const CustomFieldsPage = () => <CatalogPage kind="customFields" />;
