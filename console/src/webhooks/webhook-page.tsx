import { Anchor, Button, Group, Menu, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import {
  listDeliveries,
  loadWebhook,
  redeliver,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
} from '../api/account/webhooks.ts';
import { say } from '../messages/say.ts';
import { useScope } from '../session/session.ts';
import { Icon } from '../ui/icons.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { eventWords } from './event-words.ts';
import { useWebhookActions, useWebhooksKey, type WebhookActions } from './use-webhook-actions.tsx';
import { DeliveryState, WebhookState } from './webhook-state.tsx';
import { WebhookMenu } from './webhooks-page.tsx';

const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'] as const satisfies readonly WebhookDeliveryStatus[];
/** How often the list is read again while a delivery waits. */
const REFRESH_MS = 5_000;
/** The API takes no more ids at once. */
const REDELIVERED_MAX = 1_000;

/** A webhook and its deliveries. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false });
  const scope = useScope();
  const navigate = useNavigate();
  const queryKey = useWebhooksKey();
  const found = useQuery({
    queryKey: [...queryKey, id],
    queryFn: ({ signal }) => loadWebhook(scope, id, signal),
    refetchInterval: REFRESH_MS,
  });
  const actions = useWebhookActions(() => void navigate({ to: '/settings/webhooks', search: {} }));
  const webhook = found.data ?? null;
  return (
    <Page
      title={webhook?.name ?? say('nav.webhooks')}
      actions={webhook === null ? undefined : <PageActions webhook={webhook} actions={actions} />}
    >
      <Stack>
        <Anchor size="sm" renderRoot={(props) => <Link to="/settings/webhooks" search={{}} {...props} />}>
          {say('webhooks.back')}
        </Anchor>
        <ProblemAlert error={found.error ?? actions.error} onRetry={() => void found.refetch()} />
        {found.isPending ? <LoadingPage /> : null}
        {found.data === null ? <Text>{say('webhooks.missing', { id })}</Text> : null}
        {webhook === null ? null : (
          <>
            <Facts webhook={webhook} />
            <Deliveries webhook={webhook} />
          </>
        )}
      </Stack>
      {actions.dialog}
    </Page>
  );
}

function PageActions({ webhook, actions }: { readonly webhook: Webhook; readonly actions: WebhookActions }) {
  return (
    <Group gap="xs">
      <Button variant="default" disabled={webhook.status !== 'ACTIVE'} onClick={() => actions.sendTest(webhook)}>
        {say('webhooks.test')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="down" size={16} />}>
            {say('column.actions')}
          </Button>
        </Menu.Target>
        <WebhookMenu webhook={webhook} actions={actions} />
      </Menu>
    </Group>
  );
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const facts: [string, ReactNode][] = [
    [say('webhooks.url'), webhook.url],
    [say('column.state'), <WebhookState key="state" webhook={webhook} />],
    [say('webhooks.events'), webhook.types.map((type) => eventWords(type)).join(', ')],
    [say('column.created'), <Instant key="created" at={webhook.createdAt} />],
  ];
  return (
    <Paper withBorder p="md">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} m={0}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text component="dt" size="xs" c="dimmed">
              {label}
            </Text>
            <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
    </Paper>
  );
}

/** The deliveries of a webhook in a state, and what sends them again. */
function useDeliveries({ id }: Webhook, status: WebhookDeliveryStatus | null) {
  const scope = useScope();
  const client = useQueryClient();
  const webhooksKey = useWebhooksKey();
  const list = useInfiniteQuery({
    queryKey: [...webhooksKey, id, 'deliveries', status],
    queryFn: ({ pageParam, signal }) => listDeliveries(scope, { id, status, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some((one) => one.status === 'PENDING')) === true
        ? REFRESH_MS
        : false,
  });
  const resending = useMutation({
    mutationFn: (deliveryIds: readonly string[]) => redeliver(scope, id, deliveryIds),
    onSuccess: async (_done, { length: count }) => {
      notifications.show({ message: say('webhooks.resent', { count }) });
      await client.invalidateQueries({ queryKey: [...webhooksKey, id] });
    },
  });
  return { list, resending, deliveries: list.data?.pages.flatMap((page) => page.deliveries) ?? null };
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const [status, setStatus] = useState<WebhookDeliveryStatus | null>(null);
  const { list, resending, deliveries } = useDeliveries(webhook, status);
  const failed = (deliveries ?? []).filter((one) => one.status === 'FAILED').slice(0, REDELIVERED_MAX);
  return (
    <Stack component="section" aria-label={say('webhooks.deliveries')}>
      <Group justify="space-between">
        <SegmentedControl
          aria-label={say('column.state')}
          value={status ?? 'ALL'}
          onChange={(value) => setStatus(STATUSES.find((one) => one === value) ?? null)}
          data={['ALL' as const, ...STATUSES].map((value) => ({ value, label: say(`webhook_delivery.${value}`) }))}
        />
        {failed.length === 0 ? null : (
          <Button
            variant="default"
            loading={resending.isPending}
            onClick={() => resending.mutate(failed.map(({ id }) => id))}
          >
            {say('webhooks.resend_failed', { count: failed.length })}
          </Button>
        )}
      </Group>
      <ProblemAlert error={list.error ?? resending.error} onRetry={() => void list.refetch()} />
      {list.isPending ? <LoadingPage /> : null}
      {deliveries === null ? null : (
        <SettingsTable
          label={say('webhooks.deliveries')}
          columns={columns((delivery) => resending.mutate([delivery.id]))}
          rows={deliveries}
          rowKey={({ id }) => id}
          empty={say(status === null ? 'webhooks.no_deliveries' : 'webhooks.none_in_state')}
        />
      )}
      {list.hasNextPage ? (
        <Group>
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {say('action.more')}
          </Button>
        </Group>
      ) : null}
      <Text size="sm" c="dimmed">
        {say('webhooks.kept')}
      </Text>
    </Stack>
  );
}

function columns(resend: (delivery: WebhookDelivery) => void): SettingsColumn<WebhookDelivery>[] {
  return [
    {
      title: say('webhooks.event'),
      render: ({ type, sequence }) => (
        <>
          {eventWords(type)}
          {sequence === null ? null : (
            <Text size="xs" c="dimmed">
              {say('webhooks.change', { sequence })}
            </Text>
          )}
        </>
      ),
    },
    { title: say('column.state'), render: ({ status }) => <DeliveryState status={status} /> },
    { title: say('webhooks.response'), render: (delivery) => <Response delivery={delivery} /> },
    { title: say('webhooks.attempts'), render: ({ attempts }) => String(attempts) },
    { title: say('column.created'), render: ({ createdAt }) => <Instant at={createdAt} /> },
    { title: say('webhooks.tried'), render: ({ triedAt }) => <Instant at={triedAt} /> },
    {
      title: say('webhooks.next'),
      render: ({ nextAttemptAt }) => <Instant at={nextAttemptAt} never={say('value.none_measure')} />,
    },
    {
      title: say('column.actions'),
      isAction: true,
      render: (delivery) => (
        <Button
          size="xs"
          variant="default"
          aria-label={say('webhooks.resend_one', { id: delivery.id })}
          onClick={() => resend(delivery)}
        >
          {say('webhooks.resend')}
        </Button>
      ),
    },
  ];
}

/** The status of the response; without a response, why. */
function Response({ delivery: { responseStatus, error } }: { readonly delivery: WebhookDelivery }) {
  if (responseStatus !== null) return <>{String(responseStatus)}</>;
  if (error === null) return <>{say('value.none_measure')}</>;
  return (
    <>
      {say('webhooks.no_response')}
      <Text size="xs" c="dimmed" maw="36ch" style={{ overflowWrap: 'anywhere' }}>
        {error}
      </Text>
    </>
  );
}
