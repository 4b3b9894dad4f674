import { useQuery } from '@tanstack/react-query';
import { listSavedViews } from '../api/reports/saved-views.ts';
import type { Scope } from '../api/transport/scope.ts';

/** The saved views and dashboards of a workspace. */
export function savedViewsKey({ environment, networkId }: Scope): readonly unknown[] {
  return ['saved-views', environment, networkId];
}

/** A member's own saved views and dashboards, and those that others share. */
export function useSavedViews(scope: Scope) {
  return useQuery({
    queryKey: savedViewsKey(scope),
    queryFn: ({ signal }) => listSavedViews(scope, signal),
    staleTime: 30_000,
    enabled: scope.networkId !== '',
  });
}
