import { capCounterKey } from '../../../domain/money/limit.ts';
import type { CapCheck } from '../../../domain/money/limit.ts';
import type { Draw } from '../../decision/draws/quota-draws.ts';
import type { CompiledLineItem, PacingState } from '../../decision/index/compile-line-items.ts';
import type { RateLifts } from '../../value/context-model.ts';
import type { RateEvidence } from '../../value/draw-rate.ts';
import { ownerName } from '../../value/rate-context.ts';
import { evidenceByCounters } from '../../value/rate-evidence.ts';
import type { AskedRate } from '../../value/rate-evidence.ts';
import type { UnitBar } from '../../value/recent-draws.ts';
import { limitName, rateName } from '../decision-log/decision-tape.ts';
import type { AskedState, TapeEntry } from '../decision-log/decision-tape.ts';

type EntryOf<Kind extends TapeEntry[0]> = Extract<TapeEntry, readonly [Kind, ...unknown[]]>;

/** Facts whose absence may change a reason. */
const COUNTED_AS_ASSUMED: ReadonlySet<TapeEntry[0]> = new Set(['counter', 'cap', 'pace', 'rate']);

/**
 * What a logged decision knew, for questions in any order: explaining losers asks more than deciding did. A question that the tape has next is
 * read from there, others by what was known of the same subject. Counters that were never read are 0, and limits that were never checked hold.
 */
export class RecalledState implements AskedState {
  readonly #tape: readonly TapeEntry[];
  readonly #known = new Map<string, TapeEntry>();
  readonly #draws: readonly number[];
  readonly #further: () => number;
  readonly #assumed = new Set<string>();
  #at = 0;
  #drawn = 0;

  /** @param further draws beyond those of the tape, uniform in [0, 1) */
  constructor(tape: readonly TapeEntry[], further: () => number) {
    this.#tape = tape.filter(([kind]) => kind !== 'draw');
    this.#draws = tape.filter((entry): entry is EntryOf<'draw'> => entry[0] === 'draw').map(([, drawn]) => drawn);
    for (const entry of this.#tape) {
      const key = `${entry[0]} ${entry[1]}`;
      if (!this.#known.has(key)) this.#known.set(key, entry);
    }
    this.#further = further;
  }

  /** How many values were asked that the tape does not hold. */
  get assumedValues(): number {
    return this.#assumed.size;
  }

  readonly random: Draw = () => {
    const drawn = this.#draws[this.#drawn];
    this.#drawn += 1;
    return drawn ?? this.#further();
  };

  counter(key: string): number {
    return this.#recall('counter', key)?.[2] ?? 0;
  }

  capCount(check: CapCheck, day: string): number {
    return this.#recall('cap', capCounterKey(check, day))?.[2] ?? 0;
  }

  isUsedUp(check: CapCheck): boolean {
    return this.#recall('usedUp', limitName(check))?.[2] ?? false;
  }

  pace(lineItem: CompiledLineItem): PacingState {
    const known = this.#recall('pace', lineItem.booked.id);
    if (known === null) return { mayDeliver: true, urgency: 0 };
    const [, , mayDeliver, urgency, worth] = known;
    return { mayDeliver, urgency, ...(worth === null ? {} : { worth }) };
  }

  rate(asked: AskedRate, parent: RateEvidence | null): RateEvidence {
    const known = this.#recall('rate', rateName(asked));
    return known === null ? evidenceByCounters(asked, parent, () => 0) : { hits: known[2], trials: known[3] };
  }

  hasWorths(): boolean {
    return this.#recall('worths', '')?.[2] === true;
  }

  lifts(): RateLifts | null {
    if (this.#recall('contexts', '')?.[2] !== true) return null;
    return { lift: (owner) => this.#recall('lift', ownerName(owner))?.[2] ?? 1 };
  }

  unitBar(lineItemId: string): UnitBar | null {
    if (this.#recall('units', lineItemId)?.[2] !== true) return null;
    return { at: () => this.#recall('bar', lineItemId)?.[2] ?? 0 };
  }

  #recall<Kind extends TapeEntry[0]>(kind: Kind, subject: string): EntryOf<Kind> | null {
    const key = `${kind} ${subject}`;
    const next = this.#tape[this.#at];
    if (next !== undefined && next[0] === kind && next[1] === subject) {
      this.#at += 1;
      // Later questions of the same subject get what was known last.
      this.#known.set(key, next);
      return next as EntryOf<Kind>;
    }
    const known = this.#known.get(key);
    if (known === undefined && COUNTED_AS_ASSUMED.has(kind)) this.#assumed.add(key);
    return (known as EntryOf<Kind> | undefined) ?? null;
  }
}
