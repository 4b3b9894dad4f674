import { Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import { useCanEdit, useNetwork } from '../../session/session.ts';
import { say } from '../../messages/say.ts';
import { SettingsFacts } from './settings-facts.tsx';
import { SettingsForm } from './settings-form.tsx';
import { SETTINGS_ID } from './settings-id.ts';

/** Narrower screens have one column. */
const ONE_COLUMN = '(max-width: 75em)';

/** All settings of a line item: a form for those who may change them, and words for everybody else. An archived one is not changed. */
export function SettingsSection({
  item,
  isPanel,
  children,
}: {
  readonly item: LineItemDetail;
  readonly isPanel: boolean;
  /** Content of the second column. */
  readonly children: ReactNode;
}) {
  const network = useNetwork();
  const canEdit = useCanEdit();
  const isNarrow = useMediaQuery(ONE_COLUMN, false, { getInitialValueInEffect: false }) || isPanel;
  if (network === undefined) return null;
  const { timezone, currency } = network;
  return (
    <section id={SETTINGS_ID} tabIndex={-1} aria-label={say('item_action.settings')} className="item-settings">
      {canEdit && item.status !== 'ARCHIVED' ? (
        <SettingsForm item={item} timezone={timezone} currency={currency} isNarrow={isNarrow}>
          {children}
        </SettingsForm>
      ) : (
        <div className={isNarrow ? 'item-form item-form-narrow' : 'item-form'}>
          <Stack gap="md">
            <SettingsFacts item={item} timezone={timezone} />
          </Stack>
          <Stack gap="md">{children}</Stack>
        </div>
      )}
    </section>
  );
}
