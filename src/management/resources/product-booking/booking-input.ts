import type { FieldProblem } from '../../../domain/errors.ts';
import { FrequencyCapInput } from '../../fields/delivery-limits.ts';
import { PacingRef } from '../../fields/enumerations.ts';
import { checkTargeting, TargetingInput } from '../../fields/targeting-field.ts';
import { builder } from '../../kernel/builder.ts';
import { report } from '../../kernel/field.ts';
import { checkMoney } from '../../kernel/scalar-fields.ts';
import type { AskedTerms } from './product-terms.ts';

const texts = {
  bid: 'The price that is bid over the floor of the option, in the unit of its pricing model; for options with a floor only.',
  budget: 'What the booking may cost. The price turns it into a quantity. Instead of `quantity`.',
  quantity:
    'How many units are booked: impressions, viewable impressions, clicks … as the option pays for. Instead of `budget`.',
  targeting: 'Targeting that narrows the inventory of the product, by the dimensions that it admits; default none.',
  frequencyCaps: 'Limits per user; default none.',
  pacing: 'How delivery is spread; default EVEN.',
} as const;

export const BookProductInputRef = builder.inputType('BookProductInput', {
  description: 'A booking from a product.',
  fields: (t) => ({
    campaignId: t.id({ required: true, description: 'The campaign that gets the line item.' }),
    productId: t.id({ required: true, description: 'The product.' }),
    priceOptionId: t.id({ required: true, description: 'The id of one of its price options.' }),
    name: t.string({ description: 'Name of the line item; default: that of the product.' }),
    bid: t.field({ type: 'Decimal', description: texts.bid }),
    budget: t.field({ type: 'Decimal', description: texts.budget }),
    quantity: t.field({ type: 'Long', description: texts.quantity }),
    startsAt: t.field({ type: 'DateTime', required: true, description: 'Start of the flight.' }),
    endsAt: t.field({ type: 'DateTime', required: true, description: 'End of the flight, exclusive.' }),
    targeting: t.field({ type: TargetingInput, description: texts.targeting }),
    frequencyCaps: t.field({ type: [FrequencyCapInput], description: texts.frequencyCaps }),
    pacing: t.field({ type: PacingRef, description: texts.pacing }),
    externalId: t.string({ description: 'Id in your own system.' }),
  }),
});

export const ChangeBookingInputRef = builder.inputType('ChangeBookingInput', {
  description: 'New terms of a booking from a product. Absent terms stay as they are.',
  fields: (t) => ({
    priceOptionId: t.id({ description: 'The id of another price option of the product.' }),
    bid: t.field({ type: 'Decimal', description: texts.bid }),
    budget: t.field({ type: 'Decimal', description: texts.budget }),
    quantity: t.field({ type: 'Long', description: texts.quantity }),
    startsAt: t.field({ type: 'DateTime', description: 'Start of the flight.' }),
    endsAt: t.field({ type: 'DateTime', description: 'End of the flight, exclusive.' }),
    targeting: t.field({
      type: TargetingInput,
      description: 'Targeting that replaces what the booking added to the product.',
    }),
    frequencyCaps: t.field({ type: [FrequencyCapInput], description: 'Limits per user.' }),
    pacing: t.field({ type: PacingRef, description: 'How delivery is spread.' }),
  }),
});

/** The terms of an input, before the product is known. */
export interface GivenTerms {
  readonly bid?: string | null | undefined;
  readonly budget?: string | null | undefined;
  readonly quantity?: number | null | undefined;
  readonly targeting?: unknown;
}

/** Reads amounts and targeting; faults are added to `problems`. */
export function readTerms(
  given: GivenTerms,
  flight: { readonly startsAt: Date; readonly endsAt: Date },
  problems: FieldProblem[],
): AskedTerms {
  const money = (name: 'bid' | 'budget'): bigint | null => {
    const amount = given[name] ?? null;
    return amount === null ? null : checkMoney(amount, `input.${name}`, problems);
  };
  const quantity = given.quantity ?? null;
  if (quantity !== null && quantity < 1) report(problems, 'input.quantity', 'out_of_range', 'Give at least 1.');
  const { targeting = null } = given;
  return {
    bidMicros: money('bid'),
    budgetMicros: money('budget'),
    quantity: quantity === null ? null : BigInt(quantity),
    startsAt: flight.startsAt,
    endsAt: flight.endsAt,
    added: targeting === null ? null : checkTargeting(targeting, 'input.targeting', problems),
  };
}
