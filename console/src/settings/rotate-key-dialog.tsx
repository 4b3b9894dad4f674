import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Scope } from '../api/scope.ts';
import { type ApiKey, rotateApiKey } from '../api/settings.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EXPIRY_DAYS, expiresAfter } from './expiry.ts';

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
  const [days, setDays] = useState('90');
  const rotating = useMutation({
    mutationFn: () => {
      const nowMs = Date.now();
      const oldExpiresAt = new Date(nowMs + Number(hours) * 3_600_000 + SOON_MS).toISOString();
      return rotateApiKey(scope, {
        id: apiKey.id,
        oldExpiresAt,
        expiresAt: expiresAfter(days === 'never' ? null : Number(days), nowMs),
      });
    },
    onSuccess: onMade,
  });
  return (
    <Modal opened onClose={onClose} title={say('keys.rotate')}>
      <Stack>
        <Text>{say('keys.rotate_text', { name: apiKey.name })}</Text>
        <ProblemAlert error={rotating.error} />
        <Select
          label={say('keys.overlap')}
          data={OVERLAP_HOURS.map((one) => ({ value: String(one), label: say('keys.overlap_hours', { count: one }) }))}
          value={hours}
          allowDeselect={false}
          onChange={(value) => setHours(value ?? '24')}
        />
        <Select
          label={say('keys.expiry')}
          data={EXPIRY_DAYS.map((one) => ({
            value: one === null ? 'never' : String(one),
            label:
              one === null
                ? say('keys.expiry_never')
                : say(one === 90 ? 'keys.expiry_best' : 'keys.expiry_days', { days: one }),
          }))}
          value={days}
          allowDeselect={false}
          onChange={(value) => setDays(value ?? '90')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('action.cancel')}
          </Button>
          <Button loading={rotating.isPending} onClick={() => rotating.mutate()}>
            {say('keys.rotate')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
