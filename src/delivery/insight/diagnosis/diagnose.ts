import type { DeliveryDiagnosis } from '../../../domain/booking/delivery-insight.ts';
import { describeReason, isOutOfReach } from './reason-texts.ts';

/** The input of a diagnosis. */
export interface DiagnosisInput {
  readonly hours: number;
  /** Outcomes of sampled decisions, most frequent first. */
  readonly counted: readonly { readonly reason: string; readonly quantity: number }[];
  /** Why it cannot serve any request; null = it can; `unknown` = it is not in the snapshot. */
  readonly idle: string | null;
}

/** Puts numbers into a sentence: the main obstacle among the requests that the line item could have served. */
export function diagnose({ hours, counted, idle }: DiagnosisInput): DeliveryDiagnosis {
  const total = counted.reduce((sum, { quantity }) => sum + quantity, 0);
  const numbers = counted.map(({ reason, quantity }) => ({
    reason,
    opportunities: quantity,
    percent: total === 0 ? 0 : Math.round((quantity / total) * 10_000) / 100,
  }));
  const base = { hours, opportunities: total, numbers };
  if (idle === 'unknown')
    return {
      ...base,
      code: 'unknown',
      sentence: 'Delivery does not know this line item.',
      advice: 'Set it to ACTIVE, and look again in a few seconds.',
    };
  if (idle !== null) {
    const { because, advice } = describeReason(idle);
    return { ...base, code: idle, sentence: `It cannot serve now, because ${because}.`, advice };
  }
  if (total === 0)
    return {
      ...base,
      code: 'no_traffic',
      sentence: `No requests were seen in the last ${hours} hours.`,
      advice: 'Check that pages request ads of this network.',
    };
  const won = counted.find(({ reason }) => reason === 'won')?.quantity ?? 0;
  const lost = counted.filter(({ reason }) => reason !== 'won');
  const inReach = lost.filter(({ reason }) => !isOutOfReach(reason));
  const main = inReach[0] ?? (won > 0 ? undefined : lost[0]);
  const share = (part: number) => `${Math.round((part / total) * 1_000) / 10} %`;
  const seen = `Of about ${total} opportunities in the last ${hours} hours it took ${won} (${share(won)})`;
  if (main === undefined || won > inReach.reduce((sum, { quantity }) => sum + quantity, 0))
    return { ...base, code: 'delivering', sentence: `${seen}: most of those that were meant for it.`, advice: '' };
  const { because, advice } = describeReason(main.reason);
  return {
    ...base,
    code: main.reason,
    sentence: `${seen}; most others were lost because ${because} (${share(main.quantity)}).`,
    advice,
  };
}
