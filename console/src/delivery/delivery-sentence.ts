import type { DeliveryStatus, GoalProgress, LineItem } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { flightOf, formatCount, formatDay, formatPercent, lastInstant } from '../format/desk-format.ts';
import type { DeskMoment } from '../session/desk-scope.ts';

/** How a line item delivers: the pacing of its goal, or what else is known of one without. */
export type DeliveryState =
  | NonNullable<GoalProgress['status']>
  | 'NOT_SERVING'
  | 'NOT_STARTED'
  | 'ENDED'
  | 'NO_GOAL'
  | 'NO_PLAN'
  | 'HISTORY_LOADING'
  | 'UNKNOWN';

/** A line item as far as its delivery is described. */
export type DeliveringItem = Pick<
  LineItem,
  'status' | 'startsAt' | 'endsAt' | 'campaign' | 'goal' | 'delivery' | 'timezone'
>;

/** How a line item delivers. The status of its campaign counts: under a paused one nothing serves. */
export function deliveryStateOf(item: DeliveringItem, nowMs: number): DeliveryState {
  const { delivery, goal } = item;
  const status = delivery?.progress?.status ?? null;
  if (status === 'REACHED' || status === 'MISSED') return status;
  if (item.status !== 'ACTIVE' || (item.campaign !== null && item.campaign.status !== 'ACTIVE')) return 'NOT_SERVING';
  const { startsAt, endsAt } = flightOf(item);
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'ENDED';
  if (startsAt !== null && Date.parse(startsAt) > nowMs) return 'NOT_STARTED';
  if (delivery === null) return 'UNKNOWN';
  if (goal === null) return 'NO_GOAL';
  if (delivery.progress?.isHistoryLoading === true) return status ?? 'HISTORY_LOADING';
  return status ?? 'NO_PLAN';
}

/** Status and pacing of a line item in one sentence. */
export function describeDelivery(item: DeliveringItem, { nowMs, timezone }: DeskMoment): string {
  const state = deliveryStateOf(item, nowMs);
  const zone = item.timezone ?? timezone;
  const { startsAt, endsAt } = flightOf(item);
  const begins = startsAt === null ? '' : formatDay(startsAt, zone, nowMs);
  const ends = endsAt === null ? '' : formatDay(lastInstant(endsAt), zone, nowMs);
  const figures = describeFigures(item);
  switch (state) {
    case 'NOT_SERVING':
      return joined(
        say(item.status === 'ACTIVE' ? 'sentence.campaign_stopped' : `sentence.${stopped(item.status)}`),
        figures,
      );
    case 'NOT_STARTED':
      return begins === '' ? say('sentence.not_started') : say('sentence.starts', { day: begins });
    case 'ENDED':
      return joined(say('sentence.ended', { day: ends }), figures);
    case 'UNKNOWN':
      return say('sentence.unknown');
    case 'NO_GOAL':
      return joined(say('sentence.no_goal'), figures);
    case 'HISTORY_LOADING':
      return joined(say('sentence.history_loading'), figures);
    case 'NO_PLAN':
      return joined(say('sentence.no_plan'), figures);
    default:
      return joined(
        say(`sentence.${state}`),
        figures,
        describePace(item.delivery?.progress ?? null),
        describeEnd(item, ends),
      );
  }
}

/** The sentences that there are. */
function joined(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function stopped(status: DeliveryStatus): Exclude<DeliveryStatus, 'ACTIVE'> {
  return status === 'ACTIVE' ? 'PAUSED' : status;
}

/** What has been delivered: of the goal, or today and in total. */
function describeFigures({ goal, delivery }: DeliveringItem): string {
  if (delivery === null) return '';
  if (goal === null || delivery.progress === null) {
    const { today, lifetime } = delivery;
    return say('sentence.figures', {
      today: formatCount(today.impressions),
      count: today.impressions,
      lifetime: formatCount(lifetime.impressions),
    });
  }
  const { delivered, goal: amount } = delivery.progress;
  return say(goal.period === 'DAY' ? 'sentence.of_goal_today' : 'sentence.of_goal', {
    delivered: formatCount(delivered),
    goal: say(`goal.${goal.kind}`, { amount: formatCount(amount), count: amount }),
  });
}

function describePace(progress: GoalProgress | null): string {
  if (progress === null || progress.expected === null || progress.pacingPercent === null) return '';
  return say('sentence.pace', {
    expected: formatCount(progress.expected),
    percent: formatPercent(progress.pacingPercent),
  });
}

/** What is likely at the end, where the goal is in danger. */
function describeEnd({ goal, delivery }: DeliveringItem, ends: string): string {
  const progress = delivery?.progress ?? null;
  const isAtRisk = progress?.status === 'AT_RISK' || progress?.status === 'BEHIND';
  if (progress === null || progress.projected === null || !isAtRisk) return '';
  const likely = formatCount(progress.projected.projected);
  if (goal?.period === 'DAY') return say('sentence.likely_today', { likely });
  return ends === '' ? '' : say('sentence.likely', { likely, day: ends });
}
