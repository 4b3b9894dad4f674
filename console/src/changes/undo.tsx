import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ObjectResult, updateObjects } from '../api/bookings/object-updates.ts';
import { asOneChange } from '../api/transport/scope.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { usePageKey } from '../ui/page-keys.ts';
import { say } from '../messages/say.ts';
import { useNow } from '../ui/use-now.ts';
import { dropUndoable, recordUndoable, type Undoable, useLastUndoable } from './undo-store.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const SHOWN_MS = 20_000;

/** Says what was done, with a button that undoes it for objects that nobody has changed since; it stays in the bar of the table for ten minutes. */
export function offerUndo(client: QueryClient, one: Omit<Undoable, 'id' | 'untilMs'>): void {
  const kept = recordUndoable(one);
  notifications.show({
    id: kept.id,
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{kept.text}</span>
        <Button size="xs" variant="default" onClick={() => void runUndo(client, kept)}>
          {say('status.undo')}
        </Button>
      </Group>
    ),
  });
}

async function runUndo(client: QueryClient, { id, scope, kind, updates, also = [] }: Undoable): Promise<void> {
  notifications.hide(id);
  dropUndoable(id);
  try {
    const results: ObjectResult[] = [];
    const steps = [{ kind, updates }, ...also];
    const together = asOneChange(scope, steps.flatMap((step) => step.updates).length);
    for (const step of steps)
      results.push(...(await updateObjects(together, step.kind, step.updates, { validateOnly: false })));
    const failed = results.filter(({ code }) => code !== null).length;
    if (failed < results.length)
      notifications.show({ message: say('status.undone', { count: results.length - failed }) });
    if (failed > 0) notifications.show({ color: 'red', message: say('status.undo_failed', { count: failed }) });
  } catch (error) {
    notifications.show({ color: 'red', message: describeProblem(error) });
  }
  await client.invalidateQueries({ queryKey: deskKey(scope) });
}

/** Undoes the last change of the desk, for ten minutes. */
export function UndoButton() {
  const client = useQueryClient();
  const last = useLastUndoable(useDeskScope(), useNow());
  usePageKey('u', 'status.undo', () => {
    if (last !== null) void runUndo(client, last);
  });
  if (last === null) return null;
  return (
    <Button size="xs" variant="default" title={last.text} onClick={() => void runUndo(client, last)}>
      {say('desk.undo_last')}
    </Button>
  );
}
