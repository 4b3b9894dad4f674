import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Log } from '../../../domain/log/log.ts';
import type { HttpReply } from '../../../http/shared/route.ts';
import { CLAIM, DIGEST_WORDS, RECORD_WORDS, RecordBuffer, TAKE_OVER, digestWord } from './claim-record.ts';
import type { ClaimId, ClaimRecord } from './claim-record.ts';
import { ClaimLog } from './claim-log.ts';
import { ClaimTable } from './claim-table.ts';
import { KeptReplies } from './kept-replies.ts';
import { PeerReplies, REPLY_WAIT_MS } from './peer-replies.ts';
import { ReusedIds } from './reused-ids.ts';

/** Requests in memory, a power of two: more than 26,000 per second for ten seconds. */
const CLAIMS_MAX = 262_144;
/** Bytes of replies that a worker holds. */
const REPLIES_BYTES_MAX = 64 * 1_024 ** 2;
const CATCH_UP_EVERY_MS = 1_000;
/** Changes of owner that one retry follows. */
const ROUNDS_MAX = 3;
const WARN_EVERY_MS = 60_000;

/** The identity of a request, which tells whether it is a retry. */
export interface RequestIdentity {
  /** 128 bits of a keyed hash over network, id and content, one character a byte. */
  readonly digest: string;
  /** 32 bits of a keyed hash over network and id. */
  readonly idHash: number;
}

/** Options of `BidRetries`. */
export interface BidRetriesOptions {
  /** The folder in which the workers of this machine find each other; null = there is only this one. */
  readonly dir: string | null;
  /** This worker's number on its machine, from 0. */
  readonly worker: number;
  readonly nowMs: () => number;
  readonly log: Log;
  /** Default 262,144; a power of two. */
  readonly claimsMax?: number;
  /** Default 64 MiB. */
  readonly repliesBytesMax?: number;
}

/** Counts since the start. */
interface RetryStats {
  repeated: number;
  takenOver: number;
  slow: number;
  reusedIds: number;
  logFailures: number;
}

/**
 * Serves each bid request once (conformance B14). A retry to any worker of the machine gets the first response byte for byte; any other
 * request is new. How the workers agree: `ClaimLog`. When no worker has the first response any more (its worker died, or it was
 * overwritten), the retry is a new request.
 */
export class BidRetries {
  readonly stats: RetryStats = { repeated: 0, takenOver: 0, slow: 0, reusedIds: 0, logFailures: 0 };
  readonly #options: BidRetriesOptions;
  readonly #table: ClaimTable;
  readonly #replies: KeptReplies;
  readonly #ids = new ReusedIds();
  readonly #own = new RecordBuffer(1);
  /** Replies in progress, by the number of their claim. */
  readonly #pending = new Map<number, Promise<HttpReply>>();
  #log: ClaimLog | null = null;
  #peers: PeerReplies | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sequence = randomInt(2 ** 32);
  /** The index of the claim of our last record. */
  #entry = 0;
  #warnedAtMs = 0;

  constructor(options: BidRetriesOptions) {
    this.#options = options;
    this.#table = new ClaimTable(options.claimsMax ?? CLAIMS_MAX);
    this.#replies = new KeptReplies(options.repliesBytesMax ?? REPLIES_BYTES_MAX);
  }

  /** Joins the other workers. Without the folder (a full disk, a path that is too long for a socket) only this worker's retries are known. */
  async start(): Promise<void> {
    const { dir, worker, nowMs } = this.#options;
    if (dir === null) return;
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const peers = new PeerReplies(dir, worker);
      await peers.listen((digestHex) => this.#findForPeer(digestHex));
      this.#peers = peers;
      this.#log = new ClaimLog({ dir, nowMs, onRecord: (records, at) => this.#apply(records, at) });
      this.#catchUp();
      this.#timer = setInterval(() => this.#catchUp(), CATCH_UP_EVERY_MS).unref();
    } catch (error) {
      this.#recordFailure(error);
    }
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#peers?.close();
    this.#log?.close();
    this.#log = null;
  }

  /** The first response to this request: from `answer` when it is the first, else the one that was given. */
  respondOnce(
    identity: RequestIdentity,
    respond: () => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const claim = this.#nextClaim();
    const entry = this.#submit(identity, claim, null);
    return this.#table.isClaim(entry, claim)
      ? this.#respondFirst(entry, claim, respond)
      : this.#repeat(identity, entry, respond);
  }

  #respondFirst(
    entry: number,
    claim: ClaimId,
    respond: () => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const reply = respond();
    if (!(reply instanceof Promise)) {
      this.#table.setReply(entry, this.#replies.put(writeHead(reply), bodyOf(reply)));
      return reply;
    }
    const kept = reply.then((made) => {
      // Another claim may have taken the index meanwhile.
      if (this.#table.isClaim(entry, claim))
        this.#table.setReply(entry, this.#replies.put(writeHead(made), bodyOf(made)));
      return made;
    });
    this.#pending.set(claim.sequence, kept);
    return kept.finally(() => this.#pending.delete(claim.sequence));
  }

  #repeat(
    identity: RequestIdentity,
    entry: number,
    respond: () => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const kept = this.#replies.read(this.#table.replyAt(entry));
    if (kept === null) return this.#followOwner(identity, entry, respond);
    this.stats.repeated += 1;
    return readReply(kept);
  }

