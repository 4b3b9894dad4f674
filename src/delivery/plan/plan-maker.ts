import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import { GOAL_YIELDS } from '../../domain/pacing/goal-yield.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { REPRESENTATIVE_PERCENT } from '../../domain/tenancy/workspace.ts';
import { localDay } from '../../domain/time/calendar.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { makePlan, needsOf } from './allocation-plan.ts';
import type { PlanNeeds } from './allocation-plan.ts';
import { listDemands } from './plan-demands.ts';
import type { DeliveredSoFar, PlanDemand } from './plan-demands.ts';
import { publishPlan } from './published-plan.ts';
import type { PublishedPlan } from './published-plan.ts';
import { recentShareOf } from './recent-traffic.ts';
import type { RecentSlots } from './recent-traffic.ts';
import type { SampledSupply } from './sampled-supply.ts';

const DAY_MS = 86_400_000;
/** Goals that end later are planned in proportion. */
export const HORIZON_MS = 28 * DAY_MS;
const ROUNDS_MAX = 30;
/** The reach is a mean of about so many draws. */
const REACH_DRAWS = 300;
/**
 * The plan counts on less than the expected traffic, so that goals are ahead when less comes: by so much less in a span of one day. Busy and
 * quiet spells cancel out over longer spans.
 */
const DAY_MARGIN = 0.2;
const MARGIN_MIN = 0.06;
const MARGIN_MAX = 0.25;

/** The input of a plan. */
export interface PlanInput {
  readonly compiled: CompiledWorkspace;
  /** The opportunities of the past, for the same bookings. */
  readonly supply: SampledSupply;
  readonly curve: TrafficCurve;
  /** Slots, mean over a week. */
  readonly slotsPerHour: number;
  /** The slots of the last hours. */
  readonly recent: readonly RecentSlots[];
  readonly workspaceId: number;
  readonly nowMs: number;
  /** A counter of the hot store; 0 where nothing was counted. */
  readonly counter: (key: string) => number;
  /** How long the plan may be used; absent: as long as workers use one. */
  readonly keptMs?: number;
}

/** What the next plan of a workspace begins from. */
export interface PlannerState {
  readonly needs: PlanNeeds;
  readonly drawn: ReadonlyMap<string, Drawn>;
}

/** The draws of a line item so far, and the fraction of recent draws in which it was able to serve. */
interface Drawn {
  served: number;
  refused: number;
  reach: number;
}

/** Makes the plans of one workspace, one after the other. Each begins from the one before. */
export class PlanMaker {
  #needs: PlanNeeds;
  readonly #drawn: Map<string, Drawn>;

  /** @param state of the maker of the plan before; absent: there was none */
  constructor(state?: PlannerState) {
    this.#needs = state?.needs ?? new Map();
    this.#drawn = new Map(state?.drawn);
  }

