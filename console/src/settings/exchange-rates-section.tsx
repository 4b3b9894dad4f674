import { Badge, Button, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ExchangeRate, type NetworkSettings, updateNetworkSettings } from '../api/account/settings.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { formatBucket } from '../format/format-value.ts';
import { ExactNumberField } from '../format/number-field.tsx';
import { showNumber } from '../format/typed-numbers.ts';
import { say } from '../messages/say.ts';
import { dateIn } from '../reports/calendar.ts';
import { useIsAdmin, useScope } from '../session/session.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { useNow } from '../ui/use-now.ts';
import { changeRates, faultsOfRate, sameDayRate, timeOfRate } from './rate-list.ts';

/** `old`: the rate that is changed or removed; null: a rate is added. */
type Action =
  | { readonly kind: 'change'; readonly old: ExchangeRate | null }
  | { readonly kind: 'remove'; readonly old: ExchangeRate };

/** Saves the whole list. The version of the settings keeps it from undoing what somebody else saved meanwhile. */
function useRates(settings: NetworkSettings, onSaved: () => void) {
  const scope = useScope();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (exchangeRates: readonly ExchangeRate[]) =>
      updateNetworkSettings(scope, settings.version, { exchangeRates }),
    onSuccess: async () => {
      onSaved();
      notifications.show({ message: say('state.saved') });
      await client.invalidateQueries({ queryKey: ['network-settings'] });
    },
  });
}

/** What other currencies are worth in the network's. Admins change it. */
export function ExchangeRatesSection({ settings }: { readonly settings: NetworkSettings }) {
  const isAdmin = useIsAdmin();
  const today = dateIn(settings.timezone, useNow());
  const [showsEarlier, setShowsEarlier] = useState(false);
  const [action, setAction] = useState<Action | null>(null);
  const close = (): void => setAction(null);
  const { exchangeRates: rates, currency: own } = settings;
  const shown = rates.filter((rate) => showsEarlier || timeOfRate(rates, rate, today) !== 'earlier');
  return (
    <Stack maw={760} mt="xl">
      <Title order={2}>{say('rates.title')}</Title>
      <Text>{say('rates.text', { own })}</Text>
      {shown.length < rates.length || showsEarlier ? (
        <Switch
          label={say('rates.show_all')}
          checked={showsEarlier}
          onChange={(event) => setShowsEarlier(event.currentTarget.checked)}
        />
      ) : null}
      <SettingsTable
        label={say('rates.title')}
        columns={columns({ settings, today, open: isAdmin ? setAction : null })}
        rows={shown}
        rowKey={({ currency, from }) => `${currency} ${from}`}
        empty={say('rates.empty')}
      />
      {isAdmin ? (
        <Group>
          <Button variant="default" onClick={() => setAction({ kind: 'change', old: null })}>
            {say('rates.action_add')}
          </Button>
        </Group>
      ) : null}
      {action?.kind === 'change' ? (
        <RateDialog settings={settings} old={action.old} today={today} onClose={close} />
      ) : null}
      {action?.kind === 'remove' ? <RemoveDialog settings={settings} old={action.old} onClose={close} /> : null}
    </Stack>
  );
}

function wordsOf({ currency, rate }: ExchangeRate, own: string): string {
  return say('rates.is', { currency, rate: showNumber(rate), own });
}

interface Look {
  readonly settings: NetworkSettings;
  readonly today: string;
  /** Null: the person may not change rates. */
  readonly open: ((action: Action) => void) | null;
}

