import { Button, Group, Kbd, List, Paper, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { loadReviewQueue, type PendingCreative } from '../api/bookings/creatives/review-queue.ts';
import { StatusWord } from '../delivery/state-words.tsx';
import { say } from '../messages/say.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { useCanEdit } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { AdFrame } from '../ui/ad-frame.tsx';
import { Page } from '../ui/page.tsx';
import { usePageKey } from '../ui/page-keys.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { EmptyState, LoadingPage } from '../ui/state-pages.tsx';
import { positionOf, queueKey, waitingOf } from './review-position.ts';
import { type Review, useReview } from './use-review.ts';

/** So many are read at a time; more come as the queue gets shorter. */
const READ_AT_A_TIME = 25;
const REASON_CHARS_MAX = 1_000;

/** The creatives that wait, one by one with the ad large: a key decides, and the next one comes by itself. */
export function ReviewPage() {
  const scope = useDeskScope();
  const lineItemId = (useSearch({ strict: false }) as AppSearch)['line_item'] ?? null;
  const queue = useQuery({
    queryKey: [...deskKey(scope), 'review-queue'],
    queryFn: ({ signal }) => loadReviewQueue(scope, READ_AT_A_TIME, signal),
    enabled: scope.networkId !== '',
  });
  const review = useReview(scope);
  const [shown, setShown] = useState<{ readonly key: string | null; readonly at: number }>({ key: null, at: 0 });
  const waiting = waitingOf(queue.data?.creatives ?? [], { lineItemId, decided: review.decided });
  const at = positionOf(waiting, shown.key, shown.at);
  const creative = waiting[at];
  const show = (next: number): void => {
    const one = waiting[Math.max(0, Math.min(next, waiting.length - 1))];
    if (one !== undefined) setShown({ key: queueKey(one), at: waiting.indexOf(one) });
  };
  const left =
    lineItemId === null ? (queue.data?.count ?? 0) - review.decidedSince(queue.dataUpdatedAt) : waiting.length;
  usePageKey('j', 'review_queue.next', () => show(at + 1));
  usePageKey('k', 'review_queue.previous', () => show(at - 1));
  return (
    <Page title={say('review_queue.title')} lead={say('review_queue.lead', { count: Math.max(0, left) })}>
      <ProblemAlert error={queue.error ?? review.error} onRetry={() => void queue.refetch()} />
      {queue.isPending ? <LoadingPage /> : null}
      {queue.data !== undefined && creative === undefined ? (
        <EmptyState text={say('review_queue.empty')}>
          <Button variant="default" renderRoot={(props) => <Link to="/desk" search={{}} {...props} />}>
            {say('nav.today')}
          </Button>
        </EmptyState>
      ) : null}
      {creative === undefined ? null : (
        <Waiting
          key={queueKey(creative)}
          creative={creative}
          review={review}
          onStep={(by) => show(at + by)}
          onDecided={() => setShown({ key: queueKey(creative), at })}
        />
      )}
    </Page>
  );
}

/** A creative under review: the ad at its size, the warnings of its scan, and the decision. */
function Waiting({
  creative,
  review,
  onStep,
  onDecided,
}: {
  readonly creative: PendingCreative;
  readonly review: Review;
  onStep: (by: number) => void;
  onDecided: () => void;
}) {
  const [scheme, setScheme] = useState<'light' | 'dark'>('light');
  usePageKey('b', 'review_queue.background', () => setScheme(scheme === 'light' ? 'dark' : 'light'));
  const { name, format, width, height, preview, kind, id } = creative;
  return (
    <div className="review">
      <Paper withBorder p="md" component="section" aria-label={say('review_queue.ad')} miw={0}>
        <Group justify="space-between" mb="sm">
          <Text fw={600}>
            <ObjectLink to={kind === 'creative' ? '/desk/creatives/$id' : '/desk/library/$id'} id={id} name={name} />
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={say('review_queue.background')}
            value={scheme}
            onChange={(value) => setScheme(value as typeof scheme)}
            data={(['light', 'dark'] as const).map((value) => ({ value, label: say(`creative.on_${value}`) }))}
          />
        </Group>
        <AdFrame
          key={scheme}
          url={preview.url}
          size={creative}
          title={say('creative.frame', { name })}
          scheme={scheme}
        />
        <Text size="sm" c="dimmed" mt="xs">
          {[
            say(`creative_format.${format}`),
            width === 0 ? say('creative_size.any') : `${width} × ${height}`,
            say('creative.uncounted'),
          ].join(' · ')}
        </Text>
      </Paper>
      <Stack gap="md" miw={0}>
        <Decision creative={creative} review={review} onDecided={onDecided} />
        <Facts creative={creative} />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => onStep(-1)}>
            {say('review_queue.previous')} <Kbd size="xs">K</Kbd>
          </Button>
          <Button size="xs" variant="default" onClick={() => onStep(1)}>
            {say('review_queue.next')} <Kbd size="xs">J</Kbd>
          </Button>
        </Group>
      </Stack>
    </div>
  );
}