  /** What the next plan begins from. */
  get state(): PlannerState {
    return { needs: this.#needs, drawn: this.#drawn };
  }

  make(input: PlanInput): PublishedPlan {
    const { compiled, supply, curve, slotsPerHour, recent, nowMs } = input;
    const { representativePercent: ofNetwork = REPRESENTATIVE_PERCENT } = compiled.snapshot.workspace;
    const { meanValueMicros } = supply;
    const lastMs = lastEndOf(compiled, nowMs + DAY_MS);
    const untilMs = Math.min(nowMs + HORIZON_MS, lastMs);
    const demands = listDemands(compiled, {
      fromMs: nowMs,
      untilMs,
      // Without PRICE, nothing is to be heeded.
      representativeOf: ({ booked }) => (meanValueMicros > 0 ? (booked.representativePercent ?? ofNetwork) / 100 : 1),
      deliveredOf: (lineItem) => this.#deliveredOf(lineItem, input),
    });
    const recentShare = recentShareOf(recent, { curve, slotsPerHour }, nowMs);
    const horizon = { fromMs: nowMs, untilMs, curve, slotsPerHour, recentShare };
    const plan = makePlan(supply.build(demands, horizon), demands, {
      roundsMax: ROUNDS_MAX,
      countedOn: (demand) => countedOn(demand, nowMs),
      previous: this.#needs,
    });
    this.#needs = needsOf(plan);
    return publishPlan(plan, { madeAtMs: nowMs, meanValueMicros, keptMs: input.keptMs });
  }

  #deliveredOf({ booked }: CompiledLineItem, { workspaceId, nowMs, counter }: PlanInput): DeliveredSoFar {
    const { goal, id, timezone } = booked;
    if (goal === null) return { delivered: 0, yield: 1, reach: 1 };
    const read = (kind: CounterKind): number =>
      counter(goalCounterKey({ workspaceId, id, kind, goal, timezone }, nowMs));
    const delivered = read(GOAL_COUNTERS[goal.kind]);
    const served = read('ans');
    const { rate, weight } = GOAL_YIELDS[goal.kind];
    const ofResponse = Math.min(1, Math.max(rate / 20, (delivered + rate * weight) / (served + weight)));
    return { delivered, yield: ofResponse, reach: this.#reachOf(id, { served, refused: read('ref') }) };
  }

  /** The part of the recent draws of a line item in which it might serve. */
  #reachOf(id: string, { served, refused }: { readonly served: number; readonly refused: number }): number {
    const before = this.#drawn.get(id) ?? { served: 0, refused: 0, reach: 1 };
    // Daily counters start over.
    const [newlyServed, newlyRefused] = [served, refused].map((count, at) =>
      Math.max(0, count - (at === 0 ? before.served : before.refused)),
    ) as [number, number];
    const draws = newlyServed + newlyRefused;
    const weight = 1 - Math.exp(-draws / REACH_DRAWS);
    const reach = draws === 0 ? before.reach : before.reach + weight * (newlyServed / draws - before.reach);
    this.#drawn.set(id, { served, refused, reach });
    return Math.max(0.02, reach);
  }
}

/** The part of the traffic from now to the end of a demand that it may count on. */
function countedOn({ startsAtMs, aimsAtMs }: PlanDemand, nowMs: number): number {
  const days = (aimsAtMs - Math.max(nowMs, startsAtMs)) / DAY_MS;
  return 1 - Math.min(MARGIN_MAX, Math.max(MARGIN_MIN, DAY_MARGIN / Math.sqrt(Math.max(1e-3, days))));
}

/** The last end of a flight that ends, at least `leastMs`. */
function lastEndOf({ lineItems }: CompiledWorkspace, leastMs: number): number {
  let lastMs = leastMs;
  for (let position = 0; position < lineItems.length; position += 1) {
    const endMs = lineItems.endsAtMsAt(position);
    if (Number.isFinite(endMs)) lastMs = Math.max(lastMs, endMs);
  }
  return lastMs;
}

/** The counters that a plan reads. */
export function listPlanCounters({ lineItems }: CompiledWorkspace, workspaceId: number, nowMs: number): string[] {
  const keys: string[] = [];
  for (let position = 0; position < lineItems.length; position += 1) {
    const { goal, booked } = lineItems.at(position);
    if (goal === null || booked.type !== 'STANDARD') continue;
    for (const kind of [GOAL_COUNTERS[goal.kind], 'ans', 'ref'] as const)
      keys.push(goalCounterKey({ workspaceId, id: booked.id, kind, goal, timezone: booked.timezone }, nowMs));
  }
  return keys;
}

interface GoalCounter {
  readonly workspaceId: number;
  readonly id: string;
  readonly kind: CounterKind;
  readonly goal: NonNullable<CompiledLineItem['goal']>;
  readonly timezone: string;
}

function goalCounterKey({ goal, timezone, ...of }: GoalCounter, nowMs: number): string {
  const subject = { ...of, scope: 'li' } as const;
  return goal.period === 'DAY' ? dayCounterKey(subject, localDay(nowMs, timezone)) : lifetimeCounterKey(subject);
}
