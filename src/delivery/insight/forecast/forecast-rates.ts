import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { CounterKind } from '../../../domain/money/counter-key.ts';
import { COUNTER_OF, earnedNanos } from '../../../domain/money/earning.ts';
import type { CountedKind } from '../../../domain/money/earning.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';

/** What is assumed of a network without history, and how many impressions that weighs. */
const USUAL: Readonly<Record<Exclude<CountedKind, 'impression'>, { rate: number; weight: number }>> = {
  viewable: { rate: 0.5, weight: 100 },
  click: { rate: 0.001, weight: 1_000 },
  activity: { rate: 0.0001, weight: 10_000 },
};
const KINDS = ['viewable', 'click', 'activity'] as const;
/** Answers that are taken as shown before there are any. */
const SHOWN_PRIOR = 20;
/** How many impressions the network's mean weighs in the rate of a line item. */
const MEAN_WEIGHT = 1_000;

/** What one answer of a line item is expected to add to counters. */
export type Yield = Readonly<Record<Exclude<CounterKind, 'ans'>, number>>;

/** What becomes of answers, by what became of them up to now: line items by their own history, shrunk toward the network's mean. */
export class ForecastRates {
  /** How many of the network's answers are shown. */
  readonly shownShare: number;
  readonly #read: (lineItem: LineItem, kind: CounterKind) => number;
  readonly #means: Readonly<Record<(typeof KINDS)[number], number>>;

  /** @param counters of all time, by key; what is missing stands at 0 */
  constructor({ rows, snapshot }: CompiledWorkspace, counters: ReadonlyMap<string, number>) {
    const { workspaceId } = snapshot.workspace;
    this.#read = ({ id }, kind) => counters.get(lifetimeCounterKey({ workspaceId, scope: 'li', id, kind })) ?? 0;
    const sum = (kind: CounterKind, of: readonly CompiledLineItem[]) =>
      of.reduce((total, { lineItem }) => total + this.#read(lineItem, kind), 0);
    // Answers are counted for lifetime goals as a whole, for others by the day.
    const counted = rows.filter(({ lineItem }) => lineItem.goal?.period === 'LIFETIME');
    this.shownShare = Math.min(1, (sum('imp', counted) + SHOWN_PRIOR) / (sum('ans', counted) + SHOWN_PRIOR));
    const shown = sum('imp', rows);
    const meanOf = (kind: (typeof KINDS)[number]) => {
      const { rate, weight } = USUAL[kind];
      return (sum(COUNTER_OF[kind], rows) + rate * weight) / (shown + weight);
    };
    this.#means = { viewable: meanOf('viewable'), click: meanOf('click'), activity: meanOf('activity') };
  }

  /** What one answer of a line item adds, on average. */
  yieldOf({ lineItem, priceMicros }: CompiledLineItem): Yield {
    const gains = { imp: this.shownShare, view: 0, clk: 0, conv: 0, spend: 0 };
    const price = { pricingModel: lineItem.pricingModel, priceMicros };
    gains.spend = this.shownShare * Number(earnedNanos('impression', price));
    for (const kind of KINDS) {
      const events = this.#read(lineItem, COUNTER_OF[kind]) + this.#means[kind] * MEAN_WEIGHT;
      const rate = this.shownShare * Math.min(1, events / (this.#read(lineItem, 'imp') + MEAN_WEIGHT));
      gains[COUNTER_OF[kind] as keyof Yield] = rate;
      gains.spend += rate * Number(earnedNanos(kind, price));
    }
    return gains;
  }
}
