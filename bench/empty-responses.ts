/**
 * `npm run bench:empty`: how many responses are empty although a HOUSE line item could serve. 200 line items with small caps, budgets and frequency caps
 * contend for one network; every shown ad is counted, one out of twenty is clicked. A HOUSE line item without any limit fits each request.
 *
 *   node bench/empty-responses.ts [--seconds 300] [--rate 100] [--workers 2]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BENCH_NETWORK_ID } from './support/bench-network.ts';
import { startBenchServer } from './support/bench-server.ts';
import type { BenchServer } from './support/bench-server.ts';
import { BID_HEADERS } from './support/bid-traffic.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
  },
});
const LINE_ITEMS = 200;
const USERS = 2_000;
const TIMEOUT_MS = 10_000;
/** The first line item of the network: HOUSE, without limits. */
const HOUSE_ID = 100_001;

const CONTEND = [
  `UPDATE line_items SET targeting = NULL, caps = jsonb_build_object('impressionsPerDay', 5 + id % 150),
     frequency_caps = CASE WHEN id % 3 = 0 THEN '[{"event":"IMPRESSIONS","count":2,"window":"DAY","every":1}]'::jsonb ELSE '[]' END,
     goal = CASE WHEN type = 'STANDARD' THEN jsonb_build_object('kind', 'IMPRESSIONS', 'amount', 5 + id % 100, 'period', 'DAY') END
   WHERE workspace_id = $1 AND id <> ${HOUSE_ID}`,
  `UPDATE line_items SET caps = jsonb_build_object('spendMicrosPerDay', 50000 + id % 7 * 100000) WHERE workspace_id = $1 AND id % 4 = 0 AND id <> ${HOUSE_ID}`,
  `UPDATE line_items SET type = 'HOUSE', level = 16, share_percent = 100, goal = NULL, targeting = NULL, caps = '{}', frequency_caps = '[]', serve_without_user = true
   WHERE workspace_id = $1 AND id = ${HOUSE_ID}`,
  `UPDATE creatives SET content = content || '{"alt":"House ad"}' WHERE workspace_id = $1 AND line_item_id = ${HOUSE_ID}`,
];

/** What came of the requests, by status or fate. */
const outcomes = new Map<string, number>();
const count = (outcome: string): void => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

const server = await startBenchServer({
  lineItems: LINE_ITEMS,
  tls: false,
  bookings: CONTEND,
  env: { PLACARD_WORKERS: values.workers },
});
try {
  await run(server);
} finally {
  await server.stop();
}

async function run({ deliveryUrl }: BenchServer): Promise<void> {
  const total = Number(values.seconds) * Number(values.rate);
  const startMs = performance.now();
  const asked: Promise<void>[] = [];
  for (let at = 0; at < total; at += 1) {
    const waitMs = startMs + (at * 1_000) / Number(values.rate) - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    asked.push(ask(deliveryUrl, at).catch((error: unknown) => count(`failed: ${String(error)}`)));
  }
  await Promise.all(asked);
  for (const [outcome, times] of [...outcomes].toSorted(([, one], [, other]) => other - one))
    console.log(`${outcome}: ${times} (${((100 * times) / total).toFixed(2)} %)`);
  const metrics = await get(`${deliveryUrl}/metrics`).then((response) => response.text());
  for (const line of metrics
    .split('\n')
    .filter((one) => !/_bucket|^(nodejs|process)_| 0$/.test(one) && !one.startsWith('#')))
    console.log(line);
}

async function ask(deliveryUrl: string, at: number): Promise<void> {
  const response = await fetch(`${deliveryUrl}/${BENCH_NETWORK_ID}/bid`, {
    method: 'POST',
    headers: BID_HEADERS,
    body: bodyOf(at),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status !== 200) return count(`status ${response.status}`);
  count(text.includes('House ad') ? 'HOUSE without limits' : 'another line item');
  const pixels = [...text.matchAll(/https?:[^"'\\\s]+\/(?:imp|impression|event)[^"'\\\s]*/g)].map(([url]) => url);
  for (const url of new Set(pixels)) await get(url.replaceAll('&amp;', '&'));
}

function get(url: string): Promise<Response> {
  return fetch(url, { headers: BID_HEADERS, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
}

function bodyOf(at: number): string {
  return JSON.stringify({
    id: `empty-${at}-${Date.now()}`,
    imp: [{ id: '1', tagid: `unit-${at % 20}`, secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
    site: { id: `site-${at % 4}`, domain: 'bench.example', page: `https://www.bench.example/article/${at}` },
    user: { ext: { npa: false, ids: { lu: `user-${(at * 7919) % USERS}` } } },
    regs: { gdpr: 0, ext: { dsa: 1 } },
    ext: { network: BENCH_NETWORK_ID },
    at: 1,
    tmax: 500,
  });
}
