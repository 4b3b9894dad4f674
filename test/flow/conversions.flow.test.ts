/** Conversions are accepted whatever the hot store does, and each is credited once. */
import { afterEach, expect, test } from 'vitest';
import { setTimeout as pause } from 'node:timers/promises';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { findRedisServer, startRedis } from '../support/stores/redis-servers.ts';
import { createTestFolder } from '../support/stores.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const WAIT_MS = 120_000;
const binary = findRedisServer();

let placard: LeanPlacard;
let client: Client;
let buyers: Buyers;

afterEach(async () => {
  await buyers.stop();
  client.close();
  await placard.remove();
});

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  placard = await startLeanPlacard({ PLACARD_DEMO: 'true', PLACARD_WORKERS: '2', ...env });
  client = createClient(placard.ca);
  buyers = new Buyers();
}

/** Users who see an ad, report it, and buy: without a pause, until they are told to stop. */
class Buyers {
  readonly #run = Math.random().toString(36).slice(2);
  /** Responses to conversions by status; 0: the connection broke, and the conversion is sent again. */
  readonly statuses = new Map<number, number>();
  readonly acknowledged = new Set<string>();
  #at = 0;
  #isStopped = false;
  #lanes: Promise<void>[] = [];

  begin(): void {
    this.#lanes = Array.from({ length: 4 }, () => this.#lane());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  async #lane(): Promise<void> {
    let connection = createClient(placard.ca);
    while (!this.#isStopped) {
      this.#at += 1;
      const user = `buyer-${this.#run}-${this.#at}`;
      try {
        await this.#see(connection, user);
      } catch {
        connection.close();
        connection = createClient(placard.ca);
      }
      for (let status = 0; status === 0; ) {
        status = await this.#buy(connection, user);
        if (status !== 0) continue;
        connection.close();
        connection = createClient(placard.ca);
        await pause(50);
      }
      await pause(20);
    }
    connection.close();
  }

  /** An ad that is not shown does not matter: its user still buys. */
  async #see(connection: Client, user: string): Promise<void> {
    const network = `${placard.deliveryUrl}/${placard.demo.networkId}`;
    const json = {
      id: user,
      imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
      site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
      user: { ext: { npa: false, ids: { lu: user } } },
    };
    const response = await connection.send(`${network}/bid`, { json, headers: BROWSER });
    const token = response.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
    if (token !== undefined) await connection.send(`${network}/imp/${token}`, { headers: BROWSER });
  }

  async #buy(connection: Client, user: string): Promise<number> {
    const { networkId, activity, keys } = placard.demo;
    const order = { network: networkId, actgid: activity.actgid, event: 'purchased', cost: '1.00' };
    const sent = connection.send(`${placard.deliveryUrl}/api/v1/events`, {
      headers: { authorization: `Bearer ${keys.audience}` },
      json: { ...order, ord: user, lu: user },
    });
    const status = await sent.then(
      (response) => response.status,
      () => 0,
    );
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 200 || status === 202) this.acknowledged.add(user);
    return status;
  }
}

const MEASURES = ['activities', 'post_click_activities', 'post_view_activities'] as const;

async function report(): Promise<Record<(typeof MEASURES)[number], number>> {
  const response = await client.send(`${placard.coreUrl}/reports/${placard.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: {
        measures: MEASURES.map((name) => `campaign_overview.${name}`),
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  const row = response.json<{ data: Record<string, string>[] }>().data[0] ?? {};
  const entries = MEASURES.map((name) => [name, Number(row[`campaign_overview.${name}`] ?? 0)] as const);
  return Object.fromEntries(entries) as Record<(typeof MEASURES)[number], number>;
}

/** No conversion was refused, and each that was acknowledged is in the report once. */
async function expectAllCounted(): Promise<void> {
  await buyers.stop();
  const refused = [...buyers.statuses].filter(([status]) => status >= 300);
  expect(refused).toEqual([]);
  await expect.poll(async () => (await report()).activities, { timeout: WAIT_MS }).toBe(buyers.acknowledged.size);
  // What was acknowledged again counts no further.
  await pause(3_000);
  const { activities, post_click_activities: clicks, post_view_activities: views } = await report();
  expect(activities).toBe(buyers.acknowledged.size);
  expect(clicks + views).toBeGreaterThan(0.9 * activities);
}

const untilAcknowledged = (more: number): Promise<void> => {
  const wanted = buyers.acknowledged.size + more;
  return expect.poll(() => buyers.acknowledged.size, { timeout: WAIT_MS }).toBeGreaterThan(wanted);
};

const pidOf = (name: string): number => readChildren(placard.dataDir).find((child) => child.name === name)?.pid ?? 0;

async function uncreditedSoFar(): Promise<number> {
  const { text } = await client.send(`${placard.deliveryUrl}/metrics`).catch(() => ({ text: '' }));
  return [...text.matchAll(/^placard_conversions_uncredited_total(?:\{[^}]*\})? (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

test('each conversion is accepted and credited once while workers are killed and replaced one after the other', async () => {
  await start({});
  buyers.begin();
  await untilAcknowledged(20);
  for (const name of ['delivery 0', 'delivery 1', 'delivery 0']) {
    const before = pidOf(name);
    process.kill(before, 'SIGKILL');
    await expect.poll(() => [0, before].includes(pidOf(name)), { timeout: WAIT_MS }).toBe(false);
    await untilAcknowledged(20);
  }
  const before = pidOf('delivery 0');
  process.kill(placard.pid, 'SIGHUP');
  await expect.poll(() => [0, before].includes(pidOf('delivery 0')), { timeout: WAIT_MS }).toBe(false);
  await untilAcknowledged(20);
  await expectAllCounted();
}, 400_000);

test.skipIf(binary === null)(
  'each conversion is accepted and credited once while Redis is stopped, and killed',
  async () => {
    const folder = createTestFolder();
    const args = ['--dir', folder.dir, '--appendonly', 'yes', '--appendfsync', 'always'];
    let redis = await startRedis(binary ?? '', args);
    try {
      await start({ PLACARD_REDIS_URL: redis.url });
      buyers.begin();
      await untilAcknowledged(20);
      redis.process.kill('SIGSTOP');
      await untilAcknowledged(12);
      expect(await uncreditedSoFar()).toBeGreaterThan(0);
      redis.process.kill('SIGCONT');
      await untilAcknowledged(10);
      await redis.end();
      await untilAcknowledged(12);
      redis = await startRedis(binary ?? '', args, redis.port);
      await untilAcknowledged(10);
      await expectAllCounted();
    } finally {
      redis.process.kill('SIGCONT');
      await redis.end();
      folder.remove();
    }
  },
  400_000,
);
