import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { decideReview, type PendingCreative, type ReviewDecision } from '../api/bookings/creatives/review-queue.ts';
import type { Scope } from '../api/transport/scope.ts';
import { deskKey } from '../session/desk-scope.ts';
import { offerBack } from './offer-back.tsx';
import { queueKey } from './review-position.ts';

/** The decisions of this visit. */
export interface Review {
  readonly decided: ReadonlySet<string>;
  /** How many were made after the queue was read. */
  decidedSince: (atMs: number) => number;
  readonly error: Error | null;
  readonly isBusy: boolean;
  decide: (creative: PendingCreative, decision: ReviewDecision) => void;
}

/** Carries decisions out. A creative leaves the queue at once; it comes back when the server refuses. */
export function useReview(scope: Scope): Review {
  const client = useQueryClient();
  const [made, setMade] = useState<ReadonlyMap<string, number>>(new Map());
  const forget = (creative: PendingCreative): void =>
    setMade((all) => new Map([...all].filter(([key]) => key !== queueKey(creative))));
  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: deskKey(scope) });
  const deciding = useMutation({
    mutationFn: ({ creative, decision }: { creative: PendingCreative; decision: ReviewDecision }) =>
      decideReview(scope, creative, decision),
    onMutate: ({ creative }) => setMade((all) => new Map([...all, [queueKey(creative), Date.now()]])),
    onSuccess: (version, { creative, decision }) =>
      offerBack(creative, decision, async () => {
        await decideReview(scope, { ...creative, version }, { reviewState: 'PENDING' });
        forget(creative);
        await refresh();
      }),
    onError: (_error, { creative }) => {
      forget(creative);
      notifications.hide(queueKey(creative));
    },
    onSettled: refresh,
  });
  return {
    decided: new Set(made.keys()),
    decidedSince: (atMs) => [...made.values()].filter((madeMs) => madeMs > atMs).length,
    error: deciding.error,
    isBusy: deciding.isPending,
    decide: (creative, decision) => deciding.mutate({ creative, decision }),
  };
}
