import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { approveBooking, loadWaitingBookings, WAITING_SHOWN, type WaitingBooking } from '../api/bookings/team.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { flightOf, formatFlight, formatGoal, formatPrice } from '../format/desk-format.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useIsAdmin } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { actorWords } from '../ui/actor-words.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

const REFRESH_MS = 60_000;

/** The bookings that wait for approval, newest first; nothing where none does. */
export function WaitingBookings() {
  const scope = useDeskScope();
  const waiting = useQuery({
    queryKey: [...deskKey(scope), 'waiting-bookings'],
    queryFn: ({ signal }) => loadWaitingBookings(scope, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const bookings = waiting.data ?? [];
  if (bookings.length === 0) return <ProblemAlert error={waiting.error} onRetry={() => void waiting.refetch()} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={say('approval.waiting')}>
      <Title order={2} size="h4" mb="xs">
        {say('approval.waiting')}
      </Title>
      <ul className="desk-history">
        {bookings.map((booking) => (
          <WaitingItem key={booking.id} booking={booking} />
        ))}
      </ul>
      {bookings.length < WAITING_SHOWN ? null : (
        <Text size="sm" c="dimmed">
          {say('approval.newest', { count: WAITING_SHOWN })}
        </Text>
      )}
    </Paper>
  );
}

/** One booking with its terms, and a button for a member who may approve it. */
function WaitingItem({ booking }: { readonly booking: WaitingBooking }) {
  const { currency, timezone, nowMs } = useCellContext();
  const isAdmin = useIsAdmin();
  const { id, name, campaign, goal, approval } = booking;
  const terms = [
    campaign?.name ?? null,
    goal === null ? null : formatGoal(goal),
    formatPrice(booking, currency),
    formatFlight(flightOf(booking), booking.timezone ?? timezone, nowMs),
  ];
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>
          <ObjectLink to="/desk/line-items/$id" id={id} name={name} />
          <Text size="sm" c="dimmed">
            {terms.filter((one) => one !== null).join(' · ')}
          </Text>
          <Text size="sm">
            {approval.state === 'REQUESTED'
              ? say('approval.asked_by', {
                  name: actorWords(approval.requestedBy ?? ''),
                  at: formatInstant(approval.requestedAt ?? '', timezone),
                })
              : say('approval.live_unapproved')}
            {isAdmin && !approval.mayApprove ? ` ${say('approval.not_you')}` : ''}
          </Text>
        </div>
        {approval.mayApprove ? <ApproveButton booking={booking} /> : null}
      </Group>
    </li>
  );
}

function ApproveButton({ booking }: { readonly booking: WaitingBooking }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const { name } = booking;
  const approving = useMutation({
    // What the list shows is approved, and not what was changed since.
    mutationFn: () => approveBooking(scope, booking),
    onSuccess: () => notifications.show({ message: say('approval.approved_one', { name }) }),
    onError: (error) => notifications.show({ color: 'red', message: describeProblem(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={`${say('approval.approve_one')}: ${name}`}
      loading={approving.isPending}
      onClick={() => approving.mutate()}
    >
      {say('approval.approve_one')}
    </Button>
  );
}
