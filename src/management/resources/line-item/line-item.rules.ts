import { isTimeZone } from '../../../domain/time/calendar.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import type { DeliveryCaps, Goal } from '../../../domain/booking/line-item.ts';
import { either } from '../../../domain/text/either.ts';
import { earningFormats, type PricingModel, pricingModelsWhere } from '../../../domain/pricing/pricing-models.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import { listGuaranteeProblems } from '../deal/deal.rules.ts';
import { checkApproval } from '../booking-approval/booking-terms.ts';
import { validateFlight, warnOfPastEnd, warnOfUselessDailyCaps } from '../campaign/campaign.rules.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { validateCountedActivities } from './counted-activities.ts';
import type { LineItemFacts } from './line-item-facts.sql.ts';
import { warnOfProduct } from './product.rules.ts';
import { unknownTargetProblems, warnOfTargeting } from './targeting.rules.ts';
import { checkOptimisation } from './optimisation.rules.ts';

/** Applies all cross-field rules of a line item. Pure: facts of the stores come in `facts.loaded`. */
export function validateLineItem(row: StoredRow, facts: RuleFacts): Findings {
  const known = facts.loaded as Partial<LineItemFacts>;
  const counted = validateCountedActivities(row, facts.before, {
    activities: known.countedActivities ?? [],
    campaign: known.campaign ?? null,
  });
  const optimisation = checkOptimisation(row, facts.before, known);
  const problems = [
    ...counted.problems,
    ...optimisation.problems,
    ...validateFlight(row),
    ...validateShare(row),
    ...validatePrice(row),
    ...validateFormats(row, known),
    ...validateTimezone(row),
    ...validateGoal(row),
    ...listGuaranteeProblems(row, known.deal ?? null),
    ...validateCompanions(row),
    ...validateBudget(row, facts.before, known),
    ...unknownTargetProblems(known.unknownTargets ?? []),
    ...checkApproval(row, facts.before, {
      campaign: known.campaign ?? null,
      approvedTerms: known.approvedTerms ?? null,
    }),
  ];
  const warnings = [
    ...counted.warnings,
    ...optimisation.warnings,
    ...warnOfPastEnd(row, facts),
    ...warnOfUselessDailyCaps(row['caps'] as Partial<DeliveryCaps>),
    ...warnOfCampaign(row, known),
    ...warnOfCompanions(row, known),
    ...warnOfProduct(row, facts.before, known.product ?? null),
    ...warnOfTargeting(row, facts.before, known.knownKeys ?? null),
  ];
  return { problems, warnings };
}

function validateShare(row: StoredRow): FieldProblem[] {
  const { type, share_percent: share } = row as StoredRow & { type: string; share_percent: number | null };
  if (type === 'SPONSORSHIP' && share === null) {
    return [{ path: 'sharePercent', code: 'required', message: 'A sponsorship needs its share of voice in percent.' }];
  }
  if ((type === 'STANDARD' || type === 'PRICE') && share !== null) {
    return [
      {
        path: 'sharePercent',
        code: 'not_allowed',
        message: `A share is for SPONSORSHIP and HOUSE; leave it out for ${type}.`,
      },
    ];
  }
  return [];
}

/** Models that earn by an event. */
const EVENT_MODELS = pricingModelsWhere(({ event }) => event !== null);

function validatePrice(row: StoredRow): FieldProblem[] {
  const price = BigInt(row['price_micros'] as bigint);
  if (row['type'] === 'PRICE' && price === 0n) {
    return [{ path: 'price', code: 'required', message: 'A PRICE line item competes by its price; give one above 0.' }];
  }
  if (row['type'] === 'PRICE' && !EVENT_MODELS.includes(row['pricing_model'] as PricingModel)) {
    return [
      {
        path: 'pricingModel',
        code: 'not_allowed',
        message: `A PRICE line item needs a price per event: ${either(EVENT_MODELS)}.`,
      },
    ];
  }
  return [];
}

function validateFormats(row: StoredRow, { formats = [] }: Partial<LineItemFacts>): FieldProblem[] {
  const model = row['pricing_model'] as PricingModel;
  const earning = earningFormats(model);
  const other = formats.find((format) => !earning.includes(format));
  if (other === undefined) return [];
  const message = `Only creatives of format ${either(earning)} earn ${model}, and it has ${other} ones; archive those first.`;
  return [{ path: 'pricingModel', code: 'not_allowed', message }];
}

