import { formatCount, formatMoney } from '../format/desk-format.ts';
import { say } from '../messages/say.ts';
import { type BookingDraft, hasPrice, type TermsDraft } from './booking-draft.ts';
import { decimalOf, wholeOf } from '../format/typed-numbers.ts';

/** What price and priority of a draft mean, in a sentence. */
export function describeTerms(draft: TermsDraft, currency: string): string {
  const { card, level, price, pricingModel } = draft;
  const terms = say(`terms.${card}`, { level });
  if (!hasPrice(card)) return `${terms} ${say('terms.free')}`;
  const amount = decimalOf(price);
  // A text that cannot be read is not the price 0.
  if (amount === null) return terms;
  return `${terms} ${say('terms.paid', { price: formatMoney(amount, currency), unit: say(`booking.for_${pricingModel}`) })}`;
}

/** A check before a booking. The sign only repeats what the sentence says. */
export interface BookingCheck {
  readonly sign: '✓' | '✕' | '○';
  readonly text: string;
}

/** The checks before a booking: met, not met, or still to do. `reaches` is null where no forecast can be compared with the goal. */
export function checksOf({
  isValid,
  reaches,
}: {
  readonly isValid: boolean;
  readonly reaches: boolean | null;
}): BookingCheck[] {
  const fields = isValid
    ? ({ sign: '✓', text: say('booking.check_valid') } as const)
    : ({ sign: '✕', text: say('booking.check_invalid') } as const);
  const forecast = reaches
    ? ({ sign: '✓', text: say('booking.check_forecast') } as const)
    : ({ sign: '✕', text: say('booking.check_forecast_short') } as const);
  return [fields, ...(reaches === null ? [] : [forecast]), { sign: '○', text: say('booking.check_creative') }];
}

/** The cap of a draft in words. */
export function describeCap({ capCount, capWindow }: BookingDraft): string {
  const count = wholeOf(capCount);
  if (count === null || count < 1) return say('cap.none');
  const span = say(`cap.one_${capWindow}`);
  return say('cap.said', { what: say('goal.IMPRESSIONS', { amount: formatCount(count), count }), span });
}
