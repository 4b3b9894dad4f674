import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { updateObjects } from '../api/bookings/object-updates.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import type { AttentionAction, AttentionEntry, AttentionKind } from './attention.ts';
import { type BulkPlan, planEdit, planStatus } from '../changes/bulk-plan.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';

const TONES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: 'state-bad',
  BEHIND: 'state-warn',
  SILENT: 'state-bad',
  REJECTED: 'state-bad',
  LIMIT: 'state-bad',
  NO_CREATIVE: 'state-warn',
  PENDING: 'state-warn',
  ENDING: '',
};
/** Shapes beside the words: colour is never the only sign. */
const SHAPES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: '◆',
  BEHIND: '▼',
  SILENT: '✕',
  REJECTED: '✕',
  LIMIT: '▲',
  NO_CREATIVE: '○',
  PENDING: '○',
  ENDING: '◔',
};
const EXTEND_DAYS = 7;

/** One thing that needs a person, with what to do about it. */
export function AttentionItem({
  entry: { kind, lineItemId, name, campaign, sentence, actions },
}: {
  readonly entry: AttentionEntry;
}) {
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div style={{ flex: '1 1 16rem' }}>
          <span className={`state-word ${TONES[kind]}`}>
            <span aria-hidden="true">{SHAPES[kind]}</span>
            {say(`attention.${kind}`)}
          </span>{' '}
          {lineItemId === null ? (
            <Text span fw={600}>
              {name}
            </Text>
          ) : (
            <ObjectLink to="/desk/line-items/$id" id={lineItemId} name={name} />
          )}
          <Text size="sm" c="dimmed">
            {campaign === null ? sentence : `${campaign} · ${sentence}`}
          </Text>
        </div>
        <Group gap="xs">
          {actions.map((action) => (
            <ActionButton key={action.kind} action={action} name={name} />
          ))}
        </Group>
      </Group>
    </li>
  );
}

function ActionButton({ action, name }: { readonly action: AttentionAction; readonly name: string }) {
  const canEdit = useCanEdit();
  const label = { 'aria-label': `${say(`attention.action_${action.kind}`)}: ${name}` };
  const text = say(`attention.action_${action.kind}`);
  if (action.kind === 'open')
    return (
      <Button
        size="xs"
        variant="default"
        {...label}
        renderRoot={(props) => (
          <Link to="/desk/line-items/$id" params={{ id: action.item.id }} search={{}} {...props} />
        )}
      >
        {text}
      </Button>
    );
  if (action.kind === 'limits')
    return (
      <Button
        size="xs"
        variant="default"
        {...label}
        renderRoot={(props) => <Link to="/settings/limits" search={{}} {...props} />}
      >
        {text}
      </Button>
    );
  if (!canEdit) return null;
  return action.kind === 'approve' ? (
    <ApproveButton action={action} label={label['aria-label']} text={text} />
  ) : (
    <PlanButton action={action} label={label['aria-label']} text={text} />
  );
}

interface OwnButtonProps<Kind extends AttentionAction['kind']> {
  readonly action: Extract<AttentionAction, { readonly kind: Kind }>;
  readonly label: string;
  readonly text: string;
}

/** Extends or resumes after a preview. */
function PlanButton({ action: { kind, item }, label, text }: OwnButtonProps<'open' | 'extend' | 'resume'>) {
  const context = useCellContext();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const begin = (): void =>
    setPlan(
      kind === 'extend' ? planEdit({ field: 'end', days: EXTEND_DAYS }, [item], context) : planStatus('resume', [item]),
    );
  const close = (): void => setPlan(null);
  return (
    <>
      <Button size="xs" variant="default" aria-label={label} onClick={begin}>
        {text}
      </Button>
      {plan === null ? null : <ChangesDialog kind="lineItem" plan={plan} onDone={close} onClose={close} />}
    </>
  );
}

function ApproveButton({ action, label, text }: OwnButtonProps<'approve'>) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const approving = useMutation({
    mutationFn: async () => {
      const update = { id: action.creativeId, version: action.version, input: { reviewState: 'APPROVED' } };
      const [result] = await updateObjects(scope, 'creatives', [update], { validateOnly: false });
      return result?.message ?? null;
    },
    onSuccess: (message) => notifications.show({ message: message ?? say('attention.approved') }),
    onError: (error) => notifications.show({ color: 'red', message: describeProblem(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(scope) }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={label}
      loading={approving.isPending}
      onClick={() => approving.mutate()}
    >
      {text}
    </Button>
  );
}
