import { lifetimeCounterKey } from '../../../domain/money/counter-key.ts';
import type { CounterKind } from '../../../domain/money/counter-key.ts';
import { earnedNanos } from '../../../domain/money/earning.ts';
import { COUNTED_EVENTS, COUNTED_KINDS, EVENT_COUNTERS } from '../../../domain/pricing/pricing-models.ts';
import type { CountedKind } from '../../../domain/pricing/pricing-models.ts';
import type { LineItem } from '../../../domain/booking/line-item.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';

/** Events that follow only some impressions. */
const KINDS = COUNTED_KINDS.flatMap((kind) => {
  const { prior, counter } = COUNTED_EVENTS[kind];
  return prior === null ? [] : [{ kind, prior, counter }];
});
/** Served ads that are assumed as shown before there are any. */
const SHOWN_PRIOR = 20;
/** How many impressions the network's mean weighs in the rate of a line item. */
const MEAN_WEIGHT = 1_000;

/** The expected additions to counters of one served ad of a line item. */
export type Yield = Readonly<Record<Exclude<CounterKind, 'ans'>, number>>;

const NOTHING = Object.fromEntries([...EVENT_COUNTERS, 'spend'].map((counter) => [counter, 0])) as Yield;

/** The expected events of served ads: line items by their own history, shrunk toward the network's mean. */
export class ForecastRates {
  /** How many of the network's served ads are shown. */
  readonly shownShare: number;
  readonly #read: (lineItem: LineItem, kind: CounterKind) => number;
  readonly #means: ReadonlyMap<CountedKind, number>;

  /** @param counters of all time, by key; missing ones are 0 */
  constructor({ lineItems: table, snapshot }: CompiledWorkspace, counters: ReadonlyMap<string, number>) {
    const lineItems = [...table];
    const { workspaceId } = snapshot.workspace;
    this.#read = ({ id }, kind) => counters.get(lifetimeCounterKey({ workspaceId, scope: 'li', id, kind })) ?? 0;
    const sum = (kind: CounterKind, of: readonly CompiledLineItem[]) =>
      of.reduce((total, { booked }) => total + this.#read(booked, kind), 0);
    // Served ads are counted over all time for lifetime goals, by day for others.
    const counted = lineItems.filter(({ booked }) => booked.goal?.period === 'LIFETIME');
    this.shownShare = Math.min(1, (sum('imp', counted) + SHOWN_PRIOR) / (sum('ans', counted) + SHOWN_PRIOR));
    const shown = sum('imp', lineItems);
    this.#means = new Map(
      KINDS.map(({ kind, prior, counter }) => [
        kind,
        (sum(counter, lineItems) + prior.rate * prior.weight) / (shown + prior.weight),
      ]),
    );
  }

  /** The average additions of one served ad of a line item. */
  yieldOf({ booked, priceMicros }: CompiledLineItem): Yield {
    const price = { pricingModel: booked.pricingModel, priceMicros };
    const gains = { ...NOTHING, imp: this.shownShare };
    gains.spend = this.shownShare * Number(earnedNanos('impression', price));
    for (const { kind, counter } of KINDS) {
      const events = this.#read(booked, counter) + (this.#means.get(kind) ?? 0) * MEAN_WEIGHT;
      const rate = this.shownShare * Math.min(1, events / (this.#read(booked, 'imp') + MEAN_WEIGHT));
      gains[counter] = rate;
      gains.spend += rate * Number(earnedNanos(kind, price));
    }
    return gains;
  }
}
