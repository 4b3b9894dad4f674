import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { loadTargetings } from '../api/bookings/line-item-settings.ts';
import { loadNames, NAMED_KINDS, nameKey, type NamedIds } from '../api/bookings/names.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { laterCode } from '../ui/load-part.ts';

const NONE: ReadonlyMap<string, string> = new Map();
/** Most tables do not show the targeting. */
const loadWords = laterCode(() => import('../targeting/targeting-words.ts'), ['booking', 'delivery', 'desk']);

/** The targeting of line items in words, by line item. @param ids empty: nothing is read */
export function useTargetings(ids: readonly string[]): ReadonlyMap<string, string> {
  const scope = useDeskScope();
  return (
    useQuery({
      queryKey: [...deskKey(scope), 'targetings', ids],
      queryFn: async ({ signal }) => {
        const [trees, { describeConditions, idsIn }] = await Promise.all([
          loadTargetings(scope, ids, signal),
          loadWords(),
        ]);
        const all = [...trees.values()].map((tree): NamedIds => idsIn(tree));
        const named = NAMED_KINDS.map((kind) => [kind, [...new Set(all.flatMap((one) => one[kind] ?? []))]] as const);
        const names = await loadNames(scope, Object.fromEntries(named), signal);
        return new Map(
          [...trees].map(([id, tree]) => [
            id,
            describeConditions(tree, (kind, one) => names.get(nameKey(kind, one)) ?? one),
          ]),
        );
      },
      enabled: ids.length > 0,
      staleTime: 60_000,
      placeholderData: keepPreviousData,
    }).data ?? NONE
  );
}
