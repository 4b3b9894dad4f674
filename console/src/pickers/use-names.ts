import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { loadNames, nameKey, type NamedIds, type NamedKind } from '../api/bookings/names.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

/** Finds the name of an object; of one without a known name, its id. */
export type NameOf = (kind: NamedKind, id: string) => string;

/** The names of objects that others name by their ids. */
export function useNames(ids: NamedIds): NameOf {
  const scope = useDeskScope();
  const names = useQuery({
    queryKey: [...deskKey(scope), 'names', ids],
    queryFn: ({ signal }) => loadNames(scope, ids, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled: scope.networkId !== '' && Object.values(ids).some((some) => some.length > 0),
  }).data;
  return useCallback((kind, id) => names?.get(nameKey(kind, id)) ?? id, [names]);
}
