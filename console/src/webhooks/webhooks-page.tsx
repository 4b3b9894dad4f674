import { ActionIcon, Anchor, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listWebhooks, type Webhook } from '../api/account/webhooks.ts';
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
import { WebhookState } from './webhook-state.tsx';

const EVENTS_SHOWN = 3;

/** The webhooks of the environment that is looked at. */
export function WebhooksPage() {
  const scope = useScope();
  const queryKey = useWebhooksKey();
  const found = useQuery({ queryKey, queryFn: ({ signal }) => listWebhooks(scope, signal) });
  const actions = useWebhookActions(() => undefined);
  const isEmpty = found.data?.length === 0;
  const make = <Button onClick={() => actions.open({ kind: 'create' })}>{say('webhooks.create')}</Button>;
  return (
    <Page title={say('nav.webhooks')} lead={say('webhooks.lead')} actions={isEmpty ? null : make}>
      <Stack>
        <ProblemAlert error={found.error ?? actions.error} onRetry={() => void found.refetch()} />
        {found.isPending ? <LoadingPage /> : null}
        {found.data === undefined ? null : (
          <SettingsTable
            label={say('nav.webhooks')}
            columns={columns(actions)}
            rows={found.data}
            rowKey={({ id }) => id}
            empty={say('webhooks.empty')}
            next={make}
          />
        )}
      </Stack>
      {actions.dialog}
    </Page>
  );
}

function columns(actions: WebhookActions): SettingsColumn<Webhook>[] {
  return [
    {
      title: say('column.name'),
      render: ({ id, name, url }) => (
        <>
          <Anchor
            inherit
            renderRoot={(props) => <Link to="/settings/webhooks/$id" params={{ id }} search={{}} {...props} />}
          >
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" maw="40ch" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        </>
      ),
    },
    { title: say('column.state'), render: (webhook) => <WebhookState webhook={webhook} /> },
    { title: say('webhooks.events'), render: ({ types }) => <Events types={types} /> },
    { title: say('column.created'), render: ({ createdAt }) => <Instant at={createdAt} /> },
    {
      title: say('column.actions'),
      isAction: true,
      render: (webhook) => <RowMenu webhook={webhook} actions={actions} />,
    },
  ];
}

function Events({ types }: { readonly types: readonly string[] }) {
  const rest = types.length - EVENTS_SHOWN;
  return (
    <Stack gap={0} title={types.map((type) => eventWords(type)).join('\n')}>
      {types.slice(0, EVENTS_SHOWN).map((type) => (
        <Text key={type} size="sm">
          {eventWords(type)}
        </Text>
      ))}
      {rest > 0 ? (
        <Text size="xs" c="dimmed">
          {say('webhooks.more', { count: rest })}
        </Text>
      ) : null}
    </Stack>
  );
}

function RowMenu({ webhook, actions }: { readonly webhook: Webhook; readonly actions: WebhookActions }) {
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={say('keys.actions', { name: webhook.name })}>
            <Icon name="down" />
          </ActionIcon>
        </Menu.Target>
        <WebhookMenu webhook={webhook} actions={actions} />
      </Menu>
    </Group>
  );
}

/** What can be done with a webhook. */
export function WebhookMenu({ webhook, actions }: { readonly webhook: Webhook; readonly actions: WebhookActions }) {
  const isActive = webhook.status === 'ACTIVE';
  return (
    <Menu.Dropdown>
      <Menu.Item onClick={() => actions.open({ kind: 'edit', webhook })}>{say('action.edit')}</Menu.Item>
      <Menu.Item disabled={!isActive} onClick={() => actions.sendTest(webhook)}>
        {say('webhooks.test')}
      </Menu.Item>
      <Menu.Item onClick={() => actions.toggle(webhook)}>
        {say(isActive ? 'webhooks.pause' : 'webhooks.resume')}
      </Menu.Item>
      <Menu.Item onClick={() => actions.open({ kind: 'rotate', webhook })}>{say('webhooks.rotate')}</Menu.Item>
      <Menu.Item color="var(--mantine-color-error)" onClick={() => actions.open({ kind: 'delete', webhook })}>
        {say('action.delete')}
      </Menu.Item>
    </Menu.Dropdown>
  );
}
