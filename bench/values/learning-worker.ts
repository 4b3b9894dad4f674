import { decide } from '../../src/delivery/decision/decide.ts';
import { compileWorkspace } from '../../src/delivery/decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../src/delivery/decision/index/compiled-workspace.ts';
import type { Decision } from '../../src/delivery/decision/decision.ts';
import type { DeliveryState } from '../../src/delivery/decision/delivery-state.ts';
import { paceLineItem } from '../../src/delivery/decision/even-pacing.ts';
import { LocalClock } from '../../src/delivery/decision/index/local-clock.ts';
import type { DecisionRecord } from '../../src/delivery/insight/decision-log/decision-log.ts';
import { RecordingState, toDecisionOutcome } from '../../src/delivery/insight/decision-log/decision-tape.ts';
import type { AskedState } from '../../src/delivery/insight/decision-log/decision-tape.ts';
import { liftEvidence } from '../../src/delivery/value/context-model.ts';
import type { ContextModel, RateLifts } from '../../src/delivery/value/context-model.ts';
import type { RateEvidence } from '../../src/delivery/value/draw-rate.ts';
import type { AskedRate } from '../../src/delivery/value/rate-evidence.ts';
import { RateMemory } from '../../src/delivery/value/rate-memory.ts';
import { lifetimeCounterKey } from '../../src/domain/money/counter-key.ts';
import type { CounterKind } from '../../src/domain/money/counter-key.ts';
import { capCounterKey } from '../../src/domain/money/limit.ts';
import type { CountedKind } from '../../src/domain/pricing/pricing-models.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot } from '../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../test/worlds/sample-workspace.ts';

/** Simulated requests come this often. */
const STEP_MS = 50;

/** A decision as the decision log records it, and what came of its ad. */
export interface DecidedOutcome {
  readonly compiled: CompiledWorkspace;
  readonly record: DecisionRecord;
  readonly kind: CountedKind;
  readonly isHit: boolean;
}

export type DecisionSink = (decided: DecidedOutcome) => void;

/** A worker that decides on counters, which grow as events come in. */
export class LearningWorker {
  static readonly START_MS = Date.parse('2026-11-20T10:00:00Z');
  readonly #counters = new Map<string, number>();
  readonly #memory = new RateMemory();
  readonly #clock = new LocalClock();
  readonly #compiled;
  readonly #random: () => number;
  readonly #stepMs: number;
  readonly #sink: DecisionSink | undefined;
  #opportunity = sampleOpportunity({ slots: [sampleSlot({})] });
  /** How rates depend on the context; null: not at all. */
  model: ContextModel | null = null;
  readonly #state: DeliveryState;
  readonly #asked: AskedState;
  #record: DecisionRecord | null = null;
  #nowMs = LearningWorker.START_MS;

  /** @param sink gets each decision that `report` tells the outcome of; absent: decisions are not recorded, which is faster */
  constructor(network: SampleInput, random: () => number, sink?: DecisionSink, stepMs = STEP_MS) {
    this.#stepMs = stepMs;
    this.#random = random;
    this.#sink = sink;
    this.#compiled = compileWorkspace(sampleSnapshot(network), LearningWorker.START_MS, (_id, error) => {
      throw error;
    });
    const counter = (key: string): number => this.#counters.get(key) ?? 0;
    const rate = (asked: AskedRate, parent: RateEvidence | null): RateEvidence => {
      const evidence = this.#memory.evidence(asked, parent, {
        read: counter,
        nowMs: this.#nowMs,
        maturity: (_workspaceId, key) => this.model?.maturity(key) ?? null,
      });
      if (asked.context === undefined || this.model === null) return evidence;
      return liftEvidence(evidence, this.model.lift(asked, asked.context));
    };
    const lifts = (): RateLifts | null => (this.model?.knowsLineItems === true ? this.model : null);
    this.#state = { counter, pacer: {}, rate, lifts };
    this.#asked = {
      counter,
      rate,
      capCount: (check, day) => counter(capCounterKey(check, day)),
      isUsedUp: () => false,
      hasWorths: () => false,
      lifts,
      unitBar: () => null,
      pace: (lineItem, at) =>
        paceLineItem(lineItem, { ...at, local: this.#clock.at(at.nowMs, lineItem.booked.timezone) }, { counter }),
    };
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** The next requests come from such a device. */
  useDevice(deviceType: string): void {
    const { reported } = this.#opportunity;
    this.#opportunity = { ...this.#opportunity, deviceType, reported: { ...reported, deviceType } };
  }

  /** @returns the line item and the creative of the next request */
  decideNext(): { readonly lineItemId: string; readonly creativeId: string } {
    this.#nowMs += this.#stepMs;
    const made = this.#sink === undefined ? this.#decide() : this.#decideAndRecord();
    const [placement] = made.placements;
    if (placement === null || placement === undefined) throw new Error('Every request of these worlds can be filled');
    return { lineItemId: placement.lineItem.booked.id, creativeId: placement.creative.creative.id };
  }

  /** Tells what came of the last ad. */
  report(kind: CountedKind, isHit: boolean): void {
    if (this.#record !== null) this.#sink?.({ compiled: this.#compiled, record: this.#record, kind, isHit });
  }

  count(
    kind: CounterKind,
    ad: { readonly lineItemId: string; readonly creativeId: string; readonly advertiserId: string },
  ): void {
    const subjects = [
      ['li', ad.lineItemId],
      ['cr', ad.creativeId],
      ['ad', ad.advertiserId],
    ] as const;
    for (const [scope, id] of subjects) {
      const key = lifetimeCounterKey({ workspaceId: 1, scope, id, kind });
      this.#counters.set(key, (this.#counters.get(key) ?? 0) + 1);
    }
  }

  #decide(): Decision {
    return decide(this.#compiled, this.#opportunity, {
      state: this.#state,
      nowMs: this.#nowMs,
      random: this.#random,
    });
  }

  #decideAndRecord(): Decision {
    const state = new RecordingState(this.#asked, this.#random);
    const atMs = this.#nowMs;
    const opportunity = this.#opportunity;
    const made = decide(this.#compiled, opportunity, { state, nowMs: atMs, random: state.random });
    const { workspaceId } = opportunity;
    this.#record = { snapshot: '', workspaceId, atMs, opportunity, tape: state.tape, answer: toDecisionOutcome(made) };
    return made;
  }
}
