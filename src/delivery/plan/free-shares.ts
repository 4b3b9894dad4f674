import { TIGHTNESS_MAX } from '../../domain/pacing/free-timeline.ts';
import type { FreeShare, FreeTraffic } from '../../domain/pacing/free-timeline.ts';

/** A goal whose flight contends with others. */
export interface ContendingGoal {
  readonly startsAtMs: number;
  readonly endsAtMs: number;
  /** Ads that it still needs up to its end. */
  readonly needed: number;
  /** Ads that its even plan has up to its end, whatever it has delivered. */
  readonly planned: number;
}

/** Opportunities that admit the same goals. */
export interface SharedTraffic {
  /** Positions in the list of goals. */
  readonly goals: readonly number[];
  /** Expected slots an hour, mean of a week. */
  readonly slotsPerHour: number;
  /** How they are spread over the hours of a UTC day: 24 parts of 1; absent: evenly. */
  readonly byHour?: readonly number[];
}

const HOUR_MS = 3_600_000;
const ROUNDS = 24;
/** Of the way to what the claims of a round leave. */
const DAMPING = 0.5;
const SHARE_MIN = 0.02;
const HOURS = 24;
/** Factors of hours that differ less are the same. */
const ALIKE = 0.1;
/** Parts of the time, and numbers in memory: with more pairs of a goal and its traffic, the time has fewer parts. */
const PARTS_MAX = 24;
const NUMBERS_MAX = 4_000_000;

/**
 * What other goals are expected to leave to each goal, from one flight's begin or end to the next: a goal with more time delivers before the others need its
 * opportunities. Each goal claims an even part of its free traffic, which is the traffic that the claims of the others leave; after some rounds both
 * agree. @returns by position of the goal
 */
export function findFreeShares(
  goals: readonly ContendingGoal[],
  traffic: readonly SharedTraffic[],
  during: { readonly fromMs: number; readonly untilMs: number },
): FreeTraffic[] {
  return new Contention(goals, traffic, during).solve();
}

class Contention {
  readonly #goals: readonly ContendingGoal[];
  readonly #traffic: readonly SharedTraffic[];
  readonly #fromMs: number;
  /** The end of each part of the time, and its hours. */
  readonly #ends: readonly number[];
  readonly #hours: readonly number[];
  /** Ads that each goal needs within the time. */
  readonly #needed: Float64Array;
  /** Of its even plan, within the time. */
  readonly #planned: Float64Array;
  /** What is free for each goal. */
  readonly #supply: Float64Array;
  /** Of each pair of traffic and goal, for each part: the share that is free. */
  readonly #free: Float64Array;
  readonly #rates: Float64Array;

