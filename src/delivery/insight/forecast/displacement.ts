import type { Forecast } from '../../../domain/booking/delivery-insight.ts';
import { GOAL_COUNTERS } from '../../../domain/money/limit.ts';
import type { CompiledLineItem } from '../../decision/index/compile-line-items.ts';
import type { Decision } from '../../decision/decision.ts';
import type { ForecastRates } from './forecast-rates.ts';

const DISPLACED_MAX = 20;
const NANOS_PER_MICRO = 1_000;

/** What a draft takes from others: two decisions on each request, without it and with it. */
export class Displacement {
  readonly #rates: ForecastRates;
  readonly #draftId: string;
  /** By line item: how many more ads it serves with the draft. */
  readonly #gained = new Map<string, { readonly lineItem: CompiledLineItem; ads: number }>();
  /** What header bidders pay more with the draft, micros. */
  #headerMicros = 0;

  constructor(rates: ForecastRates, draftId: string) {
    this.#rates = rates;
    this.#draftId = draftId;
  }

  /** @param weight how many opportunities the decisions represent */
  record(before: Decision, after: Decision, weight: number): void {
    this.#count(before, -weight);
    this.#count(after, weight);
  }

  #count({ placements, headerBids }: Decision, ads: number): void {
    for (const placement of placements) {
      if (placement === null) continue;
      const { lineItem } = placement;
      const known = this.#gained.get(lineItem.booked.id);
      if (known === undefined) this.#gained.set(lineItem.booked.id, { lineItem, ads });
      else known.ads += ads;
    }
    for (const bid of headerBids ?? []) if (bid !== null) this.#headerMicros += (ads * bid.cpmMicros) / 1_000;
  }

  report(): Pick<Forecast, 'revenueMicros' | 'displacedRevenueMicros' | 'displacedHeaderBidMicros' | 'displaced'> {
    const changes = [...this.#gained.values()].map(({ lineItem, ads }) => {
      const { id, name, goal } = lineItem.booked;
      const yields = this.#rates.yieldOf(lineItem);
      return {
        lineItemId: id,
        name,
        impressions: -ads * yields.imp,
        goalUnits: goal === null ? null : -ads * yields[GOAL_COUNTERS[goal.kind]],
        revenueMicros: (-ads * yields.spend) / NANOS_PER_MICRO,
      };
    });
    const others = changes.filter(({ lineItemId }) => lineItemId !== this.#draftId);
    const own = changes.find(({ lineItemId }) => lineItemId === this.#draftId);
    const displaced = others
      .map((one) => ({
        ...one,
        impressions: whole(one.impressions),
        goalUnits: one.goalUnits === null ? null : whole(one.goalUnits),
        revenueMicros: whole(one.revenueMicros),
      }))
      .filter(({ impressions }) => impressions > 0)
      .toSorted((one, other) => other.revenueMicros - one.revenueMicros || other.impressions - one.impressions);
    const lost = others.reduce((sum, { revenueMicros }) => sum + revenueMicros, 0) - this.#headerMicros;
    return {
      revenueMicros: whole(-(own?.revenueMicros ?? 0)),
      displacedRevenueMicros: whole(lost),
      displacedHeaderBidMicros: whole(-this.#headerMicros),
      displaced: displaced.slice(0, DISPLACED_MAX),
    };
  }
}

/** Without a negative zero, which JSON does not have. */
const whole = (amount: number): number => Math.round(amount) || 0;
