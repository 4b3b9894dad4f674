import { afterAll, beforeAll, expect, test } from 'vitest';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type Client, createClient } from '../support/http-client.ts';
import {
  makeDataDir,
  type PlacardProcess,
  removeDataDir,
  runPlacard,
  startPlacard,
} from '../support/placard-process.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
const BEFORE = 40;
const AFTER = 20;
const dataDir = makeDataDir();
let placard: PlacardProcess;
let client: Client;

beforeAll(async () => {
  placard = await startPlacard({
    dataDir,
    env: { PLACARD_WORKERS: '2', PLACARD_LOG_FORMAT: 'json' },
    demoHistory: 'none',
  });
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.stop();
  await removeDataDir(dataDir);
});

const pidOf = (name: string): number => readChildren(dataDir).find((child) => child.name === name)?.pid ?? 0;

/** The impression address of a new ad; null when no bid comes. */
async function bid(id: string): Promise<string | null> {
  const json = {
    id,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const url = `${placard.deliveryUrl}/${placard.demo.networkId}/bid`;
  const response = await client.send(url, { json, headers: BROWSER }).catch(() => null);
  const token = response?.status === 200 ? /\/imp\/([\w.-]+)/.exec(response.text)?.[1] : undefined;
  return token === undefined ? null : `${placard.deliveryUrl}/${placard.demo.networkId}/imp/${token}`;
}

async function bidUntilServed(id: string): Promise<string> {
  let url: string | null = null;
  await expect.poll(async () => (url = await bid(`${id}-${performance.now()}`)), { timeout: 60_000 }).not.toBeNull();
  return url as unknown as string;
}

/** Fires an impression until it is acknowledged, as a player does. */
async function fire(url: string): Promise<void> {
  const send = (): Promise<number> =>
    client.send(url, { headers: BROWSER }).then(
      ({ status }) => status,
      () => 0,
    );
  await expect.poll(send, { timeout: 60_000 }).toBe(200);
}

async function countImpressions(): Promise<number> {
  const response = await client.send(`${placard.coreUrl}/reports/${placard.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: {
        measures: ['campaign_overview.impressions'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  return Number(response.json<{ data: Record<string, string>[] }>().data[0]?.['campaign_overview.impressions'] ?? 0);
}

test('each acknowledged impression counts once over two workers, of which the one with the hot store is killed and then reloaded', async () => {
  const countedBefore = await countImpressions();
  const urls: string[] = [];
  for (let at = 0; at < BEFORE; at += 1) urls.push(await bidUntilServed(`before-${at}`));
  await Promise.all(urls.map(fire));
  // Before the spool file is shipped: the successor completes what the dead worker left.
  const killed = pidOf('delivery 0');
  process.kill(killed, 'SIGKILL');
  const fireMore = async (): Promise<void> => {
    for (let at = 0; at < AFTER; at += 1) {
      const url = await bidUntilServed(`after-${at}`);
      urls.push(url);
      await fire(url);
    }
  };
  await fireMore();
  const successor = pidOf('delivery 0');
  expect(successor).not.toBe(killed);
  process.kill(placard.pid, 'SIGHUP');
  await expect.poll(() => [0, successor].includes(pidOf('delivery 0')), { timeout: 60_000 }).toBe(false);
  await fireMore();
  // The successor gets each of them again and counts none.
  await Promise.all(urls.map(fire));
  await expect.poll(async () => (await countImpressions()) - countedBefore, { timeout: 60_000 }).toBe(urls.length);
  // A command asks the worker that has the store open.
  const counts = async (): Promise<string> => {
    const { out, err } = await runPlacard(['verify-counts'], { PLACARD_DATA: dataDir });
    return out + err;
  };
  await expect
    .poll(counts, { timeout: 120_000, interval: 1_000 })
    .toMatch(/^0 differences in roll-ups, 0 in \d+ delivery counters/m);
  expect(await countImpressions()).toBe(countedBefore + urls.length);
}, 300_000);
