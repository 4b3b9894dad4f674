import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { createBuyerKey } from '../../api/account/settings.ts';
import { fieldMessage } from '../../api/transport/problem.ts';
import type { Scope } from '../../api/transport/scope.ts';
import { ExactNumberField } from '../../format/number-field.tsx';
import { say } from '../../messages/say.ts';
import { ObjectsPicker } from '../../pickers/objects-picker.tsx';
import { useNetwork } from '../../session/session.ts';
import { FormDialog, NameField } from '../../ui/form-dialog.tsx';
import { ExpirySelect } from './expiry-select.tsx';
import { expiresAfter } from './expiry.ts';

const AMOUNT_CHARS_MAX = 20;

/** Asks for the advertisers of a buyer's agent and its spend limit. The key works in the environment that is looked at, where its advertisers are. */
export function BuyerKeyDialog({
  scope,
  onMade,
  onClose,
}: {
  readonly scope: Scope;
  onMade: (value: string) => void;
  onClose: () => void;
}) {
  const currency = useNetwork()?.currency ?? '';
  const [name, setName] = useState('');
  const [advertisers, setAdvertisers] = useState('');
  const [spendLimit, setSpendLimit] = useState('');
  const [days, setDays] = useState<number | null>(90);
  const making = useMutation({
    mutationFn: () =>
      createBuyerKey(scope, {
        name,
        advertiserIds: advertisers.split(', ').filter((id) => id !== ''),
        spendLimit: spendLimit.trim() === '' ? null : spendLimit.trim(),
        expiresAt: expiresAfter(days, Date.now()),
      }),
    onSuccess: onMade,
  });
  return (
    <FormDialog
      title={say('keys.buyer')}
      action={say('keys.buyer')}
      submission={making}
      size="lg"
      isReady={name.trim() !== '' && advertisers !== ''}
      onClose={onClose}
    >
      <Text size="sm">{say('keys.buyer_text')}</Text>
      <NameField value={name} error={making.error} onChange={setName} />
      <ObjectsPicker
        kind="advertisers"
        label={say('keys.advertisers')}
        placeholder={say('keys.advertisers_hint')}
        value={advertisers}
        error={fieldMessage(making.error, 'advertiserIds')}
        onChange={setAdvertisers}
      />
      <ExactNumberField
        label={say('keys.spend_limit', { currency })}
        description={say('keys.spend_limit_hint')}
        maxLength={AMOUNT_CHARS_MAX}
        value={spendLimit}
        error={fieldMessage(making.error, 'spendLimit')}
        onChange={setSpendLimit}
      />
      <ExpirySelect days={days} onChange={setDays} />
    </FormDialog>
  );
}
