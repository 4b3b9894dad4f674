import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  MultiSelect,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Scope } from '../api/scope.ts';
import {
  createSavedView,
  deleteSavedView,
  listSavedViews,
  type SavedView,
  updateSavedView,
} from '../api/saved-views.ts';
import { type AppSearch, parseSearch } from '../app/app-search.ts';
import { useScope } from '../app/session.ts';
import { say } from '../messages/say.ts';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { LensResults } from './lens-results.tsx';
import { readLensParams } from './lens-state.ts';
import type { ReportModel } from './report-model.ts';
import { savedViewsKey } from './saved-views-menu.tsx';
import { modelQuery, useLensReports } from './use-lens.ts';
import { isViewOf } from './view-page.ts';

/** Saved views side by side. */
export function DashboardsPage() {
  const { networkId, environment } = useScope();
  const scope: Scope = { networkId, environment };
  const { dashboard: wanted } = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<'new' | 'edit' | 'delete' | null>(null);
  const client = useQueryClient();
  const saved = useQuery({
    queryKey: savedViewsKey(scope),
    queryFn: ({ signal }) => listSavedViews(scope, signal),
    staleTime: 30_000,
  });
  const model = useQuery(modelQuery(scope));
  const all = saved.data ?? [];
  const dashboards = all.filter((view) => view.kind === 'dashboard');
  const chosen = dashboards.find((one) => one.id === wanted) ?? dashboards[0] ?? null;
  const go = (id: string): void =>
    void navigate({
      to: '/dashboards',
      search: (previous: AppSearch) => ({ ...previous, dashboard: id }) as AppSearch,
    });
  const deleting = useMutation({
    mutationFn: (id: string) => deleteSavedView(scope, id),
    onSuccess: async () => {
      setDialog(null);
      await client.invalidateQueries({ queryKey: savedViewsKey(scope) });
    },
  });
  const actions = (
    <Group>
      {dashboards.length === 0 ? null : (
        <Select
          aria-label={say('dashboards.choose')}
          data={dashboards.map((one) => ({ value: one.id, label: one.name }))}
          value={chosen?.id ?? null}
          allowDeselect={false}
          onChange={(id) => (id === null ? undefined : go(id))}
        />
      )}
      {chosen?.own === true ? (
        <>
          <Button variant="default" onClick={() => setDialog('edit')}>
            {say('action.edit')}
          </Button>
          <Button variant="default" onClick={() => setDialog('delete')}>
            {say('action.delete')}
          </Button>
        </>
      ) : null}
      <Button onClick={() => setDialog('new')}>{say('dashboards.new')}</Button>
    </Group>
  );
  return (
    <Page title={say('nav.dashboards')} lead={say('dashboards.lead')} actions={actions}>
      <ProblemAlert error={saved.error ?? model.error} />
      {saved.isPending || model.isPending ? <LoadingPage /> : null}
      {saved.data !== undefined && chosen === null ? <Text>{say('dashboards.empty')}</Text> : null}
      {chosen === null || model.data === undefined ? null : (
        <Tiles ids={chosen.body.views ?? []} views={all} model={model.data} />
      )}
      {dialog === 'new' || (dialog === 'edit' && chosen !== null) ? (
        <EditDialog
          scope={scope}
          views={all.filter((view) => isViewOf(view, null))}
          dashboard={dialog === 'edit' ? chosen : null}
          onSaved={go}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog === 'delete' && chosen !== null ? (
        <ConfirmByName
          title={say('dashboards.delete')}
          text={say('dashboards.delete_text')}
          name={chosen.name}
          action={say('action.delete')}
          isPending={deleting.isPending}
          error={deleting.error}
          onConfirm={() => deleting.mutate(chosen.id)}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </Page>
  );
}

function Tiles({
  ids,
  views,
  model,
}: {
  readonly ids: readonly string[];
  readonly views: readonly SavedView[];
  readonly model: ReportModel;
}) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {ids.map((id) => {
        const view = views.find((one) => one.id === id);
        return view === undefined ? (
          <Paper key={id} withBorder p="md">
            <Text c="dimmed">{say('dashboards.gone')}</Text>
          </Paper>
        ) : (
          <Tile key={id} view={view} model={model} />
        );
      })}
    </SimpleGrid>
  );
}

function Tile({ view, model }: { readonly view: SavedView; readonly model: ReportModel }) {
  const search = view.body.search ?? '';
  const params = useMemo(() => parseSearch(search), [search]);
  const state = useMemo(() => readLensParams(params), [params]);
  const reports = useLensReports(state);
  return (
    <Paper withBorder p="md" component="section" aria-label={view.name} miw={0}>
      <Stack gap="xs">
        <Title order={2} size="h3">
          <Anchor inherit renderRoot={(props) => <Link to="/lens" search={params} {...props} />}>
            {view.name}
          </Anchor>
        </Title>
        <LensResults state={state} model={model} reports={reports} title={view.name} onPick={null} onSort={null} />
      </Stack>
    </Paper>
  );
}

interface EditProps {
  readonly scope: Scope;
  readonly views: readonly SavedView[];
  readonly dashboard: SavedView | null;
  onSaved: (id: string) => void;
  onClose: () => void;
}

function EditDialog({ scope, views, dashboard, onSaved, onClose }: EditProps) {
  const [name, setName] = useState(dashboard?.name ?? '');
  const [shared, setShared] = useState(dashboard?.shared ?? false);
  const [ids, setIds] = useState<readonly string[]>(dashboard?.body.views ?? []);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const input = { kind: 'dashboard' as const, name, shared, body: { views: ids } };
      return dashboard === null ? createSavedView(scope, input) : updateSavedView(scope, dashboard, input);
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: savedViewsKey(scope) });
      onSaved(saved.id);
      onClose();
    },
  });
  const move = (from: number, by: -1 | 1): void => {
    const next = [...ids];
    const [moved] = next.splice(from, 1);
    if (moved !== undefined) next.splice(from + by, 0, moved);
    setIds(next);
  };
  const nameOf = (id: string): string => views.find((view) => view.id === id)?.name ?? say('dashboards.gone');
  return (
    <FormDialog
      title={say(dashboard === null ? 'dashboards.new' : 'dashboards.edit')}
      action={say('action.save')}
      submission={saving}
      onClose={onClose}
    >
      <NameField value={name} error={saving.error} onChange={setName} />
      <MultiSelect
        label={say('dashboards.views')}
        description={views.length === 0 ? say('dashboards.no_views') : undefined}
        data={views.map((view) => ({ value: view.id, label: view.name }))}
        value={[...ids]}
        onChange={setIds}
        searchable
        maxValues={24}
        hidePickedOptions
      />
      {ids.map((id, index) => (
        <Group key={id} justify="space-between">
          <span>{nameOf(id)}</span>
          <Group gap={4}>
            <ActionIcon
              aria-label={say('dashboards.up', { name: nameOf(id) })}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            >
              <Icon name="up" />
            </ActionIcon>
            <ActionIcon
              aria-label={say('dashboards.down', { name: nameOf(id) })}
              disabled={index === ids.length - 1}
              onClick={() => move(index, 1)}
            >
              <Icon name="down" />
            </ActionIcon>
          </Group>
        </Group>
      ))}
      <Switch
        label={say('views.shared')}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
