import type { GoalKind } from '../booking/line-item.ts';

/** The share of served ads that become goal events, as it is assumed at first, and its weight in ads. */
export const GOAL_YIELDS: Readonly<Record<GoalKind, { readonly rate: number; readonly weight: number }>> = {
  IMPRESSIONS: { rate: 1, weight: 20 },
  VIEWABLE_IMPRESSIONS: { rate: 0.5, weight: 100 },
  CLICKS: { rate: 0.001, weight: 2_000 },
  CONVERSIONS: { rate: 0.0001, weight: 20_000 },
};
