import {
  Alert,
  Button,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { type Order, saveOrder } from '../api/bookings/orders/order.ts';
import { ApiProblem, problemOf } from '../api/transport/problem.ts';
import { offerUndo } from '../changes/undo.tsx';
import { ambiguityOf } from '../format/typed-numbers.ts';
import { NumberField } from '../format/number-field.tsx';
import { Trail, TrailLink } from '../line-item/object-header.tsx';
import { say } from '../messages/say.ts';
import { CustomFields } from '../pickers/custom-fields.tsx';
import { MemberSelect } from '../pickers/member-select.tsx';
import { ObjectPicker } from '../pickers/object-picker.tsx';
import { useSettingChoices } from '../pickers/use-setting-choices.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useSession } from '../session/session.ts';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { changesOfOrder, draftOfOrder, type OrderChanges, type OrderDraft } from './order-draft.ts';
import { useOrder } from './use-order.ts';

/** A new campaign. */
export function NewOrderPage() {
  const { timezone } = useCellContext();
  return (
    <Page title={say('order.new')}>
      {timezone === undefined ? <LoadingPage /> : <OrderForm order={null} timezone={timezone} onReload={() => {}} />}
    </Page>
  );
}

/** The fields of a campaign. */
export function EditOrderPage() {
  const { id = '' } = useParams({ strict: false });
  const { timezone } = useCellContext();
  const order = useOrder(id);
  const { data } = order;
  return (
    <Page title={data?.name === undefined ? say('nav.campaigns') : say('order.edit', { name: data.name })}>
      <ProblemAlert error={order.error} onRetry={() => void order.refetch()} />
      {data === null ? <Text>{say('campaign.missing', { id })}</Text> : null}
      {order.isPending ? <LoadingPage /> : null}
      {data === null || data === undefined || timezone === undefined ? null : (
        <OrderForm key={data.version} order={data} timezone={timezone} onReload={() => void order.refetch()} />
      )}
    </Page>
  );
}

interface OrderFormProps {
  /** Null: a new one. It stays the one that the form began with. */
  readonly order: Order | null;
  readonly timezone: string;
  onReload: () => void;
}

/** Saves an order at the version that the form began with, then opens its page. */
function useOrderSaving(order: Order | null, name: string, { input, undo }: OrderChanges) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isSaved = useRef(false);
  const saving = useMutation({
    mutationFn: () => saveOrder(scope, input, order),
    onSuccess: async ({ id, version }) => {
      isSaved.current = true;
      if (order !== null)
        offerUndo(client, {
          scope,
          kind: 'campaign',
          text: say('edit.saved', { name }),
          updates: [{ id, version, input: undo }],
        });
      await navigate({ to: '/desk/campaigns/$id', params: { id }, search: {} });
      await client.invalidateQueries({ queryKey: deskKey(scope) });
    },
  });
  return { saving, isSaved };
}

function OrderForm({ order, timezone, onReload }: OrderFormProps) {
  const { user } = useSession();
  const [base] = useState(order);
  const [draft, setDraft] = useState(() => draftOfOrder(base, timezone, user.email));
  const changes = useMemo(() => changesOfOrder(draft, base, timezone), [draft, base, timezone]);
  const { saving, isSaved } = useOrderSaving(base, draft.name, changes);
  const { error } = saving;
  const isConflict = error instanceof ApiProblem && error.code === 'conflict';
  const isChanged = Object.keys(changes.input).length + changes.faults.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged && changes.faults.length === 0) saving.mutate();
  };
  const part: Part = {
    draft,
    change: (next) => setDraft((known) => ({ ...known, ...next })),
    error,
    changes,
    timezone,
  };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard isChanged={() => isChanged && !isSaved.current} />
      <Stack maw={820}>
        <Trail>
          <TrailLink to="/desk/campaigns" name={say('nav.campaigns')} />
        </Trail>
        {isConflict ? (
          <Alert color="orange" variant="outline" role="alert">
            <Stack gap="xs" align="flex-start">
              {say('order.conflict')}
              <Button size="xs" variant="default" onClick={onReload}>
                {say('order.load_new')}
              </Button>
            </Stack>
          </Alert>
        ) : (
          <ProblemAlert error={error} />
        )}
        <Section title={say('order.what')}>
          <WhatFields part={part} isNew={order === null} />
        </Section>
        <Section title={say('order.when')}>
          <TermFields part={part} />
        </Section>
        <Section title={say('order.who')}>
          <PeopleFields part={part} />
        </Section>
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={!isChanged || changes.faults.length > 0}>
            {say(order === null ? 'order.create' : 'action.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface Part {
  readonly draft: OrderDraft;
  readonly error: unknown;
  readonly changes: OrderChanges;
  readonly timezone: string;
  change: (next: Partial<OrderDraft>) => void;
}

function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <Paper withBorder p="md" component="fieldset" m={0}>
      <Text component="legend" fw={600} px={6}>
        {title}
      </Text>
      <Stack gap="sm">{children}</Stack>
    </Paper>
  );
}

