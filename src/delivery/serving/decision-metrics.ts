import { Counter, type Registry } from 'prom-client';
import { SummedHistogram } from '../../http/shared/summed-histogram.ts';
import type { NoFill } from '../../domain/booking/delivery-cause.ts';
import type { Decision } from '../decision/decision.ts';

const REASONS: readonly NoFill[] = ['no_match', 'capped', 'budget', 'floor', 'network_paused', 'header_bid'];

/** Counts decisions by their result and measures them. Sums are handed over when they are read: a decision must not pay for them. */
export class DecisionMetrics {
  readonly #histogram = new SummedHistogram({
    name: 'placard_decision_seconds',
    help: 'Time to decide which ads a request gets, waits for the hot store included.',
    boundsMs: [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50],
  });
  readonly #durations = this.#histogram.open();
  readonly #noFills: Record<NoFill, number> = {
    no_match: 0,
    capped: 0,
    budget: 0,
    floor: 0,
    network_paused: 0,
    header_bid: 0,
  };
  #filled = 0;
  #slots = 0;
  #filledSlots = 0;

  /** Records a decision for a user, not a test. */
  record({ placements, noFill }: Decision, startedMs: number): void {
    this.#durations.observe(performance.now() - startedMs);
    this.#slots += placements.length;
    if (noFill === null) {
      this.#filled += 1;
      for (const placement of placements) if (placement !== null) this.#filledSlots += 1;
    } else this.#noFills[noFill] += 1;
  }

  /** Shows them with a registry's other metrics. @throws Error when a name is taken */
  register(registry: Registry): void {
    this.#histogram.register(registry);
    const build = (): { results: [string, number][]; filled: number; empty: number } => {
      const results: [string, number][] = [
        ['filled', this.#filled],
        ...REASONS.map((reason): [string, number] => [reason, this.#noFills[reason]]),
      ];
      return { results, filled: this.#filledSlots, empty: this.#slots - this.#filledSlots };
    };
    const registers = [registry];
    new Counter({
      name: 'placard_decisions_total',
      help: 'Decisions by result: filled (at least one slot), or why the request got no ad.',
      labelNames: ['result'],
      registers,
      collect() {
        this.reset();
        for (const [result, count] of build().results) this.inc({ result }, count);
      },
    });
    new Counter({
      name: 'placard_slots_total',
      help: 'Slots of decided requests, by whether they got an ad.',
      labelNames: ['result'],
      registers,
      collect() {
        this.reset();
        const { filled, empty } = build();
        this.inc({ result: 'filled' }, filled);
        this.inc({ result: 'empty' }, empty);
      },
    });
  }
}