function validateTimezone(row: StoredRow): FieldProblem[] {
  const timezone = row['timezone'];
  if (typeof timezone !== 'string' || isTimeZone(timezone)) return [];
  return [{ path: 'timezone', code: 'unknown', message: 'Give an IANA time zone name such as "Europe/Warsaw".' }];
}

function validateGoal(row: StoredRow): FieldProblem[] {
  const goal = row['goal'] as Goal | null;
  const problems: FieldProblem[] = [];
  if (row['type'] === 'STANDARD' && goal === null) {
    problems.push({ path: 'goal', code: 'required', message: 'A STANDARD line item guarantees a goal; give one.' });
  }
  if (row['pause_after_goal'] === true && goal === null) {
    problems.push({
      path: 'pauseAfterGoal',
      code: 'needs_goal',
      message: 'There is no goal to pause after; give one, or false.',
    });
  }
  if (
    goal?.period === 'LIFETIME' &&
    row['pacing'] !== 'ASAP' &&
    row['type'] === 'STANDARD' &&
    row['ends_at'] === null
  ) {
    problems.push({
      path: 'endsAt',
      code: 'required',
      message: 'A lifetime goal is spread over the flight; give its end, or pace ASAP.',
    });
  }
  return problems;
}

function validateCompanions(row: StoredRow): FieldProblem[] {
  if (row['companion_mode'] === 'NONE' || row['roadblock'] === 'ONE') return [];
  const message = 'A roadblock already says what stands together; set roadblock to ONE, or companionMode to NONE.';
  return [{ path: 'companionMode', code: 'not_allowed', message }];
}

function warnOfCompanions(row: StoredRow, { companionCount = 0 }: Partial<LineItemFacts>): FieldProblem[] {
  const mode = String(row['companion_mode']);
  if (mode === 'NONE' && companionCount > 0) {
    const message = `Its ${companionCount} companions are not shown; choose OPTIONAL, AT_LEAST_ONE or ALL to show them.`;
    return [{ path: 'companionMode', code: 'companions_unused', message }];
  }
  if (mode === 'NONE' || companionCount > 0) return [];
  const effect = mode === 'OPTIONAL' ? 'nothing stands beside its creatives' : 'it will not serve';
  const message = `It has no companions: ${effect} until you add banners with a masterCreativeId.`;
  return [{ path: 'companionMode', code: 'no_companions', message }];
}

/** A money cap may not be lowered below the spend. An unchanged cap may be exceeded by impressions that were in flight. */
function validateBudget(row: StoredRow, before: StoredRow | null, facts: Partial<LineItemFacts>): FieldProblem[] {
  const cap = lifetimeMoneyCap(row);
  if (before !== null && lifetimeMoneyCap(before) === cap) return [];
  const spent = facts.spentMicros ?? null;
  if (cap === null || spent === null || BigInt(cap) >= spent) return [];
  const message = `${formatMicros(spent)} has been spent already; give at least that.`;
  return [{ path: 'caps.spendLifetime', code: 'below_spent', message }];
}

function lifetimeMoneyCap(row: StoredRow): number | null {
  return (row['caps'] as Partial<DeliveryCaps>).spendMicrosLifetime ?? null;
}

function warnOfCampaign(row: StoredRow, facts: Partial<LineItemFacts>): FieldProblem[] {
  const { campaign } = facts;
  if (row['status'] !== 'ACTIVE' || !campaign) return [];
  if (campaign['status'] !== 'ACTIVE') {
    const message = `Its campaign is ${String(campaign['status'])}: it will not serve before that is ACTIVE.`;
    return [{ path: 'status', code: 'parent_not_active', message }];
  }
  const startsAt = row['starts_at'];
  const campaignEndsAt = campaign['ends_at'];
  if (startsAt instanceof Date && campaignEndsAt instanceof Date && startsAt >= campaignEndsAt) {
    return [{ path: 'startsAt', code: 'outside_campaign', message: 'It starts after its campaign has ended.' }];
  }
  return [];
}
