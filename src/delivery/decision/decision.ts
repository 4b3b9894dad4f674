import type { CarriedCompanions } from './companions.ts';
import type { CompiledCreative, CompiledLineItem } from './index/compile-line-items.ts';
import type { DeliveryState } from './delivery-state.ts';
import type { LoserReason } from './eligibility.ts';
import type { FailedTest } from './failed-tests.ts';
import type { Draw } from './draws/quota-draws.ts';
import type { UnitDraw } from './unit-choice.ts';
import type { NoFill } from '../../domain/booking/delivery-cause.ts';
import type { ExperimentRule } from '../../domain/experiments/experiment.ts';
import type { HeaderBid, Slot } from '../../domain/requests/opportunity.ts';

/** An ad for a slot. */
export interface Placement {
  readonly slot: Slot;
  readonly lineItem: CompiledLineItem;
  readonly creative: CompiledCreative;
  /** Companions that a video carries in its own response. */
  readonly companions: CarriedCompanions;
  /** CPM micros of the network's currency. A companion bids like its line item and earns nothing when it is shown. */
  readonly bidMicros: number;
  /** CSS pixels of the creative, or of the slot where the creative fits any size. 0 × 0 = unknown. */
  readonly width: number;
  readonly height: number;
  /** '' when the ad was not sold under a deal. */
  readonly dealCode: string;
  /** In an explanation: the bid of its goal, as a multiple of the usual price. */
  readonly worth?: number;
}

/** A line item that did not get a slot, and why. */
export interface Loser {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly reason: LoserReason;
  /**
   * Every test that it failed, `lost.…` where the winner would have beaten it anyhow. Ends with `?` where further tests were not made:
   * that is of line items that fail targeting.
   */
  readonly failed: readonly FailedTest[];
  /** The bid of its goal, as a multiple of the usual price; absent where the line item failed a test. */
  readonly worth?: number;
  /** The line item that has the slot; null = none. */
  readonly winnerId: string | null;
}

/** The decision on one opportunity: an ad or null for each slot, in their order. */
export interface Decision {
  readonly placements: readonly (Placement | null)[];
  /** The header bid that won each slot, by its position; null = none. Absent: none won. */
  readonly headerBids?: readonly (HeaderBid | null)[];
  /** Null when any slot was filled. */
  readonly noFill: NoFill | null;
  /** Empty unless `explain` is set. */
  readonly losers: readonly Loser[];
  /** The draws by which line items chose their units. Absent: none. */
  readonly weighed?: readonly UnitDraw[];
}

/** The input of a decision besides the snapshot and the request. */
export interface DecideContext {
  readonly state: DeliveryState;
  readonly nowMs: number;
  readonly random: Draw;
  /** Collect the reason of every loser: this checks every line item. */
  readonly explain?: boolean;
  /** Decide by the rule of an experiment, of so many percent of the traffic; absent: as always. */
  readonly ruled?: { readonly rule: ExperimentRule; readonly sharePercent: number };
}