  constructor(
    goals: readonly ContendingGoal[],
    traffic: readonly SharedTraffic[],
    { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  ) {
    const pairs = traffic.reduce((sum, one) => sum + one.goals.length, 0);
    this.#goals = goals;
    this.#traffic = traffic;
    this.#fromMs = fromMs;
    this.#ends = cutTime(goals, { fromMs, untilMs }, Math.max(1, Math.floor(NUMBERS_MAX / Math.max(1, pairs))));
    this.#hours = this.#ends.map((endMs, part) => (endMs - this.#startOf(part)) / HOUR_MS);
    const within = ({ startsAtMs, endsAtMs }: ContendingGoal, ads: number) => {
      const begunMs = Math.max(startsAtMs, fromMs);
      return endsAtMs <= untilMs ? ads : (ads * (untilMs - begunMs)) / (endsAtMs - begunMs);
    };
    this.#needed = Float64Array.from(goals, (goal) => within(goal, goal.needed));
    this.#planned = Float64Array.from(goals, (goal) => within(goal, goal.planned));
    this.#supply = new Float64Array(goals.length);
    this.#free = new Float64Array(pairs * this.#ends.length).fill(1);
    this.#rates = new Float64Array(goals.length);
  }

  solve(): FreeTraffic[] {
    for (let round = 0; round < ROUNDS; round += 1) {
      this.#claim();
      this.#leave();
    }
    const hours = this.#freeHours();
    return this.#mean().map((shares, goal) => ({
      shares,
      hours: hours[goal] ?? null,
      tightness: this.#tightnessOf(goal),
    }));
  }

  #tightnessOf(goal: number): number {
    const supply = this.#supply[goal] as number;
    return supply > 0 ? Math.min(TIGHTNESS_MAX, (this.#planned[goal] as number) / supply) : 0;
  }

  #startOf(part: number): number {
    return this.#ends[part - 1] ?? this.#fromMs;
  }

  #isOpen(goal: number, part: number): boolean {
    const { startsAtMs, endsAtMs } = this.#goals[goal] as ContendingGoal;
    return startsAtMs < (this.#ends[part] as number) && endsAtMs > this.#startOf(part);
  }

  /** The rate at which each goal takes what is free for it. */
  #claim(): void {
    const supply = this.#supply.fill(0);
    this.#visit((goal, part, at, slots) => {
      supply[goal] = (supply[goal] as number) + slots * (this.#hours[part] as number) * (this.#free[at] as number);
    });
    for (let goal = 0; goal < supply.length; goal += 1)
      this.#rates[goal] = Math.min(1, (this.#needed[goal] as number) / Math.max(1e-9, supply[goal] as number));
  }

  /** What the claims of the others leave. */
  #leave(): void {
    const parts = this.#ends.length;
    let first = 0;
    for (const { goals } of this.#traffic) {
      for (let part = 0; part < parts; part += 1) {
        let claimed = 0;
        for (const [index, goal] of goals.entries())
          if (this.#isOpen(goal, part))
            claimed += (this.#rates[goal] as number) * (this.#free[first + index * parts + part] as number);
        for (const [index, goal] of goals.entries()) {
          if (!this.#isOpen(goal, part)) continue;
          const at = first + index * parts + part;
          const own = this.#free[at] as number;
          const left = Math.max(SHARE_MIN, 1 - (claimed - (this.#rates[goal] as number) * own));
          this.#free[at] = own + DAMPING * (left - own);
        }
      }
      first += goals.length * parts;
    }
  }

  #mean(): FreeShare[][] {
    const parts = this.#ends.length;
    const all = new Float64Array(this.#goals.length * parts);
    const free = new Float64Array(this.#goals.length * parts);
    this.#visit((goal, part, at, slots) => {
      all[goal * parts + part] = (all[goal * parts + part] as number) + slots;
      free[goal * parts + part] = (free[goal * parts + part] as number) + slots * (this.#free[at] as number);
    });
    return this.#goals.map((_one, goal) =>
      this.#ends.map((untilMs, part) => {
        const slots = all[goal * parts + part] as number;
        const share = slots > 0 ? (free[goal * parts + part] as number) / slots : 1;
        return { untilMs, share: Math.min(1, Math.max(SHARE_MIN, share)) };
      }),
    );
  }

  /** Goals that serve at some hours alone leave little of these to others. */
  #freeHours(): (readonly number[] | null)[] {
    const numbers = () => this.#goals.map(() => new Float64Array(HOURS));
    const [all, free] = [numbers(), numbers()];
    const parts = this.#ends.length;
    let first = 0;
    for (const { goals, slotsPerHour, byHour } of this.#traffic) {
      for (const [index, goal] of goals.entries())
        for (let part = 0; part < parts; part += 1) {
          if (!this.#isOpen(goal, part)) continue;
          const slots = slotsPerHour * (this.#hours[part] as number);
          const share = this.#free[first + index * parts + part] as number;
          for (let hour = 0; hour < HOURS; hour += 1) {
            const here = slots * (byHour?.[hour] ?? 1 / HOURS);
            (all[goal] as Float64Array)[hour] = ((all[goal] as Float64Array)[hour] as number) + here;
            (free[goal] as Float64Array)[hour] = ((free[goal] as Float64Array)[hour] as number) + here * share;
          }
        }
      first += goals.length * parts;
    }
    return this.#goals.map((_one, goal) => hourFactors(all[goal] as Float64Array, free[goal] as Float64Array));
  }

  #visit(see: (goal: number, part: number, at: number, slots: number) => void): void {
    const parts = this.#ends.length;
    let first = 0;
    for (const { goals, slotsPerHour } of this.#traffic) {
      for (const [index, goal] of goals.entries())
        for (let part = 0; part < parts; part += 1)
          if (this.#isOpen(goal, part)) see(goal, part, first + index * parts + part, slotsPerHour);
      first += goals.length * parts;
    }
  }
}

function hourFactors(all: Float64Array, free: Float64Array): readonly number[] | null {
  const sum = (numbers: Float64Array) => numbers.reduce((total, one) => total + one, 0);
  const mean = sum(free) / sum(all);
  if (!(mean > 0)) return null;
  const factors = Array.from(all, (here, hour) => (here > 0 ? (free[hour] as number) / here / mean : 1));
  return Math.max(...factors) - Math.min(...factors) < ALIKE ? null : factors;
}

/** The ends of the parts: where flights begin or end, thinned out where there are more. */
function cutTime(
  goals: readonly ContendingGoal[],
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  partsMax: number,
): number[] {
  const edges = new Set(goals.flatMap(({ startsAtMs, endsAtMs }) => [startsAtMs, endsAtMs]));
  const within = [...edges].filter((atMs) => atMs > fromMs && atMs < untilMs).sort((left, right) => left - right);
  const step = Math.ceil((within.length + 1) / Math.min(PARTS_MAX, partsMax));
  return [...within.filter((_at, index) => index % step === step - 1), untilMs];
}

/** What is found again, as `continueShares` has it. The same object where nothing has changed much. */
export function continueFree(before: FreeTraffic | null, after: FreeTraffic, nowMs: number): FreeTraffic {
  const shares = continueShares(before?.shares ?? null, after.shares, nowMs);
  const isSameDay = before !== null && areAlike(before.hours, after.hours);
  const isAsTight = before !== null && Math.abs(before.tightness - after.tightness) < TIGHTNESS_STEP;
  if (isSameDay && isAsTight && shares === before.shares) return before;
  return { ...after, shares, hours: isSameDay ? before.hours : after.hours };
}

/** Tightnesses that differ less are the same. */
const TIGHTNESS_STEP = 0.02;

function areAlike(some: readonly number[] | null, others: readonly number[] | null): boolean {
  if (some === null || others === null) return some === others;
  return some.every((factor, hour) => Math.abs(factor - (others[hour] ?? 1)) < ALIKE);
}

/** Shares that differ less than this are the same. */
const SAME = 0.05;

/**
 * The shares of a goal when they are found again: what was expected of the time that has passed stays, so that its plan does not jump. The same list where
 * nothing has changed much.
 */
export function continueShares(
  before: readonly FreeShare[] | null,
  after: readonly FreeShare[],
  nowMs: number,
): readonly FreeShare[] {
  const [first] = after;
  if (first === undefined) return after;
  if (before === null) return [{ untilMs: nowMs, share: first.share }, ...after];
  const shareAt = (atMs: number) => (before.find(({ untilMs }) => atMs < untilMs) ?? before.at(-1))?.share ?? 1;
  if (after.every(({ untilMs, share }) => Math.abs(shareAt(untilMs - 1) - share) < SAME)) return before;
  const past = before.filter(({ untilMs }) => untilMs <= nowMs);
  const present = past.at(-1)?.untilMs === nowMs ? [] : [{ untilMs: nowMs, share: shareAt(nowMs) }];
  return [...joinPast([...past, ...present]), ...after];
}

const PAST_MAX = 24;

/** The oldest parts become one part once there are many. */
function joinPast(past: readonly FreeShare[]): readonly FreeShare[] {
  return past.length <= PAST_MAX ? past : past.slice(past.length - PAST_MAX);
}
