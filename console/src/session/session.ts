import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { loadSession, type NetworkMembership, type Session } from '../api/account/auth.ts';
import { askGraphql } from '../api/transport/graphql.ts';
import type { Scope } from '../api/transport/scope.ts';
import { type AppSearch, environmentOf } from './app-search.ts';
import { mayAdminister, mayEdit } from './roles.ts';

/** Who is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => loadSession(signal),
  staleTime: 60_000,
});

/** Who is signed in; only inside of pages that ask for it. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

type ChosenScope = Scope & { readonly membership: NetworkMembership | null };

/** The chosen network and environment: those of the address, or the first network. Nothing stands for a network of the address that is not the person's. */
export function useScope(): ChosenScope {
  return scopeOf(useSession(), useSearch({ strict: false }) as AppSearch);
}

/** The same for a session and an address, outside of a page. */
export function scopeOf({ networks }: Session, search: AppSearch): ChosenScope {
  const asked = search['network'];
  const membership = (asked === undefined ? networks[0] : networks.find((one) => one.id === asked)) ?? null;
  return { networkId: membership?.id ?? '', environment: environmentOf(search), membership };
}

/** The facts of a network for pages. */
export interface NetworkFacts {
  readonly id: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'PAUSED' | 'SUSPENDED';
  readonly timezone: string;
  readonly currency: string;
  readonly version: number;
}

const NETWORK = `query ConsoleNetwork($id: ID!) { network(id: $id) { id name status timezone currency version } }`;

/** The network's present settings. */
export function networkQuery(scope: Scope) {
  return queryOptions({
    queryKey: ['network', scope.environment, scope.networkId],
    queryFn: async ({ signal }) =>
      (await askGraphql<{ network: NetworkFacts | null }>(scope, NETWORK, { id: scope.networkId }, signal)).network,
    staleTime: 30_000,
    enabled: scope.networkId !== '',
  });
}

/** The network's present settings; undefined until they are there. */
export function useNetwork(): NetworkFacts | undefined {
  return useQuery(networkQuery(useScope())).data ?? undefined;
}

/** Whether the signed-in person is an admin of the network that is looked at. The server decides; this only hides what it would refuse. */
export function useIsAdmin(): boolean {
  return mayAdminister(useSession().user, useScope().membership);
}

/** Whether the signed-in person may change bookings of the network that is looked at. The server decides; this only hides what it would refuse. */
export function useCanEdit(): boolean {
  return mayEdit(useSession().user, useScope().membership);
}
