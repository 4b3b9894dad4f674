import type { LedgerWriter } from './ledger-writer.ts';
import type { Admission } from './limits.ts';
import type { QuotaLedger } from './quota-ledger.ts';
import { SlidingSecond } from './sliding-second.ts';
import { withinTime } from '../../domain/time/time-limit.ts';

/** Tokens are leased for one epoch; those of a process that died are back in the next one. */
export const EPOCH_MS = 10_000;
/** So long before an epoch ends, tokens are carried into the next one … */
const CARRY_MS = 5_000;
/** … and without having been carried, none may be used in its last second (plus a little for clocks). */
const CARRY_DEADLINE_MS = 1_500;
const CARRY_RETRY_MS = 50;
const COUNTER_TTL_MS = 4 * EPOCH_MS;
/** A process takes a 64th of the limit at a time. */
const CHUNK_FRACTION = 64;
const EXHAUSTED_MS = 100;
/** Tokens that were not needed for so long go back. */
const IDLE_MS = 2_000;
/** A ledger that is down for so long: a process admits its share of the limit alone. Less than from CARRY_MS to CARRY_DEADLINE_MS. */
const ALONE_AFTER_MS = 2_000;
/** An addition concerns this epoch and the next: it is given up after both. */
const WRITER_TTL_MS = 2 * EPOCH_MS;
const TRIES_MAX = 8;
/** In each epoch, a process with too few tokens says so until the first instant; one with more than its part gives at the second. */
const ASK_UNTIL_MS = 3_000;
const DONATE_UNTIL_MS = 5_000;
/** Who gave tokens away leaves them alone for so long. */
const AFTER_DONATION_MS = 500;

/**
 * A limit per second, shared by all processes: `limit` tokens exist; each is held by one process and admits one request a
 * second. So in no second, wherever it begins, are more admitted than the limit; a burst up to the limit passes; and a
 * token works again one second (and 5 ms) after its last use, which admits 99.5 % of the limit under steady load. (A bucket that refills would have to hold nearly nothing to promise the first, and then refuse every burst.)
 *
 * Tokens are taken from the ledger for an epoch of 10 s, carried into the next one before it begins, and go back when idle.
 * A process that must refuse while it holds less than its part asks the others, once an epoch, for what it lacks.
 * An addition that is late is waited for, and counted once; meanwhile the process admits what it holds. While the ledger is
 * down for longer than two seconds it admits its share of the limit.
 */
export class TokenPool {
  readonly #ledger: QuotaLedger;
  readonly #name: string;
  readonly #nowMs: () => number;
  readonly #writer: LedgerWriter;
  readonly #used = new SlidingSecond();
  #epoch = -1;
  #held = 0;
  /** Tokens of the next epoch, at most as many as of this one. */
  #carried = 0;
  #carryRetryMs = 0;
  /** Tokens that all processes held, as of the last answer. */
  #taken = 0;
  #exhaustedUntilMs = 0;
  #lastTakeMs = 0;
  #waiting = 0;
  /** The least that was free since the last look; what stays free is given back. */
  #leastFree = 0;
  #lookedMs = 0;
  /** Refusals of this epoch, and whether this process has asked for, or looked at, what others want in it. */
  #refused = 0;
  #asked = false;
  #donated = false;
  /** Tokens that are kept unused for a second, to be given away. */
  #frozen = 0;
  /** One change of holdings at a time: they must not overtake each other around the end of an epoch. */
  #changing: Promise<void> | null = null;
  /** Since when the ledger owes an answer, and whether it has refused since. */
  #unansweredSinceMs: number | null = null;
  #hasFailed = false;

  constructor(ledger: QuotaLedger, name: string, nowMs: () => number) {
    this.#ledger = ledger;
    this.#name = name;
    this.#nowMs = nowMs;
    this.#writer = ledger.newWriter(WRITER_TTL_MS);
  }

  get lastTakeMs(): number {
    return this.#lastTakeMs;
  }

