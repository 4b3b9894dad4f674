import { COUNTED_EVENTS } from '../../domain/pricing/pricing-models.ts';
import type { ContextOutcome } from '../../domain/events/context-outcome.ts';
import type { PublishedContextModel } from '../value/context-model.ts';
import { hashFacts, hashOwner, isOfCreative } from '../value/rate-context.ts';
import type { FactOwner } from '../value/rate-context.ts';

/**
 * A weight is 0 until its gradient is so many standard deviations from 0. Less of a line item: its weights keep what all its creatives have in
 * common from becoming differences between them.
 */
const DEVIATIONS = { creative: 2.5, lineItem: 2 };
/** An outcome weighs 1/e after this time. */
const MEMORY_MS = 28 * 86_400_000;
const PRIOR_HITS = 0.5;
const RATE_MAX = 0.9;
/** What is known of a weight before any event: it is about 0, as after so many events. */
const PRIOR_INFORMATION = 10;
/** Weights beyond a factor of twenty are mistakes. */
const WEIGHT_MAX = 3;
/** Outcomes are learned in parts of so many expected events, so that facts which always come together do not correct a difference several times. */
const PART_HITS = 2;
const ROUNDS_MAX = 200;
/** Most facts and owners that are remembered: those that were met least are forgotten. */
const REMEMBERED_MAX = 50_000;
const WEIGHTS_MAX = 20_000;

/** Two numbers of a fact (the sum of gradients, their variance) or of an owner (trials, hits). */
type Pair = readonly [number, number];

/**
 * Learns by which facts of a context the rate of a creative differs from its rate as a whole: FTRL-proximal logistic regression (McMahan et al.,
 * KDD 2013) on hashed facts, of line items and of their creatives, in one pass over outcomes. The rate as a whole is the offset, so that a
 * weight is a difference. The step is the inverse of the information on a weight, and the L1 threshold grows with the standard deviation of
 * its gradient: that makes it a test, which noise passes once in eighty times.
 */
export class ContextTrainer {
  #facts = new Map<number, Pair>();
  #owners = new Map<number, Pair>();

