import { makePlan } from '../../src/delivery/plan/plan-maker.ts';
import type { PublishedPlan } from '../../src/delivery/plan/published-plan.ts';
import { PlanTable } from '../../src/delivery/plan/published-plan.ts';
import { drawPoisson, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../src/delivery/decision/index/compiled-workspace.ts';
import type { FreeTraffic } from '../../src/domain/pacing/free-timeline.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { trafficAt } from '../../test/simulation/traffic.ts';
import type { LearntTraffic } from '../../test/simulation/learnt-traffic.ts';
import type { Traffic } from '../../test/simulation/traffic.ts';
import { sampleOpportunity, sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import { HOUR_MS } from './world.ts';
import type { World, WorldLineItem } from './world.ts';

const SAMPLE_MAX = 10_000;
const SAMPLE_DAYS = 14;
/** Every five minutes in an installation. */
const REPLAN_MS = HOUR_MS;

/** The input of a planner. */
export interface PlannerInput {
  readonly world: Pick<World, 'lineItems' | 'drawVisit' | 'drawPastVisit' | 'historyDays'>;
  readonly seed: number;
  readonly startMs: number;
  readonly traffic: Traffic;
  /** A counter of the hot store. */
  readonly counter: (key: string) => number;
  /** The traffic that the installation has learnt by now; absent: it knows the past alone. */
  readonly learnt?: (nowMs: number) => Pick<LearntTraffic, 'requestsPerHour' | 'sampleAt'> | null;
  /** No plan is made from then on: the last one is used until it is too old. */
  readonly lastsUntilMs: number;
}

/** Makes the plans of a world as the core does: from a sample of past requests and the counters. */
export class WorldPlanner {
  readonly #input: PlannerInput;
  readonly #history: readonly { readonly opportunity: Opportunity; readonly atMs: number }[];
  #compiled!: CompiledWorkspace;
  #plan: PublishedPlan | null = null;
  #table: PlanTable | null = null;
  #dueMs = 0;

  constructor(input: PlannerInput) {
    this.#input = input;
    this.#history = this.#drawHistory(seededRandom(input.seed + 1));
    this.book(input.world.lineItems);
  }

  /** Replaces the bookings from now on. */
  book(lineItems: readonly WorldLineItem[]): void {
    this.#compiled = compileWorkspace(sampleSnapshot({ lineItems }), this.#input.startMs, (_id, error) => {
      throw error;
    });
    this.#dueMs = 0;
  }

  /** What other goals leave to that of a line item; null: nothing is known. */
  freeTrafficOf(lineItemId: string, nowMs: number): FreeTraffic | null {
    const { lastsUntilMs, traffic, counter } = this.#input;
    if (nowMs >= this.#dueMs && nowMs < lastsUntilMs) {
      this.#dueMs = nowMs + REPLAN_MS;
      const learnt = this.#input.learnt?.(nowMs) ?? null;
      const sample = learnt === null ? this.#history : learnt.sampleAt(nowMs);
      if (sample.length === 0) return null;
      this.#plan = makePlan({
        compiled: this.#compiled,
        sample,
        requestsPerHour: learnt?.requestsPerHour ?? traffic.requestsPerHour,
        nowMs,
        counter,
        before: this.#plan,
      });
      this.#table = new PlanTable(this.#plan);
    }
    return this.#table?.isKeptAt(nowMs) === true ? this.#table.find(lineItemId) : null;
  }

  #drawHistory(random: () => number): { opportunity: Opportunity; atMs: number }[] {
    const { startMs, traffic, world } = this.#input;
    const hours = Math.min(SAMPLE_DAYS, world.historyDays ?? SAMPLE_DAYS) * 24;
    const share = Math.min(1, SAMPLE_MAX / Math.max(1, hours * traffic.requestsPerHour));
    const drawVisit = world.drawPastVisit ?? world.drawVisit;
    return Array.from({ length: hours }, (_none, back) => startMs - (back + 1) * HOUR_MS).flatMap((hourMs) => {
      const count = drawPoisson(trafficAt({ ...traffic, surprises: [] }, hourMs) * share, random);
      return Array.from({ length: count }, (_one, at) => {
        const atMs = hourMs + Math.floor((at * HOUR_MS) / count);
        return { atMs, opportunity: sampleOpportunity(drawVisit(random, atMs)) };
      });
    });
  }
}
