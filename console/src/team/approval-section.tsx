import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  approveBooking,
  type BookingApproval,
  loadApproval,
  requestApproval,
  type SeenBooking,
} from '../api/bookings/team.ts';
import { useCanEdit, useIsAdmin } from '../session/session.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** Whether a guaranteed booking may go live, and who says so; nothing where the network asks for no approval. */
export function ApprovalSection({ item }: { readonly item: SeenBooking & { readonly status: string } }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [canEdit, isAdmin] = [useCanEdit(), useIsAdmin()];
  const queryKey = [...deskKey(scope), 'approval', item.id];
  const found = useQuery({ queryKey, queryFn: ({ signal }) => loadApproval(scope, item.id, signal) });
  const onSuccess = () => client.invalidateQueries({ queryKey });
  const asking = useMutation({ mutationFn: () => requestApproval(scope, item.id), onSuccess });
  const approving = useMutation({
    // What the page shows is approved, and not what was read since.
    mutationFn: () => approveBooking(scope, item),
    onSuccess,
    // After a conflict, the page shows the booking as it is now.
    onError: () => client.invalidateQueries({ queryKey: [...deskKey(scope), 'lineItem', item.id] }),
  });
  const approval = found.data?.approval;
  if (approval === undefined || approval.state === 'NOT_NEEDED') return <ProblemAlert error={found.error} />;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="approval-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="approval-title">
          {say('approval.title')}
        </Title>
        <Text>{approvalSentence(approval, item.status === 'ACTIVE')}</Text>
        <ProblemAlert error={asking.error ?? approving.error} />
        {isAdmin && approval.state !== 'APPROVED' && !approval.mayApprove ? (
          <Text size="sm" c="dimmed">
            {say('approval.not_you')}
          </Text>
        ) : null}
        {approval.state === 'APPROVED' ? null : (
          <Group gap="xs">
            {canEdit && approval.state === 'MISSING' ? (
              <Button variant="default" loading={asking.isPending} onClick={() => asking.mutate()}>
                {say('approval.request')}
              </Button>
            ) : null}
            {approval.mayApprove ? (
              <Button loading={approving.isPending} onClick={() => approving.mutate()}>
                {say('approval.approve')}
              </Button>
            ) : null}
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function approvalSentence({ state, requestedBy, approvedBy }: BookingApproval, isLive: boolean): string {
  if (state === 'REQUESTED') return say('approval.REQUESTED', { name: actorWords(requestedBy ?? '') });
  if (state === 'APPROVED') return say('approval.APPROVED', { name: actorWords(approvedBy ?? '') });
  // What went live while the network asked for no approval stays so.
  return say(isLive ? 'approval.MISSING_LIVE' : 'approval.MISSING');
}
