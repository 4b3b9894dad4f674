import { Button, Group, Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteSavedView, type SavedView } from '../api/reports/saved-views.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { savedViewsKey, useSavedViews } from '../saved-views/use-saved-views.ts';
import { say } from '../messages/say.ts';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { later } from '../ui/later.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { WidgetGrid } from './widget-grid.tsx';
import { WIDGET_KINDS } from './widget-kinds.tsx';
import { readWidgets, type KnownViews } from './widgets.ts';

const DashboardEditor = later(async () => (await import('./dashboard-editor.tsx')).DashboardEditor, []);
const UndoButton = later(async () => (await import('../changes/undo.tsx')).UndoButton, ['desk']);

/** Widgets side by side. */
export function DashboardsPage() {
  const { environment, networkId } = useDeskScope();
  return <Dashboards key={`${environment}/${networkId}`} />;
}

type Open = 'new' | 'edit' | 'delete' | null;

function Dashboards() {
  const scope = useDeskScope();
  const { dashboard: wanted } = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const saved = useSavedViews(scope);
  const views = saved.data ?? [];
  const dashboards = views.filter((view) => view.kind === 'dashboard');
  const chosen = dashboards.find((one) => one.id === wanted) ?? dashboards[0] ?? null;
  const go = (id: string): void =>
    void navigate({
      to: '/dashboards',
      search: (previous: AppSearch) => ({ ...previous, dashboard: id }) as AppSearch,
    });
  const isEditing = open === 'new' || (open === 'edit' && chosen !== null);
  return (
    <Page
      title={say('nav.dashboards')}
      lead={say('dashboards.lead')}
      {...(isEditing
        ? {}
        : { actions: <Actions dashboards={dashboards} chosen={chosen} onChoose={go} onOpen={setOpen} /> })}
    >
      <ProblemAlert error={saved.error} onRetry={() => void saved.refetch()} />
      {saved.isPending ? <LoadingPage /> : null}
      {isEditing ? (
        <DashboardEditor
          scope={scope}
          views={views}
          dashboard={open === 'new' ? null : chosen}
          onSaved={(id) => {
            setOpen(null);
            go(id);
          }}
          onClose={() => setOpen(null)}
        />
      ) : saved.data === undefined ? null : chosen === null ? (
        <EmptyState text={say('dashboards.empty')}>
          <Button onClick={() => setOpen('new')}>{say('dashboards.new')}</Button>
        </EmptyState>
      ) : (
        <WidgetGrid key={chosen.id} widgets={readWidgets(chosen.body, WIDGET_KINDS)} views={views} />
      )}
      {open === 'delete' && chosen !== null ? <DeleteDialog dashboard={chosen} onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

function Actions({
  dashboards,
  chosen,
  onChoose,
  onOpen,
}: {
  readonly dashboards: KnownViews;
  readonly chosen: SavedView | null;
  onChoose: (id: string) => void;
  onOpen: (open: Open) => void;
}) {
  return (
    <Group>
      <UndoButton />
      {chosen === null ? null : (
        <Select
          aria-label={say('dashboards.choose')}
          data={dashboards.map((one) => ({ value: one.id, label: one.name }))}
          value={chosen.id}
          allowDeselect={false}
          onChange={(id) => (id === null ? undefined : onChoose(id))}
        />
      )}
      {chosen?.own === true ? (
        <>
          <Button variant="default" onClick={() => onOpen('edit')}>
            {say('action.edit')}
          </Button>
          <Button variant="default" onClick={() => onOpen('delete')}>
            {say('action.delete')}
          </Button>
        </>
      ) : null}
      {chosen === null ? null : <Button onClick={() => onOpen('new')}>{say('dashboards.new')}</Button>}
    </Group>
  );
}

function DeleteDialog({ dashboard, onClose }: { readonly dashboard: SavedView; onClose: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => deleteSavedView(scope, dashboard.id),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: savedViewsKey(scope) });
    },
  });
  return (
    <ConfirmByName
      title={say('dashboards.delete')}
      text={say('dashboards.delete_text')}
      name={dashboard.name}
      action={say('action.delete')}
      isPending={deleting.isPending}
      error={deleting.error}
      onConfirm={() => deleting.mutate()}
      onClose={onClose}
    />
  );
}
