import type { InspectedLoser } from '../api/bookings/inspection.ts';

/** How far a line item came: the last rung first. */
export const STAGES = ['outranked', 'limits', 'rules', 'fit', 'targeting', 'off'] as const;
export type Stage = (typeof STAGES)[number];

/** The stage by the first part of a reason. */
const STAGE_OF: Readonly<Record<string, Stage>> = {
  lost: 'outranked',
  better_unit: 'outranked',
  capped: 'limits',
  budget: 'limits',
  goal_reached: 'limits',
  pacing: 'limits',
  floor: 'rules',
  currency: 'rules',
  blocked: 'rules',
  dsa_missing: 'rules',
  exclusion: 'rules',
  roadblock: 'rules',
  companion: 'rules',
  consent: 'rules',
  secure: 'rules',
  size: 'fit',
  format: 'fit',
  creative: 'fit',
  targeting: 'targeting',
  daypart: 'targeting',
  paused: 'off',
  not_in_flight: 'off',
  draft: 'off',
  reserved: 'off',
  completed: 'off',
  archived: 'off',
};

/** How far the line item of a reason came; a reason that is not known here counts as a rule. */
export function stageOf(reason: string): Stage {
  return STAGE_OF[reason.split('.')[0] ?? ''] ?? 'rules';
}

/** Losers by how far they came, without empty stages. */
export function groupByStage(
  losers: readonly InspectedLoser[],
): readonly { readonly stage: Stage; readonly losers: readonly InspectedLoser[] }[] {
  const groups = Map.groupBy(losers, ({ reason }) => stageOf(reason));
  return STAGES.flatMap((stage) => {
    const own = groups.get(stage);
    return own === undefined ? [] : [{ stage, losers: own }];
  });
}
