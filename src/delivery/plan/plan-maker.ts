import { dayCounterKey, lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterKind } from '../../domain/money/counter-key.ts';
import { GOAL_COUNTERS } from '../../domain/money/limit.ts';
import type { FreeTraffic } from '../../domain/pacing/free-timeline.ts';
import { GOAL_YIELDS } from '../../domain/pacing/goal-yield.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { localDay } from '../../domain/time/calendar.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';
import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { findAdmitted } from './admission.ts';
import { continueFree, findFreeShares } from './free-shares.ts';
import type { ContendingGoal, SharedTraffic } from './free-shares.ts';
import type { PublishedPlan } from './published-plan.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Goals that end later count in proportion. */
const HORIZON_MS = 28 * DAY_MS;
/** Opportunities of the sample that a plan looks at. */
const SAMPLE_MAX = 4_000;
/** A plan counts on less than the expected traffic, so that goals are ahead when less comes. */
const MARGIN = 0.08;
const FULL_SHARE = 100;
const HOURS_PER_DAY = 24;
const EVERYTHING: FreeTraffic = { shares: [], hours: null, tightness: 0 };

/** An opportunity of the past. */
interface Sampled {
  readonly opportunity: Opportunity;
  readonly atMs: number;
}

/** The input of a plan. */
export interface PlanInput {
  readonly compiled: CompiledWorkspace;
  /** The opportunities of the past, in any order. */
  readonly sample: readonly Sampled[];
  /** Expected requests, mean over a week. */
  readonly requestsPerHour: number;
  readonly nowMs: number;
  /** A counter of the hot store; 0 where nothing was counted. */
  readonly counter: (key: string) => number;
  /** The plan before; null: there was none. */
  readonly before: PublishedPlan | null;
}

/** The traffic of a workspace by the goals that it admits, from a sample of the past. It can be used for many plans of the same bookings. */
export class ContendedTraffic {
  readonly #compiled: CompiledWorkspace;
  readonly #nowMs: number;
  /** Slots of the sample by the positions of the goals that they admit. */
  readonly #slots = new Map<
    string,
    { readonly positions: readonly number[]; slots: number; readonly hours: Float64Array }
  >();
  #requests = 0;

  /** @param nowMs when sponsors take their shares */
  constructor(compiled: CompiledWorkspace, sample: readonly Sampled[], nowMs: number) {
    this.#compiled = compiled;
    this.#nowMs = nowMs;
    const step = Math.max(1, Math.ceil(sample.length / SAMPLE_MAX));
    for (let at = 0; at < sample.length; at += step) this.#record(sample[at] as Sampled);
  }

  #record({ opportunity, atMs }: Sampled): void {
    this.#requests += 1;
    for (const slot of opportunity.slots) {
      const { goals, sponsors } = findAdmitted(this.#compiled, { opportunity, slot, atMs });
      if (goals.length === 0) continue;
      const key = goals.join();
      const left = sponsors.length === 0 ? 1 : this.#leftBy(sponsors);
      const known = this.#slots.get(key);
      const group = known ?? { positions: goals, slots: 0, hours: new Float64Array(HOURS_PER_DAY) };
      if (known === undefined) this.#slots.set(key, group);
      group.slots += left;
      const hour = Math.floor(atMs / HOUR_MS) % HOURS_PER_DAY;
      group.hours[hour] = (group.hours[hour] as number) + left;
    }
  }

