import type { CounterSubject } from './counter-key.ts';
import { dayCounterKey, lifetimeCounterKey } from './counter-key.ts';
import type { Advertiser, Campaign, DeliveryCaps, LineItem } from '../booking/line-item.ts';

/** A hard stop: a counter that must stay within a limit. Money limits are nanos, as spend counters are. */
export interface CapCheck {
  readonly reason: LoserCapReason;
  readonly subject: CounterSubject;
  /** Null = lifetime; else the time zone whose days count. */
  readonly timezone: string | null;
  readonly limit: number;
}

export type CapLevel = 'line_item' | 'campaign' | 'advertiser' | 'creative';
/** Why a cap stops: `capped.<level>` by number, `budget.<level>` by money. */
export type LoserCapReason = `capped.${CapLevel}` | `budget.${CapLevel}`;

const NANOS_PER_MICRO = 1_000;

const CAP_FIELDS: readonly { field: keyof DeliveryCaps; kind: 'imp' | 'clk' | 'spend'; daily: boolean }[] = [
  { field: 'impressionsPerDay', kind: 'imp', daily: true },
  { field: 'impressionsLifetime', kind: 'imp', daily: false },
  { field: 'clicksPerDay', kind: 'clk', daily: true },
  { field: 'clicksLifetime', kind: 'clk', daily: false },
  { field: 'spendMicrosPerDay', kind: 'spend', daily: true },
  { field: 'spendMicrosLifetime', kind: 'spend', daily: false },
];

/** Who a line item's counters belong to. */
export interface Owners {
  readonly workspaceId: number;
  /** The network's time zone: days of campaigns and advertisers. */
  readonly timezone: string;
  readonly lineItem: LineItem;
  readonly campaign: Campaign;
  readonly advertiser: Advertiser;
}

/** All hard stops that bind a line item: its own, its campaign's, its advertiser's credit, and its goal under `pauseAfterGoal`. */
export function compileCapChecks({ workspaceId, timezone, lineItem, campaign, advertiser }: Owners): CapCheck[] {
  const own = { workspaceId, scope: 'li', id: lineItem.id } as const;
  const checks = [
    ...checksOf(lineItem.caps, 'line_item', own, lineItem.timezone),
    ...checksOf(campaign.caps, 'campaign', { workspaceId, scope: 'ca', id: campaign.id }, timezone),
  ];
  if (advertiser.creditMicros !== null) {
    const subject: CounterSubject = { workspaceId, scope: 'ad', id: advertiser.id, kind: 'spend' };
    checks.push({
      reason: 'budget.advertiser',
      subject,
      timezone: null,
      limit: advertiser.creditMicros * NANOS_PER_MICRO,
    });
  }
  const goal = lineItem.goal;
  if (goal !== null && lineItem.pauseAfterGoal) {
    const zone = goal.period === 'DAY' ? lineItem.timezone : null;
    const subject: CounterSubject = { ...own, kind: GOAL_COUNTERS[goal.kind] };
    checks.push({ reason: 'capped.line_item', subject, timezone: zone, limit: goal.amount });
  }
  return checks;
}

/** Which counter a goal is measured by. */
export const GOAL_COUNTERS = {
  IMPRESSIONS: 'imp',
  VIEWABLE_IMPRESSIONS: 'view',
  CLICKS: 'clk',
  CONVERSIONS: 'conv',
} as const;

function checksOf(
  caps: DeliveryCaps,
  level: CapLevel,
  owner: Omit<CounterSubject, 'kind'>,
  timezone: string,
): CapCheck[] {
  return CAP_FIELDS.flatMap(({ field, kind, daily }) => {
    const value = caps[field];
    if (value === null || value === undefined) return [];
    const limit = kind === 'spend' ? value * NANOS_PER_MICRO : value;
    const reason: LoserCapReason = kind === 'spend' ? `budget.${level}` : `capped.${level}`;
    return [{ reason, subject: { ...owner, kind }, timezone: daily ? timezone : null, limit }];
  });
}

/** The counter's name today (`day` in the check's time zone; ignored for lifetime checks). */
export function capCounterKey(check: CapCheck, day: string): string {
  return check.timezone === null ? lifetimeCounterKey(check.subject) : dayCounterKey(check.subject, day);
}
