import { Anchor, Button, SegmentedControl, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type AgentRequest, loadAgentRequests } from '../api/bookings/agents/agent-requests.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { SidePanel } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type SettingsColumn, SettingsTable } from '../ui/settings-table.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { cutText } from './long-text.tsx';
import { RequestDetails } from './request-details.tsx';
import { agentWords, RequestState, toldWords, toolWords } from './request-words.tsx';

const PAGE = 25;
const REFRESH_MS = 60_000;
/** Characters of a stranger's text in a cell; the panel has the whole. */
const NAME_CHARS = 60;
const TOLD_CHARS = 100;

/** The requests of buyers' agents, newest first; the filter and the open request are in the address. */
export function AgentsPage() {
  const scope = useDeskScope();
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const isWaiting = search['state'] === 'waiting';
  const opened = search['request'] ?? null;
  const list = useInfiniteQuery({
    queryKey: [...deskKey(scope), 'agent-requests', isWaiting],
    queryFn: ({ pageParam, signal }) =>
      loadAgentRequests(
        scope,
        { first: PAGE, after: pageParam, ...(isWaiting ? { states: ['SUBMITTED'] } : {}) },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const rows = list.data?.pages.flat();
  const filter = isWaiting ? { state: 'waiting' } : {};
  const close = (): void => void navigate({ to: '/desk/agents', search: filter });
  return (
    <Page title={say('nav.agents')} lead={say('agents.lead')}>
      <Stack>
        <StateFilter isWaiting={isWaiting} />
        <ProblemAlert error={list.error} onRetry={() => void list.refetch()} />
        {list.isPending ? <LoadingPage /> : null}
        {rows === undefined ? null : <RequestTable rows={rows} isWaiting={isWaiting} />}
        {list.hasNextPage ? (
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {say('action.more')}
          </Button>
        ) : null}
      </Stack>
      <SidePanel
        opened={opened !== null}
        onClose={close}
        position="right"
        size="lg"
        title={opened === null ? '' : say('agents.details', { id: opened })}
      >
        {opened === null ? null : <RequestDetails key={opened} id={opened} />}
      </SidePanel>
    </Page>
  );
}

function StateFilter({ isWaiting }: { readonly isWaiting: boolean }) {
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label={say('agents.show')}
      style={{ alignSelf: 'flex-start' }}
      value={isWaiting ? 'waiting' : 'all'}
      onChange={(value) =>
        void navigate({ to: '/desk/agents', search: value === 'waiting' ? { state: 'waiting' } : {} })
      }
      data={[
        { value: 'all', label: say('agents.show_all') },
        { value: 'waiting', label: say('agents.show_waiting') },
      ]}
    />
  );
}

function RequestTable({ rows, isWaiting }: { readonly rows: readonly AgentRequest[]; readonly isWaiting: boolean }) {
  const { timezone } = useCellContext();
  const columns: SettingsColumn<AgentRequest>[] = [
    { title: say('agents.agent'), render: (row) => <RequestLink row={row} isWaiting={isWaiting} /> },
    { title: say('agents.advertiser'), render: (row) => <bdi>{row.advertiserName ?? say('value.none')}</bdi> },
    { title: say('agents.asked'), render: (row) => toolWords(row.tool) },
    { title: say('agents.when'), render: (row) => formatInstant(row.createdAt, timezone) },
    { title: say('agents.state'), render: (row) => <RequestState state={row.state} /> },
    { title: say('agents.told'), render: (row) => <bdi>{cutText(toldWords(row), TOLD_CHARS)}</bdi> },
  ];
  return (
    <SettingsTable
      label={say('nav.agents')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      empty={say(isWaiting ? 'agents.empty_waiting' : 'agents.empty')}
      next={isWaiting ? null : <Anchor href="/docs/selling-to-agents">{say('agents.guide')}</Anchor>}
    />
  );
}

function RequestLink({ row, isWaiting }: { readonly row: AgentRequest; readonly isWaiting: boolean }) {
  const agent = cutText(agentWords(row), NAME_CHARS);
  return (
    <Anchor
      inherit
      underline="always"
      aria-label={say('agents.open', { id: row.id, agent })}
      renderRoot={(props) => (
        <Link to="/desk/agents" search={{ request: row.id, ...(isWaiting ? { state: 'waiting' } : {}) }} {...props} />
      )}
    >
      <bdi>{agent}</bdi>
    </Anchor>
  );
}
