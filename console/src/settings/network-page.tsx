import { Alert, Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldMessage } from '../api/transport/problem.ts';
import { loadNetworkSettings, type NetworkSettings, updateNetworkSettings } from '../api/account/settings.ts';
import { useIsAdmin, useScope } from '../session/session.ts';
import { ExactNumberField } from '../format/number-field.tsx';
import { say } from '../messages/say.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { ExchangeRatesSection } from './exchange-rates-section.tsx';
import { IdentityProviderSection } from './identity-provider-section.tsx';

/** Name, status, time zone, currency and floor of the network; both environments share them. */
export function NetworkPage() {
  const scope = useScope();
  const isAdmin = useIsAdmin();
  const settings = useQuery({
    queryKey: ['network-settings', scope.networkId],
    queryFn: ({ signal }) => loadNetworkSettings(scope, signal),
  });
  return (
    <Page title={say('nav.network')} lead={say('network.lead')}>
      <ProblemAlert error={settings.error} onRetry={() => void settings.refetch()} />
      {settings.isPending ? <LoadingPage /> : null}
      {settings.data === undefined || settings.data === null ? null : (
        <>
          <NetworkForm key={settings.data.version} settings={settings.data} />
          <ExchangeRatesSection settings={settings.data} />
        </>
      )}
      {isAdmin ? <IdentityProviderSection /> : null}
    </Page>
  );
}

function NetworkForm({ settings }: { readonly settings: NetworkSettings }) {
  const scope = useScope();
  const isAdmin = useIsAdmin();
  const client = useQueryClient();
  const [draft, setDraft] = useState(settings);
  const saving = useMutation({
    mutationFn: () => {
      const fields = [
        'name',
        'status',
        'timezone',
        'currency',
        'floor',
        'approvalRequired',
        'goalCompetition',
      ] as const;
      const changed = Object.fromEntries(
        fields.filter((field) => draft[field] !== settings[field]).map((field) => [field, draft[field]]),
      );
      return updateNetworkSettings(scope, settings.version, changed);
    },
    onSuccess: async () => {
      notifications.show({ message: say('state.saved') });
      await client.invalidateQueries({ queryKey: ['network-settings'] });
      await client.invalidateQueries({ queryKey: ['network'] });
    },
  });
  const edit = (change: Partial<NetworkSettings>): void => setDraft((present) => ({ ...present, ...change }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  const shared = { draft, isDisabled: !isAdmin, error: saving.error, edit };
  return (
    <form onSubmit={submit} noValidate>
      <fieldset disabled={!isAdmin} style={{ border: 0, padding: 0, margin: 0 }}>
        <Stack maw={460}>
          {isAdmin ? null : (
            <Alert variant="outline" color="gray" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
              {say('settings.read_only')}
            </Alert>
          )}
          <ProblemAlert error={saving.error} />
          <TextInput label={say('network.id')} value={settings.id} readOnly />
          <TextInput
            label={say('column.name')}
            required
            value={draft.name}
            onChange={(event) => edit({ name: event.currentTarget.value })}
            error={fieldMessage(saving.error, 'name')}
          />
          <StatusField isSuspended={settings.status === 'SUSPENDED'} {...shared} />
          <ZoneAndCurrencyFields {...shared} />
          <BookingFields {...shared} />
          {isAdmin ? (
            <Group>
              <Button type="submit" loading={saving.isPending}>
                {say('action.save')}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </fieldset>
    </form>
  );
}

interface NetworkFieldProps {
  readonly draft: NetworkSettings;
  readonly isDisabled: boolean;
  /** What the server said of the last try. */
  readonly error: unknown;
  edit: (change: Partial<NetworkSettings>) => void;
}

/** The status of the network. Only the operator suspends. */
function StatusField({
  draft,
  isDisabled,
  error,
  edit,
  isSuspended,
}: NetworkFieldProps & { readonly isSuspended: boolean }) {
  const statuses = isSuspended ? (['ACTIVE', 'PAUSED', 'SUSPENDED'] as const) : (['ACTIVE', 'PAUSED'] as const);
  return (
    <Select
      label={say('network.status')}
      description={say(`network_status_text.${draft.status}`)}
      data={statuses.map((value) => ({ value, label: say(`network_status.${value}`) }))}
      value={draft.status}
      allowDeselect={false}
      disabled={isDisabled}
      onChange={(value) => edit({ status: value as NetworkSettings['status'] })}
      error={fieldMessage(error, 'status')}
    />
  );
}

/** The lowest price, how guaranteed line items meet what is sold by price, and approval. */
function BookingFields({ draft, isDisabled, error, edit }: NetworkFieldProps) {
  return (
    <>
      <ExactNumberField
        label={say('network.floor', { currency: draft.currency })}
        value={draft.floor}
        onChange={(floor) => edit({ floor })}
        error={fieldMessage(error, 'floor')}
      />
      <Select
        label={say('network.goals')}
        description={say(`goal_competition_text.${draft.goalCompetition}`)}
        data={(['BIDS', 'LEVELS'] as const).map((value) => ({ value, label: say(`goal_competition.${value}`) }))}
        value={draft.goalCompetition}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(value) => edit({ goalCompetition: value as NetworkSettings['goalCompetition'] })}
        error={fieldMessage(error, 'goalCompetition')}
      />
      <Checkbox
        label={say('network.approval')}
        description={say('network.approval_text')}
        checked={draft.approvalRequired}
        onChange={(event) => edit({ approvalRequired: event.currentTarget.checked })}
      />
    </>
  );
}

function ZoneAndCurrencyFields({ draft, isDisabled, error, edit }: NetworkFieldProps) {
  return (
    <>
      <Select
        label={say('value.timezone')}
        description={say('network.timezone_text')}
        data={['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]}
        searchable
        limit={60}
        value={draft.timezone}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(value) => edit({ timezone: value ?? draft.timezone })}
        error={fieldMessage(error, 'timezone')}
      />
      <Select
        label={say('network.currency')}
        description={say('network.currency_text')}
        data={Intl.supportedValuesOf('currency')}
        searchable
        limit={60}
        value={draft.currency}
        allowDeselect={false}
        disabled={isDisabled}
        onChange={(value) => edit({ currency: value ?? draft.currency })}
        error={fieldMessage(error, 'currency')}
      />
    </>
  );
}