function WhatFields({ part: { draft, change, error }, isNew }: { readonly part: Part; readonly isNew: boolean }) {
  return (
    <>
      <TextInput
        label={say('field.name')}
        required
        maxLength={200}
        value={draft.name}
        error={problemOf(error, 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isNew ? (
          <ObjectPicker
            kind="advertisers"
            label={say('desk_column.advertiser')}
            placeholder=""
            isRequired
            error={problemOf(error, 'advertiserId')}
            value={draft.advertiserId}
            onChange={(advertiserId) => change({ advertiserId })}
          />
        ) : null}
        <TextInput
          label={say('field.orderNumber')}
          maxLength={100}
          value={draft.orderNumber}
          error={problemOf(error, 'orderNumber')}
          onChange={(event) => change({ orderNumber: event.currentTarget.value })}
        />
        <TextInput
          label={say('field.externalId')}
          maxLength={200}
          value={draft.externalId}
          error={problemOf(error, 'externalId')}
          onChange={(event) => change({ externalId: event.currentTarget.value })}
        />
      </SimpleGrid>
    </>
  );
}

function TermFields({ part: { draft, change, error, changes, timezone } }: { readonly part: Part }) {
  const fault = (name: 'startsAt' | 'endsAt'): string | null =>
    changes.faults.includes(name) ? say('edit.unreadable') : problemOf(error, name);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput
          type="datetime-local"
          label={say('field.startsAt')}
          value={draft.startsAt}
          error={fault('startsAt')}
          onChange={(event) => change({ startsAt: event.currentTarget.value })}
        />
        <TextInput
          type="datetime-local"
          label={say('field.endsAt')}
          value={draft.endsAt}
          error={fault('endsAt')}
          onChange={(event) => change({ endsAt: event.currentTarget.value })}
        />
        <NumberField
          label={say('order.budget')}
          value={draft.budget}
          error={
            changes.faults.includes('budget')
              ? (ambiguityOf(draft.budget, false) ?? say('catalog_field.decimal'))
              : problemOf(error, 'caps')
          }
          onChange={(budget) => change({ budget })}
        />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {say('order.when_hint', { timezone })}
      </Text>
    </>
  );
}

function PeopleFields({ part: { draft, change, error } }: { readonly part: Part }) {
  const teams = useSettingChoices('campaign')?.teams ?? [];
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <MemberSelect
          label={say('order.trafficker')}
          value={draft.owner}
          error={problemOf(error, 'owner')}
          onChange={(owner) => change({ owner })}
        />
        <MemberSelect
          label={say('field.salesperson')}
          value={draft.salesperson}
          error={problemOf(error, 'salesperson')}
          onChange={(salesperson) => change({ salesperson })}
        />
        <Select
          label={say('field.teamId')}
          placeholder={say('value.none')}
          data={teams.map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.teamId}
          error={problemOf(error, 'teamId')}
          clearable
          clearButtonProps={{ 'aria-label': say('action.clear') }}
          onChange={(teamId) => change({ teamId })}
        />
      </SimpleGrid>
      <Textarea
        label={say('field.contacts')}
        description={say('order.contacts_hint')}
        autosize
        minRows={2}
        value={draft.contacts}
        error={problemOf(error, 'contacts')}
        onChange={(event) => change({ contacts: event.currentTarget.value })}
      />
      <TagsInput
        label={say('field.labels')}
        value={[...draft.labels]}
        error={problemOf(error, 'labels')}
        acceptValueOnBlur
        onChange={(labels) => change({ labels })}
      />
      <CustomFields kind="campaign" values={draft.customFields} onChange={(customFields) => change({ customFields })} />
      {problemOf(error, 'customFields') === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)">
          {problemOf(error, 'customFields')}
        </Text>
      )}
      <Textarea
        label={say('field.notes')}
        autosize
        minRows={2}
        maxLength={2_000}
        value={draft.notes}
        error={problemOf(error, 'notes')}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
    </>
  );
}
