import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import type { CompiledLineItem, PacingState } from './index/compile-line-items.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { LocalMoment } from './index/local-clock.ts';
import { frontLoad } from '../../domain/pacing/pacing-plan.ts';

/** How far a line item may be ahead of its plan: this much time, and this share of its goal. */
const AHEAD_MS = 60_000;
const AHEAD_SHARE = 0.001;
const MINUTES_PER_DAY = 1_440;

const NO_GOAL: PacingState = { mayDeliver: true, urgency: 0 };

/**
 * Compares the delivery with the plan of even traffic. Pure and from counters alone, for decisions outside of a running worker (replays,
 * explanations, cases). In workers, `Pacer` paces line items.
 */
export function paceLineItem(
  lineItem: CompiledLineItem,
  at: { readonly workspaceId: number; readonly nowMs: number; readonly local: LocalMoment },
  state: DeliveryState,
): PacingState {
  const { goal, pacing, id } = lineItem.booked;
  if (goal === null || goal.amount <= 0) return NO_GOAL;
  const subject: CounterSubject = { workspaceId: at.workspaceId, scope: 'li', id, kind: GOAL_COUNTERS[goal.kind] };
  const key = goal.period === 'DAY' ? dayCounterKey(subject, at.local.day) : lifetimeCounterKey(subject);
  const delivered = state.counter(key);
  const elapsed = goal.period === 'DAY' ? dayShare(at.local) : flightShare(lineItem, at.nowMs, 0);
  if (pacing === 'ASAP' || elapsed === null) {
    return { mayDeliver: delivered < goal.amount, urgency: 1 - delivered / goal.amount };
  }
  const ahead =
    goal.period === 'DAY'
      ? Math.min(1, elapsed + 1 / MINUTES_PER_DAY)
      : (flightShare(lineItem, at.nowMs, AHEAD_MS) ?? 1);
  const shape = pacing === 'FRONT_LOADED' ? frontLoad : (share: number) => share;
  const allowed = Math.min(goal.amount, Math.ceil(goal.amount * shape(ahead)) + goal.amount * AHEAD_SHARE);
  return { mayDeliver: delivered < allowed, urgency: shape(elapsed) - delivered / goal.amount };
}

function dayShare(local: LocalMoment): number {
  return local.minute / MINUTES_PER_DAY;
}

/** The share of the flight that has passed `plusMs` from now; null for a flight without an end, which cannot be planned. */
function flightShare(lineItem: CompiledLineItem, nowMs: number, plusMs: number): number | null {
  const { startsAtMs, endsAtMs } = lineItem;
  if (!Number.isFinite(endsAtMs) || startsAtMs === 0) return null;
  return Math.min(1, Math.max(0, (nowMs + plusMs - startsAtMs) / (endsAtMs - startsAtMs)));
}
