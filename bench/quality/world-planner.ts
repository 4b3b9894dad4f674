import { drawPoisson, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import type { Allocation } from '../../src/delivery/decision/allocation.ts';
import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../src/delivery/decision/index/compiled-workspace.ts';
import { PlanMaker } from '../../src/delivery/plan/plan-maker.ts';
import { PlanTable } from '../../src/delivery/plan/published-plan.ts';
import { RECENT_HOURS } from '../../src/delivery/plan/recent-traffic.ts';
import type { RecentSlots } from '../../src/delivery/plan/recent-traffic.ts';
import { SampledSupply } from '../../src/delivery/plan/sampled-supply.ts';
import type { TrafficCurve } from '../../src/domain/pacing/traffic-curve.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { trafficAt } from '../../test/simulation/traffic.ts';
import type { Traffic } from '../../test/simulation/traffic.ts';
import { sampleOpportunity, sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import { HOUR_MS } from './world.ts';
import type { World, WorldLineItem } from './world.ts';

const WORKSPACE_ID = 1;
const SAMPLE_MAX = 10_000;
const SAMPLE_DAYS = 14;
const REPLAN_MS = 15 * 60_000;

/** The input of a planner. */
interface PlannerInput {
  readonly world: World;
  readonly seed: number;
  readonly startMs: number;
  readonly traffic: Traffic;
  /** Learnt from history, as delivery learns it. */
  readonly curve: TrafficCurve;
  readonly representative: number;
  /** A counter of the hot store. */
  readonly counter: (key: string) => number;
  /** No plan is made from then on: the last one is used until it is too old. */
  readonly lastsUntilMs: number;
}

/** Makes the allocation plans of a world as the core does: from a sample of past requests, the traffic curve of the past, and the counters. */
export class WorldPlanner {
  readonly #input: PlannerInput;
  readonly #history: readonly { readonly opportunity: Opportunity; readonly atMs: number }[];
  readonly #maker = new PlanMaker();
  #compiled!: CompiledWorkspace;
  #supply!: SampledSupply;
  #table: PlanTable | null = null;
  /** The requests of the last hours, in quarters. */
  #recent: RecentSlots[] = [];
  #requests = 0;

  constructor(input: PlannerInput) {
    this.#input = input;
    this.#history = this.#drawHistory(seededRandom(input.seed + 1));
    this.book(input.world.lineItems);
  }

  /** Replaces the bookings from now on. */
  book(lineItems: readonly WorldLineItem[]): void {
    const { startMs, curve, representative } = this.#input;
    const workspace = { representativePercent: 100 * representative };
    this.#compiled = compileWorkspace(sampleSnapshot({ workspace, lineItems }), startMs, (_id, error) => {
      throw error;
    });
    this.#supply = new SampledSupply(this.#compiled, { timezone: curve.timezone, fromMs: startMs });
    for (const { opportunity, atMs } of this.#history) this.#supply.record(opportunity, atMs);
    this.#table = null;
  }

  /** Counts a request. */
  recordRequest(): void {
    this.#requests += 1;
  }

  /** The plan at present: made again every quarter of an hour; null where the last one is too old. */
  planAt(nowMs: number): Allocation | null {
    if (nowMs >= this.#input.lastsUntilMs) return this.#table?.isKeptAt(nowMs) === true ? this.#table : null;
    if (this.#table === null || nowMs >= this.#table.plan.madeAtMs + REPLAN_MS) {
      this.#endQuarter(nowMs);
      const { curve, traffic, counter } = this.#input;
      const plan = this.#maker.make({
        compiled: this.#compiled,
        supply: this.#supply,
        curve,
        slotsPerHour: traffic.requestsPerHour,
        recent: this.#recent,
        workspaceId: WORKSPACE_ID,
        nowMs,
        counter,
      });
      this.#table = new PlanTable(plan);
    }
    return this.#table;
  }

  #endQuarter(nowMs: number): void {
    const fromMs = this.#recent.at(-1)?.untilMs ?? this.#input.startMs;
    if (nowMs <= fromMs) return;
    const kept = this.#recent.filter(({ untilMs }) => untilMs > nowMs - RECENT_HOURS * HOUR_MS);
    this.#recent = [...kept, { fromMs, untilMs: nowMs, slots: this.#requests }];
    this.#requests = 0;
  }

  #drawHistory(random: () => number): { opportunity: Opportunity; atMs: number }[] {
    const { startMs, traffic, world } = this.#input;
    const hours = SAMPLE_DAYS * 24;
    const share = Math.min(1, SAMPLE_MAX / (hours * traffic.requestsPerHour));
    return Array.from({ length: hours }, (_none, back) => startMs - (back + 1) * HOUR_MS).flatMap((hourMs) => {
      const count = drawPoisson(trafficAt({ ...traffic, surprises: [] }, hourMs) * share, random);
      return Array.from({ length: count }, (_one, at) => {
        const atMs = hourMs + Math.floor((at * HOUR_MS) / count);
        return { atMs, opportunity: sampleOpportunity(world.drawVisit(random, atMs)) };
      });
    });
  }
}
