import { capCounterKey } from '../../../domain/money/limit.ts';
import type { Draw } from '../../decision/draws/quota-draws.ts';
import type { CapCheck } from '../../../domain/money/limit.ts';
import type { CompiledLineItem, PacingState } from '../../decision/index/compile-line-items.ts';
import type { Decision } from '../../decision/decision.ts';
import type { DeliveryState, PaceAt } from '../../decision/delivery-state.ts';
import type { UnitBar } from '../../value/recent-draws.ts';
import type { RateLifts } from '../../value/context-model.ts';
import { ownerName } from '../../value/rate-context.ts';
import type { RateEvidence } from '../../value/draw-rate.ts';
import type { AskedRate } from '../../value/rate-evidence.ts';

/** A state whose every member is queried each time, so that the tape holds all inputs of a decision. */
export type AskedState = Required<Omit<DeliveryState, 'pacer' | 'isIncomplete' | 'readsLater' | 'isWithoutTrials'>>;

/**
 * The queries of a decision, in order: a counter, a limit's count, whether a limit is used up, a line item's pace, the allocation plan (its
 * mean value of PRICE; null = there is none), a line item's share by the plan, a rate's
 * events and trials, whether rates depend on the context, by which factor one does, whether a line item chooses its units, the bar that their draws must reach, a draw.
 */
export type TapeEntry =
  | readonly ['counter', string, number]
  | readonly ['cap', string, number]
  | readonly ['usedUp', string, boolean]
  | readonly ['pace', string, boolean, number, number | null]
  | readonly ['rate', string, number, number]
  | readonly ['worths', string, boolean]
  | readonly ['contexts', string, boolean]
  | readonly ['lift', string, number]
  | readonly ['units', string, boolean]
  | readonly ['bar', string, number]
  | readonly ['draw', number];

/** The result of a decision as the log holds it. */
export interface DecisionOutcome {
  /** By slot; null = empty. */
  readonly placements: readonly (LoggedPlacement | null)[];
  readonly noFill: string | null;
}

export interface LoggedPlacement {
  readonly slotId: string;
  readonly lineItemId: string;
  readonly creativeId: string;
  /** CPM micros. */
  readonly bidMicros: number;
  readonly width: number;
  readonly height: number;
  readonly dealCode: string;
  /** Ids of its companion creatives. */
  readonly companions: readonly string[];
}

/** Everything in a decision that its replay must reproduce. */
export function toDecisionOutcome({ placements, noFill }: Decision): DecisionOutcome {
  return {
    placements: placements.map((placement) =>
      placement === null
        ? null
        : {
            slotId: placement.slot.slotId,
            lineItemId: placement.lineItem.booked.id,
            creativeId: placement.creative.creative.id,
            bidMicros: placement.bidMicros,
            width: placement.width,
            height: placement.height,
            dealCode: placement.dealCode,
            companions: placement.companions.creatives.map(({ creative }) => creative.id),
          },
    ),
    noFill,
  };
}

/** The recorded state of a decision: forwards every query and records its result. */
export class RecordingState implements AskedState {
  readonly tape: TapeEntry[] = [];
  readonly #state: AskedState;
  readonly #draw: Draw;

  constructor(state: AskedState, random: Draw) {
    this.#state = state;
    this.#draw = random;
  }

  readonly random: Draw = (quota) => {
    const drawn = this.#draw(quota);
    this.tape.push(['draw', drawn]);
    return drawn;
  };

  counter(key: string): number {
    const value = this.#state.counter(key);
    this.tape.push(['counter', key, value]);
    return value;
  }

  capCount(check: CapCheck, day: string): number {
    const value = this.#state.capCount(check, day);
    this.tape.push(['cap', capCounterKey(check, day), value]);
    return value;
  }

  isUsedUp(check: CapCheck): boolean {
    const isUsedUp = this.#state.isUsedUp(check);
    this.tape.push(['usedUp', limitName(check), isUsedUp]);
    return isUsedUp;
  }

  pace(lineItem: CompiledLineItem, at: PaceAt): PacingState {
    const pacing = this.#state.pace(lineItem, at);
    this.tape.push(['pace', lineItem.booked.id, pacing.mayDeliver, pacing.urgency, pacing.worth ?? null]);
    return pacing;
  }

