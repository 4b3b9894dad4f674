import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';
import type { HttpReply } from '../../../http/shared/route.ts';
import { KeptReplies } from './kept-replies.ts';
import { RecentRequests } from './recent-requests.ts';
import type { RequestIdentity } from './request-identity.ts';
import { ReusedIds } from './reused-ids.ts';

/** Requests in memory, a power of two: more than 26,000 per second for ten seconds. */
const REQUESTS_MAX = 262_144;
/** Bytes of replies that a process keeps. */
const REPLIES_BYTES_MAX = 64 * 1_024 ** 2;

/** Options of `BidRetries`. */
export interface BidRetriesOptions {
  readonly nowMs: () => number;
  /** Default 262,144; a power of two. */
  readonly requestsMax?: number;
  /** Default 64 MiB. */
  readonly repliesBytesMax?: number;
}

/** Counts since the start. */
interface RetryStats {
  repeated: number;
  lost: number;
  reusedIds: number;
}

/**
 * Serves each bid request once (conformance B14): a retry gets the first response byte for byte; any other request is new. A retry that
 * reaches another process is a new request, which counts nothing until its ad is shown. So is a retry of a response that was overwritten.
 */
export class BidRetries {
  readonly stats: RetryStats = { repeated: 0, lost: 0, reusedIds: 0 };
  readonly #nowMs: () => number;
  readonly #requests: RecentRequests;
  readonly #replies: KeptReplies;
  readonly #ids = new ReusedIds();
  /** Replies in progress, by the index of their request. */
  readonly #pending = new Map<number, Promise<HttpReply>>();

  constructor({ nowMs, requestsMax = REQUESTS_MAX, repliesBytesMax = REPLIES_BYTES_MAX }: BidRetriesOptions) {
    this.#nowMs = nowMs;
    this.#requests = new RecentRequests(requestsMax);
    this.#replies = new KeptReplies(repliesBytesMax);
  }

  /** The first response to this request: from `respond` when it is the first, else the kept one. */
  respondOnce(
    identity: RequestIdentity,
    respond: () => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const nowMs = this.#nowMs();
    const known = this.#requests.find(identity, nowMs);
    const reply = known === null ? null : this.#findReply(known);
    if (reply !== null) {
      this.stats.repeated += 1;
      return reply;
    }
    if (known !== null) this.stats.lost += 1;
    if (this.#ids.record(identity.idHash, identity.digest[0] as number, nowMs)) this.stats.reusedIds += 1;
    return this.#respondFirst(identity, this.#requests.add(identity, nowMs), respond);
  }

  #respondFirst(
    identity: RequestIdentity,
    entry: number,
    respond: () => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const store = (reply: HttpReply): HttpReply => {
      this.#requests.setReply(entry, identity, this.#replies.put(writeHead(reply), bodyOf(reply)));
      return reply;
    };
    // Of the request that had this index before.
    this.#pending.delete(entry);
    const reply = respond();
    if (!(reply instanceof Promise)) return store(reply);
    const pending = reply.then(store).finally(() => {
      if (this.#pending.get(entry) === pending) this.#pending.delete(entry);
    });
    this.#pending.set(entry, pending);
    return pending;
  }

  /** null: the response failed, or was overwritten. */
  #findReply(entry: number): HttpReply | Promise<HttpReply> | null {
    const kept = this.#replies.read(this.#requests.replyAt(entry));
    return kept === null ? (this.#pending.get(entry) ?? null) : readReply(kept);
  }
}

/** Registers the metrics of retries. */
export function registerRetryMetrics(registry: Registry, { stats }: BidRetries): void {
  const counters: readonly (readonly [keyof RetryStats, string, string])[] = [
    [
      'repeated',
      'placard_bid_retries_repeated_total',
      'Bid requests that were retried within 10 s and got the first response.',
    ],
    [
      'lost',
      'placard_bid_retries_lost_total',
      'Bid requests that were retried when the first response was gone: handled as new.',
    ],
    [
      'reusedIds',
      'placard_bid_reused_ids_total',
      'Bid requests whose id came with other content within 10 s. Each is a new request.',
    ],
  ];
  for (const [stat, name, help] of counters) {
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

function writeHead({ status, headers }: HttpReply): string {
  return `${status}\n${JSON.stringify(headers ?? {})}\n`;
}

function bodyOf({ body }: HttpReply): string {
  return typeof body === 'string' ? body : '';
}

function readReply(text: string): HttpReply {
  const first = text.indexOf('\n');
  const second = text.indexOf('\n', first + 1);
  const headers = JSON.parse(text.slice(first + 1, second)) as Record<string, string>;
  const body = text.slice(second + 1);
  return { status: Number(text.slice(0, first)), headers, body: body === '' ? null : body };
}
