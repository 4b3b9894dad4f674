import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { loadWatched, type WatchedPart } from '../api/bookings/attention.ts';
import { useSession } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { listAttention } from './attention.ts';
import { AttentionItem } from './attention-item.tsx';
import { formatCount } from '../format/desk-format.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';

const REFRESH_MS = 60_000;

/** What needs a person, each with its buttons: in the network, or in one campaign or of one advertiser. */
export function AttentionList({ part = null }: { readonly part?: WatchedPart | null }) {
  const scope = useDeskScope();
  const context = useCellContext();
  const { user } = useSession();
  const watched = useQuery({
    queryKey: [...deskKey(scope), 'watched', part],
    queryFn: ({ signal }) => loadWatched(scope, { nowMs: Date.now(), isOperator: user.operator, part }, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
  });
  const found = watched.data;
  const entries = found === undefined ? [] : listAttention(found, context);
  return (
    <>
      <ProblemAlert error={watched.error} onRetry={() => void watched.refetch()} />
      {watched.isPending ? <Skeleton height={96} mt="sm" /> : null}
      {found !== undefined && entries.length === 0 ? (
        <Text mt="xs">{say(part === null ? 'attention.empty' : 'attention.empty_part')}</Text>
      ) : null}
      {entries.length === 0 ? null : (
        <ul className="desk-history">
          {entries.map((entry) => (
            <AttentionItem
              key={`${entry.kind}/${entry.lineItemId ?? ''}/${entry.name}/${entry.sentence}`}
              entry={entry}
            />
          ))}
        </ul>
      )}
      {found === undefined || found.more === 0 ? null : (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/desk/line-items"
              search={{ tab: 'behind', ...(part === null ? {} : { [part.kind]: part.id }) }}
              {...props}
            />
          )}
        >
          {say('attention.more', { count: formatCount(found.more) })}
        </Anchor>
      )}
    </>
  );
}