  /** Takes a token for one request; at once while this process has a free one or knows that there is none. */
  take(limit: number): Admission | Promise<Admission> {
    const nowMs = this.#nowMs();
    this.#lastTakeMs = nowMs;
    this.#turnEpoch(nowMs);
    if (this.#isAlone(nowMs)) return this.#takeAlone(nowMs, limit);
    if (this.#tryUse(nowMs, limit)) return this.#answer(true, nowMs, limit);
    if (nowMs < this.#exhaustedUntilMs) return this.#answer(false, nowMs, limit);
    return this.#takeAfterChange(limit);
  }

  /** What is left, without taking any. */
  look(limit: number): Admission {
    const nowMs = this.#nowMs();
    this.#turnEpoch(nowMs);
    return this.#answer(true, nowMs, limit);
  }

  /** Carries into the next epoch, and gives back what was not needed. Call it a few times a second; it does not wait. */
  maintain(limit: number): void {
    const nowMs = this.#nowMs();
    this.#turnEpoch(nowMs);
    if (this.#changing !== null) return;
    if (this.#mustCarry(nowMs)) void this.#change(() => this.#carry(limit));
    else void this.#share(nowMs, limit).then(() => this.#giveBackIdle(limit));
  }

  async #giveBackIdle(limit: number): Promise<void> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lookedMs < IDLE_MS || this.#changing !== null) return;
    const free = this.#held - this.#used.count(nowMs);
    const idle = nowMs - this.#lastTakeMs >= IDLE_MS ? free : Math.min(this.#leastFree, free) - chunkOf(limit);
    this.#lookedMs = nowMs;
    this.#leastFree = free;
    if (idle > 0) await this.#change(() => this.#giveBack(Math.min(idle, this.#held)));
  }

  /** Gives back what has not been used in the last second, and ends; the rest is free again in the next epoch. */
  async close(): Promise<void> {
    const returned = async (): Promise<void> => {
      await this.#changing;
      const free = this.#held - this.#used.count(this.#nowMs());
      if (free > 0) await this.#change(() => this.#giveBack(free));
    };
    await this.#ledger.withinTime(returned()).catch(() => undefined);
    this.#writer.close();
  }

  #turnEpoch(nowMs: number): void {
    const epoch = Math.floor(nowMs / EPOCH_MS);
    if (epoch <= this.#epoch) return;
    this.#held = epoch === this.#epoch + 1 ? this.#carried : 0;
    this.#epoch = epoch;
    this.#carried = 0;
    this.#carryRetryMs = 0;
    this.#exhaustedUntilMs = 0;
    this.#refused = 0;
    this.#asked = false;
    this.#donated = false;
    this.#frozen = 0;
  }

  #msToEnd(nowMs: number): number {
    return (this.#epoch + 1) * EPOCH_MS - nowMs;
  }

  #mustCarry(nowMs: number): boolean {
    return this.#carried < this.#held && this.#msToEnd(nowMs) <= CARRY_MS && nowMs >= this.#carryRetryMs;
  }

  /** Tokens that may work now: near the end of an epoch only those that are carried, as others may hold the rest right after it. */
  #usable(nowMs: number): number {
    const held = this.#held - this.#frozen;
    return this.#msToEnd(nowMs) > CARRY_DEADLINE_MS ? held : Math.min(held, this.#carried);
  }

  #tryUse(nowMs: number, limit: number): boolean {
    const free = this.#usable(nowMs) - this.#used.count(nowMs);
    if (this.#changing === null) this.#lookAhead(nowMs, limit, free);
    if (free <= 0) return false;
    this.#used.use();
    this.#leastFree = Math.min(this.#leastFree, free - 1);
    return true;
  }

  /** Carries or takes more in the background, before anybody has to wait for it. */
  #lookAhead(nowMs: number, limit: number, free: number): void {
    if (this.#mustCarry(nowMs)) {
      void this.#change(() => this.#carry(limit));
    } else if (free > 0 && free <= chunkOf(limit) / 2 && nowMs >= this.#exhaustedUntilMs && this.#held < limit) {
      void this.#change(() => this.#acquire(nowMs, limit));
    }
  }

  async #takeAfterChange(limit: number): Promise<Admission> {
    this.#waiting += 1;
    let nowMs = this.#nowMs();
    try {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const mustCarry = this.#changing === null && this.#mustCarry(nowMs);
        await this.#inTime(this.#change(() => (mustCarry ? this.#carry(limit) : this.#acquire(this.#nowMs(), limit))));
        // Read again: a token counts from the instant of its use, not from that of its request.
        nowMs = this.#nowMs();
        this.#turnEpoch(nowMs);
        if (this.#isAlone(nowMs)) return this.#takeAlone(nowMs, limit);
        if (this.#tryUse(nowMs, limit)) return this.#answer(true, nowMs, limit);
        if (nowMs < this.#exhaustedUntilMs || this.#isLate(nowMs)) break;
      }
    } finally {
      this.#waiting -= 1;
    }
    return this.#answer(false, nowMs, limit);
  }

  #change(run: () => Promise<void>): Promise<void> {
    if (this.#changing !== null) return this.#changing;
    this.#changing = run().finally(() => {
      this.#changing = null;
    });
    return this.#changing;
  }

