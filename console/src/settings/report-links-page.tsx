import { ActionIcon, Badge, Button, Group, Menu, Stack, Switch, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  claimShare,
  type ListedShare,
  loadAllShares,
  revokeShare,
  stateOfShare,
} from '../api/reports/report-shares.ts';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useSession } from '../session/session.ts';
import { actorWords } from '../ui/actor-words.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Instant } from '../ui/instant.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { useNow } from '../ui/use-now.ts';

interface Action {
  readonly kind: 'claim' | 'revoke';
  readonly share: ListedShare;
}

/** The links, and what claims and revokes a link. */
function useShares(includesEnded: boolean) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [action, setAction] = useState<Action | null>(null);
  const queryKey = [...deskKey(scope), 'all-shares'];
  const list = useInfiniteQuery({
    queryKey: [...queryKey, includesEnded],
    queryFn: ({ pageParam, signal }) => loadAllShares(scope, { includesEnded, after: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: scope.networkId !== '',
  });
  const acting = useMutation({
    mutationFn: ({ kind, share }: Action) => (kind === 'claim' ? claimShare : revokeShare)(scope, share.id),
    onSuccess: async () => {
      setAction(null);
      await client.invalidateQueries({ queryKey: deskKey(scope) });
    },
  });
  const open = (next: Action | null): void => {
    acting.reset();
    setAction(next);
  };
  return { list, action, open, acting };
}

/** All links to reports of the environment, for admins. */
export function ReportLinksPage() {
  const [includesEnded, setIncludesEnded] = useState(false);
  const { list, action, open, acting } = useShares(includesEnded);
  const { user } = useSession();
  const nowMs = useNow();
  return (
    <Page title={say('nav.report_links')} lead={say('report_links.lead')}>
      <Stack>
        <Switch
          label={say('report_links.show_all')}
          checked={includesEnded}
          onChange={(event) => setIncludesEnded(event.currentTarget.checked)}
        />
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
        {list.isPending ? <LoadingPage /> : null}
        {list.data === undefined ? null : (
          <SettingsTable
            label={say('nav.report_links')}
            columns={columns({ userId: user.id, nowMs, open })}
            rows={list.data.pages.flatMap(({ shares }) => shares)}
            rowKey={({ id }) => id}
            empty={say('report_links.empty')}
            next={
              <Button variant="default" renderRoot={(props) => <Link to="/desk/campaigns" search={{}} {...props} />}>
                {say('nav.campaigns')}
              </Button>
            }
          />
        )}
        {list.hasNextPage ? (
          <Group>
            <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              {say('action.more')}
            </Button>
          </Group>
        ) : null}
      </Stack>
      {action === null ? null : (
        <FormDialog
          title={say(`report_links.${action.kind}`)}
          action={say(`report_links.${action.kind}`)}
          submission={{ error: acting.error, isPending: acting.isPending, mutate: () => acting.mutate(action) }}
          isDangerous={action.kind === 'revoke'}
          onClose={() => open(null)}
        >
          <Text>{consequenceOf(action)}</Text>
        </FormDialog>
      )}
    </Page>
  );
}

function consequenceOf({ kind, share: { name, ownerName } }: Action): string {
  if (kind === 'revoke') return say('report_links.revoke_text', { name });
  return ownerName === null
    ? say('report_links.claim_unowned', { name })
    : say('report_links.claim_owned', { name, owner: ownerName });
}

interface Look {
  /** The signed-in admin. */
  readonly userId: string;
  readonly nowMs: number;
  open: (action: Action) => void;
}

function columns({ userId, nowMs, open }: Look): SettingsColumn<ListedShare>[] {
  return [
    {
      title: say('report_links.for'),
      render: ({ name, campaignName, showsSpend }) => (
        <>
          <bdi>{name}</bdi>
          <Text size="xs" c="dimmed">
            {isolate(campaignName)}
            {showsSpend ? ` · ${say('report_links.spend')}` : null}
          </Text>
        </>
      ),
    },
    { title: say('column.state'), render: (share) => <State share={share} nowMs={nowMs} /> },
    { title: say('report_links.by'), render: ({ createdBy }) => actorWords(createdBy) },
    {
      title: say('report_links.ends_with'),
      render: ({ ownerId, ownerName }) =>
        ownerId === userId ? say('report_links.you') : (ownerName ?? say('report_links.nobody')),
    },
    { title: say('column.created'), render: ({ createdAt }) => <Instant at={createdAt} /> },
    { title: say('column.expires'), render: ({ expiresAt }) => <Instant at={expiresAt} /> },
    {
      title: say('report_links.last_opened'),
      render: ({ lastOpenedAt, opened }) => (
        <>
          <Instant at={lastOpenedAt} />
          {opened === 0 ? null : (
            <Text size="xs" c="dimmed">
              {say('report_links.opened', { count: opened })}
            </Text>
          )}
        </>
      ),
    },
    {
      title: say('column.actions'),
      isAction: true,
      render: (share) =>
        stateOfShare(share, nowMs) === 'active' ? (
          <ShareMenu share={share} isOwn={share.ownerId === userId} open={open} />
        ) : null,
    },
  ];
}

function State({ share, nowMs }: { readonly share: ListedShare; readonly nowMs: number }) {
  const state = stateOfShare(share, nowMs);
  return (
    <Badge variant="outline" color={state === 'active' ? 'green.9' : 'gray'} c="var(--mantine-color-text)">
      {say(`key_state.${state}`)}
    </Badge>
  );
}

/** What can be done with a link that works. */
function ShareMenu({
  share,
  isOwn,
  open,
}: {
  readonly share: ListedShare;
  readonly isOwn: boolean;
  open: (action: Action) => void;
}) {
  return (
    <Group justify="flex-end">
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={say('report_links.actions', { name: share.name })}>
            <Icon name="down" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isOwn ? null : (
            <Menu.Item onClick={() => open({ kind: 'claim', share })}>{say('report_links.claim')}</Menu.Item>
          )}
          <Menu.Item color="var(--mantine-color-error)" onClick={() => open({ kind: 'revoke', share })}>
            {say('report_links.revoke')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
