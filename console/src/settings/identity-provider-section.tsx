import { Button, Group, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  loadProviderSettings,
  type ProviderSettings,
  removeProviderSettings,
  saveProviderSettings,
} from '../api/account/identity.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { useScope } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** The network's own sign-in provider; not shown where the operator allows none. For admins. */
export function IdentityProviderSection() {
  const scope = useScope();
  const settings = useQuery({
    queryKey: ['identity-provider', scope.networkId],
    queryFn: ({ signal }) => loadProviderSettings(scope, signal),
  });
  if (settings.data?.allowed !== true) return null;
  const { provider, callback } = settings.data;
  return <ProviderForm key={provider?.issuer ?? ''} provider={provider} callback={callback} />;
}

/** The provider as it is typed, with its secret apart; saved and removed as a whole. */
function useProviderDraft(provider: ProviderSettings | null) {
  const scope = useScope();
  const client = useQueryClient();
  const [draft, setDraft] = useState<ProviderSettings>(provider ?? { name: '', issuer: '', clientId: '' });
  const [clientSecret, setSecret] = useState('');
  const refresh = (): void => {
    setSecret('');
    notifications.show({ message: say('state.saved') });
    void client.invalidateQueries({ queryKey: ['identity-provider'] });
  };
  const saving = useMutation({
    mutationFn: () => saveProviderSettings(scope, { ...draft, ...(clientSecret === '' ? {} : { clientSecret }) }),
    onSuccess: refresh,
  });
  const removing = useMutation({ mutationFn: () => removeProviderSettings(scope), onSuccess: refresh });
  const fieldOf = (name: keyof ProviderSettings) => ({
    label: say(`provider.${name}`),
    required: true,
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }): void => {
      const { value } = event.currentTarget;
      setDraft((present) => ({ ...present, [name]: value }));
    },
    error: fieldMessage(saving.error, name),
  });
  return { clientSecret, setSecret, saving, removing, fieldOf };
}

function ProviderForm({
  provider,
  callback,
}: {
  readonly provider: ProviderSettings | null;
  readonly callback: string;
}) {
  const { clientSecret, setSecret, saving, removing, fieldOf } = useProviderDraft(provider);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <form onSubmit={submit} noValidate aria-labelledby="network-provider">
      <Stack maw={460} mt="xl">
        <Title order={2} id="network-provider">
          {say('provider.title')}
        </Title>
        <Text>{say('provider.text')}</Text>
        <TextInput label={say('provider.callback')} value={callback} readOnly />
        <ProblemAlert error={saving.error ?? removing.error} />
        <TextInput {...fieldOf('name')} maxLength={60} />
        <TextInput {...fieldOf('issuer')} type="url" />
        <TextInput {...fieldOf('clientId')} />
        <PasswordInput
          label={say('provider.clientSecret')}
          description={provider === null ? undefined : say('provider.secret_stays')}
          required={provider === null}
          autoComplete="off"
          value={clientSecret}
          onChange={(event) => setSecret(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': say('sign_in.show_password') }}
          error={fieldMessage(saving.error, 'clientSecret')}
        />
        <Group>
          <Button type="submit" loading={saving.isPending}>
            {say('provider.save')}
          </Button>
          {provider === null ? null : (
            <Button variant="default" loading={removing.isPending} onClick={() => removing.mutate()}>
              {say('users.remove')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
