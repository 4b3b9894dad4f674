import { Badge, Button, Code, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createCredential,
  disableCredential,
  type HeaderCredential,
  listCredentials,
} from '../api/account/settings.ts';
import { useScope } from '../session/session.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { ConfirmByName } from '../ui/confirm-by-name.tsx';
import { FormDialog, NameField } from '../ui/form-dialog.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';

type Dialog =
  | { readonly kind: 'new' }
  | { readonly kind: 'disable'; readonly pair: HeaderCredential }
  | { readonly kind: 'made'; readonly login: string; readonly token: string };

/** Login/token pairs for the Reports API and the legacy reports. */
export function CredentialsPage() {
  const scope = useScope();
  const [showAll, setShowAll] = useState(false);
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const client = useQueryClient();
  const queryKey = ['credentials', scope.environment, scope.networkId];
  const pairs = useQuery({
    queryKey: [...queryKey, showAll],
    queryFn: ({ signal }) => listCredentials(scope, showAll, signal),
  });
  const refresh = (): void => void client.invalidateQueries({ queryKey });
  const disabling = useMutation({
    mutationFn: (pair: HeaderCredential) => disableCredential(scope, pair.id),
    onSuccess: () => {
      setDialog(null);
      refresh();
    },
  });
  const isEmpty = pairs.data?.length === 0;
  const make = <Button onClick={() => setDialog({ kind: 'new' })}>{say('credentials.create')}</Button>;
  return (
    <Page title={say('nav.credentials')} lead={say('credentials.lead')} actions={isEmpty ? null : make}>
      <Stack>
        <Switch
          label={say('credentials.show_all')}
          checked={showAll}
          onChange={(event) => setShowAll(event.currentTarget.checked)}
        />
        <ProblemAlert error={pairs.error} onRetry={() => void pairs.refetch()} />
        {pairs.isPending ? <LoadingPage /> : null}
        {pairs.data === undefined ? null : (
          <SettingsTable
            label={say('nav.credentials')}
            columns={columns((pair) => setDialog({ kind: 'disable', pair }))}
            rows={pairs.data}
            rowKey={(pair) => pair.id}
            empty={say('credentials.empty')}
            next={make}
          />
        )}
      </Stack>
      {dialog?.kind === 'new' ? (
        <NewCredentialDialog
          onMade={(made) => {
            setDialog({ kind: 'made', ...made });
            refresh();
          }}
          onClose={() => setDialog(null)}
        />
      ) : null}
      {dialog?.kind === 'made' ? <MadePair {...dialog} onClose={() => setDialog(null)} /> : null}
      {dialog?.kind === 'disable' ? (
        <ConfirmByName
          title={say('credentials.disable')}
          text={say('credentials.disable_text', { name: dialog.pair.name })}
          name={dialog.pair.name}
          action={say('credentials.disable')}
          isPending={disabling.isPending}
          error={disabling.error}
          onConfirm={() => disabling.mutate(dialog.pair)}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </Page>
  );
}

/** The new pair, which is shown this once. */
function MadePair(props: { readonly login: string; readonly token: string; onClose: () => void }) {
  return (
    <SecretOnce
      title={say('credentials.made')}
      secrets={[
        { label: 'x-internal-auth-login', value: props.login },
        { label: 'x-internal-auth-token', value: props.token },
      ]}
      onClose={props.onClose}
    />
  );
}

function NewCredentialDialog({
  onMade,
  onClose,
}: {
  onMade: (made: { login: string; token: string }) => void;
  onClose: () => void;
}) {
  const scope = useScope();
  const [name, setName] = useState('');
  const making = useMutation({ mutationFn: () => createCredential(scope, name), onSuccess: onMade });
  return (
    <FormDialog
      title={say('credentials.create')}
      action={say('credentials.create')}
      submission={making}
      onClose={onClose}
    >
      <NameField value={name} error={making.error} onChange={setName} />
    </FormDialog>
  );
}

function columns(disable: (pair: HeaderCredential) => void): SettingsColumn<HeaderCredential>[] {
  return [
    { title: say('column.name'), render: (pair) => pair.name },
    { title: say('column.login'), render: (pair) => <Code>{pair.login}</Code> },
    {
      title: say('column.state'),
      render: (pair) => (
        <Badge variant="outline" color={pair.disabledAt === null ? 'green.9' : 'gray'} c="var(--mantine-color-text)">
          {say(pair.disabledAt === null ? 'key_state.active' : 'key_state.disabled')}
        </Badge>
      ),
    },
    { title: say('column.created'), render: (pair) => <Instant at={pair.createdAt} /> },
    { title: say('column.last_used'), render: (pair) => <Instant at={pair.lastUsedAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (pair) =>
        pair.disabledAt === null ? (
          <Button
            size="xs"
            variant="default"
            onClick={() => disable(pair)}
            aria-label={`${say('credentials.disable')}: ${isolate(pair.name)}`}
          >
            {say('credentials.disable')}
          </Button>
        ) : null,
    },
  ];
}
