import type { CompiledWorkspace } from '../decision/index/compiled-workspace.ts';
import { HOURS_PER_WEEK, hourOfWeek } from '../../domain/pacing/traffic-curve.ts';
import type { TrafficCurve } from '../../domain/pacing/traffic-curve.ts';
import { HourlyOffsets } from '../../domain/time/time-zone.ts';
import type { Opportunity } from '../../domain/requests/opportunity.ts';
import { findAdmitted } from './admission.ts';
import type { Admitted } from './admission.ts';
import { costOfValue } from '../decision/opportunity-cost.ts';
import type { PlanDemand } from './plan-demands.ts';
import { expectedShare } from './recent-traffic.ts';
import { SupplyBuilder } from './supply.ts';
import type { Supply } from './supply.ts';

const HOUR_MS = 3_600_000;
/** A share of voice is in percent; one that is not named is all. */
const FULL_SHARE = 100;

/** So that each part of the sample reaches a demand in its proportion, and two demands independently: a sequence without gaps. */
function isReached(reach: number, number: number, demand: number): boolean {
  return (number * 0.618_033_988_75 + demand * 0.754_877_666_25) % 1 < reach;
}

/** The demands that may be served at an instant, by the position of their line item, and until when the same ones may be. */
interface OpenDemands {
  readonly byPosition: ReadonlyMap<number, readonly number[]>;
  readonly untilMs: number;
}

function openAt(demands: readonly PlanDemand[], atMs: number): OpenDemands {
  const open = new Map<number, number[]>();
  let untilMs = Number.POSITIVE_INFINITY;
  for (const [at, { position, startsAtMs, aimsAtMs }] of demands.entries()) {
    for (const edgeMs of [startsAtMs, aimsAtMs]) if (edgeMs > atMs) untilMs = Math.min(untilMs, edgeMs);
    if (atMs < startsAtMs || atMs >= aimsAtMs) continue;
    const ofPosition = open.get(position);
    if (ofPosition === undefined) open.set(position, [at]);
    else ofPosition.push(at);
  }
  return { byPosition: open, untilMs };
}

/** Sorts numbers in place, which mostly are in order already. */
function ascending(numbers: Int32Array): Int32Array {
  for (let at = 1; at < numbers.length; at += 1)
    if ((numbers[at - 1] as number) > (numbers[at] as number)) return numbers.sort();
  return numbers;
}

/** The time and the traffic that a plan is for. */
export interface PlanHorizon {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly curve: TrafficCurve;
  /** Slots, mean over a week. */
  readonly slotsPerHour: number;
  /** The traffic of the last hours as a share of the curve; absent: 1. */
  readonly recentShare?: number;
}

/**
 * Expects the opportunities of the past again, at the same hour of the week, in the volume of the traffic curve, without the part that
 * sponsors take. Frequency caps, budgets and blocks of requests are left out: a plan is made again every few minutes, and what a line
 * item could not use is then planned again.
 */
export class SampledSupply {
  readonly #compiled: CompiledWorkspace;
  readonly #offsets: HourlyOffsets;
  readonly #fromMs: number;
  readonly #hours: Admitted[][] = Array.from({ length: HOURS_PER_WEEK }, () => []);
  #valueSum = 0;
  #count = 0;
  #pairs = 0;

  /** @param by the time zone of the weeks, as that of the traffic curve; PRICE counts as it is at that time */
  constructor(compiled: CompiledWorkspace, by: { readonly timezone: string; readonly fromMs: number }) {
    this.#compiled = compiled;
    this.#offsets = new HourlyOffsets(by.timezone);
    this.#fromMs = by.fromMs;
  }

  /** Adds one opportunity of the past. */
  record(opportunity: Opportunity, atMs: number): void {
    const flightMs = this.#fromMs;
    const hour = hourOfWeek(atMs, this.#offsets.at(atMs));
    for (const slot of opportunity.slots) {
      const admitted = findAdmitted(this.#compiled, { opportunity, slot, atMs, flightMs });
      this.#hours[hour]?.push(admitted);
      this.#pairs += admitted.goals.length;
      this.#valueSum += admitted.valueMicros;
      this.#count += 1;
    }
  }

  /** Pairs of a goal and a recorded slot that it admits. */
  get pairs(): number {
    return this.#pairs;
  }

  /** What PRICE would pay for a thousand opportunities, mean. */
  get meanValueMicros(): number {
    return this.#count === 0 ? 0 : this.#valueSum / this.#count;
  }

  /** The expected opportunities of a time for these demands. */
  build(
    demands: readonly PlanDemand[],
    { fromMs, untilMs, curve, slotsPerHour, recentShare = 1 }: PlanHorizon,
  ): Supply {
    const builder = new SupplyBuilder(demands.length);
    const buffer = new Int32Array(demands.length);
    const mean = this.meanValueMicros;
    let open: OpenDemands = { byPosition: new Map(), untilMs: Number.NEGATIVE_INFINITY };
    for (let hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS; hourMs < untilMs; hourMs += HOUR_MS) {
      const [startMs, endMs] = [Math.max(fromMs, hourMs), Math.min(untilMs, hourMs + HOUR_MS)];
      // Flights begin and end at some minute: the middle of the hour decides.
      const middleMs = (startMs + endMs) / 2;
      const hour = hourOfWeek(hourMs, this.#offsets.at(hourMs));
      const sampled = this.#sampledAt(hour);
      const usual = ((curve.weights[hour] as number) * slotsPerHour * (endMs - startMs)) / HOUR_MS;
      const volume = usual * expectedShare(recentShare, middleMs - fromMs);
      if (middleMs >= open.untilMs) open = openAt(demands, middleMs);
      for (let number = 0; number < sampled.length; number += 1) {
        const { goals, sponsors, valueMicros } = sampled[number] as Admitted;
        let count = 0;
        for (const position of goals) {
          for (const at of open.byPosition.get(position) ?? []) {
            const { reach } = demands[at] as PlanDemand;
            if (reach >= 1 || isReached(reach, hour + number * HOURS_PER_WEEK, at)) buffer[count++] = at;
          }
        }
        if (count === 0) continue;
        const left = sponsors.length === 0 ? 1 : this.#leftBy(sponsors, middleMs);
        const members = ascending(buffer.subarray(0, count));
        builder.add(members, (volume * left) / sampled.length, costOfValue(valueMicros, mean));
      }
    }
    return builder.build();
  }

  /** The share of an opportunity that these sponsors leave over, level by level. */
  #leftBy(sponsors: readonly number[], atMs: number): number {
    const { competition, lineItems } = this.#compiled;
    const inFlight = sponsors.filter((position) => competition.isInFlightAt(position, atMs));
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

  /** Those of the hour, else of the last hour before it that has any. */
  #sampledAt(hour: number): readonly Admitted[] {
    for (let back = 0; back < HOURS_PER_WEEK; back += 1) {
      const sampled = this.#hours[(hour + HOURS_PER_WEEK - back) % HOURS_PER_WEEK] ?? [];
      if (sampled.length > 0) return sampled;
    }
    return [];
  }
}
