import { lifetimeCounterKey } from '../../domain/money/counter-key.ts';
import type { CounterKind, CounterScope } from '../../domain/money/counter-key.ts';
import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import { maturityOfAdvertiser, maturityOfLineItem } from './conversion-delays.ts';
import type { RateEvidence } from './draw-rate.ts';
import { plainEvidence, ratedOwner, shrunkEvidence, shrunkLineItemEvidence } from './rate-evidence.ts';
import type { AskedRate, Tally } from './rate-evidence.ts';

/** After so many impressions of its line item, an impression weighs 1/e; at least as many as bring this many events. */
const MEMORY_TRIALS = 100_000;
const MEMORY_HITS = 100;
/** An impression weighs 1/e after this time, however few came since. */
const MEMORY_MS = 28 * 86_400_000;
/** Impressions of the line item after which recent ones become old ones. */
const BLOCK_TRIALS = 200;
/** So many events must be expected of recent impressions before they are compared with the old ones. */
const COMPARED_HITS_MIN = 25;
/** Recent impressions are compared once so much of the events of all has come. */
const COMPARED_MATURITY_MIN = 0.95;
/** Recent impressions whose rate is so many standard deviations from the old ones show that the rate has changed. */
const CHANGE_DEVIATIONS = 4.5;
/** The part of the evidence of its siblings that is kept when the rate of one has changed. */
const KEPT_OF_SIBLINGS = 0.1;
/** The most line items and creatives whose rates are remembered; beyond, all are learned again from their counters. */
const REMEMBERED_MAX = 100_000;

/** A line item's impressions weigh at most so much in the rate of its network. */
const NETWORK_TRIALS_MAX = 2_000;
const NOTHING: Tally = { trials: 0, hits: 0 };
/** How long evidence is used again: as long as the counters that a worker has read. */
const FRESH_MS = 1_000;
/** Events that the usual rate weighs in the length of the memory. */
const USUAL_HITS = 1;

/** The counters at a moment. */
export interface RateSource {
  /** Null while a counter is unknown. */
  readonly read: (key: string) => number | null;
  readonly nowMs: number;
  /** The part of the impressions whose conversions have come, by `maturityOfLineItem` or `maturityOfAdvertiser`; null or absent = all. */
  readonly maturity?: (workspaceId: number, key: string) => number | null;
}

/**
 * What one worker knows of rates: the counters of all time, with older impressions weighing less, and forgotten when the rate changes. The counters
 * are shared by all workers, so that each learns from the events of all within a second. Begins again from the counters.
 */
export class RateMemory {
  readonly #known = new Map<string, Known>();
  /** The line items of each network whose rates were read. */
  readonly #networks = new Map<string, SummedTally>();
  /** The creatives, and the units, of each line item whose rates were read. */
  readonly #siblings = new Map<string, Siblings>();

  /**
   * The evidence at a moment: priors from the network over the advertiser and the line item to the creative. Valid for a second.
   * @param parent the evidence of the line item, for a creative or unit; null for a line item
   */
  evidence(asked: AskedRate, parent: RateEvidence | null, source: RateSource): RateEvidence {
    const { read, nowMs } = source;
    const lineItem = `${asked.kind}/${asked.workspaceId}/${asked.lineItemId}`;
    const group = asked.unit === undefined ? lineItem : `${lineItem}/un`;
    const name = parent === null ? lineItem : `${group}/${asked.unit ?? asked.creativeId}`;
    const known = this.#known.get(name) ?? this.#begin(name, asked, parent === null ? null : group);
    if (nowMs < known.freshUntilMs && nowMs >= known.freshUntilMs - FRESH_MS) return known.evidence;
    const trials = read(known.keys.trials);
    const hits = read(known.keys.hits);
    const trialsAbove = read(known.keys.trialsAbove);
    const hitsAbove = parent === null ? read(known.keys.hitsAbove) : 0;
    const tally = { trials: trials ?? 0, hits: hits ?? 0 };
    const shrunk = parent === null ? shrunkLineItemEvidence : shrunkEvidence;
    const [maturity, maturityAbove] = maturitiesOf(asked, source);
    const above =
      parent ??
      known.evidenceAbove(
        asked,
        mature(beyond({ trials: trialsAbove ?? 0, hits: hitsAbove ?? 0 }, tally), maturityAbove),
      );
    if (trials === null || hits === null || trialsAbove === null || hitsAbove === null)
      return shrunk(asked.kind, above, mature(tally, maturity));
    const weighed = known.learn({ tally, maturity, rounds: parent === null ? trials : trialsAbove, nowMs });
    known.evidence = shrunk(asked.kind, above, weighed);
    known.freshUntilMs = nowMs + FRESH_MS;
    return known.evidence;
  }

