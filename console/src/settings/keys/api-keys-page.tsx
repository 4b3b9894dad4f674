import { Badge, Button, Code, Group, Menu, Stack, Switch, ActionIcon } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ApiKey, listApiKeys, revokeApiKey } from '../../api/account/settings.ts';
import { useScope } from '../../session/session.ts';
import { say } from '../../messages/say.ts';
import { ConfirmByName } from '../../ui/confirm-by-name.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Instant } from '../../ui/instant.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { type SettingsColumn, SettingsTable } from '../../ui/settings-table.tsx';
import { LoadingPage } from '../../ui/state-pages.tsx';
import { BuyerKeyDialog } from './buyer-key-dialog.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

type Dialog =
  | { readonly kind: 'new' | 'buyer' }
  | { readonly kind: 'rotate' | 'revoke'; readonly key: ApiKey }
  | { readonly kind: 'made'; readonly value: string };

/** The keys, the dialog that is open, and what makes and revokes keys. */
function useKeys() {
  const scope = useScope();
  const [showAll, setShowAll] = useState(false);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const client = useQueryClient();
  const queryKey = ['api-keys', scope.environment, scope.networkId];
  const keys = useQuery({
    queryKey: [...queryKey, showAll],
    queryFn: ({ signal }) => listApiKeys(scope, showAll, signal),
  });
  const refresh = (): void => void client.invalidateQueries({ queryKey });
  const revoking = useMutation({
    mutationFn: (key: ApiKey) => revokeApiKey(scope, key.id),
    onSuccess: () => {
      setDialog(null);
      refresh();
    },
  });
  const made = (value: string): void => {
    setDialog({ kind: 'made', value });
    refresh();
  };
  return { scope, keys, showAll, setShowAll, dialog, setDialog, revoking, made };
}

/** The keys of the environment that is looked at. */
export function ApiKeysPage() {
  const { scope, keys, showAll, setShowAll, dialog, setDialog, revoking, made } = useKeys();
  const isEmpty = keys.data?.length === 0;
  const make = (
    <Group>
      <Button variant="default" onClick={() => setDialog({ kind: 'buyer' })}>
        {say('keys.buyer')}
      </Button>
      <Button onClick={() => setDialog({ kind: 'new' })}>{say('keys.generate')}</Button>
    </Group>
  );
  return (
    <Page title={say('nav.api_keys')} lead={say('keys.lead')} actions={isEmpty ? null : make}>
      <Stack>
        <Switch
          label={say('keys.show_all')}
          checked={showAll}
          onChange={(event) => setShowAll(event.currentTarget.checked)}
        />
        <ProblemAlert error={keys.error} onRetry={() => void keys.refetch()} />
        {keys.isPending ? <LoadingPage /> : null}
        {keys.data === undefined ? null : (
          <SettingsTable
            label={say('nav.api_keys')}
            columns={columns((kind, key) => {
              revoking.reset();
              setDialog({ kind, key });
            })}
            rows={keys.data}
            rowKey={(key) => key.id}
            empty={say('keys.empty')}
            next={make}
          />
        )}
      </Stack>
      {dialog?.kind === 'new' ? <NewKeyDialog scope={scope} onMade={made} onClose={() => setDialog(null)} /> : null}
      {dialog?.kind === 'buyer' ? <BuyerKeyDialog scope={scope} onMade={made} onClose={() => setDialog(null)} /> : null}
      {dialog?.kind === 'rotate' ? (
        <RotateKeyDialog scope={scope} apiKey={dialog.key} onMade={made} onClose={() => setDialog(null)} />
      ) : null}
      {dialog?.kind === 'made' ? (
        <SecretOnce
          title={say('keys.made')}
          secrets={[{ label: say('keys.value'), value: dialog.value }]}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog?.kind === 'revoke' ? (
        <ConfirmByName
          title={say('keys.revoke')}
          text={say('keys.revoke_text', { name: dialog.key.name })}
          name={dialog.key.name}
          action={say('keys.revoke')}
          isPending={revoking.isPending}
          error={revoking.error}
          onConfirm={() => revoking.mutate(dialog.key)}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </Page>
  );
}

function stateOf(key: ApiKey): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now() ? 'expired' : 'active';
}

function columns(open: (kind: 'rotate' | 'revoke', key: ApiKey) => void): SettingsColumn<ApiKey>[] {
  return [
    {
      title: say('column.name'),
      render: (key) => (
        <>
          {key.name}
          <br />
          <Code>{`${key.prefix}…${key.lastFour}`}</Code>
        </>
      ),
    },
    {
      title: say('column.state'),
      render: (key) => (
        <Badge variant="outline" color={stateOf(key) === 'active' ? 'green.9' : 'gray'} c="var(--mantine-color-text)">
          {say(`key_state.${stateOf(key)}`)}
        </Badge>
      ),
    },
    { title: say('column.environment'), render: (key) => say(`environment_of.${key.environment}`) },
    { title: say('column.permission'), render: (key) => say(`permission.${key.permission}`) },
    {
      title: say('column.modules'),
      render: (key) =>
        key.scope === 'BUYER'
          ? say('module.BUYER', { count: key.advertiserIds.length })
          : key.modules === null
            ? say('module.ALL')
            : key.modules.map((name) => say(`module.${name}`)).join(', '),
    },
    {
      title: say('column.addresses'),
      render: (key) => (key.ipAllowlist.length === 0 ? say('keys.anywhere') : key.ipAllowlist.join(', ')),
    },
    { title: say('column.created'), render: (key) => <Instant at={key.createdAt} /> },
    { title: say('column.last_used'), render: (key) => <Instant at={key.lastUsedAt} /> },
    { title: say('column.expires'), render: (key) => <Instant at={key.expiresAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (key) =>
        stateOf(key) === 'active' ? (
          <Group justify="flex-end">
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon aria-label={say('keys.actions', { name: key.name })}>
                  <Icon name="down" />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item onClick={() => open('rotate', key)}>{say('keys.rotate')}</Menu.Item>
                <Menu.Item color="var(--mantine-color-error)" onClick={() => open('revoke', key)}>
                  {say('keys.revoke')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </Group>
        ) : null,
    },
  ];
}
