import type { FieldProblem } from '../../../domain/errors.ts';
import type { DeliveryCaps } from '../../../domain/booking/line-item.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Findings, RuleFacts } from '../../kernel/resource.ts';
import { checkCampaignFlight } from '../booking-approval/booking-terms.ts';

/** Validates the flight, also against approvals, warns of an end in the past, and of daily caps that never stop anything. */
export function validateCampaign(row: StoredRow, facts: RuleFacts): Findings {
  return {
    problems: [...validateFlight(row), ...checkCampaignFlight(row, facts.before, facts.loaded)],
    warnings: [...warnOfPastEnd(row, facts), ...warnOfUselessDailyCaps(row['caps'] as Partial<DeliveryCaps>)],
  };
}

/** A flight must end after it begins. */
export function validateFlight(row: StoredRow): FieldProblem[] {
  const startsAt = row['starts_at'];
  const endsAt = row['ends_at'];
  if (!(startsAt instanceof Date) || !(endsAt instanceof Date) || endsAt > startsAt) return [];
  return [{ path: 'endsAt', code: 'before_start', message: 'Give an end after the start of the flight.' }];
}

/** Warns that an ACTIVE campaign whose end is past serves nothing. */
export function warnOfPastEnd(row: StoredRow, facts: RuleFacts): FieldProblem[] {
  const endsAt = row['ends_at'];
  if (row['status'] !== 'ACTIVE' || !(endsAt instanceof Date) || endsAt.getTime() > facts.nowMs) return [];
  return [{ path: 'endsAt', code: 'in_the_past', message: 'The flight is over: it will not serve.' }];
}

/** Warns of a daily cap at or over the lifetime cap: the lifetime cap always stops first. */
export function warnOfUselessDailyCaps(caps: Partial<DeliveryCaps>): FieldProblem[] {
  const pairs = [
    ['impressionsPerDay', caps.impressionsPerDay, caps.impressionsLifetime],
    ['clicksPerDay', caps.clicksPerDay, caps.clicksLifetime],
    ['spendPerDay', caps.spendMicrosPerDay, caps.spendMicrosLifetime],
  ] as const;
  return pairs.flatMap(([name, daily, lifetime]) =>
    daily !== null && daily !== undefined && lifetime !== null && lifetime !== undefined && daily > lifetime
      ? [
          {
            path: `caps.${name}`,
            code: 'over_lifetime',
            message: 'The daily limit is over the lifetime limit, so it never applies.',
          },
        ]
      : [],
  );
}
