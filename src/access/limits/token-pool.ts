import { type EpochPart, EpochTokens, partOf, type TokenBounds } from './epoch-tokens.ts';
import type { LedgerWriter } from './ledger-writer.ts';
import type { Admission } from './limits.ts';
import type { QuotaLedger } from './quota-ledger.ts';
import { SlidingSecond } from './sliding-second.ts';
import { withinTime } from '../../domain/time/time-limit.ts';

/** Tokens are leased for one epoch; those of a process that died are back when its registrations have ended. */
export const EPOCH_MS = 10_000;
/** A process registers this many epochs ahead, and can use its part that long while the ledger does not respond. */
const REGISTERED_AHEAD = 3;
/** This long before an epoch ends, tokens are carried into the next one … */
const CARRY_MS = 6_000;
/** … and in its last second (plus a little for clocks), only as many are used as the next one allows. */
const LATE_MS = 1_500;
const CARRY_RETRY_MS = 250;
const COUNTER_TTL_MS = (REGISTERED_AHEAD + 3) * EPOCH_MS;
/** A process takes at least a 64th of the limit at a time. */
const CHUNK_FRACTION = 64;
const EXHAUSTED_MS = 100;
/** Tokens that were not needed for this long are returned. */
const IDLE_MS = 2_000;
/** When the ledger refuses calls for this long, a process without a kept part admits its part alone. */
const ALONE_AFTER_MS = 2_000;
/** An addition is given up when its epochs are over. */
const WRITER_TTL_MS = 2 * EPOCH_MS;
const TRIES_MAX = 8;

/**
 * A limit per second, shared by all processes: `limit` tokens exist; each is held by one process and admits one request a
 * second. So in no second, wherever it begins, are more admitted than the limit; a burst up to the limit passes; and a
 * token works again one second (and 5 ms) after its last use, which admits 99.5 % of the limit under steady load. (A bucket that
 * refills would have to hold nearly nothing to promise the first, and then refuse every burst.)
 *
 * Tokens are taken from the ledger for an epoch of 10 s, carried into the next one before it begins, and go back when idle.
 * Every process registers for the epochs to come, and its part (limit ÷ processes) is kept for it: it uses its part however late
 * the ledger responds. Only tokens beyond the part wait for the ledger. An addition that is late is waited for, and counted once.
 */
export class TokenPool {
  readonly #ledger: QuotaLedger;
  readonly #name: string;
  readonly #nowMs: () => number;
  readonly #writer: LedgerWriter;
  readonly #used = new SlidingSecond();
  /** Uses at the end of an epoch, which still count in the next one. */
  readonly #usedLate = new SlidingSecond();
  #epoch = -1;
  /** This epoch and those that this process has registered for. */
  readonly #epochs = new Map<number, EpochTokens>();
  #carryRetryMs = 0;
  #exhaustedUntilMs = 0;
  #lastTakeMs = 0;
  #waiting = 0;
  /** Whether the free tokens run out. */
  #isShort = false;
  /** Requests that this process has refused in this epoch. */
  #refused = 0;
  /** The smallest number of free tokens since the last check; tokens that stay free are returned. */
  #leastFree = 0;
  #lookedMs = 0;
  /** One addition at a time. */
  #changing: Promise<void> | null = null;
  /** Since when the ledger owes a response, and whether it has refused since. */
  #unansweredSinceMs: number | null = null;
  #hasFailed = false;

  constructor(ledger: QuotaLedger, name: string, nowMs: () => number) {
    this.#ledger = ledger;
    this.#name = name;
    this.#nowMs = nowMs;
    this.#writer = ledger.newWriter(name, WRITER_TTL_MS);
  }

  get lastTakeMs(): number {
    return this.#lastTakeMs;
  }

