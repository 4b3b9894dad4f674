import { firmNanos } from '../../domain/money/earning.ts';
import type { CompiledLineItem } from './index/compile-line-items.ts';

/** Shared and never changed. */
const NO_IDS = new Set<string>();
const NO_TEXTS = new Map<string, string>();
const NO_SUMS = new Map<string, number>();

/** The ads in earlier slots of the same request. */
export class ResponseSoFar {
  creativeIds: Set<string> = NO_IDS;
  /** Exclusion label → the line item that has it. */
  labels: Map<string, string> = NO_TEXTS;
  #impressions: Map<string, number> = NO_SUMS;
  #nanos: Map<string, number> = NO_SUMS;

  /** @param joins the ad is a companion, or the master of companions that are placed already: the line item is counted for them once */
  add(lineItem: CompiledLineItem, creativeId: string, bidMicros: number, joins = false): void {
    if (this.creativeIds === NO_IDS) {
      // Most requests have one slot and never need these maps.
      this.creativeIds = new Set();
      this.labels = new Map();
      this.#impressions = new Map();
      this.#nanos = new Map();
    }
    this.creativeIds.add(creativeId);
    for (const label of lineItem.exclusionLabels)
      if (!this.labels.has(label)) this.labels.set(label, lineItem.booked.id);
    if (joins) {
      this.#impressions.set(`cr/${creativeId}`, this.impressionsOf(`cr/${creativeId}`) + 1);
      return;
    }
    const owners = [
      `li/${lineItem.booked.id}`,
      `ca/${lineItem.campaign.id}`,
      `ad/${lineItem.advertiser.id}`,
      `cr/${creativeId}`,
    ];
    for (const owner of owners) {
      this.#impressions.set(owner, this.impressionsOf(owner) + 1);
      this.#nanos.set(owner, this.nanosOf(owner) + firmNanos(lineItem, bidMicros));
    }
    for (const label of cappedLabelsOf(lineItem)) this.#impressions.set(label, this.impressionsOf(label) + 1);
  }

  /** A response that grows on its own from here. */
  copy(): ResponseSoFar {
    const copied = new ResponseSoFar();
    if (this.creativeIds === NO_IDS) return copied;
    copied.creativeIds = new Set(this.creativeIds);
    copied.labels = new Map(this.labels);
    copied.#impressions = new Map(this.#impressions);
    copied.#nanos = new Map(this.#nanos);
    return copied;
  }

  impressionsOf(owner: string): number {
    return this.#impressions.get(owner) ?? 0;
  }

  nanosOf(owner: string): number {
    return this.#nanos.get(owner) ?? 0;
  }
}

/** The owners of the caps of its labels, each once. */
function cappedLabelsOf({ frequencyChecks }: CompiledLineItem): ReadonlySet<string> {
  return new Set(frequencyChecks.filter(({ scope }) => scope === 'la').map(({ scope, id }) => `${scope}/${id}`));
}
