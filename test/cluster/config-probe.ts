import { type Client, createClient } from '../support/http-client.ts';
import type { Booking } from '../torture/booking.ts';
import type { Management } from '../torture/management.ts';
import { pause } from '../torture/tortured-server.ts';
import type { ClusterNode } from './cluster-node.ts';

const TAG_ID = 'torture/probe';
/** The kernel spreads connections over the workers of a node: with these many, all workers are most likely asked. */
const CONNECTIONS = 8;
const ASK_EVERY_MS = 100;
/** A node that does not show a change by then is broken. */
const VISIBLE_MAX_MS = 120_000;

/** Changes the price of a line item again and again, and measures when the bids of every worker show it. */
export class ConfigProbe {
  readonly #management: Management;
  readonly #nodes: readonly ClusterNode[];
  readonly #siteCode: string;
  readonly #lineItemId: string;
  readonly #times: number[] = [];
  readonly #timesAfterFaults: number[] = [];
  #changes = 0;
  #bids = 0;

  private constructor(management: Management, nodes: readonly ClusterNode[], of: { siteCode: string; id: string }) {
    this.#management = management;
    this.#nodes = nodes;
    this.#siteCode = of.siteCode;
    this.#lineItemId = of.id;
  }

  /** Books a line item that nothing else uses. Its ads are never shown. */
  static async book(management: Management, nodes: readonly ClusterNode[], booking: Booking): Promise<ConfigProbe> {
    const adUnitId = await management.create('AdUnit', {
      siteId: booking.siteId,
      name: TAG_ID,
      sizes: [{ width: 300, height: 250 }],
      mediaTypes: ['BANNER'],
    });
    const id = await management.create('LineItem', {
      campaignId: booking.campaignId,
      name: 'probe',
      type: 'SPONSORSHIP',
      level: 1,
      sharePercent: 100,
      pricingModel: 'CPM',
      price: '1.00',
      status: 'ACTIVE',
      targeting: { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
    });
    await management.create('Creative', {
      lineItemId: id,
      name: 'probe',
      width: 300,
      height: 250,
      clickUrl: 'https://www.torture-shop.example/probe',
      content: { image: { imageUrl: 'https://cdn.torture-shop.example/probe.png', alt: 'Probe' } },
    });
    return new ConfigProbe(management, nodes, { siteCode: booking.siteCode, id });
  }

  /**
   * Changes the price once, and waits until every connection to every node shows it.
   * @param when `calm`: it counts for the percentiles; `after a fault`: it is listed apart
   * @throws Error when a node does not show it within two minutes
   */
  async change(when: 'calm' | 'after a fault'): Promise<void> {
    this.#changes += 1;
    const cents = 100 + this.#changes;
    const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
    await this.#management.graphql(
      'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
      { id: this.#lineItemId, input: { price } },
    );
    const sinceMs = performance.now();
    const times = await Promise.all(
      this.#nodes.flatMap((node) =>
        Array.from({ length: CONNECTIONS }, () => this.#untilVisible(node, cents / 100, sinceMs)),
      ),
    );
    (when === 'calm' ? this.#times : this.#timesAfterFaults).push(...times);
  }

  /** Milliseconds from the response to the change until a connection saw it, in words. */
  describe(): string {
    return [
      `calm: ${describeTimes(this.#times)}`,
      `after a fault: ${describeTimes(this.#timesAfterFaults)}`,
      `${this.#changes} changes, each seen on ${this.#nodes.length * CONNECTIONS} connections, asked every ${ASK_EVERY_MS} ms`,
    ].join('; ');
  }

  async #untilVisible(node: ClusterNode, price: number, sinceMs: number): Promise<number> {
    let client = createClient(null);
    try {
      for (;;) {
        const found = await this.#askForPrice(client, node).catch(() => null);
        const tookMs = performance.now() - sinceMs;
        if (found !== null && found >= price) return tookMs;
        if (tookMs > VISIBLE_MAX_MS) throw new Error(`${node.name} shows price ${found} instead of ${price}`);
        if (found === null) {
          client.close();
          client = createClient(null);
        }
        await pause(ASK_EVERY_MS);
      }
    } finally {
      client.close();
    }
  }

  async #askForPrice(client: Client, node: ClusterNode): Promise<number | null> {
    this.#bids += 1;
    const response = await client.send(`${node.url}/${this.#management.networkId}/bid`, {
      json: {
        id: `probe-${process.pid}-${this.#bids}`,
        imp: [{ id: 'slot', tagid: TAG_ID, banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
        site: { id: this.#siteCode, domain: `${this.#siteCode}.example`, page: `https://${this.#siteCode}.example/` },
      },
    });
    if (response.status !== 200) return null;
    return response.json<{ seatbid: { bid: { price: number }[] }[] }>().seatbid[0]?.bid[0]?.price ?? null;
  }
}

function describeTimes(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return sorted.length === 0 ? 'none' : `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}
