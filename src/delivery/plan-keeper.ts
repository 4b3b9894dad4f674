import type { Logger } from 'pino';
import { listReservations } from '../domain/reservation.ts';
import { HOT_BATCH_MAX } from '../storage/hot/hot-store.ts';
import type { HotStore } from '../storage/hot/hot-store.ts';
import { BudgetLedger } from './budget-ledger.ts';
import type { BudgetNeed } from './budget-ledger.ts';
import type { CompiledLineItem } from './compile-rows.ts';
import type { Placement } from './decide.ts';
import { HotDeliveryState, RecentCounters } from './delivery-state.ts';
import type { LiveKnowledge } from './delivery-state.ts';
import { Pacer } from './pacing-control.ts';
import type { TrafficCurve } from './pacing-curve.ts';

/** How often answers are reported and idle leases go back. */
const MAINTAIN_MS = 1_000;

/** What the keeper of one worker is made of. */
export interface PlanKeeperDeps {
  readonly hot: HotStore;
  /** Processes that answer for the same networks (nodes × workers), at least 1, and which of them this is, from 0. */
  readonly processes: number;
  readonly slot: number;
  readonly curveOf: (workspaceId: number, row: CompiledLineItem) => TrafficCurve | undefined;
  readonly nowMs: () => number;
  readonly log: Logger;
}

/** Who may answer now, and for how much: pacing, hard limits, and the counters that both go by. One per worker. */
export class PlanKeeper {
  readonly ledger: BudgetLedger;
  readonly #deps: PlanKeeperDeps;
  readonly #pacer: Pacer;
  readonly #live: LiveKnowledge;
  #timer: NodeJS.Timeout | null = null;
  #maintaining: Promise<void> | null = null;

  constructor(deps: PlanKeeperDeps) {
    this.#deps = deps;
    this.ledger = new BudgetLedger(deps);
    this.#pacer = new Pacer(deps);
    this.#live = {
      counters: new RecentCounters(),
      pace: (row, at, read) => this.#pacer.pace(row, at, read),
      isUsedUp: (check, nowMs) => this.ledger.isUsedUp(check, nowMs),
    };
  }

  start(): void {
    this.#timer = setInterval(() => void this.maintain(), MAINTAIN_MS).unref();
  }

  /** Reports what is left to report, and returns all leases. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.maintain();
    await this.ledger.stop();
  }

  /** What one decision goes by. */
  newState(nowMs: number): HotDeliveryState {
    return new HotDeliveryState(this.#deps.hot, this.#live, nowMs);
  }

  /** Reserves what these ads may use of hard limits: all, or false and nothing. @param decidedAtMs as in their tokens */
  reserve(
    placements: readonly (Placement | null)[],
    workspaceId: number,
    decidedAtMs: number,
  ): boolean | Promise<boolean> {
    const needs: BudgetNeed[] = [];
    for (const placement of placements) {
      if (placement === null || placement.row.capChecks.length === 0) continue;
      const { row, bidMicros } = placement;
      const { lineItem, campaign, advertiser } = row;
      const pricingModel = lineItem.pricingModel;
      const priceMicros = pricingModel === 'CPM' ? bidMicros : row.priceMicros;
      const ad = { workspaceId, lineItem, campaign, advertiser, pricingModel, priceMicros };
      needs.push({ reservations: listReservations(ad), checks: row.capChecks });
    }
    return needs.length === 0 || this.ledger.reserve(needs, decidedAtMs);
  }

  /** These ads go out. */
  noteAnswers(placements: readonly (Placement | null)[]): void {
    for (const placement of placements) {
      if (placement !== null && placement.row.lineItem.goal !== null) this.#pacer.noteAnswer(placement.row);
    }
  }

  /** One round of upkeep; a second call joins the first. Never rejects. */
  maintain(): Promise<void> {
    this.#maintaining ??= this.#maintainOnce().finally(() => {
      this.#maintaining = null;
    });
    return this.#maintaining;
  }

  async #maintainOnce(): Promise<void> {
    await this.ledger.returnIdle();
    this.#pacer.sweep(this.#deps.nowMs());
    const report = this.#pacer.takeReport(HOT_BATCH_MAX);
    if (report.increments.length === 0) return;
    try {
      await this.#deps.hot.addToCounters(report.increments);
      report.done();
    } catch (error) {
      report.failed();
      this.#deps.log.warn({ err: error }, 'answers will be reported to the other workers later: the hot store is away');
    }
  }
}