  rate(asked: AskedRate, parent: RateEvidence | null): RateEvidence {
    const evidence = this.#state.rate(asked, parent);
    this.tape.push(['rate', rateName(asked), evidence.hits, evidence.trials]);
    return evidence;
  }

  hasWorths(): boolean {
    const hasWorths = this.#state.hasWorths();
    this.tape.push(['worths', '', hasWorths]);
    return hasWorths;
  }

  lifts(workspaceId: number): RateLifts | null {
    const lifts = this.#state.lifts(workspaceId);
    this.tape.push(['contexts', '', lifts !== null]);
    if (lifts === null) return null;
    const lift: RateLifts['lift'] = (owner, context) => {
      const factor = lifts.lift(owner, context);
      this.tape.push(['lift', ownerName(owner), factor]);
      return factor;
    };
    return { lift };
  }

  unitBar(lineItemId: string): UnitBar | null {
    const bar = this.#state.unitBar(lineItemId);
    this.tape.push(['units', lineItemId, bar !== null]);
    if (bar === null) return null;
    const at = (share: number): number => {
      const least = bar.at(share);
      this.tape.push(['bar', lineItemId, least]);
      return least;
    };
    return { at };
  }
}

/** What is known of whose rate of which event. */
export function rateName({ kind, lineItemId, creativeId, unit }: AskedRate): string {
  if (unit !== undefined) return `${kind}/li/${lineItemId}/un/${unit}`;
  return creativeId === '' ? `${kind}/li/${lineItemId}/` : `${kind}/li/${lineItemId}/cr/${creativeId}`;
}

/** A query of the replay differs from that of the decision. */
export class TapeDifference extends Error {
  override readonly name = 'TapeDifference';
}

/** Returns the recorded results to a replay. Every method throws `TapeDifference` when the query differs. */
export class ReplayingState implements AskedState {
  readonly #tape: readonly TapeEntry[];
  #at = 0;

  constructor(tape: readonly TapeEntry[]) {
    this.#tape = tape;
  }

  /** Entries that were not read. */
  get left(): number {
    return this.#tape.length - this.#at;
  }

  readonly random = (): number => this.#next('draw', '')[1];

  counter(key: string): number {
    return this.#next('counter', key)[2];
  }

  capCount(check: CapCheck, day: string): number {
    return this.#next('cap', capCounterKey(check, day))[2];
  }

  isUsedUp(check: CapCheck): boolean {
    return this.#next('usedUp', limitName(check))[2];
  }

  pace(lineItem: CompiledLineItem): PacingState {
    const [, , mayDeliver, urgency, worth] = this.#next('pace', lineItem.booked.id);
    return { mayDeliver, urgency, ...(worth === null ? {} : { worth }) };
  }

  rate(asked: AskedRate): RateEvidence {
    const [, , hits, trials] = this.#next('rate', rateName(asked));
    return { hits, trials };
  }

  hasWorths(): boolean {
    return this.#next('worths', '')[2];
  }

  /** Logs of earlier versions know no contexts: their values were the same everywhere. */
  lifts(): RateLifts | null {
    if (this.#tape[this.#at]?.[0] !== 'contexts') return null;
    if (!this.#next('contexts', '')[2]) return null;
    return { lift: (owner) => this.#next('lift', ownerName(owner))[2] };
  }

  /** Logs of earlier versions know no bars: their line items chose no units. */
  unitBar(lineItemId: string): UnitBar | null {
    if (this.#tape[this.#at]?.[0] !== 'units') return null;
    return this.#next('units', lineItemId)[2] ? { at: () => this.#next('bar', lineItemId)[2] } : null;
  }

  #next<Kind extends TapeEntry[0]>(kind: Kind, subject: string): Extract<TapeEntry, readonly [Kind, ...unknown[]]> {
    const entry = this.#tape[this.#at];
    this.#at += 1;
    if (entry === undefined || entry[0] !== kind || (kind !== 'draw' && entry[1] !== subject))
      throw new TapeDifference(
        `step ${this.#at}: the replay asks for ${kind} ${subject}; logged is ${entry === undefined ? 'nothing more' : `${entry[0]} ${entry[1]}`}`,
      );
    return entry as Extract<TapeEntry, readonly [Kind, ...unknown[]]>;
  }
}

/** A hard limit, as the tape names it. */
export function limitName({ reason, subject, timezone }: CapCheck): string {
  return `${reason}/${subject.scope}/${subject.id}/${subject.kind}/${timezone ?? 'all'}`;
}
