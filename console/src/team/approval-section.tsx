import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { approveBooking, type BookingApproval, loadApproval, requestApproval } from '../api/team.ts';
import { useCanEdit, useIsAdmin } from '../app/session.ts';
import { deskKey, useDeskScope } from '../desk/use-desk-list.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** Whether a guaranteed booking may go live, and who says so; nothing where the network asks for no approval. */
export function ApprovalSection({ lineItemId, isLive }: { readonly lineItemId: string; readonly isLive: boolean }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const [canEdit, isAdmin] = [useCanEdit(), useIsAdmin()];
  const queryKey = [...deskKey(scope), 'approval', lineItemId];
  const found = useQuery({ queryKey, queryFn: ({ signal }) => loadApproval(scope, lineItemId, signal) });
  const onSuccess = () => client.invalidateQueries({ queryKey });
  const asking = useMutation({ mutationFn: () => requestApproval(scope, lineItemId), onSuccess });
  const approving = useMutation({
    mutationFn: () => approveBooking(scope, lineItemId, found.data?.version ?? 0),
    onSuccess,
  });
  const approval = found.data?.approval;
  if (approval === undefined || approval.state === 'NOT_NEEDED') return <ProblemAlert error={found.error} />;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="approval-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="approval-title">
          {say('approval.title')}
        </Title>
        <Text>{approvalSentence(approval, isLive)}</Text>
        <ProblemAlert error={asking.error ?? approving.error} />
        {approval.state === 'APPROVED' ? null : (
          <Group gap="xs">
            {canEdit && approval.state === 'MISSING' ? (
              <Button variant="default" loading={asking.isPending} onClick={() => asking.mutate()}>
                {say('approval.request')}
              </Button>
            ) : null}
            {isAdmin ? (
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
