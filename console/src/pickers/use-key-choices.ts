import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadCatalog } from '../api/bookings/catalog.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

const TYPING_MS = 250;
const KEYS_SHOWN = 100;

/** To choose from; requests may carry other keys and values, so others can be typed. */
interface KeyChoices {
  readonly keys: readonly string[];
  /** Of the key that is typed. */
  readonly values: readonly string[];
}

/** The keys in use of the network: the first ones by name, and those that the search for what is typed finds. */
export function useKeyChoices(typed: string): KeyChoices {
  const scope = useDeskScope();
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'key-choices', search],
    queryFn: async ({ signal }) => {
      const sort = { field: 'NAME', direction: 'ASC' } as const;
      const load = async (filter: object) =>
        (await loadCatalog(scope, 'keyValues', { filter, sort, first: KEYS_SHOWN, after: null }, signal)).rows;
      const filter = { statuses: ['ACTIVE'] };
      const [first, matching] = await Promise.all([load(filter), search === '' ? [] : load({ ...filter, search })]);
      return new Map([...first, ...matching].map(({ key, values }) => [key, values]));
    },
    placeholderData: keepPreviousData,
    enabled: scope.networkId !== '',
  });
  return { keys: [...(found.data?.keys() ?? [])], values: found.data?.get(typed.trim()) ?? [] };
}