  /** @param state of an earlier trainer, by `state`; a state that cannot be read begins again */
  constructor(state: Uint8Array | null = null) {
    if (state === null) return;
    const sections = unpack(state);
    if (sections !== null) [this.#facts, this.#owners] = sections;
  }

  /** Makes what was learned weigh less by this time. */
  age(passedMs: number): void {
    const kept = Math.exp(-Math.max(0, passedMs) / MEMORY_MS);
    for (const map of [this.#facts, this.#owners])
      for (const [key, [one, other]] of map) map.set(key, [one * kept, other * kept]);
  }

  /** Learns from outcomes of about one time. */
  learn(outcomes: readonly ContextOutcome[]): void {
    for (const { trials, hits, ...owner } of outcomes) {
      const key = hashOwner(owner);
      const [knownTrials, knownHits] = this.#owners.get(key) ?? [0, 0];
      this.#owners.set(key, [knownTrials + trials, knownHits + hits]);
    }
    for (const round of cutIntoRounds(outcomes, (owner) => this.#rateOf(owner))) {
      // What all creatives have in common goes first, so that none of them has it as a difference of its own.
      for (const part of round) this.#learnPart(part, part.ofLineItem);
      for (const part of round) this.#learnPart(part, part.ofCreative);
    }
    this.#facts = forgetRarest(this.#facts, ([, information]) => information);
    this.#owners = forgetRarest(this.#owners, ([trials]) => trials);
  }

  /** The weights that differ from 0, the largest first. */
  publish(madeAtMs: number): PublishedContextModel {
    const weights = [...this.#facts.keys()]
      .map((fact) => [fact, this.#weightOf(fact)] as const)
      .filter(([, weight]) => weight !== 0)
      .toSorted(([, one], [, other]) => Math.abs(other) - Math.abs(one))
      .slice(0, WEIGHTS_MAX);
    return { madeAtMs, weights };
  }

  state(): Buffer {
    return pack([this.#facts, this.#owners]);
  }

  /** @param learning the facts that learn: those of the creative, or of its line item */
  #learnPart({ owner, ofLineItem, ofCreative, trials, hits }: Part, learning: readonly number[]): void {
    const sum = this.#sumOf(ofLineItem) + this.#sumOf(ofCreative);
    const rate = 1 / (1 + Math.exp(-(logit(this.#rateOf(owner)) + sum)));
    const gradient = trials * rate - hits;
    const information = trials * rate * (1 - rate);
    for (const fact of learning) {
      const [gradients, known] = this.#facts.get(fact) ?? [0, 0];
      const moved = information * this.#weightOf(fact);
      this.#facts.set(fact, [gradients + gradient - moved, known + information]);
    }
  }

  #sumOf(facts: readonly number[]): number {
    let sum = 0;
    for (const fact of facts) sum += this.#weightOf(fact);
    return sum;
  }

  #weightOf(fact: number): number {
    const [gradients, information] = this.#facts.get(fact) ?? [0, 0];
    const threshold = DEVIATIONS[isOfCreative(fact) ? 'creative' : 'lineItem'] * Math.sqrt(information);
    if (Math.abs(gradients) <= threshold) return 0;
    const weight = -(gradients - Math.sign(gradients) * threshold) / (PRIOR_INFORMATION + information);
    return Math.min(WEIGHT_MAX, Math.max(-WEIGHT_MAX, weight));
  }

  #rateOf(owner: FactOwner): number {
    const [trials, hits] = this.#owners.get(hashOwner(owner)) ?? [0, 0];
    const usual = COUNTED_EVENTS[owner.kind].prior?.rate ?? RATE_MAX;
    return Math.min(RATE_MAX, (hits + PRIOR_HITS) / (trials + PRIOR_HITS / usual));
  }
}

/** A part of an outcome, with the facts of its line item and its creative. */
interface Part {
  readonly owner: FactOwner;
  readonly ofLineItem: readonly number[];
  readonly ofCreative: readonly number[];
  readonly trials: number;
  readonly hits: number;
}

/** Equal parts of each outcome, one of each in a round. */
function* cutIntoRounds(
  outcomes: readonly ContextOutcome[],
  rateOf: (owner: FactOwner) => number,
): Generator<readonly Part[]> {
  const cut = outcomes.map((outcome) => {
    const { context, trials, hits, ...owner } = outcome;
    const parts = Math.min(ROUNDS_MAX, Math.max(1, Math.ceil(Math.max(hits, trials * rateOf(owner)) / PART_HITS)));
    const ofLineItem = hashFacts({ ...owner, creativeId: '' }, context);
    return {
      parts,
      part: { owner, ofLineItem, ofCreative: hashFacts(owner, context), trials: trials / parts, hits: hits / parts },
    };
  });
  const rounds = cut.reduce((most, { parts }) => Math.max(most, parts), 0);
  for (let round = 0; round < rounds; round += 1)
    yield cut.filter(({ parts }) => round < parts).map(({ part }) => part);
}

function logit(rate: number): number {
  return Math.log(rate / (1 - rate));
}

function forgetRarest(map: Map<number, Pair>, countOf: (pair: Pair) => number): Map<number, Pair> {
  if (map.size <= REMEMBERED_MAX) return map;
  return new Map([...map].toSorted(([, one], [, other]) => countOf(other) - countOf(one)).slice(0, REMEMBERED_MAX));
}

const ENTRY_BYTES = 4 + 8 + 8;
const VERSION = 1;

/** A byte for the version; then each map: how many, and each key with its two numbers. */
function pack(maps: readonly ReadonlyMap<number, Pair>[]): Buffer {
  const bytes = Buffer.alloc(1 + maps.reduce((sum, map) => sum + 4 + map.size * ENTRY_BYTES, 0));
  let at = bytes.writeUInt8(VERSION, 0);
  for (const map of maps) {
    at = bytes.writeUInt32LE(map.size, at);
    for (const [key, [one, other]] of map) {
      at = bytes.writeUInt32LE(key, at);
      at = bytes.writeDoubleLE(one, at);
      at = bytes.writeDoubleLE(other, at);
    }
  }
  return bytes;
}

/** Null for bytes that `pack` did not write. */
function unpack(state: Uint8Array): [Map<number, Pair>, Map<number, Pair>] | null {
  const bytes = Buffer.from(state.buffer, state.byteOffset, state.byteLength);
  if (bytes.length < 1 || bytes[0] !== VERSION) return null;
  const maps: Map<number, Pair>[] = [];
  let at = 1;
  for (let section = 0; section < 2; section += 1) {
    if (at + 4 > bytes.length) return null;
    const size = bytes.readUInt32LE(at);
    at += 4;
    if (at + size * ENTRY_BYTES > bytes.length) return null;
    const map = new Map<number, Pair>();
    for (let entry = 0; entry < size; entry += 1, at += ENTRY_BYTES)
      map.set(bytes.readUInt32LE(at), [bytes.readDoubleLE(at + 4), bytes.readDoubleLE(at + 12)]);
    maps.push(map);
  }
  return at === bytes.length ? (maps as [Map<number, Pair>, Map<number, Pair>]) : null;
}
