import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AgentRequestDetails,
  approveAgentRequest,
  rejectAgentRequest,
} from '../api/bookings/agents/agent-requests.ts';
import { fieldMessage } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { planApproval } from './read-request.ts';

const REASON_CHARS_MAX = 500;

/** Approves the booking as it is shown, or rejects it with a reason. */
export function RequestDecision({ details }: { readonly details: AgentRequestDetails }) {
  const canEdit = useCanEdit();
  const [reason, setReason] = useState<string | null>(null);
  const { id, booking, request } = details;
  const approving = useDecision(say('agents.approved'), (scope) =>
    booking === null ? Promise.resolve() : approveAgentRequest(scope, id, planApproval(id, request, booking)),
  );
  const rejecting = useDecision(say('agents.rejected'), (scope) =>
    rejectAgentRequest(scope, id, (reason ?? '').trim()),
  );
  if (!canEdit) return <Text size="sm">{say('agents.read_only')}</Text>;
  return (
    <Paper withBorder p="md" component="section" aria-label={say('agents.decision')}>
      <Stack gap="sm">
        <ProblemAlert error={approving.error ?? rejecting.error} />
        {reason === null ? (
          <>
            <Group>
              <Button loading={approving.isPending} disabled={booking === null} onClick={() => approving.mutate()}>
                {say('agents.approve')}
              </Button>
              <Button variant="default" onClick={() => setReason('')}>
                {say('agents.reject')}
              </Button>
            </Group>
            <Text size="sm" c="dimmed">
              {say(booking === null ? 'agents.no_booking' : 'agents.change')}
            </Text>
          </>
        ) : (
          <RejectForm
            reason={reason}
            submission={rejecting}
            onChange={setReason}
            onCancel={() => {
              rejecting.reset();
              setReason(null);
            }}
          />
        )}
      </Stack>
    </Paper>
  );
}

type Scope = ReturnType<typeof useDeskScope>;

/** Carries a decision out; afterwards everything of the desk is read again, also what changed in between. */
function useDecision(done: string, decide: (scope: Scope) => Promise<void>) {
  const scope = useDeskScope();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => decide(scope),
    onSuccess: () => notifications.show({ message: done }),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
}

/** The reason of a rejection, which the agent reads. */
function RejectForm({
  reason,
  submission,
  onChange,
  onCancel,
}: {
  readonly reason: string;
  readonly submission: { readonly error: unknown; readonly isPending: boolean; mutate: () => void };
  onChange: (reason: string) => void;
  onCancel: () => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') submission.mutate();
      }}
    >
      <Textarea
        label={say('agents.reason')}
        description={say('agents.reason_help')}
        required
        autosize
        minRows={2}
        maxLength={REASON_CHARS_MAX}
        value={reason}
        error={fieldMessage(submission.error, 'reason')}
        ref={(field) => field?.focus()}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Group mt="sm">
        <Button type="submit" color="red.9" loading={submission.isPending} disabled={reason.trim() === ''}>
          {say('agents.reject')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {say('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}
