/** What a line item's goal says about this moment. */
export interface PacingState {
  /** False when it is ahead of its plan. */
  readonly mayDeliver: boolean;
  /** Share of the goal by which it is behind (negative: ahead); the most urgent goes first. */
  readonly urgency: number;
}

/** What a pacer said of a row, and until when that holds; the pacer keeps it up to date. */
export interface KnownPacing extends PacingState {
  readonly by: object;
  mayDeliver: boolean;
  urgency: number;
  untilMs: number;
}
