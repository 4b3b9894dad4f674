import { Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { say } from '../messages/say.ts';
import { FormDialog } from './form-dialog.tsx';

/** Asks before a page is left with changes that are not saved. */
export function LeaveGuard({ isChanged }: { readonly isChanged: () => boolean }) {
  const blocker = useBlocker({ shouldBlockFn: isChanged, enableBeforeUnload: isChanged, withResolver: true });
  if (blocker.status !== 'blocked') return null;
  return (
    <FormDialog
      title={say('leave.title')}
      action={say('leave.action')}
      submission={{ error: null, isPending: false, mutate: blocker.proceed }}
      isDangerous
      onClose={blocker.reset}
    >
      <Text>{say('leave.text')}</Text>
    </FormDialog>
  );
}
