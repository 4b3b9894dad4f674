import { PlacardError } from '../../domain/errors.ts';

/** The limits of one group's queries in the process. A group is a network. */
export interface AdmissionLimits {
  /** A query of at most this cost never waits; its points still count. */
  readonly smallMax: number;
  /** Points that a group gets back in a second. */
  readonly pointsPerSecond: number;
  /** The most points that a group can save up. */
  readonly pointsMax: number;
  /** How many large queries of one group, and of all groups, run at once. */
  readonly runningOfGroupMax: number;
  readonly runningMax: number;
  /** How many large queries of one group may wait, and how long, in milliseconds. */
  readonly waitingOfGroupMax: number;
  readonly waitMsMax: number;
}

/** The share of the core process that the management API uses. */
export const ADMISSION_LIMITS: AdmissionLimits = {
  smallMax: 1_000,
  pointsPerSecond: 100_000,
  pointsMax: 300_000,
  runningOfGroupMax: 1,
  runningMax: 4,
  waitingOfGroupMax: 20,
  waitMsMax: 15_000,
};

/** The most groups in memory before idle ones are dropped. */
const GROUPS_MAX = 1_000;

interface Group {
  points: number;
  atMs: number;
  running: number;
  readonly waiting: Waiting[];
}

/** A query that asks to run. */
export interface AdmittedQuery {
  readonly cost: number;
  /** Whether its work is done outside of the core's thread, where other limits hold: it waits for points only. Default: no. */
  readonly isElsewhere?: boolean;
  /** Aborted when nobody waits for the response any more; absent: somebody always does. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly query: AdmittedQuery;
  readonly untilMs: number;
  readonly start: () => void;
  readonly refuse: (reason: unknown) => void;
}

/**
 * Decides when a query may run, by its cost: small ones at once, large ones one after the other within each group, and no faster
 * than the group's points come back. Groups take turns. A query whose work is done elsewhere keeps none of the others waiting.
 */
export class CostAdmission {
  readonly #limits: AdmissionLimits;
  readonly #nowMs: () => number;
  /** The groups, in the order of their turns. */
  readonly #groups = new Map<string, Group>();
  #running = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `nowMs` is a monotonic clock. */
  constructor(limits: AdmissionLimits = ADMISSION_LIMITS, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /**
   * Waits until a query of this cost may run; call what it returns when the query has ended.
   * @throws PlacardError `overloaded` when too many of the group wait already, or it waited too long; the signal's reason
   */
  async enter(name: string, query: AdmittedQuery): Promise<() => void> {
    const group = this.#groupOf(name);
    const { cost } = query;
    if (cost <= this.#limits.smallMax) {
      group.points -= cost;
      return () => undefined;
    }
    refuseLeft(group, this.#nowMs(), this.#limits);
    if (group.waiting.length >= this.#limits.waitingOfGroupMax) throw overloaded(this.#limits, group);
    await new Promise<void>((start, refuse) => {
      group.waiting.push({ query, untilMs: this.#nowMs() + this.#limits.waitMsMax, start, refuse });
      this.#startNext();
    });
    if (query.isElsewhere === true) return () => undefined;
    return () => {
      group.running -= 1;
      this.#running -= 1;
      this.#startNext();
    };
  }

  #groupOf(name: string): Group {
    const nowMs = this.#nowMs();
    const known = this.#groups.get(name);
    if (known !== undefined) {
      this.#refill(known, nowMs);
      return known;
    }
    if (this.#groups.size >= GROUPS_MAX) this.#forgetIdle(nowMs);
    const made: Group = { points: this.#limits.pointsMax, atMs: nowMs, running: 0, waiting: [] };
    this.#groups.set(name, made);
    return made;
  }

  #refill(group: Group, nowMs: number): void {
    const gained = ((nowMs - group.atMs) / 1_000) * this.#limits.pointsPerSecond;
    group.points = Math.min(this.#limits.pointsMax, group.points + gained);
    group.atMs = nowMs;
  }

  #forgetIdle(nowMs: number): void {
    for (const [name, group] of this.#groups) {
      this.#refill(group, nowMs);
      const isIdle = group.running === 0 && group.waiting.length === 0;
      if (isIdle && group.points >= this.#limits.pointsMax) this.#groups.delete(name);
    }
  }

  /** Starts the queries that may run now, and runs again when the next one may. */
  #startNext(): void {
    const nowMs = this.#nowMs();
    let nextMs = Number.POSITIVE_INFINITY;
    // A copy: a group that starts moves to the end of the round.
    const round = Array.from(this.#groups);
    for (const [name, group] of round) {
      if (group.waiting.length === 0) continue;
      this.#refill(group, nowMs);
      refuseLeft(group, nowMs, this.#limits);
      while (this.#mayStart(group)) {
        this.#start(group);
        this.#groups.delete(name);
        this.#groups.set(name, group);
      }
      const [first] = group.waiting;
      if (first === undefined) continue;
      const pointsMs =
        group.points > 0 ? Number.POSITIVE_INFINITY : (-group.points / this.#limits.pointsPerSecond) * 1_000;
      nextMs = Math.min(nextMs, pointsMs, first.untilMs - nowMs);
    }
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (nextMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#startNext(), Math.max(1, Math.ceil(nextMs)));
    this.#timer.unref();
  }

  #mayStart(group: Group): boolean {
    const [first] = group.waiting;
    if (first === undefined || group.points <= 0) return false;
    if (first.query.isElsewhere === true) return true;
    return this.#running < this.#limits.runningMax && group.running < this.#limits.runningOfGroupMax;
  }

  #start(group: Group): void {
    const next = group.waiting.shift();
    if (next === undefined) return;
    group.points -= next.query.cost;
    if (next.query.isElsewhere !== true) {
      group.running += 1;
      this.#running += 1;
    }
    next.start();
  }
}

/** Drops the queries that waited too long, and those whose callers left. */
function refuseLeft(group: Group, nowMs: number, limits: AdmissionLimits): void {
  const waiting = group.waiting.splice(0);
  for (const one of waiting) {
    const { signal } = one.query;
    if (signal?.aborted === true) one.refuse(signal.reason);
    else if (one.untilMs <= nowMs) one.refuse(overloaded(limits, group));
    else group.waiting.push(one);
  }
}

function overloaded(limits: AdmissionLimits, group: Group): PlacardError {
  const retryAfterSeconds = Math.max(1, Math.ceil(-group.points / limits.pointsPerSecond));
  return new PlacardError(
    'overloaded',
    'This network already has many expensive queries running; send them one after the other, or ask for less in each.',
    { details: { retryAfterSeconds } },
  );
}
