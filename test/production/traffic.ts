import { setTimeout as pause } from 'node:timers/promises';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { type Client, createClient, type HttpResponse } from '../support/http-client.ts';
import { bookLoad } from '../torture/booking.ts';
import { createManagement } from '../torture/management.ts';

const BALANCER = 'https://127.0.10.5:10443';
const DELIVERY = {
  host: 'd.example.com',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
/** Bids ask for two line items; the first line item has hard limits. */
const LIMITED = 'cpm';
const PAUSE_MS = 50;
/** Until an acknowledged impression is in the event table. */
const SHIPPED_MS = 60_000;

/** Bids and impressions through the balancer, one after the other, from a booking on. */
export interface Traffic {
  readonly failures: readonly string[];
  /** `late`: requests without an ad, for a line item whose lease of a hard limit came too late (docs/operations/failures.md). */
  readonly counts: { bids: number; impressions: number; late: number };
  readonly advertiserId: string;
  stop(): Promise<void>;
}

/** Books line items as the administrator of the network, and begins. */
export async function startTraffic(of: { ca: string; networkId: string; adminKey: string }): Promise<Traffic> {
  const management = createManagement({ ...of, coreUrl: () => BALANCER });
  const { advertiserId, siteCode, lineItems } = await bookLoad(management);
  const client = createClient(of.ca);
  const failures: string[] = [];
  const counts = { bids: 0, impressions: 0, late: 0 };
  let isStopped = false;
  const showAd = async (): Promise<void> => {
    counts.bids += 1;
    const { name, tagId = '' } = lineItems[counts.bids % 2] ?? {};
    const imp = { id: '1', tagid: tagId, banner: { format: [{ w: 300, h: 250 }] }, secure: 1 };
    const site = { id: siteCode, domain: `${siteCode}.example` };
    const id = `production-${counts.bids}`;
    const bid = await send(client, `/${of.networkId}/bid`, { id, imp: [imp], site });
    if (bid.status === 204 && name === LIMITED) {
      counts.late += 1;
      return;
    }
    const link = /"ems_link":"https:\/\/d\.example\.com([^"]+)"/.exec(bid.text)?.[1];
    if (bid.status !== 200 || link === undefined) throw new Error(`bid: ${bid.status} ${bid.text.slice(0, 200)}`);
    const event = await send(client, link);
    if (event.status >= 400) throw new Error(`impression: ${event.status} ${event.text.slice(0, 200)}`);
    counts.impressions += 1;
  };
  const loop = async (): Promise<void> => {
    for (; !isStopped; await pause(PAUSE_MS))
      await showAd().catch((error: unknown) => failures.push(`${new Date().toISOString()} ${String(error)}`));
    client.close();
  };
  const ended = loop();
  return {
    failures,
    counts,
    advertiserId,
    stop: () => {
      isStopped = true;
      return ended;
    },
  };
}

function send(client: Client, path: string, json?: unknown): Promise<HttpResponse> {
  return client.send(`${BALANCER}${path}`, json === undefined ? { headers: DELIVERY } : { headers: DELIVERY, json });
}

/** How many impressions of the advertiser are in the event table, once as many as were acknowledged are, or after a minute. */
export async function countStored(analyticsUrl: string, { advertiserId, counts }: Traffic): Promise<number> {
  const olap = openOlap({ url: analyticsUrl, log: SILENT_LOG });
  const deadlineMs = performance.now() + SHIPPED_MS;
  for (;;) {
    const [row] = await olap.query<{ stored: string }>({
      sql: `SELECT toString(count()) AS stored FROM events
        WHERE toString(advertiser_id) = {advertiserId: String} AND kind = 'impression' AND invalid_reason = ''`,
      params: { advertiserId },
    });
    const stored = Number(row?.stored);
    if (stored >= counts.impressions || performance.now() > deadlineMs) return stored;
    await pause(500);
  }
}
