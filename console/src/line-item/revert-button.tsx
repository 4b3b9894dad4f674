import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AuditEntry } from '../api/account/audit-log.ts';
import { LOGGED_KINDS, type LoggedKind, loadVersion } from '../api/bookings/desk-object.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import type { LogContext } from '../changes/change-words.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import { useDeskScope } from '../session/desk-scope.ts';
import { planRevert, sidesOf } from './revert-plan.ts';

/** Sets the fields of one change back to what they were before it, after a preview; what was changed later stays. */
export function RevertButton({
  entry,
  kind,
  id,
  context,
}: {
  readonly entry: AuditEntry;
  readonly kind: LoggedKind;
  readonly id: string;
  /** The facts for the words of values. */
  readonly context: LogContext;
}) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const sides = sidesOf(entry);
  if (!canEdit || sides === null) return null;
  const begin = async (): Promise<void> => {
    try {
      const found = await loadVersion(scope, kind, id);
      if (found !== null) setPlan(planRevert({ id, ...found }, { entry, sides }, context));
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
  };
  const close = (): void => setPlan(null);
  return (
    <>
      <Button size="compact-xs" variant="subtle" ml="xs" onClick={() => void begin()}>
        {say('history.revert')}
      </Button>
      {plan === null ? null : <ChangesDialog kind={LOGGED_KINDS[kind]} plan={plan} onDone={close} onClose={close} />}
    </>
  );
}
