import type { Log } from '../../domain/log/log.ts';
import { localDay } from '../../domain/time/calendar.ts';
import { dayCounterKey } from '../../domain/money/counter-key.ts';
import { earnedPriceMicros } from '../../domain/money/earning.ts';
import { PRICING } from '../../domain/pricing/pricing-models.ts';
import { listReservations } from '../../domain/money/reservation.ts';
import type { HotCircuit, HotWait } from '../../storage/hot/hot-circuit.ts';
import { HOT_BATCH_MAX } from '../../storage/hot/hot-store.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { BudgetLedger } from '../budget/budget-ledger.ts';
import type { BudgetNeed } from '../budget/budget-ledger.ts';
import { isCompanion } from '../decision/companions.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { Decision, Placement } from '../decision/decision.ts';
import { HotDeliveryState, RecentCounters } from '../budget/hot-delivery-state.ts';
import type { LiveKnowledge } from '../budget/hot-delivery-state.ts';
import { rateEvidence } from '../decision/expected-value.ts';
import { maturityOfLineItem } from '../value/conversion-delays.ts';
import { meanRate } from '../value/draw-rate.ts';
import { RecentDraws } from '../value/recent-draws.ts';
import type { ContextModel } from '../value/context-model.ts';
import { RateMemory } from '../value/rate-memory.ts';
import { FlatHeadroom } from '../budget/flat-headroom.ts';
import type { FlatDay } from '../budget/flat-headroom.ts';
import { Pacer } from './pacer.ts';
import type { PacerOptions } from './pacer.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { Peers } from './peers.ts';

/** How often served ads are reported and idle leases go back. */
const MAINTAIN_MS = 1_000;
/** How long a line item is left out whose headroom the hot store does not tell in time. */
const LEFT_OUT_MS = 250;

/** The parts of the delivery control of one worker. */
export interface DeliveryControlDeps {
  readonly hot: HotStore;
  /** Bounds what decisions wait for the hot store; absent: they wait as long as it takes. */
  readonly circuit?: HotCircuit;
  /** As `Peers` assumes it until the hot store has responded. */
  readonly processes: number;
  readonly workerIndex: number;
  readonly curveOf: (workspaceId: number, lineItem: CompiledLineItem) => TrafficCurve | undefined;
  /** What other goals leave to that of a line item; null or absent: all. */
  readonly freeTrafficOf?: NonNullable<PacerOptions['freeTrafficOf']>;
  /** How rates of creatives depend on the context; absent: nothing is known. */
  readonly contextModelOf?: (workspaceId: number, nowMs: number) => ContextModel | null;
  readonly nowMs: () => number;
  /** By which reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  readonly log: Log;
}

/** Controls what may be delivered: pacing, hard limits, and the counters of both. One per worker. */
export class DeliveryControl {
  readonly ledger: BudgetLedger;
  readonly #deps: DeliveryControlDeps;
  readonly #flatHeadroom: FlatHeadroom;
  readonly #pacer: Pacer;
  readonly #peers: Peers;
  readonly #unitDraws = new RecentDraws();
  readonly #live: LiveKnowledge;
  #timer: NodeJS.Timeout | null = null;
  #maintaining: Promise<void> | null = null;

