import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogKind, loadCatalog } from '../api/bookings/catalog.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const TYPING_MS = 250;
const CHOICES_SHOWN = 30;

/** Several objects of the network, found by their names. The value has their ids separated by commas; empty: all. */
export function ObjectsPicker({
  kind,
  label,
  value,
  error,
  placeholder = say('value.any'),
  onChange,
}: {
  readonly kind: CatalogKind;
  readonly label: string;
  readonly value: string;
  readonly error: string | null;
  /** The text of the empty field; absent: "any". */
  readonly placeholder?: string;
  onChange: (value: string) => void;
}) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const ids = value.split(', ').filter((id) => id !== '');
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'objects-picker', kind, search, value],
    queryFn: async ({ signal }) => {
      const sort = { field: 'NAME', direction: 'ASC' } as const;
      const load = async (filter: object) =>
        (await loadCatalog(scope, kind, { filter, sort, first: CHOICES_SHOWN, after: null }, signal)).rows;
      const [chosen, found] = await Promise.all([
        ids.length === 0 ? [] : load({ ids }),
        load({ statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) }),
      ]);
      return [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))];
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  const known = (choices.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const unnamed = ids.filter((id) => known.every((one) => one.value !== id));
  return (
    <MultiSelect
      label={label}
      placeholder={ids.length > 0 ? '' : placeholder}
      data={[...known, ...unnamed.map((id) => ({ value: id, label: id }))]}
      value={ids}
      error={error}
      searchable
      nothingFoundMessage={say('palette.nothing')}
      onSearchChange={setTyped}
      onChange={(next) => onChange(next.join(', '))}
    />
  );
}
