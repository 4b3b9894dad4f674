import type { CapCheck } from '../../domain/money/limit.ts';
import type { RateLifts } from '../value/context-model.ts';
import type { RateEvidence } from '../value/draw-rate.ts';
import type { AskedRate } from '../value/rate-evidence.ts';
import type { UnitBar } from '../value/recent-draws.ts';
import type { CompiledLineItem, PacingState } from './index/compile-line-items.ts';

/** When and where a line item is paced. */
export interface PaceAt {
  readonly workspaceId: number;
  readonly nowMs: number;
  /** In a part of the traffic whose goals do not bid: how large it is, 0…1. Absent: they bid. */
  readonly shareWithoutBids?: number;
}

/** The deliveries so far, for a decision. Values are exact up to 2^53, then rounded. */
export interface DeliveryState {
  /** The present value of a counter; 0 for one that was never counted or is not known yet. */
  counter(key: string): number;
  /** The pacer's state of a line item. Without a pacer, decisions compute it from counters alone. */
  pace?(lineItem: CompiledLineItem, at: PaceAt): PacingState;
  /**
   * What is learned of a rate, of which decisions then draw. Absent: decisions expect what the counters say.
   * @param parent the evidence of the line item, for a creative or unit; null for a line item
   */
  rate?(asked: AskedRate, parent: RateEvidence | null): RateEvidence;
  /** Line items compete by their expected values, without trials. Absent: by draws where `rate` is known. */
  readonly isWithoutTrials?: boolean;
  /**
   * Identifies the pacer. Decisions cache its results beside the line items for as long as they are valid. Absent: each decision calls
   * `pace`.
   */
  readonly pacer?: object | undefined;
  /** Some counters are not known yet, so results that depend on them must not be cached. */
  readonly isIncomplete?: boolean;
  /** A counter that is not known is read later, and the decision made again: so only counters that it needs may be asked for. */
  readonly readsLater?: boolean;
  /** The counter of a hard limit, without building its key. @param day in the limit's time zone; '' for lifetime limits */
  capCount?(check: CapCheck, day: string): number;
  /** True when this limit was found used up a moment ago, including reservations. */
  isUsedUp?(check: CapCheck): boolean;
  /**
   * Whether paces tell what goals bid: then STANDARD, PRICE and header bids are compared by value. False or absent: levels and urgency decide, and STANDARD
   * stands above PRICE.
   */
  hasWorths?(): boolean;
  /** How the rates of line items depend on the context; null or absent: not at all. */
  lifts?(workspaceId: number): RateLifts | null;
  /** The bar for the units that a line item chooses; null or absent: it chooses none. */
  unitBar?(lineItemId: string): UnitBar | null;
}
