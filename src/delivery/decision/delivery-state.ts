import type { CapCheck } from '../../domain/money/limit.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';
import type { PacingState } from './index/pacing-state.ts';

/** What a decision may know about deliveries so far. Values are exact up to 2^53, then rounded. */
export interface DeliveryState {
  /** The present value of a counter; 0 for one that was never counted, or is not known yet. */
  counter(key: string): number;
  /** What the pacer says of a line item. Without a pacer, decisions are planned from counters alone. */
  pace?(lineItem: CompiledLineItem, at: { readonly workspaceId: number; readonly nowMs: number }): PacingState;
  /** Who paces; what it said is then remembered beside the line items for as long as it holds. Absent: `pace` is asked each time. */
  readonly pacer?: object | undefined;
  /** Some counters are not known yet: what follows from them must not be remembered. */
  readonly isIncomplete?: boolean;
  /** The same as the counter of a hard limit, without spelling its name. @param day in the limit's time zone; '' for lifetime limits */
  capCount?(check: CapCheck, day: string): number;
  /** True when this limit was found used up a moment ago, reservations included. */
  isUsedUp?(check: CapCheck): boolean;
}
