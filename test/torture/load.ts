import { type Client, createClient } from '../support/http-client.ts';
import type { Journal } from './journal.ts';
import type { Random } from './random.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** What the load generator is made with. */
export interface LoadOptions {
  readonly deliveryUrl: () => string;
  readonly ca: () => string | null;
  readonly tagId: string;
  readonly site: string;
  readonly journal: Journal;
  readonly random: Random;
  readonly users: number;
  readonly pauseMs: number;
}

/** Longest that an event is held back, so that events come in another order than their ads. */
const DISORDER_MS = 1_500;
const LATER_MAX = 2_000;
const TRIES_MAX = 20;

interface Event {
  readonly link: string;
  readonly kind: 'imp' | 'view' | 'clk';
  dueMs: number;
  tries: number;
  /** Not sent on purpose a second time. */
  readonly isFirst: boolean;
}

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

  /** Asks for no more ads, and reports what was held back. */
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
    const { deliveryUrl, tagId, site, random } = this.#options;
    this.#requests += 1;
    const id = `${this.#run}-${this.#requests}`;
    const answer = await client.send(`${deliveryUrl()}/1000/bid`, {
      json: {
        id,
        imp: [{ id: 'slot', tagid: tagId, banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
        site: { id: site, domain: `${site}.example`, page: `https://${site}.example/` },
        user: { ext: { npa: false, ids: { lu: `user-${id}` } } },
      },
      headers: BROWSER,
    });
    if (answer.status !== 200) return;
    const [bid] = answer.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid ?? [];
    if (bid === undefined) return;
    const link = bid.ext.ems_link;
    const shownMs = performance.now() + (random() < 0.3 ? random() * DISORDER_MS : 0);
    this.#hold(link, 'imp', shownMs);
    if (random() < 0.2) this.#hold(link, 'imp', shownMs + random() * DISORDER_MS, false);
    if (random() < 0.3) this.#hold(link.replace('/imp/', '/click/'), 'clk', shownMs + random() * DISORDER_MS);
  }

  #hold(link: string, kind: Event['kind'], dueMs: number, isFirst = true): void {
    this.#later.push({ link, kind, dueMs, tries: 0, isFirst });
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
    const { journal, random } = this.#options;
    const eventId = journal.eventIdOf(event.link, event.kind);
    journal.noteSent(eventId);
    event.tries += 1;
    const again = (): void => {
      journal.refused += 1;
      if (event.tries >= TRIES_MAX) return;
      event.dueMs = performance.now() + 100 * event.tries;
      this.#later.push(event);
    };
    try {
      const { status } = await client.send(event.link, { headers: BROWSER });
      if (status >= 400) again();
      // A click leads to its landing page even where it cannot be recorded: its redirect acknowledges nothing.
      else if (event.kind !== 'clk') journal.noteAcknowledged(eventId);
      if (status < 400 && event.kind === 'imp' && event.isFirst)
        this.#hold(event.link.replace('/imp/', '/view/'), 'view', performance.now() + random() * DISORDER_MS);
    } catch (error) {
      again();
      throw error;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