  /** Takes more tokens of this epoch. */
  async #acquire(nowMs: number, limit: number): Promise<void> {
    const epoch = this.#epoch;
    const size = Math.max(chunkOf(limit), Math.min(this.#waiting, limit));
    const granted = await this.#takeFrom(epoch, size, limit);
    if (granted === null) return;
    if (granted === 0) this.#exhaustedUntilMs = Math.max(this.#nowMs(), nowMs) + EXHAUSTED_MS;
    // An epoch that ended meanwhile took its tokens with it.
    if (epoch === this.#epoch) this.#held += granted;
  }

  /** Takes as many tokens of the next epoch as are held and not carried yet; what is not to be had is tried again shortly. */
  async #carry(limit: number): Promise<void> {
    const epoch = this.#epoch;
    const wish = this.#held - this.#carried;
    const granted = await this.#takeFrom(epoch + 1, wish, limit);
    if (granted === null) return;
    if (granted < wish) this.#carryRetryMs = this.#nowMs() + CARRY_RETRY_MS;
    if (epoch === this.#epoch) this.#carried = Math.min(this.#held, this.#carried + granted);
    else if (epoch + 1 === this.#epoch) this.#held += granted;
  }

  /** Asks the ledger for tokens of an epoch, and refunds at once what goes beyond the limit; null when it never answered. */
  async #takeFrom(epoch: number, size: number, limit: number): Promise<number | null> {
    const totals = await this.#add([[epoch, size]]);
    if (totals === null) return null;
    const total = totals[0] ?? 0;
    const granted = Math.max(0, size - Math.max(0, total - limit));
    this.#taken = total - (size - granted);
    if (granted < size) await this.#add([[epoch, granted - size]]);
    return granted;
  }

  /** Adds tokens to epochs, once; resolves when the ledger has confirmed it, however late. */
  async #add(parts: readonly (readonly [epoch: number, tokens: number])[]): Promise<readonly number[] | null> {
    this.#unansweredSinceMs ??= this.#nowMs();
    const additions = parts.map(([epoch, tokens]) => ({
      key: this.#keyOf(epoch),
      by: BigInt(tokens),
      ttlMs: COUNTER_TTL_MS,
    }));
    const totals = await this.#writer.add(additions);
    if (totals !== null) {
      this.#unansweredSinceMs = null;
      this.#hasFailed = false;
    }
    return totals;
  }

  /** Once an epoch: asks for what is lacking, or lets go of what others lack. Never both. */
  async #share(nowMs: number, limit: number): Promise<void> {
    const sinceStartMs = EPOCH_MS - this.#msToEnd(nowMs);
    const part = Math.floor(limit / this.#ledger.processes);
    if (sinceStartMs >= ASK_UNTIL_MS - 1_000 && sinceStartMs < ASK_UNTIL_MS && !this.#asked) {
      this.#asked = true;
      const lacking = Math.min(part - this.#held, Math.ceil((this.#refused * 1_000) / sinceStartMs));
      if (lacking > 0) await this.#ledger.add(this.#wantKeyOf(), lacking, COUNTER_TTL_MS).catch(() => undefined);
    } else if (sinceStartMs >= ASK_UNTIL_MS && sinceStartMs < DONATE_UNTIL_MS && !this.#donated && this.#held > part) {
      this.#donated = true;
      const [wanted = 0] = await this.#ledger.read([this.#wantKeyOf()]).catch(() => [0]);
      this.#frozen = Math.max(0, Math.min(this.#held - part, Math.ceil((wanted * this.#held) / limit)));
    }
    if (this.#frozen === 0 || this.#changing !== null) return;
    if (this.#held - this.#used.count(nowMs) < this.#frozen) return;
    this.#exhaustedUntilMs = nowMs + AFTER_DONATION_MS;
    const tokens = this.#frozen;
    this.#frozen = 0;
    await this.#change(() => this.#giveBack(tokens));
  }

  async #giveBack(tokens: number): Promise<void> {
    this.#held -= tokens;
    const carriedTooMany = Math.max(0, this.#carried - this.#held);
    this.#carried -= carriedTooMany;
    const totals = await this.#add([
      [this.#epoch, -tokens],
      [this.#epoch + 1, -carriedTooMany],
    ]);
    this.#taken = totals?.[0] ?? this.#taken;
  }

  /** Waits for a change as long as for any answer of the ledger; a late one still brings tokens for others. */
  #inTime(change: Promise<void>): Promise<void> {
    return withinTime(change, this.#ledger.timeoutMs, this.#ledger.later).catch(() => undefined);
  }

  #isLate(nowMs: number): boolean {
    return this.#unansweredSinceMs !== null && nowMs - this.#unansweredSinceMs >= this.#ledger.timeoutMs;
  }

  #isAlone(nowMs: number): boolean {
    if (this.#unansweredSinceMs === null || nowMs - this.#unansweredSinceMs < ALONE_AFTER_MS) return false;
    // A store that only hangs may still answer the others, who then hold what this process would admit.
    return this.#hasFailed || (this.#hasFailed = this.#writer.hasFailed);
  }

  /** What this process admits alone counts in the same sliding second as what it admits with tokens. */
  #takeAlone(nowMs: number, limit: number): Admission {
    if (this.#changing === null) void this.#change(async () => void (await this.#add([[this.#epoch, 0]])));
    // Never more, whatever it holds: the others may be alone as well, and admit their parts.
    const share = Math.min(limit, Math.max(1, Math.floor(limit / this.#ledger.processes)));
    const used = this.#used.count(nowMs);
    const admitted = used < share;
    if (admitted) this.#used.use();
    const remaining = Math.max(0, share - used - 1);
    return { admitted, limit, remaining, resetSeconds: Math.ceil(nowMs / 1000) + 1 };
  }

  #answer(admitted: boolean, nowMs: number, limit: number): Admission {
    if (!admitted) this.#refused += 1;
    const free = Math.max(0, this.#held - this.#used.count(nowMs));
    const remaining = Math.min(limit, Math.max(0, limit - this.#taken) + free);
    return { admitted, limit, remaining: admitted ? remaining : 0, resetSeconds: Math.ceil(nowMs / 1000) + 1 };
  }

  #keyOf(epoch: number): string {
    return `${this.#name}/e/${epoch}`;
  }

  #wantKeyOf(): string {
    return `${this.#name}/w/${this.#epoch}`;
  }
}

function chunkOf(limit: number): number {
  return Math.max(1, Math.ceil(limit / CHUNK_FRACTION));
}