  constructor(deps: DeliveryControlDeps) {
    this.#deps = deps;
    this.ledger = new BudgetLedger(deps);
    this.#flatHeadroom = new FlatHeadroom({
      hot: deps.hot,
      nowMs: deps.nowMs,
      ...(deps.expiryNowMs === undefined ? {} : { expiryNowMs: deps.expiryNowMs }),
      recordUsedUp: (checks, untilMs) => this.ledger.recordUsedUp(checks, untilMs),
      recordFailure: (error) => this.ledger.recordFailure(error),
    });
    this.#peers = new Peers(deps);
    this.#pacer = new Pacer({
      peers: this.#peers,
      curveOf: deps.curveOf,
      ...(deps.freeTrafficOf === undefined ? {} : { freeTrafficOf: deps.freeTrafficOf }),
      maturityOf: (workspaceId, id, nowMs) =>
        deps.contextModelOf?.(workspaceId, nowMs)?.maturity(maturityOfLineItem(id)) ?? null,
    });
    this.#live = {
      counters: new RecentCounters(),
      pacer: this.#pacer,
      pace: (lineItem, at, read) => this.#pacer.pace(lineItem, at, read),
      rates: new RateMemory(),
      unitDraws: this.#unitDraws,
      isUsedUp: (check, nowMs) => this.ledger.isUsedUp(check, nowMs),
      contextModelOf: deps.contextModelOf ?? (() => null),
    };
  }

  /** Resolves when the number of processes is known. */
  async start(): Promise<void> {
    await this.#meetPeers();
    this.#timer = setInterval(() => void this.maintain(), MAINTAIN_MS).unref();
  }

  /** Sends the last report and returns all leases. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.maintain();
    await this.ledger.stop();
  }

  /** The state for one decision. */
  newState(nowMs: number, wait: HotWait | null = this.newWait()): HotDeliveryState {
    return new HotDeliveryState(this.#deps.hot, this.#live, { nowMs, wait });
  }

  /** What one decision may wait for the hot store; null for a store that reads at once. */
  newWait(): HotWait | null {
    return this.#deps.circuit?.newWait() ?? null;
  }

  /**
   * Reserves the use of hard limits by these ads, certain or expected: all of it, or nothing and returns false. Checks the headroom of FLAT
   * days that are not earned yet. @param state the one that decided them; also false where it lacks a counter
   */
  reserve(
    placements: readonly (Placement | null)[],
    workspaceId: number,
    state: HotDeliveryState,
  ): boolean | Promise<boolean> {
    const needs: BudgetNeed[] = [];
    const days: FlatDay[] = [];
    for (const placement of placements) {
      if (placement === null || placement.lineItem.capChecks.length === 0 || isCompanion(placement.creative)) continue;
      needs.push(needOf(placement, workspaceId, state));
      if (isUnearnedDay(placement.lineItem, workspaceId, state))
        days.push({ lineItem: placement.lineItem, workspaceId, decidedAtMs: state.nowMs });
    }
    if (state.isIncomplete) return false;
    if (needs.length === 0) return true;
    return days.length === 0
      ? this.ledger.reserve(needs, state.nowMs, state.wait)
      : this.#reserveWithDays(needs, days, state);
  }

  async #reserveWithDays(
    needs: readonly BudgetNeed[],
    days: readonly FlatDay[],
    { nowMs, wait }: HotDeliveryState,
  ): Promise<boolean> {
    for (const day of days) if (!(await this.#hasHeadroom(day, wait))) return false;
    return this.ledger.reserve(needs, nowMs, wait);
  }

  /** False, and the line item is left out for a moment, when the hot store does not tell in time. */
  async #hasHeadroom(day: FlatDay, wait: HotWait | null): Promise<boolean> {
    if (wait === null) return this.#flatHeadroom.hasHeadroom(day);
    try {
      return await wait.run(async () => this.#flatHeadroom.hasHeadroom(day));
    } catch {
      const checks = day.lineItem.capChecks.filter(({ subject }) => subject.kind === 'spend');
      this.ledger.recordUsedUp(checks, this.#deps.nowMs() + LEFT_OUT_MS);
      return false;
    }
  }

  /**
   * Records that the ads of a decision are served, and the draws by which line items chose.
   * @param goalsBid false in the arm of an experiment whose goals do not bid
   */
  recordServed({ placements, weighed = [] }: Pick<Decision, 'placements' | 'weighed'>, goalsBid = true): void {
    for (const { lineItem, drawn } of weighed) this.#unitDraws.record(lineItem.booked.id, drawn);
    for (const placement of placements) {
      if (placement === null || isCompanion(placement.creative)) continue;
      if (placement.lineItem.booked.goal !== null) this.#pacer.recordServed(placement.lineItem, goalsBid);
    }
  }

  /** One round of maintenance; a second call joins the first. Never rejects. */
  maintain(): Promise<void> {
    this.#maintaining ??= this.#maintainOnce().finally(() => {
      this.#maintaining = null;
    });
    return this.#maintaining;
  }

  async #maintainOnce(): Promise<void> {
    await this.#meetPeers();
    await this.ledger.returnIdle();
    this.#pacer.sweep(this.#deps.nowMs());
    const report = this.#pacer.startReport(HOT_BATCH_MAX);
    if (report.increments.length === 0) return;
    try {
      await this.#deps.hot.addToCounters(report.increments);
      report.done();
    } catch (error) {
      report.failed();
      this.#deps.log.event('pacing.report_delayed', { err: error });
    }
  }

  async #meetPeers(): Promise<void> {
    try {
      await this.#peers.refresh();
    } catch (error) {
      this.#deps.log.event('pacing.peers_unknown', { err: error });
    }
  }
}

/** Whether a line item with money limits is billed by the day and has not earned today's price, as far as is known. */
function isUnearnedDay({ booked, capChecks }: CompiledLineItem, workspaceId: number, state: HotDeliveryState): boolean {
  if (PRICING[booked.pricingModel].bills !== 'day' || !capChecks.some(({ subject }) => subject.kind === 'spend'))
    return false;
  const subject = { workspaceId, scope: 'li', id: booked.id, kind: 'spend' } as const;
  return state.counter(dayCounterKey(subject, localDay(state.nowMs, booked.timezone))) === 0;
}

function needOf({ lineItem, bidMicros }: Placement, workspaceId: number, state: HotDeliveryState): BudgetNeed {
  const ad = { pricingModel: lineItem.pricingModel, priceMicros: earnedPriceMicros(lineItem, bidMicros) };
  const reservations = listReservations(lineItem.capChecks, ad).map((whole) => {
    if (whole.hold === 'firm') return whole;
    const rate = meanRate(rateEvidence(whole.bookedBy, lineItem, workspaceId, state));
    return { ...whole, amount: Math.max(1, Math.round(whole.amount * rate)) };
  });
  return { reservations, checks: lineItem.capChecks };
}
