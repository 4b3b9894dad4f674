import { goalKindOf } from '../../../domain/booking/product-booking.ts';
import type { ProductFormat } from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { earningFormats, PRICING } from '../../../domain/pricing/pricing-models.ts';
import { either } from '../../../domain/text/either.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { unknownTargetProblems, warnOfTargeting } from '../line-item/targeting.rules.ts';
import { offeredAdvertisersOf, priceOptionsOf, type ProductFacts } from './product-facts.sql.ts';

/** Applies all cross-field rules of a product. Pure: facts of the stores come in `facts.loaded`. */
export function validateProduct(row: StoredRow, facts: RuleFacts): Findings {
  const known = facts.loaded as Partial<ProductFacts>;
  const advertisers = checkAdvertisers(row, facts.before, known.advertisers ?? new Map<string, string>());
  return {
    problems: [
      ...validateDelivery(row),
      ...validateModels(row),
      ...validateDays(row),
      ...advertisers.problems,
      ...unknownTargetProblems(known.unknownTargets ?? []),
    ],
    warnings: [...advertisers.warnings, ...warnOfOffer(row), ...warnOfTargeting(row, facts.before, null)],
  };
}

/** A guaranteed product has fixed prices; what competes by price is not paid by the day. */
function validateDelivery(row: StoredRow): FieldProblem[] {
  const options = priceOptionsOf(row);
  if (row['delivery'] !== 'GUARANTEED')
    return options.flatMap(({ pricingModel }, index): FieldProblem[] => {
      if (PRICING[pricingModel].event !== null) return [];
      const message = `${pricingModel} is a price by the day: only a GUARANTEED product has it.`;
      return [{ path: `priceOptions.${index}.pricingModel`, code: 'not_allowed', message }];
    });
  if (options.length === 0)
    return [{ path: 'priceOptions', code: 'required', message: 'A GUARANTEED product has a fixed price; give one.' }];
  return options.flatMap(({ priceMicros, pricingModel }, index): FieldProblem[] => {
    if (PRICING[pricingModel].event !== null && goalKindOf(pricingModel) === null) {
      const message = `No goal counts what ${pricingModel} pays for, so that a GUARANTEED product cannot promise it.`;
      return [{ path: `priceOptions.${index}.pricingModel`, code: 'not_allowed', message }];
    }
    if (priceMicros !== null) return [];
    const message = 'A GUARANTEED product has fixed prices: give a price instead of the floor.';
    return [{ path: `priceOptions.${index}.price`, code: 'required', message }];
  });
}

/** A price that no format of the product can earn. */
function validateModels(row: StoredRow): FieldProblem[] {
  const formats = (row['formats'] as readonly ProductFormat[]).map(({ format }) => format);
  if (formats.length === 0) return [];
  return priceOptionsOf(row).flatMap(({ pricingModel }, index): FieldProblem[] => {
    const earning = earningFormats(pricingModel);
    if (formats.some((format) => earning.includes(format))) return [];
    const message = `Only creatives of format ${either(earning)} earn ${pricingModel}; add such a format, or choose another model.`;
    return [{ path: `priceOptions.${index}.pricingModel`, code: 'not_allowed', message }];
  });
}

function validateDays(row: StoredRow): FieldProblem[] {
  const { minimum_days: shortest, maximum_days: longest } = row as StoredRow & Record<string, number | null>;
  if (shortest === null || shortest === undefined || longest === null || longest === undefined) return [];
  if (shortest <= longest) return [];
  return [{ path: 'maximumDays', code: 'out_of_range', message: `Give at least the ${shortest} days of minimumDays.` }];
}

/** What a product named before stays valid, so that other fields can change; a warning says that it has no effect any more. */
function checkAdvertisers(row: StoredRow, before: StoredRow | null, statuses: ReadonlyMap<string, string>): Findings {
  const named = new Set(before === null ? [] : placedAdvertisers(before).map(({ id }) => id));
  const findings = { problems: [] as FieldProblem[], warnings: [] as FieldProblem[] };
  for (const { id, path } of placedAdvertisers(row)) {
    const status = statuses.get(id);
    if (status === 'ACTIVE') continue;
    const found: FieldProblem =
      status === undefined
        ? { path, code: 'unknown', message: `There is no advertiser with the id ${id}.` }
        : { path, code: 'archived', message: `The advertiser ${id} is archived; restore it first.` };
    (status !== undefined && named.has(id) ? findings.warnings : findings.problems).push(found);
  }
  return findings;
}

function placedAdvertisers(row: StoredRow): { readonly id: string; readonly path: string }[] {
  return [
    ...offeredAdvertisersOf(row).map((id, index) => ({ id, path: `offeredAdvertiserIds.${index}` })),
    ...priceOptionsOf(row).flatMap(({ advertiserIds }, option) =>
      advertiserIds.map((id, index) => ({ id, path: `priceOptions.${option}.advertiserIds.${index}` })),
    ),
  ];
}

function warnOfOffer(row: StoredRow): FieldProblem[] {
  if (row['offered_to_buyers'] !== true || priceOptionsOf(row).length > 0) return [];
  const message = 'It has no price option, so that no buyer can book it.';
  return [{ path: 'offeredToBuyers', code: 'no_effect', message }];
}
