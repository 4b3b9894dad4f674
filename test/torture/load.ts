import type { ServedAd } from '../../src/domain/events/served-ad.ts';
import { type Client, createClient, type HttpResponse, type Sending } from '../support/http-client.ts';
import type { Booking } from './booking.ts';
import type { Journal } from './journal.ts';
import { pick, type Random } from './random.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** Options of the load generator. */
export interface LoadOptions {
  readonly deliveryUrl: () => string;
  readonly ca: () => string | null;
  readonly networkId: string;
  /** May record conversions. */
  readonly apiKey: string;
  readonly booking: Booking;
  readonly journal: Journal;
  readonly random: Random;
  readonly users: number;
  readonly pauseMs: number;
  /** Also requests for ads that fail are recorded as refused. Default false: only events are. */
  readonly countsBids?: boolean;
}

/** Longest that an event is held back, so that events come in another order than their ads. */
const DISORDER_MS = 1_500;
const LATER_MAX = 2_000;
const TRIES_MAX = 20;

/** The share of each line item of all requests. */
const SHARES: Readonly<Record<string, number>> = {
  cpm: 0.25,
  vcpm: 0.2,
  cpc: 0.15,
  cpa: 0.2,
  flat: 0.05,
  'flat-limited': 0.05,
  capped: 0.1,
};
/** Values of the reported key-value; '' = the request carries none. */
const MOODS = ['calm', 'curious', ''] as const;

/** The events that a user reports for a shown ad. */
interface Event {
  readonly ad: ServedAd;
  /** Its impression link. */
  readonly link: string;
  readonly kind: 'imp' | 'view' | 'clk' | 'conversion';
  dueMs: number;
  tries: number;
  /** Not sent a second time on purpose. */
  readonly isFirst: boolean;
}

/** Path of each kind of link. */
const PATHS = { imp: '/imp/', view: '/view/', clk: '/click/' } as const;

/**
 * Users who ask for ads and report them: some at once, some later, some twice, some again and again until they are acknowledged.
 * Each keeps one connection until it breaks.
 */
