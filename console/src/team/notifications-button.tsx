import {
  ActionIcon,
  Anchor,
  Button,
  Checkbox,
  Group,
  Indicator,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
} from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  chooseNotifications,
  loadNotifications,
  loadUnread,
  markRead,
  type Notification,
  type NotificationChoice,
} from '../api/bookings/team.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { SidePanel } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const REFRESH_MS = 60_000;
const PAGES: Readonly<
  Record<Notification['objectKind'], (notice: Notification) => { to: string; params?: object; search: object }>
> = {
  campaign: ({ objectId }) => ({ to: '/desk/campaigns/$id', params: { id: objectId }, search: {} }),
  lineItem: ({ objectId }) => ({ to: '/desk/line-items/$id', params: { id: objectId }, search: {} }),
  creative: ({ objectId }) => ({ to: '/desk/creatives', search: { open: objectId } }),
  libraryCreative: ({ objectName }) => ({ to: '/desk/creatives', search: { q: objectName } }),
};

/** How many notifications are unread; opens them. */
export function NotificationsButton() {
  const scope = useDeskScope();
  const [opened, setOpened] = useState(false);
  const unread = useQuery({
    queryKey: ['team', scope.environment, scope.networkId, 'unread'],
    queryFn: ({ signal }) => loadUnread(scope, signal),
    enabled: scope.networkId !== '',
    refetchInterval: REFRESH_MS,
  });
  const count = unread.data ?? 0;
  return (
    <>
      <Indicator label={count > 99 ? '99+' : count} size={16} disabled={count === 0} color="red.9">
        <ActionIcon size="lg" aria-label={say('notices.open', { count })} onClick={() => setOpened(true)}>
          <Icon name="bell" />
        </ActionIcon>
      </Indicator>
      <SidePanel opened={opened} onClose={() => setOpened(false)} position="right" title={say('notices.title')}>
        {opened ? <Notices onLeave={() => setOpened(false)} /> : null}
      </SidePanel>
    </>
  );
}

function Notices({ onLeave }: { readonly onLeave: () => void }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const key = ['team', scope.environment, scope.networkId];
  const found = useQuery({ queryKey: [...key, 'notices'], queryFn: ({ signal }) => loadNotifications(scope, signal) });
  const reading = useMutation({
    mutationFn: (upTo: string) => markRead(scope, upTo),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
  });
  const { data } = found;
  const newest = data?.notifications[0];
  return (
    <Stack>
      <ProblemAlert error={found.error ?? reading.error} onRetry={() => void found.refetch()} />
      {found.isPending ? <Skeleton height={80} /> : null}
      {data?.notifications.length === 0 ? <Text c="dimmed">{say('notices.empty')}</Text> : null}
      {newest === undefined || data?.notifications.every(({ isRead }) => isRead) === true ? null : (
        <Group>
          <Button size="xs" variant="default" loading={reading.isPending} onClick={() => reading.mutate(newest.id)}>
            {say('notices.read_all')}
          </Button>
        </Group>
      )}
      {data?.notifications.map((one) => (
        <Notice key={one.id} notice={one} onLeave={onLeave} />
      ))}
      {data === undefined ? null : <Choices choices={data.notificationChoices} queryKey={key} />}
    </Stack>
  );
}

function Notice({ notice, onLeave }: { readonly notice: Notification; readonly onLeave: () => void }) {
  const { event, actor, objectName, objectKind, details } = notice;
  return (
    <div>
      <Anchor
        fw={notice.isRead ? 400 : 650}
        renderRoot={(props) => <Link {...PAGES[objectKind](notice)} onClick={onLeave} {...props} />}
      >
        {say(`notices.${event}`, {
          actor: actorWords(actor),
          name: isolate(objectName),
          more: (details.count ?? 1) - 1,
        })}
      </Anchor>
      {details.reason === undefined || details.reason === '' ? null : <Text size="sm">{details.reason}</Text>}
      <Text size="sm" c="dimmed">
        <Instant at={notice.createdAt} />
      </Text>
    </div>
  );
}

function Choices({
  choices,
  queryKey,
}: {
  readonly choices: readonly NotificationChoice[];
  readonly queryKey: readonly string[];
}) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const choosing = useMutation({
    mutationFn: (choice: NotificationChoice) => chooseNotifications(scope, [choice]),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
  const box = (choice: NotificationChoice, name: 'inApp' | 'mail', title: string) => (
    <Checkbox
      aria-label={`${say(`notices.event_${choice.event}`)}: ${title}`}
      checked={choice[name]}
      onChange={(event) => choosing.mutate({ ...choice, [name]: event.currentTarget.checked })}
    />
  );
  return (
    <Stack gap="xs">
      <Title order={3} size="h4">
        {say('notices.choices')}
      </Title>
      <ProblemAlert error={choosing.error} />
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th>{say('notices.in_app')}</Table.Th>
            <Table.Th>{say('notices.mail')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {choices.map((choice) => (
            <Table.Tr key={choice.event}>
              <Table.Th scope="row" fw={400}>
                {say(`notices.event_${choice.event}`)}
              </Table.Th>
              <Table.Td>{box(choice, 'inApp', say('notices.in_app'))}</Table.Td>
              <Table.Td>{box(choice, 'mail', say('notices.mail'))}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}
