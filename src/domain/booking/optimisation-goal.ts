import type { CountedKind } from '../pricing/pricing-models.ts';

interface OptimisationGoalRow {
  /** The event of which a line item gets as many as it can. */
  readonly event: CountedKind;
  /** Its description in the management API. */
  readonly description: string;
}

/** What a line item can maximise besides reaching its goal. One row holds all that is known of each. */
export const OPTIMISATION_GOALS = {
  CLICKS: { event: 'click', description: 'Clicks.' },
  CONVERSIONS: { event: 'activity', description: 'Attributed activities.' },
  VIEWABLE_IMPRESSIONS: { event: 'viewable', description: 'Impressions measured as viewable.' },
  COMPLETED_VIEWS: { event: 'video_complete', description: 'Videos that were played to the end.' },
} as const satisfies Record<string, OptimisationGoalRow>;

export type OptimisationGoal = keyof typeof OPTIMISATION_GOALS;

export const OPTIMISATION_GOAL_NAMES = Object.keys(OPTIMISATION_GOALS) as readonly OptimisationGoal[];

/** The event that OPTIMISED rotation maximises: that of the optimisation goal, and clicks without one. */
export function rotatedEvent({ optimisationGoal }: { readonly optimisationGoal?: OptimisationGoal }): CountedKind {
  return OPTIMISATION_GOALS[optimisationGoal ?? 'CLICKS'].event;
}

/** The event by whose rate a line item chooses its ad units: that of the optimisation goal; null without one. */
export function choosingEvent({
  optimisationGoal,
}: {
  readonly optimisationGoal?: OptimisationGoal;
}): CountedKind | null {
  return optimisationGoal === undefined ? null : OPTIMISATION_GOALS[optimisationGoal].event;
}
