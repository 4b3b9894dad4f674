import { useQuery } from '@tanstack/react-query';
import { loadLineItem } from '../api/bookings/desk-object.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const REFRESH_MS = 60_000;

/** Reads a line item, and goes on reading it; null when the network has none of this id. */
export function useLineItem(id: string) {
  const scope = useDeskScope();
  return useQuery({
    queryKey: [...deskKey(scope), 'lineItem', id],
    queryFn: ({ signal }) => loadLineItem(scope, id, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
}
