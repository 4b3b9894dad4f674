import { localDay } from '../../domain/time/calendar.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import { dayCounterKey } from '../../domain/money/counter-key.ts';
import { nanosEach } from '../../domain/money/earning.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { isSameCounter, readHeadroom } from '../../storage/hot/limit-headroom.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';

/** How long a result is valid. */
const VALID_MS = 250;

/** The parts of the check of one process. */
export interface FlatHeadroomDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** By which reservations expire; absent: `nowMs`. */
  readonly expiryNowMs?: () => number;
  /** These limits have no headroom until then, epoch milliseconds. */
  readonly recordUsedUp: (checks: readonly CapCheck[], untilMs: number) => void;
  readonly recordFailure: (error: unknown) => void;
}

/** The present day of a FLAT line item with money limits. */
export interface FlatDay {
  readonly lineItem: CompiledLineItem;
  readonly workspaceId: number;
  readonly decidedAtMs: number;
}

/**
 * Whether budgets have headroom for the day of a FLAT line item beside all that responses hold, by the rule that billing applies when it
 * books the day. Otherwise the line item would be shown and not be paid for. The check reserves nothing: all responses until the day is
 * booked share its price.
 */
export class FlatHeadroom {
  readonly #deps: FlatHeadroomDeps;
  readonly #found = new WeakMap<CompiledLineItem, { readonly hasHeadroom: boolean; readonly untilMs: number }>();
  readonly #checking = new WeakMap<CompiledLineItem, Promise<boolean>>();

  constructor(deps: FlatHeadroomDeps) {
    this.#deps = deps;
  }

  /** Waits only where no result is younger than a quarter of a second. Also false while the hot store is unavailable. */
  hasHeadroom(day: FlatDay): boolean | Promise<boolean> {
    const checks = day.lineItem.capChecks.filter(({ subject }) => subject.kind === 'spend');
    if (day.lineItem.priceMicros === 0) return true;
    const found = this.#found.get(day.lineItem);
    if (found !== undefined && this.#deps.nowMs() < found.untilMs) return found.hasHeadroom;
    const pending = this.#checking.get(day.lineItem);
    if (pending !== undefined) return pending;
    const checking = this.#check(day, checks).finally(() => this.#checking.delete(day.lineItem));
    this.#checking.set(day.lineItem, checking);
    return checking;
  }

  async #check(day: FlatDay, checks: readonly CapCheck[]): Promise<boolean> {
    const { nowMs, recordUsedUp, recordFailure } = this.#deps;
    let full: readonly CapCheck[] = checks;
    try {
      full = await this.#findFull(day, checks);
    } catch (error) {
      recordFailure(error);
    }
    const untilMs = nowMs() + VALID_MS;
    if (full.length > 0) recordUsedUp(full, untilMs);
    this.#found.set(day.lineItem, { hasHeadroom: full.length === 0, untilMs });
    return full.length === 0;
  }

  /** The limits that the day's price would exceed; none once the day is earned. */
  async #findFull({ lineItem, workspaceId, decidedAtMs }: FlatDay, checks: readonly CapCheck[]): Promise<CapCheck[]> {
    const { hot, nowMs, expiryNowMs = nowMs } = this.#deps;
    const price = Number(nanosEach(lineItem));
    const full = await Promise.all(
      distinctSubjects(checks).map(async (subject) => {
        const query = { subject, checks, holds: ['firm'], atMs: decidedAtMs, nowMs: expiryNowMs() } as const;
        return (await readHeadroom(hot, query)) < price ? subject : null;
      }),
    );
    if (full.every((subject) => subject === null)) return [];
    // This read comes last: the event that books the day uses the headroom and records the day in one step.
    const own = { workspaceId, scope: 'li', id: lineItem.booked.id, kind: 'spend' } as const;
    const [earned = 0n] = await hot.readCounters([dayCounterKey(own, localDay(decidedAtMs, lineItem.booked.timezone))]);
    if (earned > 0n) return [];
    return checks.filter(({ subject }) => full.some((one) => one !== null && isSameCounter(one, subject)));
  }
}

function distinctSubjects(checks: readonly CapCheck[]): CounterSubject[] {
  const subjects = checks.map(({ subject }) => subject);
  return subjects.filter((one, at) => subjects.findIndex((other) => isSameCounter(one, other)) === at);
}
