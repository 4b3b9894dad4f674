import { Select } from '@mantine/core';
import { say } from '../../messages/say.ts';
import { EXPIRY_DAYS } from './expiry.ts';

/** Days until a key expires; null = never. */
export function ExpirySelect({
  days,
  onChange,
}: {
  readonly days: number | null;
  onChange: (days: number | null) => void;
}) {
  return (
    <Select
      label={say('keys.expiry')}
      data={EXPIRY_DAYS.map((one) => ({ value: String(one), label: describe(one) }))}
      value={String(days)}
      allowDeselect={false}
      onChange={(value) => onChange(EXPIRY_DAYS.find((one) => String(one) === value) ?? null)}
    />
  );
}

function describe(days: number | null): string {
  if (days === null) return say('keys.expiry_never');
  return say(days === 90 ? 'keys.expiry_best' : 'keys.expiry_days', { days });
}
