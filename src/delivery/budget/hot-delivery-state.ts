import { HOT_BATCH_MAX } from '../../storage/hot/hot-store.ts';
import type { HotWait } from '../../storage/hot/hot-circuit.ts';
import type { HotStore } from '../../storage/hot/hot-store.ts';
import { HotStoreLostError } from '../../storage/hot/lost-shards.ts';
import type { CompiledLineItem, PacingState } from '../decision/index/compile-line-items.ts';
import { capCounterKey } from '../../domain/money/limit.ts';
import type { CapCheck } from '../../domain/money/limit.ts';
import type { DeliveryState, PaceAt } from '../decision/delivery-state.ts';
import { liftEvidence } from '../value/context-model.ts';
import type { ContextModel, RateLifts } from '../value/context-model.ts';
import type { RateEvidence } from '../value/draw-rate.ts';
import type { AskedRate } from '../value/rate-evidence.ts';
import type { RecentDraws, UnitBar } from '../value/recent-draws.ts';
import type { RateMemory } from '../value/rate-memory.ts';

/** How long a delivery counter is valid after a read, in milliseconds. Users' frequency counters are read at every decision. */
const FRESH_MS = 1_000;
const CACHED_MAX = 200_000;
/** Users' counters that are remembered for a time without the hot store: twice as many at most. */
const REMEMBERED_MAX = 100_000;
/** First letters of keys of delivery counters (`counter-key.ts`). */
const DELIVERY_PREFIX = 'd/';

/** Delivery counters as one worker last read them, so that candidates of the same second share a read. */
export class RecentCounters {
  readonly #cached = new Map<string, { value: number; readAtMs: number }>();
  #remembered = new Map<string, number>();
  #rememberedBefore = new Map<string, number>();
  /** By the limit itself, which is many times faster than by key. */
  readonly #caps = new WeakMap<CapCheck, { day: string; value: number; readAtMs: number }>();

  find(key: string, nowMs: number): number | null {
    const cached = this.#cached.get(key);
    return cached === undefined || nowMs - cached.readAtMs >= FRESH_MS ? null : cached.value;
  }

  /** The value that was read last, however long ago; null when it is forgotten. */
  findLast(key: string): number | null {
    return this.#cached.get(key)?.value ?? this.#remembered.get(key) ?? this.#rememberedBefore.get(key) ?? null;
  }

  /** Remembers a user's counter for {@link findLast}. */
  remember(key: string, value: number): void {
    if (this.#remembered.size >= REMEMBERED_MAX) {
      this.#rememberedBefore = this.#remembered;
      this.#remembered = new Map();
    }
    this.#remembered.set(key, value);
  }

  findCap(check: CapCheck, day: string, nowMs: number): number | null {
    const cached = this.#caps.get(check);
    return cached === undefined || cached.day !== day || nowMs - cached.readAtMs >= FRESH_MS ? null : cached.value;
  }

  setCap(check: CapCheck, day: string, cached: { value: number; readAtMs: number }): void {
    this.#caps.set(check, { day, ...cached });
  }

  set(key: string, value: number, nowMs: number): void {
    const cached = this.#cached.get(key);
    if (cached !== undefined) {
      cached.value = value;
      cached.readAtMs = nowMs;
      return;
    }
    if (this.#cached.size >= CACHED_MAX) this.#cached.clear();
    this.#cached.set(key, { value, readAtMs: nowMs });
  }
}

/** The knowledge of a worker beyond counters. */
export interface LiveKnowledge {
  readonly counters: RecentCounters;
  /** Whose paces may be remembered; undefined: none. */
  readonly pacer: object | undefined;
  pace(lineItem: CompiledLineItem, at: PaceAt, read: (key: string) => number | null): PacingState;
  isUsedUp(check: CapCheck, nowMs: number): boolean;
  readonly rates: RateMemory;
  readonly unitDraws: RecentDraws;
  /** How rates of creatives depend on the context; null: nothing is known, or it is too old. */
  contextModelOf(workspaceId: number, nowMs: number): ContextModel | null;
}

/**
 * The counters of one decision, read from the hot store at first use. Redis cannot respond at once: then the decision is made again after
 * `fetchMissing`, until no counter is missing. What Redis does not tell in time has the value that this worker read last, or 0.
 */
export class HotDeliveryState implements DeliveryState {
  readonly #hot: HotStore;
  readonly #live: LiveKnowledge;
  /** What this decision may wait for the hot store; null: as long as it takes. */
  readonly wait: HotWait | null;
  /** When the decision is made, epoch milliseconds. */
  readonly nowMs: number;
  readonly #known = new Map<string, number>();
  #missing = new Set<string>();
  #leavesOutLimited = false;
  readonly #read = (key: string): number | null => this.#find(key);
  readonly #maturity = (workspaceId: number, key: string): number | null =>
    this.#live.contextModelOf(workspaceId, this.nowMs)?.maturity(key) ?? null;

