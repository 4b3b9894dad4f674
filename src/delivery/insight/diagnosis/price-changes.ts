import {
  constantValue,
  countValue,
  moneyValue,
  percentValue,
  textOf,
  type DeliveryText,
} from '../../../domain/booking/delivery-text.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { ofLineItem } from './change.ts';
import type { Change, ChangeInput, MakeChange } from './change.ts';
import { RAISED } from './limit-changes.ts';

/** Raises the price so that a thousand impressions are expected to earn this much. */
function raiseTo(input: ChangeInput, wantedMicros: number): Change | null {
  const { price_micros: price } = input.booked.lineItem;
  const { valueMicros } = input;
  if (Number(price) === 0 || valueMicros === 0 || !Number.isFinite(wantedMicros))
    return ofLineItem(input, 'raise_price', {}, ['input.price']);
  const cents = Math.ceil((Number(price) * wantedMicros) / valueMicros / 10_000) * 10_000;
  const raised = formatMicros(BigInt(Math.max(cents, Number(price) + 10_000)));
  return ofLineItem(input, textOf('raise_price_to', { price: moneyValue(raised) }), { price: raised });
}

/** A price that reaches the floor of the cause. */
export const reachFloor: MakeChange = (input, { detail }) =>
  raiseTo(input, detail === '' ? Number.NaN : Number(detail));

/** A price above the winner's. */
export const outbid: MakeChange = (input) =>
  input.rival === null ? raiseTo(input, Number.NaN) : raiseTo(input, input.rival.valueMicros + 10_000);

const moveTo = (level: number): DeliveryText => textOf('move_level', { level: countValue(level) });

/** The tier and level of the winner. */
export const outrank: MakeChange = (input) => {
  const { rival } = input;
  const { type, level } = input.booked.lineItem;
  if (rival === null) return null;
  if (rival.type === type) return ofLineItem(input, moveTo(rival.level), { level: Math.min(level, rival.level) });
  const share = rival.type === 'SPONSORSHIP' ? { sharePercent: 100 } : { sharePercent: null };
  const { goal, price_micros: price, ends_at: endsAt, pacing } = input.booked.lineItem;
  const needsGoal = rival.type === 'STANDARD' && goal === null;
  const needsEnd = rival.type === 'STANDARD' && endsAt === null && pacing !== 'ASAP' && goal?.period !== 'DAY';
  const missing = [
    ...(needsGoal ? ['input.goal'] : []),
    ...(needsEnd ? ['input.endsAt'] : []),
    ...(rival.type === 'PRICE' && Number(price) === 0 ? ['input.price'] : []),
  ];
  return ofLineItem(
    input,
    textOf('change_type', { type: constantValue(rival.type), level: countValue(rival.level) }),
    { type: rival.type, level: rival.level, ...share },
    missing,
  );
};

/**
 * A level above the winner's: where not all goals fit, the plan gives a goal of a higher level its amount first. Else as soon as possible: within a level, such a
 * goal comes first, and it takes all that the draw of the plan leaves, before PRICE. Null while its goal is on its plan, or where neither is left.
 */
export const winPlan: MakeChange = (input) => {
  const { rival, isOnPlan } = input;
  const { level, pacing } = input.booked.lineItem;
  if (isOnPlan) return null;
  if (rival?.type === 'STANDARD' && rival.level <= level && level > 1) {
    const above = Math.max(1, rival.level - 1);
    return ofLineItem(input, moveTo(above), { level: above });
  }
  return pacing === 'ASAP' ? null : ofLineItem(input, 'deliver_soon', { pacing: 'ASAP' });
};

/** A larger share, or a level above. */
export const winDraw: MakeChange = (input) => {
  const { type, level, share_percent: share } = input.booked.lineItem;
  if (type === 'SPONSORSHIP' && (share ?? 100) < 100)
    return ofLineItem(input, textOf('raise_share', { percent: percentValue(1, 1) }), { sharePercent: 100 });
  if (type === 'HOUSE') {
    const raised = Math.min(100, Math.max(1, share ?? 1) * RAISED);
    return ofLineItem(input, textOf('raise_weight', { weight: countValue(raised) }), { sharePercent: raised });
  }
  if (type === 'PRICE') return outbid(input, { code: 'lost.price', detail: '' });
  return level > 1 ? ofLineItem(input, moveTo(level - 1), { level: level - 1 }) : null;
};
