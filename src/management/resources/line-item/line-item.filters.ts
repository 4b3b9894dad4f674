import { decimalIdOf } from '../../../domain/ids/global-ids.ts';
import { GoalStatusRef } from '../../fields/goal-status.ts';
import type { Predicate } from '../../kernel/predicate.ts';
import { before, type Filter } from '../../kernel/resource.ts';

/** What the desk asks of line items beyond their own columns. */
export const DESK_FILTERS: readonly Filter[] = [
  {
    name: 'advertiserIds',
    description: 'Only of campaigns of these advertisers.',
    kind: 'holds',
    type: ['ID'],
    predicate: (value) => {
      const ids = (value as readonly unknown[]).map((id) => decimalIdOf('Advertiser', id) ?? '0');
      const where: Predicate = { kind: 'compare', column: 'advertiser_id', operator: 'in', value: ids };
      return related('campaigns', ['id', 'campaign_id'], where);
    },
  },
  before('endsBefore', 'ends_at', 'Only with an end before this instant.'),
  {
    name: 'hasApprovedCreative',
    description: 'Whether it has a creative that is ACTIVE and APPROVED.',
    kind: 'holds',
    type: 'Boolean',
    predicate: (value) => {
      const has = related('creatives', ['line_item_id', 'id'], {
        kind: 'all',
        of: [
          { kind: 'compare', column: 'status', operator: 'eq', value: 'ACTIVE' },
          { kind: 'compare', column: 'review_state', operator: 'eq', value: 'APPROVED' },
        ],
      });
      return value === true ? has : { kind: 'not', of: has };
    },
  },
  {
    name: 'health',
    description:
      'Only with one of these statuses of the goal, as they were found last: every five minutes, for line items that serve.',
    kind: 'holds',
    type: [GoalStatusRef],
    predicate: (value) =>
      related('line_item_goal_status', ['line_item_id', 'id'], {
        kind: 'compare',
        column: 'found',
        operator: 'in',
        value,
      }),
  },
];

function related(table: string, [column, ownColumn]: readonly [string, string], where: Predicate): Predicate {
  return { kind: 'related', table, column, ownColumn, where };
}
