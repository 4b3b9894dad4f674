import { buildCurve } from '../../src/domain/pacing/traffic-curve.ts';
import type { HourlyRequests, TrafficCurve } from '../../src/domain/pacing/traffic-curve.ts';
import type { LineItem } from '../../src/domain/booking/line-item.ts';
import { isNarrowed } from '../../src/domain/pacing/traffic-inventory.ts';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { EligibleTraffic } from '../../src/delivery/pacing/eligible-traffic.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How long requests are sampled, and remembered by the hour. */
const SAMPLE_MS = 14 * DAY_MS;
const CURVE_HOURS = 28 * 24;
/** With fewer hours, an installation keeps the curve that it had. */
const HOURS_MIN = 24;
/** Most requests from which line items learn their curves at once: an installation has 50,000. */
const MET_MAX = 10_000;

/** A request that was met. */
export interface Met {
  readonly opportunity: Opportunity;
  readonly atMs: number;
}

/** What an installation has learnt of its traffic: the core computes it from the analytics store, which is empty at first. */
export class LearntTraffic {
  readonly #timezone: string;
  #met: Met[] = [];
  #curve: TrafficCurve;
  #ownCurves: ReadonlyMap<string, TrafficCurve> = new Map();
  #requestsPerHour = 0;

  constructor(timezone: string, startMs: number) {
    this.#timezone = timezone;
    this.#curve = buildCurve([], timezone, startMs);
  }

  /** Of all traffic. */
  get curve(): TrafficCurve {
    return this.#curve;
  }

  /** Of all traffic, or of the traffic for which the line item is eligible. */
  curveOf(lineItemId: string): TrafficCurve {
    return this.#ownCurves.get(lineItemId) ?? this.#curve;
  }

  /** The mean of the hours of the last four weeks. */
  get requestsPerHour(): number {
    return this.#requestsPerHour;
  }

  meet(opportunity: Opportunity, atMs: number): void {
    this.#met.push({ opportunity, atMs });
  }

  /** A sample of the last two weeks, at most 10,000 requests. */
  sampleAt(nowMs: number): readonly Met[] {
    this.#met = this.#met.filter(({ atMs }) => atMs >= nowMs - SAMPLE_MS);
    const step = Math.max(1, Math.ceil(this.#met.length / MET_MAX));
    return step === 1 ? this.#met : this.#met.filter((_one, at) => at % step === 0);
  }

  /** Learns from what came up to now. @param hours in order */
  learn(hours: readonly HourlyRequests[], lineItems: Iterable<LineItem>, nowMs: number): void {
    const recent = hours.filter(({ startMs }) => startMs >= nowMs - CURVE_HOURS * HOUR_MS);
    const requests = recent.reduce((sum, hour) => sum + hour.requests, 0);
    this.#requestsPerHour = recent.length === 0 ? 0 : requests / recent.length;
    if (recent.length >= HOURS_MIN) this.#curve = buildCurve(recent, this.#timezone, nowMs);
    const paced = [...lineItems].filter(({ goal, targeting }) => goal !== null && isNarrowed(targeting));
    if (paced.length === 0) return;
    const aims = paced.flatMap(({ targeting, timezone }) => (targeting === null ? [] : [{ targeting, timezone }]));
    const eligible = new EligibleTraffic(aims, this.#curve);
    for (const { opportunity, atMs } of this.sampleAt(nowMs)) eligible.record(opportunity, atMs);
    this.#ownCurves = new Map(
      paced.flatMap(({ id }, at) => {
        const curve = eligible.curveOf(at);
        return curve === null ? [] : [[id, curve] as const];
      }),
    );
  }
}
