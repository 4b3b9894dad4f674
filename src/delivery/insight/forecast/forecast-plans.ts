import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import type { Allocation } from '../../decision/allocation.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { HORIZON_MS, PlanMaker } from '../../plan/plan-maker.ts';
import { PlanTable } from '../../plan/published-plan.ts';
import { SampledSupply } from '../../plan/sampled-supply.ts';
import type { TrafficSample } from '../../traffic/parse-sample.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
/** Most sampled requests that a plan is made from. */
const ENTRIES_MAX = 6_000;
/** The time between two plans of a replay, at least. */
const EVERY_MS_MIN = HOUR_MS;
/** Most pairs of a goal and an expected opportunity in all plans of a replay. A million takes about two seconds. */
const PAIRS_MAX = 1_500_000;

/** The time that is forecast, and how busy it is expected to be. */
export interface PlannedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly curve: TrafficCurve;
  /** The expected volume, as a share of that of the sample. */
  readonly share: number;
  /** The most plans of one replay. */
  readonly plansMax: number;
}

/** What plans of one world expect: the sampled opportunities, and the goals that each admits. Replays of the world share it. */
export class PlannedWorld {
  readonly #compiled: CompiledWorkspace;
  readonly #supply: SampledSupply;
  readonly #slotsPerHour: number;
  readonly #span: PlannedSpan;
  readonly #everyMs: number;

  constructor(compiled: CompiledWorkspace, sample: TrafficSample, span: PlannedSpan) {
    this.#compiled = compiled;
    this.#span = span;
    this.#supply = new SampledSupply(compiled, { timezone: span.curve.timezone, fromMs: span.fromMs });
    const step = Math.max(1, Math.ceil(sample.entries.length / ENTRIES_MAX));
    for (let at = 0; at < sample.entries.length; at += step) {
      const { opportunity, atMs } = sample.entries[at] as TrafficSample['entries'][number];
      this.#supply.record(opportunity, atMs);
    }
    const hours = Math.max(1, (sample.untilMs - sample.fromMs) / HOUR_MS);
    this.#slotsPerHour = (span.share * sample.met * slotsPerRequest(sample)) / hours;
    const pairs = Math.max(1, (this.#supply.pairs * HORIZON_MS) / WEEK_MS);
    const plans = Math.min(span.plansMax, Math.max(1, Math.floor(PAIRS_MAX / pairs)));
    this.#everyMs = Math.max(EVERY_MS_MIN, (span.toMs - span.fromMs) / plans);
  }

  /** Plans of one replay, each made from the counters at that time. */
  newPlans(): ReplayedPlans {
    const maker = new PlanMaker();
    const { workspaceId } = this.#compiled.snapshot.workspace;
    return new ReplayedPlans(this.#everyMs, (nowMs, counter) =>
      maker.make({
        compiled: this.#compiled,
        supply: this.#supply,
        curve: this.#span.curve,
        slotsPerHour: this.#slotsPerHour,
        recent: [],
        workspaceId,
        nowMs,
        counter,
        keptMs: Number.POSITIVE_INFINITY,
      }),
    );
  }
}

type Counter = (key: string) => number;

/** The plan at each time of a replay: made again every few hours, where delivery makes one every five minutes. */
export class ReplayedPlans {
  readonly #everyMs: number;
  readonly #make: (nowMs: number, counter: Counter) => ConstructorParameters<typeof PlanTable>[0];
  #table: PlanTable | null = null;

  constructor(everyMs: number, make: (nowMs: number, counter: Counter) => ConstructorParameters<typeof PlanTable>[0]) {
    this.#everyMs = everyMs;
    this.#make = make;
  }

  /** @param counter the counters of the replay at that time */
  at(nowMs: number, counter: Counter): Allocation {
    if (this.#table === null || nowMs >= this.#table.plan.madeAtMs + this.#everyMs)
      this.#table = new PlanTable(this.#make(nowMs, counter));
    return this.#table;
  }
}

function slotsPerRequest({ entries }: TrafficSample): number {
  return entries.reduce((sum, { opportunity }) => sum + opportunity.slots.length, 0) / Math.max(1, entries.length);
}
