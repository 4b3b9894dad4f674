/** Why a line item stands where it stands, and the tab of the desk that shows it; null: none but the archive. */
export const STANDING_TABS = {
  ARCHIVED: null,
  DRAFT: 'DRAFT',
  RESERVED: 'DRAFT',
  COMPLETED: 'ENDED',
  FLIGHT_OVER: 'ENDED',
  PAUSED: 'NOT_DELIVERING',
  CAMPAIGN_STOPPED: 'NOT_DELIVERING',
  NOT_BEGUN: 'UPCOMING',
  NO_CREATIVE: 'NOT_DELIVERING',
  REVIEW_PENDING: 'NOT_DELIVERING',
  REVIEW_REJECTED: 'NOT_DELIVERING',
  QUIET: 'NOT_DELIVERING',
  AT_RISK: 'BEHIND',
  BEHIND: 'BEHIND',
  SERVING: 'DELIVERING',
} as const;

export type StandingReason = keyof typeof STANDING_TABS;
export type LineItemTab = NonNullable<(typeof STANDING_TABS)[StandingReason]>;

/** The reasons, each with what it says. */
export const REASON_DESCRIPTIONS: Readonly<Record<StandingReason, string>> = {
  ARCHIVED: 'It is archived.',
  DRAFT: 'It is a draft.',
  RESERVED: 'It is reserved.',
  COMPLETED: 'It is completed.',
  FLIGHT_OVER: 'Its flight, or that of its campaign, is over.',
  PAUSED: 'It is paused.',
  CAMPAIGN_STOPPED: 'Its campaign is not active.',
  NOT_BEGUN: 'Its flight, or that of its campaign, has not begun.',
  NO_CREATIVE: 'It has no active creative.',
  REVIEW_PENDING: 'Its creatives await review.',
  REVIEW_REJECTED: 'Its creatives are rejected.',
  QUIET: 'It had no impression for an hour; for a day where it has day-parts.',
  AT_RISK: 'At its recent pace it misses its goal.',
  BEHIND: 'It is behind its plan.',
  SERVING: 'It serves.',
};

/** The tabs, each with what it says. */
export const TAB_DESCRIPTIONS: Readonly<Record<LineItemTab, string>> = {
  DELIVERING: 'Serving, on plan or without one.',
  BEHIND: 'Serving, behind its plan or at risk.',
  NOT_DELIVERING: 'In its flight, but nothing is shown.',
  UPCOMING: 'Active, before its flight.',
  DRAFT: 'A draft or a reservation.',
  ENDED: 'Completed, or past its flight.',
};

/** The reasons of a tab; without a tab all but archived ones. */
export function reasonsOf(tab: LineItemTab | null): readonly StandingReason[] {
  const entries = Object.entries(STANDING_TABS) as [StandingReason, LineItemTab | null][];
  return entries.filter(([, of]) => of !== null && (tab === null || of === tab)).map(([reason]) => reason);
}
