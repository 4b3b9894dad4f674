import type { ErrorCode } from '../error-codes.ts';
import type { FieldProblem } from '../errors.ts';
import type { Nanos } from '../money/money.ts';

/** The outcome of an event of an activity. */
export const ACTIVITY_OUTCOMES = {
  ACCEPTED: 'It would be counted.',
  DUPLICATE:
    'It would not be counted again: an event with the same order reference, or of the same user within the repeat interval, is.',
  REFUSED: 'It would be refused.',
} as const;
export type ActivityOutcome = keyof typeof ACTIVITY_OUTCOMES;

/** Why an event is credited to no ad. */
export const NO_CREDIT_REASONS = {
  NO_USER: 'It names neither a user nor a click, or ads may not be personal.',
  NO_CONTACT: 'The user is not known to have seen or clicked any ad, and the click is not known.',
  NONE_COUNTS:
    'All known contacts are outside of the windows, of another advertiser, or of line items that do not count the event.',
} as const;
export type NoCreditReason = keyof typeof NO_CREDIT_REASONS;

/** The ad that an event is credited to. */
export interface ActivityCredit {
  readonly kind: 'CLICK' | 'VIEW';
  readonly lineItemId: string;
  readonly creativeId: string;
  readonly touchedAt: Date;
  /** What the event earns, before budgets: 0 where an earlier event of its order was billed. */
  readonly earnedNanos: Nanos;
}

/** What the activity pixel API would make of an event. */
export interface ActivityInspection {
  readonly outcome: ActivityOutcome;
  /** Of a refused event. */
  readonly refusal: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly fields: readonly FieldProblem[];
  } | null;
  /** Null: refused before it was known. */
  readonly activityId: string | null;
  readonly credit: ActivityCredit | null;
  /** Of an accepted event without credit. */
  readonly noCredit: NoCreditReason | null;
  /** Segments that the event makes its user a member of. */
  readonly segmentIds: readonly string[];
}

/** Tells people what the activity pixel API would make of an event. Nothing is recorded. */
export interface ActivityInspector {
  /** @param event as the body of the API has it. @throws PlacardError `unavailable` */
  inspectActivityEvent(workspaceId: number, networkId: string, event: unknown): Promise<ActivityInspection>;
}
