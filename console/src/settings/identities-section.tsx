import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import {
  type IdentityEntry,
  leaveForProvider,
  listIdentities,
  loadMethods,
  removeIdentity,
} from '../api/account/identity.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useScope } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';

/** The services that one signs in with; not shown where there are none. */
export function IdentitiesSection() {
  const { networkId } = useScope();
  const { problem } = useSearch({ strict: false }) as AppSearch;
  const client = useQueryClient();
  const methods = useQuery({
    queryKey: ['sign-in-methods', networkId],
    queryFn: ({ signal }) => loadMethods(networkId, signal),
  });
  const listed = useQuery({ queryKey: ['identities'], queryFn: ({ signal }) => listIdentities(signal) });
  const refresh = (): void => void client.invalidateQueries({ queryKey: ['identities'] });
  const removing = useMutation({ mutationFn: (id: string) => removeIdentity(id), onSettled: refresh });
  const connecting = useMutation({
    mutationFn: (provider: string) => leaveForProvider('connect', provider, '/settings/account'),
  });
  const columns: SettingsColumn<IdentityEntry>[] = [
    { title: say('identity.provider'), render: (one) => new URL(one.issuer).host },
    { title: say('sign_in.email'), render: (one) => one.email },
    { title: say('passkey.since'), render: (one) => <Instant at={one.createdAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (one) => (
        <Button size="xs" variant="default" onClick={() => removing.mutate(one.id)}>
          {say('users.remove')}
        </Button>
      ),
    },
  ];
  const providers = methods.data?.providers ?? [];
  const identities = listed.data ?? [];
  if (providers.length === 0 && identities.length === 0) return null;
  return (
    <Stack component="section" aria-labelledby="account-identities">
      <Title order={2} id="account-identities">
        {say('identity.title')}
      </Title>
      <Text>{say('identity.text')}</Text>
      {problem === undefined ? null : (
        <Alert color="red" variant="outline" role="alert" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
          {say('identity.problem')}
        </Alert>
      )}
      <ProblemAlert error={methods.error ?? listed.error ?? removing.error ?? connecting.error} />
      <Group>
        {providers.map(({ id, name }) => (
          <Button key={id} variant="default" loading={connecting.isPending} onClick={() => connecting.mutate(id)}>
            {say('identity.connect', { name })}
          </Button>
        ))}
      </Group>
      <SettingsTable
        label={say('identity.title')}
        columns={columns}
        rows={identities}
        rowKey={(one) => one.id}
        empty={say('identity.none')}
      />
    </Stack>
  );
}
