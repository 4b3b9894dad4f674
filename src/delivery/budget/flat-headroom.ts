import { localDay } from '../../domain/time/calendar.ts';
import type { CounterSubject } from '../../domain/money/counter-key.ts';
import { dayCounterKey } from '../../domain/money/counter-key.ts';
import { nanosEach } from '../../domain/money/earning.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { isSameCounter, readHeadroom } from '../../storage/hot/limit-headroom.ts';
import type { CompiledLineItem } from '../decision/index/compile-line-items.ts';

/** How long it is believed what was found. */
const BELIEVED_MS = 250;

/** What the rooms of one process are looked at with. */
export interface FlatRoomDeps {
  readonly hot: HotStore;
  readonly nowMs: () => number;
  /** These limits leave no room until then, epoch milliseconds. */
  readonly noteUsedUp: (checks: readonly CapCheck[], untilMs: number) => void;
  readonly noteFailure: (error: unknown) => void;
}

/** A FLAT line item with money limits whose day is to be shown. */
export interface FlatDay {
  readonly row: CompiledLineItem;
  readonly workspaceId: number;
  readonly decidedAtMs: number;
}

/**
 * Whether budgets have room for the day of a FLAT line item beside all that answers hold, as billing will ask when the day is booked:
 * else it would be shown and not be paid for. The look takes nothing: answers that go out until the day is booked share its price.
 */
export class FlatHeadroom {
  readonly #deps: FlatRoomDeps;
  readonly #found = new WeakMap<CompiledLineItem, { readonly hasHeadroom: boolean; readonly untilMs: number }>();
  readonly #looking = new WeakMap<CompiledLineItem, Promise<boolean>>();

  constructor(deps: FlatRoomDeps) {
    this.#deps = deps;
  }

  /** Waits only where nobody has looked within a quarter of a second. False too while the hot store is away. */
  hasHeadroom(day: FlatDay): boolean | Promise<boolean> {
    const checks = day.row.capChecks.filter(({ subject }) => subject.kind === 'spend');
    if (day.row.priceMicros === 0) return true;
    const found = this.#found.get(day.row);
    if (found !== undefined && this.#deps.nowMs() < found.untilMs) return found.hasHeadroom;
    const standing = this.#looking.get(day.row);
    if (standing !== undefined) return standing;
    const looking = this.#look(day, checks).finally(() => this.#looking.delete(day.row));
    this.#looking.set(day.row, looking);
    return looking;
  }

  async #look(day: FlatDay, checks: readonly CapCheck[]): Promise<boolean> {
    const { nowMs, noteUsedUp, noteFailure } = this.#deps;
    let full: readonly CapCheck[] = checks;
    try {
      full = await this.#findFull(day, checks);
    } catch (error) {
      noteFailure(error);
    }
    const untilMs = nowMs() + BELIEVED_MS;
    if (full.length > 0) noteUsedUp(full, untilMs);
    this.#found.set(day.row, { hasHeadroom: full.length === 0, untilMs });
    return full.length === 0;
  }

  /** The limits that the day's price would pass; none once it is earned. */
  async #findFull({ row, workspaceId, decidedAtMs }: FlatDay, checks: readonly CapCheck[]): Promise<CapCheck[]> {
    const { hot, nowMs } = this.#deps;
    const price = Number(nanosEach(row));
    const full = await Promise.all(
      distinctSubjects(checks).map(async (subject) => {
        const room = { subject, checks, holds: ['firm'], atMs: decidedAtMs, nowMs: nowMs() } as const;
        return (await readHeadroom(hot, room)) < price ? subject : null;
      }),
    );
    if (full.every((subject) => subject === null)) return [];
    // Looked at last: the event that books the day takes the room and tells so in one step.
    const own = { workspaceId, scope: 'li', id: row.lineItem.id, kind: 'spend' } as const;
    const [earned = 0n] = await hot.readCounters([dayCounterKey(own, localDay(decidedAtMs, row.lineItem.timezone))]);
    if (earned > 0n) return [];
    return checks.filter(({ subject }) => full.some((one) => one !== null && isSameCounter(one, subject)));
  }
}

function distinctSubjects(checks: readonly CapCheck[]): CounterSubject[] {
  const subjects = checks.map(({ subject }) => subject);
  return subjects.filter((one, at) => subjects.findIndex((other) => isSameCounter(one, other)) === at);
}