  /** Takes a token for one request; at once while this process has a free one or knows that there is none. */
  admit(limit: number): Admission | Promise<Admission> {
    const nowMs = this.#nowMs();
    const bounds = this.#boundsOf(limit);
    this.#lastTakeMs = nowMs;
    this.#turnEpoch(nowMs);
    if (this.#isAlone(nowMs)) return this.#admitAlone(nowMs, bounds);
    if (this.#tryUse(nowMs, bounds)) return this.#toAdmission(true, nowMs, bounds);
    // A token of its own is free again within a second: a caller that waits for a ledger that is late comes after it.
    if (nowMs < this.#exhaustedUntilMs || this.#isLate(nowMs)) return this.#toAdmission(false, nowMs, bounds);
    return this.#admitAfterChange(bounds);
  }

  /** The tokens left, without taking any. */
  look(limit: number): Admission {
    const nowMs = this.#nowMs();
    this.#turnEpoch(nowMs);
    return this.#toAdmission(true, nowMs, this.#boundsOf(limit));
  }

  /** Joins, carries tokens into the next epoch, and returns those that were not needed. Call it a few times a second; it does not wait. */
  maintain(limit: number): void {
    const nowMs = this.#nowMs();
    const bounds = this.#boundsOf(limit);
    this.#turnEpoch(nowMs);
    if (this.#changing !== null) return;
    const idle = this.#findIdle(nowMs, bounds);
    const isLateToJoin = this.#current.isRegistered && !this.#current.hasJoined;
    if (idle > 0 || isLateToJoin || this.#mustCarry(nowMs, bounds)) void this.#change(bounds, idle);
  }

  /** Returns tokens that were not used in the last second, and ends; the others are free again in the next epoch. */
  async close(): Promise<void> {
    const returned = async (): Promise<void> => {
      await this.#changing;
      const used = this.#used.count(this.#nowMs());
      const parts = [...this.#epochs].map(([epoch, tokens]) => {
        const held = tokens.hasJoined ? tokens.usable(this.#boundsOf(Number.MAX_SAFE_INTEGER)) : 0;
        return tokens.leave(epoch === this.#epoch ? Math.max(0, held - used) : held);
      });
      if (parts.length > 0) await this.#add(parts);
    };
    await this.#ledger.withinTime(returned()).catch(() => undefined);
    this.#writer.close();
  }

  #boundsOf(limit: number): TokenBounds {
    return { limit, processes: this.#ledger.processes };
  }

  #turnEpoch(nowMs: number): void {
    const epoch = Math.floor(nowMs / EPOCH_MS);
    if (epoch <= this.#epoch) return;
    this.#epoch = epoch;
    for (const known of this.#epochs.keys()) if (known < epoch) this.#epochs.delete(known);
    this.#carryRetryMs = 0;
    this.#exhaustedUntilMs = 0;
    this.#refused = 0;
  }

  #at(epoch: number): EpochTokens {
    let tokens = this.#epochs.get(epoch);
    if (tokens === undefined) {
      tokens = new EpochTokens(`${this.#name}/e/${epoch}`, COUNTER_TTL_MS);
      this.#epochs.set(epoch, tokens);
    }
    return tokens;
  }

  get #current(): EpochTokens {
    return this.#at(this.#epoch);
  }

  get #next(): EpochTokens {
    return this.#at(this.#epoch + 1);
  }

  #msToEnd(nowMs: number): number {
    return (this.#epoch + 1) * EPOCH_MS - nowMs;
  }

  /** Tokens that may be used now; near the end of an epoch as many as the next one allows, as others may hold the rest right after it. */
  #free(nowMs: number, bounds: TokenBounds): number {
    const free = this.#current.usable(bounds) - this.#used.count(nowMs);
    if (this.#msToEnd(nowMs) > LATE_MS) return free;
    return Math.min(free, this.#next.usable(bounds) - this.#usedLate.count(nowMs));
  }

  #use(nowMs: number): void {
    this.#used.use();
    if (this.#msToEnd(nowMs) > LATE_MS) return;
    this.#usedLate.count(nowMs);
    this.#usedLate.use();
  }

  #tryUse(nowMs: number, bounds: TokenBounds): boolean {
    const free = this.#free(nowMs, bounds);
    this.#isShort = free <= chunkOf(bounds) / 2 && this.#current.usable(bounds) < bounds.limit;
    const looksAhead = this.#isShort && free > 0 && nowMs >= this.#exhaustedUntilMs;
    if (this.#changing === null && (looksAhead || this.#mustCarry(nowMs, bounds))) void this.#change(bounds);
    if (free <= 0) return false;
    this.#use(nowMs);
    this.#leastFree = Math.min(this.#leastFree, free - 1);
    return true;
  }

  async #admitAfterChange(bounds: TokenBounds): Promise<Admission> {
    this.#waiting += 1;
    let nowMs = this.#nowMs();
    try {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        await this.#inTime(this.#change(bounds));
        // Read again: a token counts from the instant of its use, not from that of its request.
        nowMs = this.#nowMs();
        this.#turnEpoch(nowMs);
        if (this.#isAlone(nowMs)) return this.#admitAlone(nowMs, bounds);
        if (this.#tryUse(nowMs, bounds)) return this.#toAdmission(true, nowMs, bounds);
        if (nowMs < this.#exhaustedUntilMs || this.#isLate(nowMs)) break;
      }
    } finally {
      this.#waiting -= 1;
    }
    return this.#toAdmission(false, nowMs, bounds);
  }

  #change(bounds: TokenBounds, giveBack = 0): Promise<void> {
    this.#changing ??= this.#exchange(bounds, giveBack).finally(() => {
      this.#changing = null;
    });
    return this.#changing;
  }

  /** One addition for everything: what is taken or given back now, what is carried, and the registrations ahead. */
  async #exchange(bounds: TokenBounds, giveBack: number): Promise<void> {
    const nowMs = this.#nowMs();
    this.#turnEpoch(nowMs);
    const current = this.#current;
    const isPolling = giveBack === 0 && (this.#waiting > 0 || this.#isShort);
    const before = current.usable(bounds);
    const parts = [this.#planCurrent(bounds, giveBack)];
    if (this.#msToEnd(nowMs) <= CARRY_MS) parts.push(this.#planNext(nowMs, bounds));
    for (let ahead = 1; ahead <= REGISTERED_AHEAD; ahead += 1) {
      const later = this.#at(this.#epoch + ahead);
      if (!later.isRegistered) parts.push(later.register(bounds));
    }
    await this.#add(parts);
    const hasNone = current.usable(bounds) <= before && current.free === 0;
    if (isPolling && hasNone) this.#exhaustedUntilMs = Math.max(this.#nowMs(), nowMs) + EXHAUSTED_MS;
    const owing = [...this.#epochs.values()].filter((tokens) => tokens.owed > 0);
    // Returned at once: others are refused for as long as it counts as taken.
    if (owing.length > 0) await this.#add(owing.map((tokens) => tokens.change(0, bounds)));
  }

  #planCurrent(bounds: TokenBounds, giveBack: number): EpochPart {
    const current = this.#current;
    // Others may take what it does not join with, while it has used its whole part within the last second.
    if (!current.hasJoined) return current.join(current.isKept ? partOf(bounds) : this.#wish(bounds), bounds);
    return current.change(giveBack > 0 ? -giveBack : this.#wish(bounds), bounds);
  }

  /** Tokens to take now: up to the part at once, beyond it half of the free ones. */
  #wish(bounds: TokenBounds): number {
    if (this.#waiting === 0 && !this.#isShort) return 0;
    const { free } = this.#current;
    const lacking = partOf(bounds) - this.#current.usable(bounds);
    const most = lacking > 0 ? lacking : Math.max(chunkOf(bounds), Math.ceil((free ?? 0) / 2));
    return Math.min(most, Math.max(chunkOf(bounds), this.#waiting), free ?? bounds.limit);
  }

  #planNext(nowMs: number, bounds: TokenBounds): EpochPart {
    const next = this.#next;
    this.#carryRetryMs = nowMs + CARRY_RETRY_MS;
    const wanted = this.#wantedNext(nowMs, bounds);
    if (!next.hasJoined) {
      const part = partOf(bounds);
      return next.join(this.#msToEnd(nowMs) > LATE_MS || !next.isKept ? Math.min(wanted, part) : part, bounds);
    }
    return next.change(Math.min(wanted - next.usable(bounds), next.free ?? 0), bounds);
  }

  /** Tokens that the next epoch should have: as many as this one, and within the part as many more as were lacking a second. */
  #wantedNext(nowMs: number, bounds: TokenBounds): number {
    const held = this.#current.usable(bounds);
    const lacking = Math.ceil((this.#refused * 1_000) / Math.max(1_000, EPOCH_MS - this.#msToEnd(nowMs)));
    return Math.max(held, Math.min(partOf(bounds), held + lacking));
  }

  #mustCarry(nowMs: number, bounds: TokenBounds): boolean {
    if (this.#msToEnd(nowMs) > CARRY_MS || nowMs < this.#carryRetryMs) return false;
    if (!this.#next.hasJoined) return this.#next.isRegistered || this.#current.hasJoined;
    return this.#next.usable(bounds) < this.#wantedNext(nowMs, bounds);
  }

  #findIdle(nowMs: number, bounds: TokenBounds): number {
    if (!this.#current.hasJoined || nowMs - this.#lookedMs < IDLE_MS) return 0;
    const free = this.#current.usable(bounds) - this.#used.count(nowMs);
    const isUnasked = nowMs - this.#lastTakeMs >= IDLE_MS;
    const idle = isUnasked ? free : Math.min(this.#leastFree, free) - chunkOf(bounds);
    this.#lookedMs = nowMs;
    this.#leastFree = free;
    return Math.max(0, idle);
  }

  /** Adds once; resolves when the ledger has confirmed it, however late. */
  async #add(parts: readonly EpochPart[]): Promise<void> {
    this.#unansweredSinceMs ??= this.#nowMs();
    const values = await this.#writer.add(parts.flatMap((part) => part.increments));
    if (values === null) return;
    this.#unansweredSinceMs = null;
    this.#hasFailed = false;
    let at = 0;
    for (const part of parts) {
      part.apply(values.slice(at, at + part.increments.length));
      at += part.increments.length;
    }
  }

  /** Waits for a change as long as for any response of the ledger; a late one still brings tokens for others. */
  #inTime(change: Promise<void>): Promise<void> {
    return withinTime(change, this.#ledger.timeoutMs, this.#ledger.later).catch(() => undefined);
  }

  #isLate(nowMs: number): boolean {
    return this.#unansweredSinceMs !== null && nowMs - this.#unansweredSinceMs >= this.#ledger.timeoutMs;
  }

  #isAlone(nowMs: number): boolean {
    if (this.#unansweredSinceMs === null || nowMs - this.#unansweredSinceMs < ALONE_AFTER_MS) return false;
    // A store that only hangs may still respond to other processes, which then hold the tokens that this one would admit.
    this.#hasFailed ||= this.#writer.hasFailed;
    return this.#hasFailed && !this.#current.isKept;
  }

  /** Requests admitted alone count in the same sliding second as those admitted with tokens. */
  #admitAlone(nowMs: number, bounds: TokenBounds): Admission {
    if (this.#changing === null) void this.#change(bounds);
    // Never more, whatever it holds: the others may be cut off as well and admit their parts.
    const part = Math.min(bounds.limit, Math.max(1, partOf(bounds)));
    const used = this.#used.count(nowMs);
    const admitted = used < part;
    if (admitted) this.#use(nowMs);
    const remaining = Math.max(0, part - used - 1);
    return { admitted, limit: bounds.limit, remaining, resetSeconds: Math.ceil(nowMs / 1000) + 1 };
  }

  #toAdmission(admitted: boolean, nowMs: number, bounds: TokenBounds): Admission {
    const { limit } = bounds;
    if (!admitted) this.#refused += 1;
    const free = Math.max(0, this.#current.usable(bounds) - this.#used.count(nowMs));
    const remaining = Math.min(limit, Math.max(0, limit - this.#current.taken) + free);
    return { admitted, limit, remaining: admitted ? remaining : 0, resetSeconds: Math.ceil(nowMs / 1000) + 1 };
  }
}

function chunkOf({ limit }: TokenBounds): number {
  return Math.max(1, Math.ceil(limit / CHUNK_FRACTION));
}
