import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ActivityFilter, actorIdOf, loadActivity } from '../api/account/activity-feed.ts';
import { loadColleagues } from '../api/bookings/team.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useIsAdmin, useNetwork } from '../session/session.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { Page } from '../ui/page.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { groupByDay } from './activity-days.ts';
import { ActivityFilters, type ActorOption } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';

/** Who did what in the network, newest first: all of the audit log for admins, changes of the desk's objects for every other member. */
export function ActivityPage() {
  const scope = useDeskScope();
  const source = useIsAdmin() ? 'audit' : 'changes';
  const timezone = useNetwork()?.timezone;
  const [filter, change] = useActivityFilter();
  const log = useInfiniteQuery({
    queryKey: [...deskKey(scope), 'activity', source, filter],
    queryFn: ({ pageParam, signal }) => loadActivity(scope, { source, ...filter }, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    enabled: scope.networkId !== '',
  });
  const colleagues = useQuery({
    queryKey: [...deskKey(scope), 'colleagues'],
    queryFn: ({ signal }) => loadColleagues(scope, signal),
    enabled: scope.networkId !== '',
  });
  const entries = log.data?.pages.flatMap((page) => page.entries);
  const names = new Map(log.data?.pages.flatMap((page) => [...page.names]));
  const actors = new Map<string, string>([
    ...(colleagues.data ?? []).map(({ id, name }) => [`user:${id}`, name] as const),
    ...(entries ?? []).map(({ actor }) => [actorIdOf(actor), actorWords(actor)] as const),
  ]);
  return (
    <Page title={say('nav.activity')} lead={say('feed.lead')}>
      <ActivityFilters source={source} filter={filter} actors={optionsOf(actors, filter)} onChange={change} />
      <ProblemAlert error={log.error} onRetry={() => void log.refetch()} />
      {log.isPending ? <LoadingPage /> : null}
      {entries?.length === 0 ? <Text c="dimmed">{emptyText(filter, log.hasNextPage)}</Text> : null}
      {entries === undefined || timezone === undefined ? null : (
        <ActivityList days={groupByDay(entries, timezone)} names={names} source={source} timezone={timezone} />
      )}
      {log.hasNextPage ? (
        <Group>
          <Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {say('action.more')}
          </Button>
        </Group>
      ) : null}
    </Page>
  );
}

/** The filter in the address, and how it is changed. */
function useActivityFilter(): readonly [ActivityFilter, (next: ActivityFilter) => void] {
  const search = useSearch({ strict: false }) as AppSearch;
  const navigate = useNavigate();
  const change = ({ actorId, kind }: ActivityFilter): void =>
    void navigate({
      to: '/desk/activity',
      search: (previous: AppSearch) => ({ ...previous, actor: actorId ?? '', kind: kind ?? '' }),
      resetScroll: false,
    });
  return [{ actorId: search['actor'] || null, kind: search['kind'] || null }, change];
}

function optionsOf(actors: ReadonlyMap<string, string>, { actorId }: ActivityFilter): ActorOption[] {
  const all = actorId === null || actors.has(actorId) ? [...actors] : [...actors, [actorId, actorId] as const];
  return all
    .filter(([value]) => value !== '')
    .map(([value, label]) => ({ value, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function emptyText({ actorId, kind }: ActivityFilter, hasMore: boolean): string {
  if (hasMore) return say('feed.none_yet');
  return say(actorId === null && kind === null ? 'feed.empty' : 'feed.nothing');
}