/** Approves with a key; rejects with a reason. */
function Decision({
  creative,
  review,
  onDecided,
}: {
  readonly creative: PendingCreative;
  readonly review: Review;
  onDecided: () => void;
}) {
  const canEdit = useCanEdit();
  const [reason, setReason] = useState<string | null>(null);
  const decide = (reviewState: 'APPROVED' | 'REJECTED'): void => {
    if (!canEdit || review.isBusy) return;
    const typed = (reason ?? '').trim();
    onDecided();
    review.decide(creative, {
      reviewState,
      ...(reviewState === 'REJECTED' && typed !== '' ? { reviewReason: typed } : {}),
    });
  };
  usePageKey('a', 'review_queue.approve', () => decide('APPROVED'));
  usePageKey('r', 'review_queue.reject', () => {
    if (canEdit) setReason(reason ?? '');
  });
  if (!canEdit) return <Text size="sm">{say('review_queue.read_only')}</Text>;
  return (
    <Paper withBorder p="md" component="section" aria-label={say('review_queue.decision')}>
      {reason === null ? (
        <Group>
          <Button loading={review.isBusy} onClick={() => decide('APPROVED')} rightSection={<Kbd size="xs">A</Kbd>}>
            {say('review_queue.approve')}
          </Button>
          <Button variant="default" onClick={() => setReason('')} rightSection={<Kbd size="xs">R</Kbd>}>
            {say('review_queue.reject')}
          </Button>
        </Group>
      ) : (
        <RejectForm reason={reason} isBusy={review.isBusy} onChange={setReason} onReject={() => decide('REJECTED')} />
      )}
    </Paper>
  );
}

/** The reason of a rejection: Enter rejects, Escape goes back. */
function RejectForm({
  reason,
  isBusy,
  onChange,
  onReject,
}: {
  readonly reason: string;
  readonly isBusy: boolean;
  onChange: (reason: string | null) => void;
  onReject: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onReject();
      }}
    >
      <TextInput
        ref={field}
        label={say('review_queue.reason')}
        description={say('review_queue.reason_help')}
        maxLength={REASON_CHARS_MAX}
        value={reason}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onChange(null);
        }}
      />
      <Group mt="sm">
        <Button type="submit" color="red" loading={isBusy}>
          {say('review_queue.reject')}
        </Button>
        <Button variant="default" onClick={() => onChange(null)}>
          {say('action.cancel')}
        </Button>
      </Group>
    </form>
  );
}

/** Where a click leads, which hosts the code names, what is doubtful in it, and where it would serve. */
function Facts({ creative: { clickUrl, scan, lineItems } }: { readonly creative: PendingCreative }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={say('review_queue.facts')}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {say('creative.target')}{' '}
          <a href={clickUrl} target="_blank" rel="noopener noreferrer nofollow">
            <bdi>{clickUrl}</bdi>
          </a>
        </Text>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {`${say('creative.hosts')}: ${scan.hosts.length === 0 ? say('value.none') : scan.hosts.join(', ')}`}
        </Text>
        {scan.warnings.length === 0 ? (
          <Text size="sm">{say('creative.clean')}</Text>
        ) : (
          <List size="sm">
            {scan.warnings.map(({ code, message }) => (
              <List.Item key={code}>{message}</List.Item>
            ))}
          </List>
        )}
        <Text size="sm" fw={600}>
          {say('creative.uses')}
        </Text>
        {lineItems.length === 0 ? <Text size="sm">{say('creative.unused')}</Text> : null}
        {lineItems.map(({ id, name, status }) => (
          <Group key={id} gap="xs">
            <StatusWord status={status} />
            <ObjectLink to="/desk/line-items/$id" id={id} name={name} />
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
