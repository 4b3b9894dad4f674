/**
 * A whole service whose data folder fills a disk: spool, ledger, PostgreSQL and the analytics store at once. Ads go on, events are refused and
 * said to be, and everything goes on by itself when there is space.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readChildren } from '../../src/runtime/supervisor/run-files.ts';
import { type Client, createClient, type HttpResponse } from '../support/http-client.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';

const BROWSER = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};
/** A start without history fits, and little more is left to fill. */
const DISK_MEGABYTES = 700;
const WAIT_MS = 120_000;

const dataDir = makeDataDir();
/** A disk of its own; false where this process may not mount one. */
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m,mode=755`, 'tmpfs', dataDir]).status === 0;
const ballast = join(dataDir, 'ballast');

let placard: PlacardProcess;
let client: Client;

beforeAll(async () => {
  if (!isMounted) return;
  placard = await startPlacard({
    dataDir,
    env: {
      PLACARD_WORKERS: '1',
      PLACARD_LOG_FORMAT: 'json',
      PLACARD_DEMO_TRAFFIC: 'false',
      PLACARD_FREE_DISK_MEGABYTES: '64',
    },
    demoHistory: 'none',
  });
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client?.close();
  await placard?.stop();
  if (isMounted) spawnSync('umount', [dataDir]);
  await removeDataDir(dataDir);
}, 120_000);

/** Writes until nothing fits; what the service has deleted meanwhile is taken, too. */
function fillDisk(): void {
  const file = openSync(ballast, 'a');
  const { bsize } = statfsSync(dataDir);
  try {
    for (let bytes = 8 * 1_048_576; bytes >= bsize; ) {
      try {
        writeSync(file, Buffer.alloc(bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        bytes /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}

const clearDisk = (): void => rmSync(ballast);

interface Ad {
  readonly impression: string;
  readonly click: string;
}

/** A new ad; null when there is none. */
async function bid(id: string): Promise<Ad | null> {
  const json = {
    id,
    imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] }, secure: 1 }],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/' },
  };
  const base = `${placard.deliveryUrl}/${placard.demo.networkId}`;
  const response = await client.send(`${base}/bid`, { json, headers: BROWSER });
  if (response.status !== 200) return null;
  const tokenOf = (kind: string): string => new RegExp(`/${kind}/([\\w.-]+)`).exec(response.text)?.[1] ?? '';
  return { impression: `${base}/imp/${tokenOf('imp')}`, click: `${base}/click/${tokenOf('click')}` };
}

async function serve(id: string): Promise<Ad> {
  const ad = await bid(id);
  if (ad === null) throw new Error(`no ad for ${id}`);
  return ad;
}

const fire = (url: string): Promise<HttpResponse> => client.send(url, { headers: BROWSER });

async function counted(measure: 'gross_impressions' | 'gross_clicks'): Promise<number> {
  const response = await client.send(`${placard.coreUrl}/reports/${placard.demo.networkId}/v1/load`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: {
      query: {
        measures: [`campaign_overview.${measure}`],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'today' }],
      },
    },
  });
  if (response.status !== 200) return -1;
  return Number(response.json<{ data: Record<string, string>[] }>().data[0]?.[`campaign_overview.${measure}`] ?? 0);
}

const createAdvertiser = (name: string): Promise<HttpResponse> =>
  client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query: `mutation { createAdvertiser(input: { name: "${name}" }) { advertiser { id } } }` },
  });

/** The sum of a metric over its labels. */
async function metric(baseUrl: string, name: string): Promise<number> {
  const { text } = await client.send(`${baseUrl}/metrics`);
  const values = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

/** The processes that serve. */
const childPids = (): Record<string, number> =>
  Object.fromEntries(
    readChildren(dataDir).flatMap(({ name, pid }) => (/^(core|delivery)/i.test(name) ? [[name, pid] as const] : [])),
  );

describe.skipIf(!isMounted)('a disk that is full below the whole service (needs the right to mount a tmpfs)', () => {
  test('ads and redirects go on, events are refused and not lost, and all goes on without a restart when there is space', async () => {
    const before = await serve('before');
    expect((await fire(before.impression)).status).toBe(200);
    await expect.poll(() => counted('gross_impressions'), { timeout: WAIT_MS }).toBe(1);
    const served = childPids();

    fillDisk();
    // A file that is open already may have pages left: some events fit.
    let acknowledged = 1;
    const refused: Ad[] = [];
    for (let at = 0; refused.length < 20; at += 1) {
      if (at % 50 === 0) fillDisk();
      const ad = await serve(`full-${at}`);
      const { status } = await fire(ad.impression);
      if (status === 200) acknowledged += 1;
      else {
        expect(status).toBe(503);
        refused.push(ad);
      }
    }
    const redirects = await Promise.all(refused.slice(0, 5).map(({ click }) => fire(click)));
    expect(redirects.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302]);
    expect(await metric(placard.deliveryUrl, 'placard_spool_failed_appends_total')).toBeGreaterThan(0);
    await expect.poll(() => metric(placard.coreUrl, 'placard_disk_free_bytes'), { timeout: WAIT_MS }).toBeLessThan(2e6);
    await expect.poll(() => placard.output(), { timeout: WAIT_MS }).toContain('disk.space_low');
    await expect.poll(() => placard.output(), { timeout: WAIT_MS }).toContain('spool.write_failed');
    const booked = await createAdvertiser('while the disk is full');

    clearDisk();
    // A client that got 503 sends its event again.
    for (const { impression } of refused)
      await expect.poll(async () => (await fire(impression)).status, { timeout: WAIT_MS }).toBe(200);
    acknowledged += refused.length;
    await expect.poll(() => counted('gross_impressions'), { timeout: WAIT_MS }).toBe(acknowledged);
    await expect.poll(() => counted('gross_clicks'), { timeout: WAIT_MS }).toBe(redirects.length);
    await expect
      .poll(async () => (await createAdvertiser('when there is space')).status, { timeout: WAIT_MS })
      .toBe(200);
    expect([200, 503, 507]).toContain(booked.status);
    await expect
      .poll(async () => (await client.send(`${placard.coreUrl}/readyz`)).status, { timeout: WAIT_MS })
      .toBe(200);
    await expect.poll(() => placard.output(), { timeout: WAIT_MS }).toContain('disk.space_enough');
    expect(await metric(placard.deliveryUrl, 'placard_clicks_lost_total')).toBe(0);
    expect(childPids()).toEqual(served);
  }, 600_000);
});