export class Load {
  readonly #options: LoadOptions;
  readonly #run = Math.random().toString(36).slice(2);
  #later: Event[] = [];
  #requests = 0;
  #isStopped = false;
  #users: Promise<void>[] = [];

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStopped = false;
    this.#users = Array.from({ length: this.#options.users }, () => this.#beUser());
  }

  /** Ends the requests for ads, and reports the events that were held back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#users);
  }

  get requests(): number {
    return this.#requests;
  }

  async #beUser(): Promise<void> {
    const { ca, random, pauseMs } = this.#options;
    let client = createClient(ca());
    while (!this.#isStopped || this.#later.length > 0) {
      try {
        if (!this.#isStopped && this.#later.length < LATER_MAX) await this.#askForAd(client);
        await this.#reportDue(client);
      } catch {
        // A broken connection: the next one may meet another worker.
        client.close();
        client = createClient(ca());
        await pause(50);
      }
      await pause(pauseMs * (0.5 + random()));
    }
    client.close();
  }

  async #askForAd(client: Client): Promise<void> {
    const { deliveryUrl, networkId, booking, random, journal } = this.#options;
    this.#requests += 1;
    const id = `${this.#run}-${this.#requests}`;
    const { siteCode } = booking;
    const mood = pick(random, MOODS);
    const response = await this.#sendBid(client, `${deliveryUrl()}/${networkId}/bid`, {
      json: {
        id,
        imp: [{ id: 'slot', tagid: this.#pickTagId(), banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
        site: { id: siteCode, domain: `${siteCode}.example`, page: `https://${siteCode}.example/` },
        user: { ext: { npa: false, ids: { lu: userOf(id) } } },
        ...(mood === '' ? {} : { ext: { keyvalues: { [booking.keyName]: [mood] } } }),
      },
      headers: BROWSER,
    });
    if (response.status !== 200) return;
    const [bid] = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid ?? [];
    if (bid === undefined) return;
    const link = bid.ext.ems_link;
    const ad = journal.recordAd(link, { user: userOf(id), mood });
    // While a line item with limits waits, one of the demo's takes its ad unit.
    if (!booking.lineItems.some(({ lineItemId }) => lineItemId === ad.lineItemId)) return;
    const shownMs = performance.now() + (random() < 0.3 ? random() * DISORDER_MS : 0);
    const hold = (kind: Event['kind'], dueMs: number, isFirst = true): void =>
      this.#hold({ ad, link, kind, dueMs, isFirst, tries: 0 });
    hold('imp', shownMs);
    if (random() < 0.2) hold('imp', shownMs + random() * DISORDER_MS, false);
    if (random() < 0.3) hold('clk', shownMs + random() * DISORDER_MS);
  }

  async #sendBid(client: Client, url: string, sending: Sending): Promise<HttpResponse> {
    const { journal, countsBids = false } = this.#options;
    try {
      const response = await client.send(url, sending);
      if (countsBids && (response.status < 200 || response.status > 299))
        journal.recordRefused(`bid ${response.status}`);
      return response;
    } catch (error) {
      if (countsBids) journal.recordRefused('bid broken connection');
      throw error;
    }
  }

  #pickTagId(): string {
    let left = this.#options.random();
    for (const { name, tagId } of this.#options.booking.lineItems) {
      left -= SHARES[name] ?? 0;
      if (left < 0) return tagId;
    }
    return this.#options.booking.lineItems[0]?.tagId ?? '';
  }

  #hold(event: Event): void {
    this.#later.push(event);
  }

  /** All that are due, one after the other; one that was not acknowledged is due again later. */
  async #reportDue(client: Client): Promise<void> {
    const nowMs = performance.now();
    const due = this.#later.filter((event) => event.dueMs <= nowMs);
    if (due.length === 0) return;
    this.#later = this.#later.filter((event) => event.dueMs > nowMs);
    while (due.length > 0) {
      const event = due.pop();
      if (event === undefined) return;
      try {
        await this.#report(client, event);
      } catch (error) {
        this.#later.push(...due);
        throw error;
      }
    }
  }

  async #report(client: Client, event: Event): Promise<void> {
    const { journal } = this.#options;
    event.tries += 1;
    const again = (why: string): void => {
      journal.recordRefused(`${event.kind} ${why}`);
      if (event.tries >= TRIES_MAX) return;
      event.dueMs = performance.now() + 100 * event.tries;
      this.#later.push(event);
    };
    try {
      const { eventId, status } = await this.#send(client, event);
      if (status >= 400) return again(String(status));
      // A click leads to its landing page even where it cannot be recorded: its redirect acknowledges nothing.
      if (event.kind !== 'clk') journal.recordAcknowledged(eventId);
      if (event.kind === 'imp' && event.isFirst) this.#holdWhatFollows(event);
    } catch (error) {
      again('broken connection');
      throw error;
    }
  }

  #holdWhatFollows(event: Event): void {
    const { random } = this.#options;
    const soon = (): number => performance.now() + random() * DISORDER_MS;
    const follow = (kind: Event['kind'], isFirst = true): void =>
      this.#hold({ ...event, kind, dueMs: soon(), tries: 0, isFirst });
    follow('view');
    if (random() >= 0.4) return;
    follow('conversion');
    if (random() < 0.25) follow('conversion', false);
  }

  async #send(client: Client, event: Event): Promise<{ readonly eventId: string; readonly status: number }> {
    const { journal, booking, deliveryUrl, networkId, apiKey } = this.#options;
    const { ad, link, kind } = event;
    if (kind !== 'conversion') {
      const eventId = `${ad.impressionId}:${kind}`;
      journal.recordSent(eventId);
      const { status } = await client.send(link.replace(PATHS.imp, PATHS[kind]), { headers: BROWSER });
      return { eventId, status };
    }
    // Everything follows from the ad: a second copy is the same order.
    const cents = BigInt(Number.parseInt(ad.impressionId.slice(-3), 32) || 1);
    const order = { actgid: booking.actgid, event: 'purchased', ord: `order-${ad.impressionId}` };
    const eventId = journal.recordConversion(ad, order, cents * 10_000n);
    const response = await client.send(`${deliveryUrl()}/api/v1/events`, {
      headers: { authorization: `Bearer ${apiKey}` },
      json: {
        ...order,
        network: networkId,
        cost: (Number(cents) / 100).toFixed(2),
        lu: journal.userOf(ad.impressionId),
        ...(cents % 2n === 0n ? { clickId: ad.impressionId } : {}),
      },
    });
    if (response.status < 400 && response.json<{ eventId: string }>().eventId !== eventId)
      throw new Error(`A conversion got another id than its order says: ${response.text}`);
    return { eventId, status: response.status };
  }
}

function userOf(requestId: string): string {
  return `user-${requestId}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