  constructor(hot: HotStore, live: LiveKnowledge, at: { readonly nowMs: number; readonly wait?: HotWait | null }) {
    this.#hot = hot;
    this.wait = at.wait ?? null;
    this.#live = live;
    this.nowMs = at.nowMs;
  }

  get pacer(): object | undefined {
    return this.#live.pacer;
  }

  counter(key: string): number {
    return this.#find(key) ?? 0;
  }

  pace(lineItem: CompiledLineItem, at: PaceAt): PacingState {
    return this.#live.pace(lineItem, at, this.#read);
  }

  capCount(check: CapCheck, day: string): number {
    const { counters } = this.#live;
    const cached = counters.findCap(check, day, this.nowMs);
    if (cached !== null) return cached;
    const value = this.#find(capCounterKey(check, day));
    if (value !== null) counters.setCap(check, day, { value, readAtMs: this.nowMs });
    return value ?? 0;
  }

  rate(asked: AskedRate, parent: RateEvidence | null): RateEvidence {
    const source = { read: this.#read, nowMs: this.nowMs, maturity: this.#maturity };
    const evidence = this.#live.rates.evidence(asked, parent, source);
    if (asked.context === undefined) return evidence;
    const model = this.#live.contextModelOf(asked.workspaceId, this.nowMs);
    return model === null ? evidence : liftEvidence(evidence, model.lift(asked, asked.context));
  }

  lifts(workspaceId: number): RateLifts | null {
    const model = this.#live.contextModelOf(workspaceId, this.nowMs);
    return model?.knowsLineItems === true ? model : null;
  }

  unitBar(lineItemId: string): UnitBar {
    return this.#live.unitDraws.barOf(lineItemId);
  }

  isUsedUp(check: CapCheck): boolean {
    return this.#leavesOutLimited || this.#live.isUsedUp(check, this.nowMs);
  }

  /** From now on every hard limit counts as used up in this decision. */
  leaveOutLimited(): void {
    this.#leavesOutLimited = true;
  }

  hasWorths(): boolean {
    return true;
  }

  get readsLater(): boolean {
    return this.#hot.readCountersNow([]) === null;
  }

  /** True when the last decision used counters that were unknown. */
  get isIncomplete(): boolean {
    return this.#missing.size > 0;
  }

  /** Reads the counters that the last decision missed, at most `HOT_BATCH_MAX`. */
  async fetchMissing(): Promise<void> {
    const keys = [...this.#missing].slice(0, HOT_BATCH_MAX);
    this.#missing.clear();
    const { wait } = this;
    const read = (): Promise<readonly bigint[]> => this.#hot.readCounters(keys);
    const values = wait === null ? await read() : await wait.run(read).catch(valuesFound);
    for (const [index, key] of keys.entries()) {
      const value = values[index] ?? null;
      if (value === null) this.#known.set(key, this.#live.counters.findLast(key) ?? 0);
      else this.#remember(key, Number(value));
    }
  }

  #find(key: string): number | null {
    const isShared = key.startsWith(DELIVERY_PREFIX);
    const known = this.#known.get(key) ?? (isShared ? this.#live.counters.find(key, this.nowMs) : null);
    if (known !== null) return known;
    const read = this.#hot.readCountersNow([key]);
    if (read === null) {
      this.#missing.add(key);
      return null;
    }
    const value = Number(read[0] ?? 0n);
    this.#remember(key, value);
    return value;
  }

  #remember(key: string, value: number): void {
    if (key.startsWith(DELIVERY_PREFIX)) this.#live.counters.set(key, value, this.nowMs);
    else if (this.wait !== null) this.#live.counters.remember(key, value);
    this.#known.set(key, value);
  }
}

/** What a read that failed has found all the same. */
function valuesFound(error: unknown): readonly (bigint | null)[] {
  return error instanceof HotStoreLostError ? error.found : [];
}
