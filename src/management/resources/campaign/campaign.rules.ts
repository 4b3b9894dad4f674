import type { FieldProblem } from '../../../domain/errors.ts';
import type { DeliveryCaps } from '../../../domain/booking/line-item.ts';
import type { StoredRow } from '../../kernel/field.ts';
import type { Judgement, RuleFacts } from '../../kernel/resource.ts';

/** Order of the flight, an end that is already past, and daily caps that can never be the ones that stop. */
export function judgeCampaign(row: StoredRow, facts: RuleFacts): Judgement {
  return {
    problems: judgeFlight(row),
    warnings: [...warnOfPastEnd(row, facts), ...warnOfUselessDailyCaps(row['caps'] as Partial<DeliveryCaps>)],
  };
}

/** A flight must end after it begins. */
export function judgeFlight(row: StoredRow): FieldProblem[] {
  const startsAt = row['starts_at'];
  const endsAt = row['ends_at'];
  if (!(startsAt instanceof Date) || !(endsAt instanceof Date) || endsAt > startsAt) return [];
  return [{ path: 'endsAt', code: 'before_start', message: 'Give an end after the start of the flight.' }];
}

/** ACTIVE with an end in the past serves nothing. */
export function warnOfPastEnd(row: StoredRow, facts: RuleFacts): FieldProblem[] {
  const endsAt = row['ends_at'];
  if (row['status'] !== 'ACTIVE' || !(endsAt instanceof Date) || endsAt.getTime() > facts.nowMs) return [];
  return [{ path: 'endsAt', code: 'in_the_past', message: 'The flight is over: it will not serve.' }];
}

/** A daily cap at or over the lifetime cap never stops anything before that one does. */
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
