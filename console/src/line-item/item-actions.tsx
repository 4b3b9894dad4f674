import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { CopyDialog, EditDialog, SplitDialog } from './later-dialogs.ts';
import { StatusActions } from './object-header.tsx';

/** What can be done with one line item. */
export function ItemActions({ item }: { readonly item: LineItemDetail }) {
  const canEdit = useCanEdit();
  const [open, setOpen] = useState<'edit' | 'copy' | 'split' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap="xs" mb="sm">
      <StatusActions kind="lineItem" object={item} />
      {canEdit && item.status !== 'ARCHIVED'
        ? (['edit', 'copy', 'split'] as const).map((action) => (
            <Button key={action} size="xs" variant="default" onClick={() => setOpen(action)}>
              {say(`item_action.${action}`)}
            </Button>
          ))
        : null}
      {open === 'edit' ? <EditDialog item={item} onClose={close} /> : null}
      {open === 'copy' ? <CopyDialog kind="lineItem" rows={[item]} onDone={close} onClose={close} /> : null}
      {open === 'split' ? <SplitDialog item={item} onClose={close} /> : null}
    </Group>
  );
}
