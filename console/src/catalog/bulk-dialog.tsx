import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { CatalogKind, CatalogRow } from '../api/bookings/catalog.ts';
import { ChangesDialog } from '../changes/changes-dialog.tsx';
import { say } from '../messages/say.ts';
import type { BulkAction } from './bulk-actions.ts';
import { planAction } from './catalog-plan.ts';

/** A reason is validated once nobody has typed for so long. */
const TYPING_MS = 400;
const REASON_CHARS_MAX = 1_000;

/** The preview of an action, with its reason where it has one; then it is done, and can be undone. */
export function BulkDialog({
  kind,
  action,
  rows,
  onDone,
  onClose,
}: {
  readonly kind: CatalogKind;
  readonly action: BulkAction;
  readonly rows: readonly CatalogRow[];
  onDone: () => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [typed] = useDebouncedValue(reason.trim(), TYPING_MS);
  const dialog = { kind, plan: planAction(action, rows, reason.trim()), onDone, onClose };
  if (action.hasReason !== true) return <ChangesDialog {...dialog} />;
  return (
    <ChangesDialog {...dialog} previewed={planAction(action, rows, typed)}>
      <TextInput
        label={say('catalog_action.reason')}
        description={say('catalog_action.reason_help')}
        maxLength={REASON_CHARS_MAX}
        value={reason}
        onChange={({ currentTarget }) => setReason(currentTarget.value)}
        data-autofocus
      />
    </ChangesDialog>
  );
}
