import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type AgentRequest, loadAgentRequests } from '../api/bookings/agents/agent-requests.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { agentWords } from '../agents/request-words.tsx';
import { cutText } from '../agents/long-text.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const REFRESH_MS = 60_000;
/** More than a member deals with at a time. */
const COUNTED_MAX = 20;
const SHOWN = 5;
const NAME_CHARS = 80;

/** The buys of agents that wait for a person, newest first; nothing where none waits. */
export function WaitingAgents() {
  const scope = useDeskScope();
  const waiting = useQuery({
    queryKey: [...deskKey(scope), 'waiting-agents'],
    queryFn: ({ signal }) => loadAgentRequests(scope, { states: ['SUBMITTED'], first: COUNTED_MAX }, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const requests = waiting.data ?? [];
  if (requests.length === 0) return <ProblemAlert error={waiting.error} onRetry={() => void waiting.refetch()} />;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="waiting-agents-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="waiting-agents-title">
          {say('agents.today', { count: requests.length })}
        </Title>
        <Button
          size="xs"
          variant="light"
          renderRoot={(props) => <Link to="/desk/agents" search={{ state: 'waiting' }} {...props} />}
        >
          {say('agents.today_all')}
        </Button>
      </Group>
      <ul className="desk-history">
        {requests.slice(0, SHOWN).map((request) => (
          <li key={request.id}>
            <WaitingRequest request={request} />
          </li>
        ))}
      </ul>
    </Paper>
  );
}

function WaitingRequest({ request }: { readonly request: AgentRequest }) {
  const { timezone } = useCellContext();
  const { id, advertiserName, createdAt } = request;
  const name = advertiserName ?? id;
  return (
    <>
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => <Link to="/desk/agents" search={{ state: 'waiting', request: id }} {...props} />}
      >
        <bdi>{name}</bdi>
      </Anchor>
      <Text size="sm" c="dimmed" truncate>
        <bdi>{cutText(agentWords(request), NAME_CHARS)}</bdi>
        {` · ${formatInstant(createdAt, timezone)}`}
      </Text>
    </>
  );
}
