import type { Slot } from '../../src/domain/requests/opportunity.ts';
import type { Contender, OracleWorld } from './oracle-contender.ts';
import { localMoment } from './oracle-targeting.ts';

/** Whether a line item wants the unit of a slot: `maybe` is by its draw. */
export type Wanting = 'surely' | 'maybe' | 'never';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A line item with an optimisation goal waits for better units as far as its lag allows. */
export function unitWishOf({ state, nowMs, worths }: OracleWorld, contender: Contender, slot: Slot): Wanting {
  const { lineItem, urgency } = contender;
  const { goal, type, pacing } = lineItem;
  if (lineItem.optimisationGoal === undefined || goal === null || pacing === 'ASAP') return 'surely';
  if (type !== 'STANDARD' && type !== 'PRICE') return 'surely';
  if (type === 'STANDARD' && worths === undefined) return 'surely';
  if (state.unitBar === undefined || (slot.adUnitId === '' && slot.siteId === '')) return 'surely';
  const span = spanOf(contender, nowMs);
  if (span === null) return 'surely';
  const length = span.endMs - span.startMs;
  const aimMs = span.endMs - Math.min(4 * HOUR_MS, length / 18);
  const ofGoal = Math.max(0.005, Math.min(0.02, 10 / goal.amount));
  const allowed = Math.min(ofGoal, (0.25 * (aimMs - nowMs)) / length);
  if (allowed <= 0) return 'surely';
  const share = urgency / allowed;
  if (share >= 1) return 'surely';
  if (share <= 0) return 'never';
  const bar = state.unitBar(lineItem.id)?.at(share) ?? 0;
  if (bar <= 0) return 'surely';
  return bar > 1 ? 'never' : 'maybe';
}

/** The flight or, of a daily goal, its part of the local day; null: it cannot be planned. */
function spanOf(
  { lineItem, campaign }: Contender,
  nowMs: number,
): { readonly startMs: number; readonly endMs: number } | null {
  const startMs = Math.max(lineItem.startsAtMs ?? 0, campaign.startsAtMs ?? 0);
  const endMs = Math.min(lineItem.endsAtMs ?? Infinity, campaign.endsAtMs ?? Infinity);
  if (lineItem.goal?.period === 'DAY') {
    const midnightMs = nowMs - localMoment(nowMs, lineItem.timezone).minute * 60_000;
    return { startMs: Math.max(startMs, midnightMs), endMs: Math.min(endMs, midnightMs + DAY_MS) };
  }
  return startMs === 0 || endMs === Infinity ? null : { startMs, endMs };
}
