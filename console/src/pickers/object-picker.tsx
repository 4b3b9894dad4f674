import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CatalogKind, loadCatalog } from '../api/bookings/catalog.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';

const TYPING_MS = 250;
const CHOICES_SHOWN = 30;

interface ObjectPickerProps {
  readonly kind: CatalogKind;
  readonly label: string;
  /** The id; empty = none. */
  readonly value: string;
  /** Of ad units: only those of this site. */
  readonly siteId?: string;
  readonly disabled?: boolean;
  /** The text of the empty field; absent: "any". */
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly error?: string | null;
  onChange: (id: string) => void;
}

/** One object of the network, found by its name; the chosen one stays in the list whatever is typed. */
export function ObjectPicker(props: ObjectPickerProps) {
  const { kind, label, value, siteId = '', disabled = false, placeholder = say('value.any'), onChange } = props;
  const { isRequired = false, error = null } = props;
  const scope = useDeskScope();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const choices = useQuery({
    queryKey: [...deskKey(scope), 'picker', kind, search, value, siteId],
    queryFn: async ({ signal }) => {
      const sort = { field: 'NAME', direction: 'ASC' } as const;
      const load = async (filter: object) =>
        (await loadCatalog(scope, kind, { filter, sort, first: CHOICES_SHOWN, after: null }, signal)).rows;
      const narrowed = { statuses: ['ACTIVE'], ...(siteId === '' ? {} : { siteIds: [siteId] }) };
      const [chosen, found] = await Promise.all([
        value === '' ? [] : load({ ids: [value] }),
        load({ ...narrowed, ...(search === '' ? {} : { search }) }),
      ]);
      return [...chosen, ...found.filter(({ id }) => chosen.every((one) => one.id !== id))];
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  const chosen = choices.data?.find(({ id }) => id === value);
  return (
    <Select
      label={label}
      required={isRequired}
      error={error}
      placeholder={placeholder}
      data={(choices.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value === '' ? null : value}
      disabled={disabled}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
      nothingFoundMessage={say('palette.nothing')}
      // The server has searched.
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === chosen?.name ? '' : text)}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
