import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { hourOfWeek } from '../../../domain/pacing/traffic-curve.ts';
import type { TrafficCurve } from '../../../domain/pacing/traffic-curve.ts';
import { HourlyOffsets } from '../../../domain/time/time-zone.ts';
import type { SampleEntry, TrafficSample } from '../../traffic/parse-sample.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A sample that falls short of whole weeks or days by this share of a day counts as whole. */
const SHORT_MS = DAY_MS / 24;
const SPAN_MS_MIN = 60_000;

/** An opportunity of the past, at an instant of the future. */
export interface ReplayedOpportunity {
  readonly atMs: number;
  /** How many opportunities it represents. */
  readonly weight: number;
  readonly opportunity: Opportunity;
  /** Number of the user, shared by all opportunities of that user; from 0. */
  readonly userIndex: number;
}

/** The time to fill with traffic. */
export interface ReplayedSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** The volume, as a share of that of the sample. */
  readonly share: number;
  /** By how much an opportunity of the sample comes more often than that; absent: 1. */
  readonly factorOf?: (opportunity: Opportunity) => number;
  /** Most opportunities; longer spans use fewer users, each with more weight. */
  readonly replayedMax: number;
}

/**
 * The sample as the traffic of a span to come: its last whole weeks (days, where it is shorter; all of it, where it is shorter yet) over
 * and over, at the same hours of the week by the clock on the wall. For hours outside of the sample, opportunities are weighted by the
 * traffic curve. Users come back in every round, but not at exactly the same times, which would distort caps of whole weeks: in each round
 * a user takes the times of another one in the same country with about as many requests.
 */
export class ReplayedTraffic {
  /** Users, and requests without a user. */
  readonly userCount: number;
  /** The weight of an opportunity at its own hour of the week. */
  readonly weight: number;
  readonly #entries: readonly (SampleEntry & { readonly userIndex: number })[];
  /** Known users, sorted so that neighbours are alike, with the index of each. */
  readonly #alike: readonly string[];
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #periodMs: number;
  readonly #startMs: number;
  readonly #span: ReplayedSpan;
  readonly #curve: TrafficCurve;
  readonly #offsets: HourlyOffsets;

  constructor(sample: TrafficSample, curve: TrafficCurve, span: ReplayedSpan) {
    this.#periodMs = periodOf(sample.untilMs - sample.fromMs);
    this.#startMs = sample.untilMs - this.#periodMs;
    this.#span = span;
    this.#curve = curve;
    this.#offsets = new HourlyOffsets(curve.timezone);
    const share = sample.share * Math.min(1, span.replayedMax / Math.max(1, countReplayed(sample, span)));
    const kept = sample.entries.filter(({ bucket }) => bucket < share);
    this.weight = (span.share * sample.met) / Math.max(1, kept.length);
    const users = new Map<string, number>();
    this.#entries = kept
      .filter(({ atMs }) => atMs >= this.#startMs)
      .sort((left, right) => left.atMs - right.atMs)
      .map((entry, at) => {
        const { userHash } = entry.opportunity;
        const user = userHash === '' ? `request ${at}` : userHash;
        let userIndex = users.get(user);
        if (userIndex === undefined) users.set(user, (userIndex = users.size));
        return { ...entry, userIndex };
      });
    this.userCount = users.size;
    this.#alike = sortAlike(this.#entries);
    this.#ranks = new Map(this.#alike.map((userHash, rank) => [userHash, rank]));
  }

  /** In order of time, except for the hour in which clocks are set back. */
  *replay(): Generator<ReplayedOpportunity> {
    const { fromMs, toMs, factorOf } = this.#span;
    if (this.#entries.length === 0) return;
    const first = Math.floor((fromMs - this.#startMs) / this.#periodMs);
    for (let round = first; this.#startMs + round * this.#periodMs < toMs + DAY_MS; round += 1) {
      const shiftMs = round * this.#periodMs;
      for (const { atMs: metAtMs, opportunity, userIndex } of this.#entries) {
        const atMs = this.#move(metAtMs, shiftMs);
        if (atMs < fromMs || atMs >= toMs) continue;
        const weight = ((factorOf?.(opportunity) ?? 1) * this.weight * this.#levelAt(atMs)) / this.#levelAt(metAtMs);
        yield { atMs, weight, opportunity: this.#inRound(opportunity, round), userIndex };
      }
    }
  }

  #inRound(opportunity: Opportunity, round: number): Opportunity {
    const rank = this.#ranks.get(opportunity.userHash);
    if (rank === undefined) return opportunity;
    const count = this.#alike.length;
    return { ...opportunity, userHash: this.#alike[(((rank + round) % count) + count) % count] ?? '' };
  }

  /** By whole days: to the same time by the clock on the wall. */
  #move(atMs: number, shiftMs: number): number {
    const movedMs = atMs + shiftMs;
    return shiftMs % DAY_MS === 0 ? movedMs + this.#offsets.at(atMs) - this.#offsets.at(movedMs) : movedMs;
  }

  #levelAt(atMs: number): number {
    return this.#curve.weights[hourOfWeek(atMs, this.#offsets.at(atMs))] ?? 1;
  }
}

/** How many requests fill a time if nobody is left out. */
export function countReplayed(
  { entries, fromMs, untilMs }: TrafficSample,
  span: Pick<ReplayedSpan, 'fromMs' | 'toMs'>,
): number {
  const periodMs = periodOf(untilMs - fromMs);
  const rounds = Math.max(0, span.toMs - span.fromMs) / periodMs;
  return entries.filter(({ atMs }) => atMs >= untilMs - periodMs).length * rounds;
}

function sortAlike(entries: readonly SampleEntry[]): string[] {
  const found = new Map<string, { country: string; requests: number }>();
  for (const { opportunity } of entries) {
    const { userHash, country } = opportunity;
    const user = found.get(userHash);
    if (user !== undefined) user.requests += 1;
    else if (userHash !== '') found.set(userHash, { country, requests: 1 });
  }
  return [...found]
    .sort(([, left], [, right]) => left.country.localeCompare(right.country) || left.requests - right.requests)
    .map(([userHash]) => userHash);
}

/** The part of a sample of this length that is repeated. */
export function periodOf(spanMs: number): number {
  for (const unitMs of [WEEK_MS, DAY_MS]) {
    const whole = Math.floor((spanMs + SHORT_MS) / unitMs);
    if (whole >= 1) return whole * unitMs;
  }
  return Math.max(SPAN_MS_MIN, spanMs);
}
