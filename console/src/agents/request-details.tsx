import './agents.css';
import { Code, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AgentRequestDetails, loadAgentRequest } from '../api/bookings/agents/agent-requests.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { actorWords } from '../ui/actor-words.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { AskedParts } from './asked-parts.tsx';
import { BookedPackages } from './booked-packages.tsx';
import { Fact } from './fact.tsx';
import { RequestDecision } from './request-decision.tsx';
import { LongText } from './long-text.tsx';
import { productIdsOf } from './read-request.ts';
import { agentWords, RequestState, toldWords, toolWords } from './request-words.tsx';

/** One request: the agent, its request, the response, and the decision of a request that waits. */
export function RequestDetails({ id }: { readonly id: string }) {
  const scope = useDeskScope();
  const details = useQuery({
    queryKey: [...deskKey(scope), 'agent-request', id],
    queryFn: ({ signal }) => loadAgentRequest(scope, id, productIdsOf, signal),
    enabled: scope.networkId !== '',
  });
  const found = details.data;
  return (
    <Stack>
      <ProblemAlert error={details.error} onRetry={() => void details.refetch()} />
      {details.isPending ? <LoadingPage /> : null}
      {found === null ? <Text>{say('agents.missing')}</Text> : null}
      {found === null || found === undefined ? null : <Details details={found} />}
    </Stack>
  );
}

function Details({ details }: { readonly details: AgentRequestDetails }) {
  const { timezone } = useCellContext();
  const { state, tool, createdAt, advertiserName, booking, campaignId, decidedBy, decidedAt } = details;
  const told = toldWords(details);
  return (
    <>
      <dl className="agent-facts">
        <Fact name={say('agents.agent')}>
          <LongText text={agentWords(details)} />
        </Fact>
        <Fact name={say('agents.advertiser')}>
          <bdi>{advertiserName ?? say('value.none')}</bdi>
        </Fact>
        <Fact name={say('agents.asked')}>{toolWords(tool)}</Fact>
        <Fact name={say('agents.when')}>{formatInstant(createdAt, timezone)}</Fact>
        <Fact name={say('agents.state')}>
          <RequestState state={state} />
        </Fact>
        {told === '' ? null : (
          <Fact name={say('agents.told')}>
            <LongText text={told} />
          </Fact>
        )}
      </dl>
      {decidedBy === null || decidedAt === null ? null : (
        <Text size="sm">
          {say('agents.decided', { name: actorWords(decidedBy), at: formatInstant(decidedAt, timezone) })}
        </Text>
      )}
      {state === 'SUBMITTED' ? <RequestDecision details={details} /> : null}
      <AskedParts request={details.request} products={details.products} />
      {booking === null ? null : <BookedPackages booking={booking} />}
      {booking === null && campaignId !== null ? <Text size="sm">{say('agents.no_booking')}</Text> : null}
      <Raw title={say('agents.raw')} value={details.request} />
      <Raw title={say('agents.response')} value={details.response} />
    </>
  );
}

/** JSON as it came, folded until somebody opens it. */
function Raw({ title, value }: { readonly title: string; readonly value: unknown }) {
  const [isOpen, setIsOpen] = useState(false);
  if (value === null || value === undefined) return null;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <Title component="summary" order={3} size="h6">
        {title}
      </Title>
      {isOpen ? (
        <ScrollRegion label={title}>
          <Code block>{JSON.stringify(value, null, 2)}</Code>
        </ScrollRegion>
      ) : null}
    </details>
  );
}
