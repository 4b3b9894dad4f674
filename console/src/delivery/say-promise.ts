import type { LineItemDetail } from '../api/bookings/desk-object.ts';
import { formatCount } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { isCumulative } from './delivery-days.ts';

/** What the pacing of a line item promises, and where it leads, a sentence each; nothing where there is no plan of a flight. */
export function sayPromise({ goal, pacing, delivery }: Pick<LineItemDetail, 'goal' | 'pacing' | 'delivery'>): string[] {
  const progress = delivery?.progress ?? null;
  if (!isCumulative(goal) || progress === null || progress.course === null) return [];
  const { projected, status } = progress;
  return [
    say(`promise.${pacing}`),
    ...(projected === null || status === null
      ? []
      : [
          say('promise.projected', {
            state: say(`delivery.${status}`),
            projected: formatCount(projected.projected),
            low: formatCount(projected.low),
            high: formatCount(projected.high),
            goal: formatCount(progress.goal),
          }),
        ]),
  ];
}
