import { type MantineSize, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ChoiceKind, loadChoices } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const TYPING_MS = 250;

/** Chooses one object by a part of its name. */
export function ObjectFilter({
  kind,
  label,
  value,
  size = 'xs',
  isInline = false,
  placeholder = isInline ? `${label}: ${say('value.any')}` : say('value.any'),
  onChange,
}: {
  readonly kind: ChoiceKind;
  readonly label: string;
  readonly value: string | null;
  readonly size?: MantineSize;
  /** The label is in the empty field. */
  readonly isInline?: boolean;
  /** The text of the empty field; absent: "any". */
  readonly placeholder?: string;
  onChange: (id: string | null) => void;
}) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, TYPING_MS);
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'choices', kind, search, value],
    queryFn: ({ signal }) => loadChoices(scope, kind, { search, chosenId: value }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  const chosen = choices.data?.find(({ id }) => id === value);
  return (
    <Select
      size={size}
      {...(isInline ? { 'aria-label': label, className: 'desk-filter' } : { label })}
      placeholder={placeholder}
      data={(choices.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
      nothingFoundMessage={say('palette.nothing')}
      // The server has searched, and by more than the name.
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === chosen?.name ? '' : text)}
      onChange={onChange}
    />
  );
}
