import type { LineItem } from '../api/bookings/desk-list.ts';
import { say } from '../messages/say.ts';
import { formatPercent } from '../format/desk-format.ts';

const HOUR_MS = 3_600_000;

/** Why a line item stands where it stands, in a few words; what the diagnosis found says more than its pace. */
export function describeWhy(
  { standing, delivery }: Pick<LineItem, 'standing' | 'delivery'>,
  diagnosis: string | undefined,
  nowMs: number,
): string {
  if (standing === null) return '';
  const { reason, movedAt } = standing;
  if (reason === 'BEHIND' || reason === 'AT_RISK') {
    const pace = delivery?.progress?.pacingPercent ?? null;
    const text = pace === null ? say(`why.${reason}`) : say(`why.${reason}_pace`, { percent: formatPercent(pace) });
    return diagnosis === undefined ? text : `${text} · ${diagnosis}`;
  }
  if (reason === 'QUIET') {
    const hours = movedAt === null ? 0 : Math.floor((nowMs - Date.parse(movedAt)) / HOUR_MS);
    const text = hours < 1 ? say('why.QUIET') : say('why.QUIET_hours', { count: hours, hours });
    return diagnosis === undefined ? text : `${text} · ${diagnosis}`;
  }
  if (reason === 'SERVING') {
    if (delivery?.progress === null || delivery === null) return say('why.SERVING_free');
    const { status, isHistoryLoading } = delivery.progress;
    if (isHistoryLoading && status === null) return say('why.HISTORY_LOADING');
    return say(status === 'AHEAD' || status === 'REACHED' ? `why.${status}` : 'why.SERVING');
  }
  return say(`why.${reason}`);
}