  /** @param group the line item of a creative, or its units; null for a line item */
  #begin(name: string, asked: AskedRate, group: string | null): Known {
    if (this.#known.size >= REMEMBERED_MAX)
      for (const map of [this.#known, this.#networks, this.#siblings]) map.clear();
    const network = `${asked.kind}/${asked.workspaceId}`;
    const known = new Known(asked, {
      network: findOrAdd(this.#networks, network, () => ({ trials: 0, hits: 0 })),
      siblings: group === null ? null : findOrAdd(this.#siblings, group, () => ({ changes: 0 })),
    });
    this.#known.set(name, known);
    return known;
  }
}

function findOrAdd<T>(map: Map<string, T>, key: string, make: () => T): T {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
}

/** The counters at a moment. */
interface Now {
  readonly tally: Tally;
  /** The part of the impressions whose events have come. */
  readonly maturity: number;
  /** Impressions of the line item. */
  readonly rounds: number;
  readonly nowMs: number;
}

/** The sum of the line items of a network. */
interface SummedTally {
  trials: number;
  hits: number;
}

/** The creatives of a line item. */
interface Siblings {
  /** How often the rate of one has changed. */
  changes: number;
}

/** The weighed history of one rate, up to the counters of an earlier moment. */
class Known {
  /** The counters of the rate, and those of the advertiser (of a line item) or of the line item (of a creative). */
  readonly keys: {
    readonly trials: string;
    readonly hits: string;
    readonly trialsAbove: string;
    readonly hitsAbove: string;
  };
  evidence: RateEvidence = { hits: 1, trials: 1 };
  freshUntilMs = Number.NEGATIVE_INFINITY;
  readonly #usualRate: number;
  readonly #network: SummedTally;
  readonly #siblings: Siblings | null;
  #isBegun = false;
  /** Impressions of the line item up to which recent impressions became old ones. */
  #atRounds = 0;
  #atMs = 0;
  #counted: Tally = NOTHING;
  #old: Tally = NOTHING;
  #recent: Tally = NOTHING;
  /** How often the rate of a sibling had changed. */
  #changesSeen: number;
  /** Its part of the network's history. */
  #ofNetwork: Tally = NOTHING;

  /** @param of.siblings null for a line item */
  constructor(asked: AskedRate, of: { readonly network: SummedTally; readonly siblings: Siblings | null }) {
    const { workspaceId, advertiserId, lineItemId } = asked;
    const { counter, prior } = COUNTED_EVENTS[asked.kind];
    const lineItem = { scope: 'li', id: lineItemId } as const;
    const [own, above] =
      of.siblings === null ? [lineItem, { scope: 'ad', id: advertiserId } as const] : [ratedOwner(asked), lineItem];
    const keyOf = (one: { readonly scope: CounterScope; readonly id: string }, what: CounterKind) =>
      lifetimeCounterKey({ workspaceId, ...one, kind: what });
    this.keys = {
      trials: keyOf(own, 'imp'),
      hits: keyOf(own, counter),
      trialsAbove: keyOf(above, 'imp'),
      hitsAbove: keyOf(above, counter),
    };
    this.#usualRate = prior?.rate ?? 1;
    this.#network = of.network;
    this.#siblings = of.siblings;
    this.#changesSeen = of.siblings?.changes ?? 0;
  }

  /**
   * The prior of a line item: the history of its advertiser's other line items, shrunk toward that of the network's others. Its own history is in
   * neither: it would count twice, and a line item whose first events come late would be abandoned for good.
   */
  evidenceAbove(asked: AskedRate, ofOthers: Tally): RateEvidence {
    return shrunkLineItemEvidence(asked.kind, plainEvidence(asked, beyond(this.#network, this.#ofNetwork)), ofOthers);
  }

  /** @returns the weighed history up to now */
  learn(now: Now): Tally {
    if (!this.#isBegun) this.#begin(now);
    if (now.rounds - this.#atRounds >= BLOCK_TRIALS) {
      const siblings = this.#siblings;
      if (this.#fold(now, siblings?.changes ?? 0) && siblings !== null) {
        siblings.changes += 1;
        this.#changesSeen = siblings.changes;
      }
    }
    const tally = mature(this.#tallyAt(now.tally), now.maturity);
    if (this.#siblings === null) this.#addToNetwork(tally);
    return tally;
  }

  #begin({ tally, rounds, nowMs }: Now): void {
    this.#isBegun = true;
    this.#counted = tally;
    this.#old = scale(tally, Math.min(1, this.#memoryTrials(tally) / Math.max(1, tally.trials)));
    this.#atRounds = rounds;
    this.#atMs = nowMs;
  }

  /** The network's rate is that of its usual line item: a large one weighs no more than others that are well known. */
  #addToNetwork(tally: Tally): void {
    const before = this.#ofNetwork;
    this.#ofNetwork = tally.trials <= NETWORK_TRIALS_MAX ? tally : scale(tally, NETWORK_TRIALS_MAX / tally.trials);
    this.#network.trials += this.#ofNetwork.trials - before.trials;
    this.#network.hits += this.#ofNetwork.hits - before.hits;
  }

  /** Old, recent and newest impressions. Counters never run backwards; one that is unavailable reads lower. */
  #tallyAt(tally: Tally): Tally {
    const { trials, hits } = add(this.#old, this.#recent);
    return {
      trials: trials + Math.max(0, tally.trials - this.#counted.trials),
      hits: hits + Math.max(0, tally.hits - this.#counted.hits),
    };
  }

  /** Ages the history. @param changes how often the rate of a sibling has changed @returns whether this rate has */
  #fold(now: Now, changes: number): boolean {
    const fresh = {
      trials: Math.max(0, now.tally.trials - this.#counted.trials),
      hits: Math.max(0, now.tally.hits - this.#counted.hits),
    };
    if (changes > this.#changesSeen) {
      this.#changesSeen = changes;
      this.#old = scale(this.#old, KEPT_OF_SIBLINGS);
      this.#recent = scale(this.#recent, KEPT_OF_SIBLINGS);
    }
    this.#recent = add(this.#recent, fresh);
    const rounds = now.rounds - this.#atRounds;
    const aged = Math.exp(-rounds / this.#memoryTrials(this.#old) - (now.nowMs - this.#atMs) / MEMORY_MS);
    let hasChanged = false;
    if (this.#isComparable()) {
      // The events of recent impressions are still to come.
      hasChanged = now.maturity > COMPARED_MATURITY_MIN && this.#hasChanged();
      this.#old = hasChanged ? this.#recent : add(this.#old, this.#recent);
      this.#recent = { trials: 0, hits: 0 };
    }
    this.#old = scale(this.#old, aged);
    this.#counted = {
      trials: Math.max(now.tally.trials, this.#counted.trials),
      hits: Math.max(now.tally.hits, this.#counted.hits),
    };
    this.#atRounds = Math.max(now.rounds, this.#atRounds);
    this.#atMs = now.nowMs;
    return hasChanged;
  }

  /** Rare events need more impressions. */
  #memoryTrials({ trials, hits }: Tally): number {
    const rate = (hits + USUAL_HITS) / (trials + USUAL_HITS / this.#usualRate);
    return Math.max(MEMORY_TRIALS, MEMORY_HITS / rate);
  }

  #isComparable(): boolean {
    const { trials, hits } = add(this.#old, this.#recent);
    return (this.#recent.trials * (hits + 0.5)) / (trials + 1) >= COMPARED_HITS_MIN;
  }

  #hasChanged(): boolean {
    const [old, recent] = [this.#old, this.#recent];
    if (old.trials <= 0) return false;
    const rate = Math.min(1, (old.hits + recent.hits) / (old.trials + recent.trials));
    const deviation = Math.sqrt(rate * (1 - rate) * (1 / recent.trials + 1 / old.trials));
    if (deviation === 0) return false;
    return Math.abs(recent.hits / recent.trials - old.hits / old.trials) > CHANGE_DEVIATIONS * deviation;
  }
}

function add(one: Tally, other: Tally): Tally {
  return { trials: one.trials + other.trials, hits: one.hits + other.hits };
}

/** The whole minus a part. Counters are read one after the other, so a part may be ahead of its whole. */
function beyond(whole: Tally, part: Tally): Tally {
  const trials = Math.max(0, whole.trials - part.trials);
  return { trials, hits: Math.min(trials, Math.max(0, whole.hits - part.hits)) };
}

const MATURE = [1, 1] as const;

/** Of the line item, and of its advertiser. Only conversions come late. */
function maturitiesOf(
  { kind, workspaceId, lineItemId, advertiserId }: AskedRate,
  { maturity }: RateSource,
): readonly [number, number] {
  if (kind !== 'activity' || maturity === undefined) return MATURE;
  return [
    maturity(workspaceId, maturityOfLineItem(lineItemId)) ?? 1,
    maturity(workspaceId, maturityOfAdvertiser(advertiserId)) ?? 1,
  ];
}

/** What impressions tell whose events have come in part. */
function mature({ trials, hits }: Tally, maturity: number): Tally {
  return maturity === 1 ? { trials, hits } : { trials: Math.max(hits, trials * maturity), hits };
}

function scale({ trials, hits }: Tally, by: number): Tally {
  return { trials: trials * by, hits: hits * by };
}
