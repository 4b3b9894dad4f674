import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { AuditEntry } from '../api/account/audit-log.ts';
import { listChanges } from '../api/account/audit-log.ts';
import { type BookedKind, loadVersion } from '../api/bookings/desk-object.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import type { BulkPlan } from '../changes/bulk-plan.ts';
import { describeValue } from '../changes/change-preview.ts';
import { ChangesDialog } from '../changes/later-changes.ts';
import { useDeskScope } from '../session/desk-scope.ts';

/** Sets the fields of one change back to what they were before it, after a preview; what was changed later stays. */
export function RevertButton({
  entry,
  kind,
  id,
}: {
  readonly entry: AuditEntry;
  readonly kind: BookedKind;
  readonly id: string;
}) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const [plan, setPlan] = useState<BulkPlan | null>(null);
  const sides = sidesOf(entry);
  if (!canEdit || sides === null) return null;
  const begin = async (): Promise<void> => {
    try {
      const found = await loadVersion(scope, kind, id);
      if (found !== null) setPlan(planOf({ id, ...found }, entry, sides));
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
      {plan === null ? null : <ChangesDialog kind={kind} plan={plan} onDone={close} onClose={close} />}
    </>
  );
}

interface Sides {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** What a change set, as the API takes it; null for entries that set nothing, such as a creation. */
export function sidesOf({ action, details }: Pick<AuditEntry, 'action' | 'details'>): Sides | null {
  const { before, after } = details;
  const isChange = /\.(update|archive|upsert|save)$/.test(action);
  if (!isChange || !isPlain(before) || !isPlain(after) || Object.keys(before).length === 0) return null;
  return { before, after };
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function planOf(
  object: { readonly id: string; readonly name: string; readonly version: number },
  entry: AuditEntry,
  { before, after }: Sides,
): BulkPlan {
  const changes = listChanges(entry.details);
  const text = (side: 'before' | 'after'): string =>
    changes.map((change) => `${change.field}: ${describeValue(change[side])}`).join('; ');
  return {
    title: say('history.revert_title', { name: object.name }),
    verb: say('history.revert'),
    done: () => say('history.reverted', { name: object.name }),
    changes: [{ ...object, before: text('after'), after: text('before'), input: before, undo: after }],
    staying: [],
  };
}