  async #followOwner(
    identity: RequestIdentity,
    entry: number,
    respond: () => HttpReply | Promise<HttpReply>,
  ): Promise<HttpReply> {
    let at = entry;
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const holder = this.#table.claimAt(at);
      const kept = this.#replies.read(this.#table.replyAt(at));
      const found = kept === null ? await this.#askOwner(holder, identity) : { reply: kept };
      if (found === 'slow') break;
      if (found !== 'lost') {
        // The next retry does not have to ask.
        if (this.#table.isClaim(at, holder)) this.#table.setReply(at, this.#replies.put('', found.reply));
        this.stats.repeated += 1;
        return readReply(found.reply);
      }
      const claim = this.#nextClaim();
      at = this.#submit(identity, claim, holder);
      if (this.#table.isClaim(at, claim)) {
        this.stats.takenOver += 1;
        return this.#respondFirst(at, claim, respond);
      }
    }
    this.stats.slow += 1;
    return { status: 204, headers: { 'cache-control': 'no-store' } };
  }

  async #askOwner(holder: ClaimId, { digest }: RequestIdentity): Promise<{ readonly reply: string } | 'lost' | 'slow'> {
    if (holder.owner !== this.#options.worker)
      return (await this.#peers?.ask(holder.owner, Buffer.from(digest, 'latin1').toString('hex'))) ?? 'lost';
    const pending = this.#pending.get(holder.sequence);
    if (pending === undefined) return 'lost';
    const timer = new AbortController();
    const late = sleep(REPLY_WAIT_MS, null, { signal: timer.signal }).catch(() => null);
    try {
      const reply = await Promise.race([pending, late]);
      return reply === null ? 'slow' : { reply: writeReply(reply) };
    } catch {
      return 'lost';
    } finally {
      timer.abort();
    }
  }

  #findForPeer(digestHex: string): string | null | Promise<string | null> {
    const text = Buffer.from(digestHex, 'hex').toString('latin1');
    const digest = Uint32Array.from({ length: DIGEST_WORDS }, (_word, at) => digestWord(text, at));
    const entry = this.#table.find(digest, 0);
    if (entry === -1) return null;
    const { owner, sequence } = this.#table.claimAt(entry);
    const pending = owner === this.#options.worker ? this.#pending.get(sequence) : undefined;
    return pending === undefined ? this.#replies.read(this.#table.replyAt(entry)) : pending.then(writeReply);
  }

  /** Adds a claim to those of all workers; returns the index of the valid claim. */
  #submit({ digest, idHash }: RequestIdentity, claim: ClaimId, former: ClaimId | null): number {
    const timeMs = this.#options.nowMs();
    const record: ClaimRecord = { kind: former === null ? CLAIM : TAKE_OVER, digest, timeMs, idHash, claim, former };
    if (this.#log !== null) {
      try {
        this.#log.append(record);
        return this.#entry;
      } catch (error) {
        this.#recordFailure(error);
      }
    }
    this.#own.write(0, record);
    this.#apply(this.#own, 0);
    return this.#entry;
  }

  #apply(records: RecordBuffer, at: number): void {
    const entry = this.#table.apply(records, at);
    const isReused = this.#ids.record(
      records.idHash(at),
      records.words[at * RECORD_WORDS] as number,
      records.timeMs(at),
    );
    if (!records.isClaim(at, this.#options.worker, this.#sequence)) return;
    this.#entry = entry;
    if (isReused) this.stats.reusedIds += 1;
  }

  #nextClaim(): ClaimId {
    this.#sequence = (this.#sequence + 1) >>> 0;
    return { owner: this.#options.worker, sequence: this.#sequence };
  }

  #catchUp(): void {
    try {
      this.#log?.catchUp();
    } catch (error) {
      this.#recordFailure(error);
    }
  }

  #recordFailure(error: unknown): void {
    this.stats.logFailures += 1;
    const nowMs = performance.now();
    if (this.#warnedAtMs > 0 && nowMs - this.#warnedAtMs < WARN_EVERY_MS) return;
    this.#warnedAtMs = nowMs;
    this.#options.log.event('bid.retries_not_compared', { err: error });
  }
}

/** Registers the metrics of retries. */
export function registerRetryMetrics(registry: Registry, { stats }: BidRetries): void {
  const gauges: readonly (readonly [keyof RetryStats, string, string])[] = [
    [
      'repeated',
      'placard_bid_retries_repeated_total',
      'Bid requests that were retried within 10 s and got the first response.',
    ],
    [
      'takenOver',
      'placard_bid_retries_lost_total',
      'Bid requests that were retried when no worker had the first response any more: handled as new.',
    ],
    [
      'slow',
      'placard_bid_retries_slow_total',
      'Bid requests that were retried and got no bid, because the first response was not ready in time.',
    ],
    [
      'reusedIds',
      'placard_bid_reused_ids_total',
      'Bid requests whose id came with other content within 10 s. Each is a new request.',
    ],
    [
      'logFailures',
      'placard_bid_claim_failures_total',
      'Times that workers could not compare their requests (disk, socket).',
    ],
  ];
  for (const [stat, name, help] of gauges) {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [registry],
      collect: () => {
        counter.reset();
        counter.inc(stats[stat]);
      },
    });
  }
}

/** The folder in which the workers of a machine find each other. */
export function retryFolder(dataDir: string): string {
  return join(dataDir, 'run', 'bids');
}

function writeHead({ status, headers }: HttpReply): string {
  return `${status}\n${JSON.stringify(headers ?? {})}\n`;
}

function bodyOf({ body }: HttpReply): string {
  return typeof body === 'string' ? body : '';
}

function writeReply(reply: HttpReply): string {
  return writeHead(reply) + bodyOf(reply);
}

function readReply(text: string): HttpReply {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const headers = JSON.parse(text.slice(first + 1, second)) as Record<string, string>;
  const body = text.slice(second + 1);
  return { status: Number(text.slice(0, first)), headers, body: body === '' ? null : body };
}
