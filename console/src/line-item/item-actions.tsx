import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { useCanEdit } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { SETTINGS_ID } from './form/settings-id.ts';
import { CopyDialog, SplitDialog } from './later-dialogs.ts';
import { StatusActions } from './object-header.tsx';

/** What can be done with one line item. */
export function ItemActions({ item }: { readonly item: LineItemDetail }) {
  const canEdit = useCanEdit();
  const [open, setOpen] = useState<'copy' | 'split' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Group gap="xs" mb="sm">
      <StatusActions kind="lineItem" object={item} />
      <Button size="xs" variant="default" onClick={showSettings}>
        {say('item_action.settings')}
      </Button>
      {canEdit && item.status !== 'ARCHIVED'
        ? (['copy', 'split'] as const).map((action) => (
            <Button key={action} size="xs" variant="default" onClick={() => setOpen(action)}>
              {say(`item_action.${action}`)}
            </Button>
          ))
        : null}
      {open === 'copy' ? <CopyDialog kind="lineItem" rows={[item]} onDone={close} onClose={close} /> : null}
      {open === 'split' ? <SplitDialog item={item} onClose={close} /> : null}
    </Group>
  );
}

/** Leads to what is set, further down the page: keys go on from there. */
function showSettings(): void {
  const settings = document.querySelector<HTMLElement>(`#${SETTINGS_ID}`);
  settings?.scrollIntoView({ block: 'start' });
  settings?.focus({ preventScroll: true });
}
