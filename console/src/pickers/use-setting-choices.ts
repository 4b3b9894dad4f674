import { useQuery } from '@tanstack/react-query';
import type { BookedKind } from '../api/bookings/desk-list.ts';
import { loadSettingChoices } from '../api/bookings/line-item-settings.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

/** Teams of the network and custom fields of a kind; undefined until they are read. */
export function useSettingChoices(kind: BookedKind) {
  const scope = useDeskScope();
  return useQuery({
    queryKey: [...deskKey(scope), 'setting-choices', kind],
    queryFn: ({ signal }) => loadSettingChoices(scope, kind, signal),
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  }).data;
}
