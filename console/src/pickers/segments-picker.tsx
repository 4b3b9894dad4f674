import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { loadCatalog } from '../api/bookings/catalog.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';

const TYPING_MS = 250;
const CHOICES_SHOWN = 30;

/** Segments that a user is a member of. */
export function SegmentsPicker({
  value,
  disabled,
  onChange,
}: {
  readonly value: readonly string[];
  readonly disabled: boolean;
  onChange: (ids: readonly string[]) => void;
}) {
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'segments-picker', search, value],
    queryFn: async ({ signal }) => {
      const sort = { field: 'NAME', direction: 'ASC' } as const;
      const load = async (filter: object) =>
        (await loadCatalog(scope, 'segments', { filter, sort, first: CHOICES_SHOWN, after: null }, signal)).rows;
      const [chosen, found] = await Promise.all([
        value.length === 0 ? [] : load({ ids: value }),
        load({ statuses: ['ACTIVE'], ...(search === '' ? {} : { search }) }),
      ]);
      return [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))];
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  return (
    <MultiSelect
      label={say('inspector.segments')}
      data={(choices.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={[...value]}
      disabled={disabled}
      searchable
      onSearchChange={setTyped}
      nothingFoundMessage={say('palette.nothing')}
      onChange={onChange}
    />
  );
}
