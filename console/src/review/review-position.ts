import type { PendingCreative } from '../api/bookings/creatives/review-queue.ts';

/** Tells creatives of both kinds apart. */
export function queueKey({ kind, id }: Pick<PendingCreative, 'kind' | 'id'>): string {
  return `${kind}/${id}`;
}

/** The queue of a reviewer: of one line item, or of all; without what they have decided on already. */
export function waitingOf(
  creatives: readonly PendingCreative[],
  { lineItemId, decided }: { readonly lineItemId: string | null; readonly decided: ReadonlySet<string> },
): readonly PendingCreative[] {
  return creatives.filter(
    (one) =>
      !decided.has(queueKey(one)) && (lineItemId === null || one.lineItems.some((item) => item.id === lineItemId)),
  );
}

/** The position of the creative that is shown; once it is decided on, the next creative has its position. */
export function positionOf(waiting: readonly PendingCreative[], shown: string | null, before: number): number {
  const found = waiting.findIndex((one) => queueKey(one) === shown);
  return found === -1 ? Math.max(0, Math.min(before, waiting.length - 1)) : found;
}
