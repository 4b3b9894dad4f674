import { Select, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Scope } from '../../api/transport/scope.ts';
import { type ApiKey, rotateApiKey } from '../../api/account/settings.ts';
import { say } from '../../messages/say.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ExpirySelect } from './expiry-select.tsx';
import { expiresAfter } from './expiry.ts';

const OVERLAP_HOURS = [1, 24, 72, 168] as const;
/** Clocks differ a little; an instant that has just passed is refused. */
const SOON_MS = 5_000;

/** A new key like an old one, which goes on for a while. */
export function RotateKeyDialog({
  scope,
  apiKey,
  onMade,
  onClose,
}: {
  readonly scope: Scope;
  readonly apiKey: ApiKey;
  onMade: (value: string) => void;
  onClose: () => void;
}) {
  const [hours, setHours] = useState('24');
  const [days, setDays] = useState<number | null>(90);
  const rotating = useMutation({
    mutationFn: () => {
      const nowMs = Date.now();
      const oldExpiresAt = new Date(nowMs + Number(hours) * 3_600_000 + SOON_MS).toISOString();
      return rotateApiKey(scope, {
        id: apiKey.id,
        oldExpiresAt,
        expiresAt: expiresAfter(days, nowMs),
      });
    },
    onSuccess: onMade,
  });
  return (
    <FormDialog title={say('keys.rotate')} action={say('keys.rotate')} submission={rotating} onClose={onClose}>
      <Text>{say('keys.rotate_text', { name: apiKey.name })}</Text>
      <Select
        label={say('keys.overlap')}
        data={OVERLAP_HOURS.map((one) => ({ value: String(one), label: say('keys.overlap_hours', { count: one }) }))}
        value={hours}
        allowDeselect={false}
        onChange={(value) => setHours(value ?? '24')}
      />
      <ExpirySelect days={days} onChange={setDays} />
    </FormDialog>
  );
}