  /** The share of an opportunity that these sponsors leave over, level by level. */
  #leftBy(sponsors: readonly number[]): number {
    const { competition, lineItems } = this.#compiled;
    const inFlight = sponsors.filter((position) => competition.isInFlightAt(position, this.#nowMs));
    const byLevel = Map.groupBy(inFlight, (position) => lineItems.at(position).group);
    let left = 1;
    for (const positions of byLevel.values()) {
      const total = positions.reduce((sum, position) => {
        const share = competition.shareAt(position);
        return sum + (Number.isNaN(share) ? FULL_SHARE : share);
      }, 0);
      left *= Math.max(0, 1 - total / FULL_SHARE);
    }
    return left;
  }

  /** @param indexOf the position of a goal in a list; undefined: it is not in the list */
  list(requestsPerHour: number, indexOf: (position: number) => number | undefined): SharedTraffic[] {
    const perSlot = requestsPerHour / Math.max(1, this.#requests);
    return [...this.#slots.values()].flatMap(({ positions, slots, hours }) => {
      const goals = positions.flatMap((position) => indexOf(position) ?? []);
      return goals.length === 0
        ? []
        : [{ goals, slotsPerHour: slots * perSlot, byHour: Array.from(hours, (one) => one / Math.max(1e-9, slots)) }];
    });
  }
}

/** Makes the plan of a workspace: what other goals are expected to leave to each goal. */
export function makePlan(input: PlanInput): PublishedPlan {
  const { compiled, sample, nowMs } = input;
  return planFor(new ContendedTraffic(compiled, sample, nowMs), input);
}

/** The same, from traffic that is sorted already. */
export function planFor(traffic: ContendedTraffic, input: Omit<PlanInput, 'sample'>): PublishedPlan {
  const { compiled, requestsPerHour, nowMs, before } = input;
  const contending = [...compiled.lineItems].flatMap((lineItem, position) => {
    const goal = contendingGoal(lineItem, input);
    return goal === null ? [] : [{ id: lineItem.booked.id, position, goal }];
  });
  const indexes = new Map(contending.map(({ position }, index) => [position, index]));
  const lastMs = contending.reduce((most, { goal }) => Math.max(most, goal.endsAtMs), nowMs + DAY_MS);
  const free = findFreeShares(
    contending.map(({ goal }) => goal),
    traffic.list(requestsPerHour * (1 - MARGIN), (position) => indexes.get(position)),
    { fromMs: nowMs, untilMs: Math.min(nowMs + HORIZON_MS, lastMs) },
  );
  const known = new Map(before?.free);
  return {
    madeAtMs: nowMs,
    free: contending.map(({ id }, index) => [
      id,
      continueFree(known.get(id) ?? null, free[index] ?? EVERYTHING, nowMs),
    ]),
  };
}

/** Null for a line item without a goal to plan: also one without an end. */
function contendingGoal(lineItem: CompiledLineItem, input: Omit<PlanInput, 'sample'>): ContendingGoal | null {
  const { goal, type } = lineItem.booked;
  const { startsAtMs, endsAtMs } = lineItem;
  const { nowMs } = input;
  if (type !== 'STANDARD' || goal === null || goal.amount <= 0 || endsAtMs <= nowMs || !Number.isFinite(endsAtMs))
    return null;
  const { delivered, unitsPerAd } = deliveredOf(lineItem, goal, input);
  const days = (endsAtMs - Math.max(nowMs, startsAtMs)) / DAY_MS;
  const units = goal.period === 'DAY' ? goal.amount * days : Math.max(0, goal.amount - delivered);
  const hasRestOfPlan = goal.period === 'LIFETIME' && Number.isFinite(startsAtMs);
  const planned = hasRestOfPlan ? (goal.amount * days * DAY_MS) / (endsAtMs - startsAtMs) : units;
  return { startsAtMs, endsAtMs, needed: units / unitsPerAd, planned: planned / unitsPerAd };
}

type Goal = NonNullable<CompiledLineItem['booked']['goal']>;

function deliveredOf(
  lineItem: CompiledLineItem,
  goal: Goal,
  { compiled, nowMs, counter }: Omit<PlanInput, 'sample'>,
): { readonly delivered: number; readonly unitsPerAd: number } {
  const { workspaceId } = compiled.snapshot.workspace;
  const [delivered, served] = [GOAL_COUNTERS[goal.kind], 'ans' as const].map((kind) =>
    counter(goalCounterKey({ lineItem, goal, kind, workspaceId }, nowMs)),
  ) as [number, number];
  const { rate, weight } = GOAL_YIELDS[goal.kind];
  return {
    delivered,
    unitsPerAd: Math.min(1, Math.max(rate / 20, (delivered + rate * weight) / (served + weight))),
  };
}

/** The counters that a plan reads. */
export function listPlanCounters({ lineItems, snapshot }: CompiledWorkspace, nowMs: number): string[] {
  const { workspaceId } = snapshot.workspace;
  return [...lineItems].flatMap((lineItem) => {
    const { goal, type } = lineItem.booked;
    if (goal === null || type !== 'STANDARD') return [];
    return ([GOAL_COUNTERS[goal.kind], 'ans'] as const).map((kind) =>
      goalCounterKey({ lineItem, goal, kind, workspaceId }, nowMs),
    );
  });
}

interface GoalCounter {
  readonly lineItem: CompiledLineItem;
  readonly goal: Goal;
  readonly kind: CounterKind;
  readonly workspaceId: number;
}

/** The counter of a line item's goal, or of the ads beside it: in total, or of the local day of a daily goal. */
export function goalCounterKey({ lineItem, goal, kind, workspaceId }: GoalCounter, nowMs: number): string {
  const { id, timezone } = lineItem.booked;
  const subject = { workspaceId, scope: 'li', id, kind } as const;
  return goal.period === 'DAY' ? dayCounterKey(subject, localDay(nowMs, timezone)) : lifetimeCounterKey(subject);
}
