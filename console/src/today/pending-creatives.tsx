import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { loadReviewQueue } from '../api/bookings/creatives/review-queue.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const REFRESH_MS = 60_000;
const SHOWN = 5;

/** The creatives that wait for their review, longest first, and the way to the queue; nothing where none waits. */
export function PendingCreatives() {
  const scope = useDeskScope();
  const pending = useQuery({
    queryKey: [...deskKey(scope), 'pending-creatives'],
    queryFn: ({ signal }) => loadReviewQueue(scope, SHOWN, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const { creatives, count } = pending.data ?? { creatives: [], count: 0 };
  if (count === 0) return <ProblemAlert error={pending.error} onRetry={() => void pending.refetch()} />;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="pending-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4" id="pending-title">
          {say('today.pending', { count })}
        </Title>
        <Button size="xs" variant="light" renderRoot={(props) => <Link to="/desk/review" search={{}} {...props} />}>
          {say('today.review_all')}
        </Button>
      </Group>
      <ul className="desk-history">
        {creatives.map(({ kind, id, name, lineItems }) => (
          <li key={`${kind}/${id}`}>
            <ObjectLink to={kind === 'creative' ? '/desk/creatives/$id' : '/desk/library/$id'} id={id} name={name} />
            <Text size="sm" c="dimmed">
              <bdi>{lineItems.map((item) => item.name).join(', ')}</bdi>
            </Text>
          </li>
        ))}
      </ul>
    </Paper>
  );
}
