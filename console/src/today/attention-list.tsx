import { Anchor, Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { loadWatched, type WatchedDesk, type WatchedPart } from '../api/bookings/attention.ts';
import { loadTroubleCauses, type TroubleCause } from '../api/bookings/diagnosis.ts';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { useSession } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { type AttentionGroup, groupAttention, nearLimits, needsDiagnosis } from './attention.ts';
import { AttentionItem } from './attention-item.tsx';

const REFRESH_MS = 60_000;
/** Causes are read of so many at a time, the most money at risk first. */
const DIAGNOSED_MAX = 20;
const NO_CAUSES: ReadonlyMap<string, TroubleCause> = new Map();

/** What needs a person, by campaign, each with its button: in the network, or in one campaign or of one advertiser. */
export function AttentionList({ part = null }: { readonly part?: WatchedPart | null }) {
  const scope = useDeskScope();
  const context = useCellContext();
  const { user } = useSession();
  const [withSnoozed, setWithSnoozed] = useState(false);
  const watched = useQuery({
    queryKey: [...deskKey(scope), 'watched', part, withSnoozed],
    queryFn: ({ signal }) =>
      loadWatched(scope, { nowMs: Date.now(), isOperator: user.operator, part, withSnoozed }, signal),
    refetchInterval: REFRESH_MS,
    enabled: scope.networkId !== '',
    placeholderData: (before) => before,
  });
  const found = watched.data;
  const groups = found === undefined ? [] : groupAttention(found.lineItems, { ...context, userId: user.id });
  const causes = useCauses(groups);
  return (
    <>
      <ProblemAlert error={watched.error} onRetry={() => void watched.refetch()} />
      {watched.isPending ? <Skeleton height={96} mt="sm" /> : null}
      {found === undefined ? null : <Limits found={found} />}
      {found !== undefined && groups.length === 0 ? (
        <Text mt="xs">{say(part === null ? 'attention.empty' : 'attention.empty_part')}</Text>
      ) : null}
      {groups.map((group) => (
        <Campaign key={group.id} group={group} causes={causes} />
      ))}
      {found === undefined ? null : (
        <Group justify="space-between" mt="xs">
          <More found={found} part={part} />
          {found.snoozed === 0 ? null : (
            <Button size="xs" variant="subtle" onClick={() => setWithSnoozed(!withSnoozed)}>
              {say(withSnoozed ? 'attention.hide_snoozed' : 'attention.show_snoozed', { count: found.snoozed })}
            </Button>
          )}
        </Group>
      )}
    </>
  );
}

interface Causes {
  readonly byId: ReadonlyMap<string, TroubleCause>;
  readonly isPending: boolean;
  /** The line items whose causes are asked. */
  readonly asked: readonly string[];
}

/** The causes of the entries on top. They are read behind the list, which is drawn without them. */
function useCauses(groups: readonly AttentionGroup[]): Causes {
  const scope = useDeskScope();
  const asked = groups
    .flatMap(({ entries }) => entries)
    .filter(needsDiagnosis)
    .slice(0, DIAGNOSED_MAX)
    .map(({ item }) => item.id);
  const causes = useQuery({
    queryKey: [...deskKey(scope), 'causes', asked.toSorted()],
    queryFn: ({ signal }) => loadTroubleCauses(scope, asked, signal),
    enabled: asked.length > 0,
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
  return { byId: causes.data ?? NO_CAUSES, isPending: causes.isPending, asked };
}

/** A campaign with what is at stake in it, and its line items. */
function Campaign({ group, causes }: { readonly group: AttentionGroup; readonly causes: Causes }) {
  const { currency } = useCellContext();
  const { id, name, advertiser, atRisk, entries } = group;
  return (
    <section className="today-campaign" aria-label={name}>
      <Group justify="space-between" gap="xs" className="today-campaign-head">
        <Title order={3} size="h5">
          <ObjectLink to="/desk/campaigns/$id" id={id} name={name} />
          {advertiser === null ? null : (
            <Text span c="dimmed" fw={400} size="sm">
              {' · '}
              <bdi>{advertiser}</bdi>
            </Text>
          )}
        </Title>
        {atRisk > 0 && entries.length > 1 ? (
          <Text size="sm" fw={600}>
            {say('attention.money', { money: formatMoney(atRisk.toFixed(2), currency) })}
          </Text>
        ) : null}
      </Group>
      <ul className="desk-history">
        {entries.map((entry) => (
          <AttentionItem
            key={entry.item.id}
            entry={entry}
            cause={causes.byId.get(entry.item.id) ?? null}
            isDiagnosed={!causes.isPending || !causes.asked.includes(entry.item.id)}
          />
        ))}
      </ul>
    </section>
  );
}

/** The limits that are nearly used up. */
function Limits({ found }: { readonly found: WatchedDesk }) {
  return (
    <ul className="desk-history">
      {nearLimits(found.limits).map(({ title, sentence }) => (
        <li key={title} className="today-entry">
          <div className="today-entry-text">
            <span className="state-word state-bad">
              <span aria-hidden="true">▲</span>
              {say('attention.LIMIT')}
            </span>{' '}
            <Text span fw={600}>
              {title}
            </Text>
            <Text size="sm" c="dimmed">
              {sentence}
            </Text>
          </div>
          <Button
            size="xs"
            variant="default"
            aria-label={`${say('attention.action_limits')}: ${title}`}
            renderRoot={(props) => <Link to="/settings/limits" search={{}} {...props} />}
          >
            {say('attention.action_limits')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function More({ found: { more }, part }: { readonly found: WatchedDesk; readonly part: WatchedPart | null }) {
  if (more === 0) return <span />;
  return (
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
      {say('attention.more', { count: formatCount(more) })}
    </Anchor>
  );
}
