import { drawPoisson, seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../src/delivery/decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../../src/delivery/decision/index/compile-line-items.ts';
import { findAdmitted } from '../../src/delivery/plan/admission.ts';
import { makePlan, sharesOf } from '../../src/delivery/plan/allocation-plan.ts';
import type { AllocationPlan, DemandPlan } from '../../src/delivery/plan/allocation-plan.ts';
import { listDemands } from '../../src/delivery/plan/plan-demands.ts';
import { costOfValue } from '../../src/delivery/plan/opportunity-cost.ts';
import { SampledSupply } from '../../src/delivery/plan/sampled-supply.ts';
import type { TrafficCurve } from '../../src/domain/pacing/traffic-curve.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { trafficAt } from '../../test/simulation/traffic.ts';
import type { Traffic } from '../../test/simulation/traffic.ts';
import { sampleOpportunity, sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import { DAY_MS, HOUR_MS } from './world.ts';
import type { World, WorldLineItem } from './world.ts';

const SAMPLE_MAX = 10_000;
const SAMPLE_DAYS = 14;
const REPLAN_MS = 15 * 60_000;
const ROUNDS_MAX = 30;
/** The reach is a mean of about so many requests. */
const REACH_REQUESTS = 500;
/** The plan counts on so much of the expected traffic, so that goals are ahead when less comes. */
const COUNTED_ON = 0.95;

/** The input of a planned delivery. */
interface PlannedInput {
  readonly world: World;
  readonly seed: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly traffic: Traffic;
  /** Learnt from history, as delivery learns it. */
  readonly curve: TrafficCurve;
  readonly representative: number;
}

/**
 * Serves requests by the allocation plan alone, without pacing: what its plan could reach. It knows a sample of past requests, the traffic
 * curve of the past, and the delivery so far.
 */
export class PlannedDelivery {
  readonly #input: PlannedInput;
  readonly #random: () => number;
  readonly #history: readonly { readonly opportunity: Opportunity; readonly atMs: number }[];
  readonly #ads = new Map<string, number[]>();
  readonly #delivered = new Map<string, number>();
  /** Of each line item with a frequency cap: the part of its last requests whose user had not reached it. */
  readonly #reach = new Map<string, number>();
  readonly #views = new Map<string, number>();
  /** Of each sponsor: the responses that it is owed. */
  readonly #owed = new Map<string, number>();
  #compiled!: CompiledWorkspace;
  #supply!: SampledSupply;
  /** The worlds have one line item of PRICE at each price. */
  #byPrice: ReadonlyMap<number, CompiledLineItem> = new Map();
  #plan: AllocationPlan | null = null;
  #byPosition: ReadonlyMap<number, readonly DemandPlan[]> = new Map();
  #plannedAtMs = Number.NEGATIVE_INFINITY;
  #dayAtMs: number;

  constructor(input: PlannedInput) {
    this.#input = input;
    this.#random = seededRandom(input.seed + 1);
    this.#dayAtMs = input.startMs;
    this.#history = this.#drawHistory();
    this.book(input.world.lineItems);
  }

  /** Replaces the bookings from now on. */
  book(lineItems: readonly WorldLineItem[]): void {
    const { startMs, curve } = this.#input;
    this.#compiled = compileWorkspace(sampleSnapshot({ lineItems }), startMs, (_id, error) => {
      throw error;
    });
    this.#supply = new SampledSupply(this.#compiled, { timezone: curve.timezone, fromMs: startMs });
    for (const { opportunity, atMs } of this.#history) this.#supply.record(opportunity, atMs);
    const prices = [...this.#compiled.lineItems].filter(({ booked }) => booked.type === 'PRICE');
    this.#byPrice = new Map(prices.map((one) => [one.priceMicros, one]));
    this.#plan = null;
    this.#plannedAtMs = Number.NEGATIVE_INFINITY;
  }

  #drawHistory(): { opportunity: Opportunity; atMs: number }[] {
    const { startMs, traffic, world } = this.#input;
    const hours = SAMPLE_DAYS * 24;
    const share = Math.min(1, SAMPLE_MAX / (hours * traffic.requestsPerHour));
    return Array.from({ length: hours }, (_none, back) => startMs - (back + 1) * HOUR_MS).flatMap((hourMs) => {
      const count = drawPoisson(trafficAt({ ...traffic, surprises: [] }, hourMs) * share, this.#random);
      return Array.from({ length: count }, (_one, at) => {
        const atMs = hourMs + Math.floor((at * HOUR_MS) / count);
        return { atMs, opportunity: sampleOpportunity(world.drawVisit(this.#random, atMs)) };
      });
    });
  }

  adsByHour(lineItemId: string): readonly number[] {
    return this.#ads.get(lineItemId) ?? [];
  }

  request(opportunity: Opportunity, nowMs: number): void {
    if (nowMs - this.#dayAtMs >= DAY_MS) {
      this.#dayAtMs += DAY_MS;
      for (const lineItem of this.#compiled.lineItems)
        if (lineItem.goal?.period === 'DAY') this.#delivered.set(lineItem.booked.id, 0);
    }
    if (nowMs - this.#plannedAtMs >= REPLAN_MS) this.#replan(nowMs);
    const winner = this.#decide(opportunity, nowMs);
    if (winner === null) return;
    const { id } = winner.booked;
    const { startMs, endMs } = this.#input;
    const ads = this.#ads.get(id) ?? Array.from({ length: (endMs - startMs) / HOUR_MS }, () => 0);
    const hour = Math.floor((nowMs - startMs) / HOUR_MS);
    ads[hour] = (ads[hour] ?? 0) + 1;
    this.#ads.set(id, ads);
    this.#delivered.set(id, (this.#delivered.get(id) ?? 0) + 1);
    const seen = `${id}/${opportunity.userHash}`;
    if (winner.booked.frequencyCaps.length > 0) this.#views.set(seen, (this.#views.get(seen) ?? 0) + 1);
  }

  #replan(nowMs: number): void {
    const { endMs, curve, traffic, representative } = this.#input;
    const demands = listDemands(this.#compiled, {
      fromMs: nowMs,
      untilMs: endMs,
      representative,
      deliveredOf: ({ booked }) => ({
        delivered: this.#delivered.get(booked.id) ?? 0,
        yield: 1,
        reach: this.#reach.get(booked.id) ?? 1,
      }),
    });
    const horizon = { fromMs: nowMs, untilMs: endMs, curve, slotsPerHour: traffic.requestsPerHour };
    const supply = this.#supply.build(demands, horizon);
    this.#plan = makePlan(supply, demands, {
      roundsMax: ROUNDS_MAX,
      countedOn: COUNTED_ON,
      ...(this.#plan === null ? {} : { previous: this.#plan }),
    });
    this.#byPosition = Map.groupBy(this.#plan.demands, ({ demand }) => demand.position);
    this.#plannedAtMs = nowMs;
  }

  #decide(opportunity: Opportunity, atMs: number): CompiledLineItem | null {
    const [slot] = opportunity.slots;
    if (slot === undefined) return null;
    const { lineItems, competition } = this.#compiled;
    const { sponsors, goals, valueMicros } = findAdmitted(this.#compiled, { opportunity, slot, atMs, flightMs: atMs });
    for (const position of sponsors) {
      const { id } = lineItems.at(position).booked;
      const owed = (this.#owed.get(id) ?? 0) + competition.shareAt(position) / 100;
      this.#owed.set(id, owed >= 1 ? owed - 1 : owed);
      if (owed >= 1) return lineItems.at(position);
    }
    const open = goals.filter((position) => this.#isWanted(lineItems.at(position), opportunity, atMs));
    const plans = open
      .flatMap((position) => this.#byPosition.get(position) ?? [])
      .filter(({ demand }) => demand.startsAtMs <= atMs && atMs < demand.endsAtMs);
    const shares = sharesOf(plans, costOfValue(valueMicros, this.#supply.meanValueMicros));
    let draw = this.#random();
    const drawn = plans.find((_plan, at) => (draw -= shares[at] as number) < 0);
    if (drawn !== undefined) return lineItems.at(drawn.demand.position);
    const soonest = open.find((position) => lineItems.at(position).booked.pacing === 'ASAP');
    if (soonest !== undefined) return lineItems.at(soonest);
    return valueMicros <= 0 ? null : (this.#byPrice.get(valueMicros) ?? null);
  }

  #isWanted({ booked, startsAtMs, endsAtMs }: CompiledLineItem, { userHash }: Opportunity, atMs: number): boolean {
    if (atMs < startsAtMs || atMs >= endsAtMs) return false;
    if ((this.#delivered.get(booked.id) ?? 0) >= (booked.goal?.amount ?? 0)) return false;
    if (booked.frequencyCaps.length === 0) return true;
    const seen = this.#views.get(`${booked.id}/${userHash}`) ?? 0;
    const isOpen = booked.frequencyCaps.every(({ count }) => seen < count);
    const reach = this.#reach.get(booked.id) ?? 1;
    this.#reach.set(booked.id, reach + ((isOpen ? 1 : 0) - reach) / REACH_REQUESTS);
    return isOpen;
  }
}
