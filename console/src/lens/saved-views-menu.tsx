import { Button, Group, Menu, Stack, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { describeProblem } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import { createSavedView, deleteSavedView, type SavedView, updateSavedView } from '../api/reports/saved-views.ts';
import { type AppSearch, parseSearch, stringifySearch } from '../session/app-search.ts';
import { useScope } from '../session/session.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { type LensState, writeLensParams } from '../reports/lens-state.ts';
import { savedViewsKey, useSavedViews } from '../saved-views/use-saved-views.ts';
import { isViewOf } from '../saved-views/view-page.ts';

/** Opens, keeps and deletes views. */
export function SavedViewsMenu({ state }: { readonly state: LensState }) {
  const { networkId, environment } = useScope();
  const scope: Scope = { networkId, environment };
  const [saving, setSaving] = useState(false);
  const [managing, setManaging] = useState(false);
  const navigate = useNavigate();
  const saved = useSavedViews(scope);
  const views = (saved.data ?? []).filter((view) => isViewOf(view, null));
  const open = (view: SavedView): void => {
    void navigate({
      to: '/lens',
      search: (previous: AppSearch) =>
        ({ network: previous['network'], env: previous['env'], ...parseSearch(view.body.search ?? '') }) as AppSearch,
    });
  };
  return (
    <>
      <Menu width={260} position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="save" size={16} />}>
            {say('views.title')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
          <Menu.Item onClick={() => setSaving(true)}>{say('views.save')}</Menu.Item>
          {views.length === 0 ? null : <Menu.Item onClick={() => setManaging(true)}>{say('views.manage')}</Menu.Item>}
          {views.length === 0 ? null : <Menu.Divider />}
          {views.map((view) => (
            <Menu.Item key={view.id} onClick={() => open(view)}>
              {view.name}
              {view.own ? '' : ` (${isolate(view.ownerName)})`}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {saving ? <SaveDialog scope={scope} state={state} onClose={() => setSaving(false)} /> : null}
      {managing ? (
        <ManageDialog scope={scope} views={views.filter((view) => view.own)} onClose={() => setManaging(false)} />
      ) : null}
    </>
  );
}

function SaveDialog({
  scope,
  state,
  onClose,
}: {
  readonly scope: Scope;
  readonly state: LensState;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () =>
      createSavedView(scope, { kind: 'view', name, shared, body: { search: stringifySearch(writeLensParams(state)) } }),
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

function ManageDialog({
  scope,
  views,
  onClose,
}: {
  readonly scope: Scope;
  readonly views: readonly SavedView[];
  onClose: () => void;
}) {
  const client = useQueryClient();
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: savedViewsKey(scope) });
  const onError = (error: unknown): void => void notifications.show({ color: 'red', message: describeProblem(error) });
  const deleting = useMutation({ mutationFn: (id: string) => deleteSavedView(scope, id), onSettled: refresh, onError });
  const sharing = useMutation({
    mutationFn: (view: SavedView) => updateSavedView(scope, view, { shared: !view.shared }),
    onSettled: refresh,
    onError,
  });
  return (
    <Dialog opened onClose={onClose} title={say('views.manage')}>
      <Stack gap="xs">
        {views.map((view) => (
          <Group key={view.id} justify="space-between">
            <span>{view.name}</span>
            <Group gap="xs">
              <Switch
                size="sm"
                label={say('views.shared_short')}
                aria-label={`${say('views.shared_short')}: ${isolate(view.name)}`}
                checked={view.shared}
                onChange={() => sharing.mutate(view)}
              />
              <Button
                size="xs"
                variant="default"
                onClick={() => deleting.mutate(view.id)}
                aria-label={`${say('action.delete')}: ${isolate(view.name)}`}
              >
                {say('action.delete')}
              </Button>
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
