/**
 * The ad request API on one worker, with the key checked and the rate limit counted at every request, beside a bare node:http
 * server that parses the same body and returns as many bytes. Rounds alternate; medians count.
 *
 *   node bench/ads.ts [--line-items 1000] [--tls] [--rounds 5] [--seconds 4]
 *
 * The network's limit is a million a second, so that it is counted and never met.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createClient } from '../test/support/http-client.ts';
import { makeBenchKey } from './support/bench-key.ts';
import { BENCH_NETWORK_ID } from './support/bench-network.ts';
import { startBenchServer } from './support/bench-server.ts';
import type { BenchServer } from './support/bench-server.ts';
import { compareRounds, startFloor } from './support/floor.ts';
import type { Measured } from './support/floor.ts';

const KEY_KNOWN_WITHIN_MS = 10_000;
const { values } = parseArgs({
  options: {
    'line-items': { type: 'string', default: '1000' },
    tls: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
});

const server = await startBenchServer({ lineItems: Number(values['line-items']), tls: values.tls });
try {
  await run(server);
} finally {
  await server.stop();
}

async function run(bench: BenchServer): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${await makeBenchKey(bench, { permission: 'read-only', modules: ['DELIVERY'] })}`,
  };
  const bodies = Array.from({ length: 20 }, (_, unit) =>
    JSON.stringify({
      network: BENCH_NETWORK_ID,
      adUnit: `unit-${unit}`,
      count: 1,
      site: 'bench.example',
      page: `https://www.bench.example/article/${unit}`,
      keyValues: { section: 'news' },
      user: { lu: `user-${unit}` },
    }),
  );
  const url = `${bench.deliveryUrl}/api/v1/ads`;
  const bytes = await measureFirstResponse(bench, url, { body: bodies[0] as string, headers });
  const floor = await startFloor(bytes, values.tls ? join(bench.dataDir, 'tls', 'server.pem') : null, 4);
  try {
    const plan = { bodies, headers, connections: 64, seconds: Number(values.seconds) };
    const [bare, ads] = (await compareRounds(plan, Number(values.rounds), [
      { name: values.tls ? 'bare node:https' : 'bare node:http', url: floor.url, pid: floor.pid },
      { name: 'ads API', url, pid: bench.workerPid },
    ])) as [Measured, Measured];
    const ratio = (ads.requestsPerSecond / bare.requestsPerSecond).toFixed(2);
    console.log(`${ads.requestsPerSecond.toFixed(0)} ad requests/s of ${bytes} bytes, ${ratio} of the bare server`);
  } finally {
    floor.stop();
  }
}

/** Bytes of a response with an ad, once the worker knows the key. */
async function measureFirstResponse(
  { ca }: BenchServer,
  url: string,
  sending: { body: string; headers: Record<string, string> },
): Promise<number> {
  const client = createClient(ca === '' ? null : ca);
  try {
    for (let waitedMs = 0; ; waitedMs += 100) {
      const response = await client.send(url, { method: 'POST', ...sending });
      if (response.status === 200 && response.json<{ ads: unknown[] }>().ads.length > 0) return response.bytes.length;
      if (waitedMs > KEY_KNOWN_WITHIN_MS)
        throw new Error(`The ads API responds with ${response.status}: ${response.text}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } finally {
    client.close();
  }
}
