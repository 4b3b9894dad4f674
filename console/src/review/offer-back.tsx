import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { PendingCreative, ReviewDecision } from '../api/bookings/creatives/review-queue.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { say } from '../messages/say.ts';
import { queueKey } from './review-position.ts';

const SHOWN_MS = 10_000;

/** Says what was decided, with a button that takes it back. */
export function offerBack(creative: PendingCreative, decision: ReviewDecision, back: () => Promise<void>): void {
  const id = queueKey(creative);
  const run = async (): Promise<void> => {
    notifications.hide(id);
    try {
      await back();
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
  };
  notifications.show({
    id,
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>
          {say(decision.reviewState === 'APPROVED' ? 'review_queue.approved' : 'review_queue.rejected', {
            name: creative.name,
          })}
        </span>
        <Button size="xs" variant="default" onClick={() => void run()}>
          {say('status.undo')}
        </Button>
      </Group>
    ),
  });
}
