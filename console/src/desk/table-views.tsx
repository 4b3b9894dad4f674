import { Button, Menu, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createSavedView, deleteSavedView, type SavedView } from '../api/reports/saved-views.ts';
import { type AppSearch, parseSearch, stringifySearch } from '../session/app-search.ts';
import { savedViewsKey, useSavedViews } from '../saved-views/use-saved-views.ts';
import { isViewOf, TABLE_PARAM } from '../saved-views/view-page.ts';
import { say } from '../messages/say.ts';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { DESK_PARAMS, type DeskState, writeDeskParams } from '../tables/desk-state.ts';
import { useDeskScope } from '../session/desk-scope.ts';

/** Opens, saves and deletes views of a table: its filters, order and columns under a name, shared as views of the Lens are. */
export function TableViews({
  table,
  state,
}: {
  readonly table: 'line-items' | 'campaigns';
  readonly state: DeskState;
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isSaving, setSaving] = useState(false);
  const saved = useSavedViews(scope);
  const views = (saved.data ?? []).filter((view) => isViewOf(view, table));
  const deleting = useMutation({
    mutationFn: (view: SavedView) => deleteSavedView(scope, view.id),
    onSettled: () => client.invalidateQueries({ queryKey: savedViewsKey(scope) }),
  });
  const open = ({ body }: SavedView): void => {
    const { [TABLE_PARAM]: _table, ...search } = parseSearch(body.search ?? '');
    void navigate({
      to: '.',
      search: (previous: AppSearch) => {
        const others = Object.entries(previous).filter(([name]) => !(DESK_PARAMS as readonly string[]).includes(name));
        return { ...Object.fromEntries(others), ...search } as AppSearch;
      },
    });
  };
  return (
    <>
      <Menu width={280} position="bottom-start">
        <Menu.Target>
          <Button size="xs" variant="default">
            {say('views.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={() => setSaving(true)}>{say('views.save')}</Menu.Item>
          {views.length === 0 ? null : <Menu.Divider />}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => open(view)}>
              <bdi>{view.name}</bdi>
              {view.own ? '' : ` (${view.ownerName})`}
            </Menu.Item>
          ))}
          {views.some(({ own }) => own) ? <Menu.Divider /> : null}
          {views
            .filter(({ own }) => own)
            .map((view) => (
              <Menu.Item key={view.id} c="dimmed" onClick={() => deleting.mutate(view)}>
                {say('views.delete', { name: view.name })}
              </Menu.Item>
            ))}
        </Menu.Dropdown>
      </Menu>
      {isSaving ? <SaveDialog table={table} state={state} onClose={() => setSaving(false)} /> : null}
    </>
  );
}

function SaveDialog({
  table,
  state,
  onClose,
}: {
  readonly table: string;
  readonly state: DeskState;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const search = stringifySearch({ [TABLE_PARAM]: table, ...writeDeskParams(state) });
  const saving = useMutation({
    mutationFn: () => createSavedView(scope, { kind: 'view', name, shared, body: { search } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: savedViewsKey(scope) });
      notifications.show({ message: say('state.saved') });
      onClose();
    },
  });
  return (
    <FormDialog title={say('views.save')} action={say('action.save')} submission={saving} onClose={onClose}>
      <NameField value={name} error={saving.error} onChange={setName} />
      <Switch
        label={say('views.shared')}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
