/** The pacing of a line item at this moment. */
export interface PacingState {
  /** False when it is ahead of its plan. */
  readonly mayDeliver: boolean;
  /** Share of the goal by which it is behind (negative: ahead); the most urgent goes first. */
  readonly urgency: number;
}

/** The pacer's state of a line item and its expiry; the pacer keeps it up to date. */
export interface KnownPacing extends PacingState {
  readonly by: object;
  mayDeliver: boolean;
  urgency: number;
  untilMs: number;
}