function columns({ settings, today, open }: Look): SettingsColumn<ExchangeRate>[] {
  const state = (rate: ExchangeRate) => say(`rates.${timeOfRate(settings.exchangeRates, rate, today)}`);
  const list: SettingsColumn<ExchangeRate>[] = [
    {
      title: say('rates.currency'),
      render: (rate) => (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {wordsOf(rate, settings.currency)}
        </Text>
      ),
    },
    { title: say('rates.from'), render: ({ from }) => formatBucket(from, 'day') },
    {
      title: say('column.state'),
      render: (rate) => (
        <Badge variant="outline" color="gray" c="var(--mantine-color-text)">
          {state(rate)}
        </Badge>
      ),
    },
  ];
  if (open === null) return list;
  const nameOf = ({ currency, from }: ExchangeRate) => ({ currency, day: formatBucket(from, 'day') });
  return [
    ...list,
    {
      title: say('column.actions'),
      isAction: true,
      render: (rate) => (
        <Group justify="flex-end" gap="xs" wrap="nowrap">
          {(['change', 'remove'] as const).map((kind) => (
            <Button
              key={kind}
              size="xs"
              variant="default"
              aria-label={say(`rates.${kind}_one`, nameOf(rate))}
              onClick={() => open({ kind, old: rate })}
            >
              {say(`rates.action_${kind}`)}
            </Button>
          ))}
        </Group>
      ),
    },
  ];
}

/** Adds a rate, or changes `old`. */
function RateDialog({
  settings,
  old,
  today,
  onClose,
}: {
  readonly settings: NetworkSettings;
  readonly old: ExchangeRate | null;
  readonly today: string;
  onClose: () => void;
}) {
  const { exchangeRates: rates, currency: own } = settings;
  const others = Intl.supportedValuesOf('currency').filter((code) => code !== own);
  const usual = own === 'USD' ? 'EUR' : 'USD';
  const [draft, setDraft] = useState<ExchangeRate>(old ?? { currency: usual, rate: '', from: today });
  const [wasTried, setWasTried] = useState(false);
  const saving = useRates(settings, onClose);
  const edit = (change: Partial<ExchangeRate>): void => setDraft((present) => ({ ...present, ...change }));
  const faults = faultsOfRate(draft);
  const faultOf = (member: 'rate' | 'from', text: string): string | null =>
    wasTried && faults.includes(member) ? text : fieldMessage(saving.error, member);
  const submit = (): void => {
    setWasTried(true);
    if (faults.length === 0) saving.mutate(changeRates(rates, { old, next: draft }));
  };
  const replaced = sameDayRate(rates, draft);
  return (
    <FormDialog
      title={old === null ? say('rates.action_add') : say('rates.action_change')}
      action={say('action.save')}
      submission={{ error: saving.error, isPending: saving.isPending, mutate: submit }}
      onClose={onClose}
    >
      <Select
        label={say('rates.currency')}
        data={others}
        searchable
        limit={60}
        value={draft.currency}
        allowDeselect={false}
        onChange={(currency) => edit({ currency: currency ?? draft.currency })}
        error={fieldMessage(saving.error, 'currency')}
      />
      <ExactNumberField
        label={say('rates.rate', { currency: draft.currency, own })}
        required
        value={draft.rate}
        onChange={(rate) => edit({ rate })}
        error={faultOf('rate', say('rates.fault_rate'))}
        data-autofocus
      />
      <TextInput
        type="date"
        label={say('rates.from')}
        description={say('rates.from_text')}
        required
        value={draft.from}
        onChange={(event) => edit({ from: event.currentTarget.value })}
        error={faultOf('from', say('rates.fault_day'))}
      />
      {replaced === undefined || replaced === old ? null : (
        <Text component="output" display="block">
          {say('rates.replaces', { rate: wordsOf(replaced, own) })}
        </Text>
      )}
    </FormDialog>
  );
}

function RemoveDialog({
  settings,
  old,
  onClose,
}: {
  readonly settings: NetworkSettings;
  readonly old: ExchangeRate;
  onClose: () => void;
}) {
  const saving = useRates(settings, onClose);
  const submit = (): void => saving.mutate(changeRates(settings.exchangeRates, { old, next: null }));
  return (
    <FormDialog
      title={say('rates.action_remove')}
      action={say('rates.action_remove')}
      submission={{ error: saving.error, isPending: saving.isPending, mutate: submit }}
      isDangerous
      onClose={onClose}
    >
      <Text>
        {say('rates.remove_text', { rate: wordsOf(old, settings.currency), day: formatBucket(old.from, 'day') })}
      </Text>
    </FormDialog>
  );
}
