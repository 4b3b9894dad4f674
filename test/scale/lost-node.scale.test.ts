import { chmodSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SILENT_LOG } from '../../src/domain/log/log.ts';
import { openOlap } from '../../src/storage/olap/clickhouse.ts';
import { Cluster } from '../cluster/cluster.ts';
import type { ClusterNode } from '../cluster/cluster-node.ts';
import { type Client, createClient } from '../support/http-client.ts';
import { findRedisServer } from '../support/stores/redis-servers.ts';
import { createTestFolder } from '../support/stores.ts';

const binary = findRedisServer();
const LANES = 6;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
/** Impressions that are acknowledged before and after the loss. */
const BEFORE = 300;
const AFTER = 150;

describe.skipIf(binary === null)('a lost node of a cluster (needs redis-server or valkey-server on the PATH)', () => {
  const folder = createTestFolder();
  let cluster: Cluster;
  let lineItemId = '';

  beforeAll(async () => {
    chmodSync(folder.dir, 0o755);
    const settings = { PLACARD_EVENT_COPIES: '1' };
    const size = { cores: 1, deliveryNodes: 2, workers: 1, drainSeconds: 0, settings };
    cluster = await Cluster.prepare(folder.dir, binary ?? '', size);
    await cluster.startNodes();
    const { management } = cluster;
    const siteId = await management.create('Site', { code: 'lost', name: 'lost', domain: 'lost.example' });
    const advertiser = { name: 'Lost Ltd', domains: ['lost-shop.example'], dsaBehalf: 'Lost', dsaPaid: 'Lost' };
    const advertiserId = await management.create('Advertiser', advertiser);
    const campaignId = await management.create('Campaign', { advertiserId, name: 'Lost', status: 'ACTIVE' });
    const unit = { siteId, name: 'lost/unit', sizes: [{ width: 300, height: 250 }], mediaTypes: ['BANNER'] };
    const adUnitId = await management.create('AdUnit', unit);
    lineItemId = await management.create('LineItem', {
      campaignId,
      name: 'Lost',
      type: 'SPONSORSHIP',
      level: 1,
      sharePercent: 100,
      pricingModel: 'CPM',
      price: '1.00',
      status: 'ACTIVE',
      targeting: { test: { dimension: 'AD_UNIT', values: [adUnitId] } },
    });
    await management.create('Creative', {
      lineItemId,
      name: 'Lost',
      width: 300,
      height: 250,
      clickUrl: 'https://www.lost-shop.example/landing',
      content: { image: { imageUrl: 'https://cdn.lost-shop.example/picture.png', alt: 'Lost' } },
    });
  }, 300_000);
  afterAll(async () => {
    await cluster.end();
    folder.remove();
  }, 120_000);

  /** The impression link of an ad; null: none now. */
  async function bid(client: Client, node: ClusterNode, serial: string): Promise<string | null> {
    const json = {
      id: serial,
      imp: [{ id: 'i', tagid: 'lost/unit', banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
      site: { id: 'lost', domain: 'lost.example', page: 'https://lost.example/' },
    };
    const url = `${node.url}/${cluster.management.networkId}/bid`;
    const response = await client.send(url, { json, headers: BROWSER });
    if (response.status !== 200) return null;
    const [found] =
      response.json<{ seatbid: { bid: { adomain: string[]; ext: { ems_link: string } }[] }[] }>().seatbid[0]?.bid ?? [];
    return found?.adomain.includes('lost-shop.example') === true ? new URL(found.ext.ems_link).pathname : null;
  }

  async function readStored(): Promise<{ readonly rows: number; readonly ids: number }> {
    const olap = openOlap({ url: cluster.stores.analyticsUrl, log: SILENT_LOG });
    const [row] = await olap.query<{ rows: string; ids: string }>({
      sql: `SELECT count() AS rows, uniqExact(event_id) AS ids FROM events
        WHERE kind = 'impression' AND line_item_id = {id: String} AND invalid_reason = ''`,
      params: { id: lineItemId.replace(/\D/g, '') },
    });
    await olap.close();
    return { rows: Number(row?.rows), ids: Number(row?.ids) };
  }

  async function readCounted(): Promise<number> {
    const read = 'query ($id: ID!) { lineItem(id: $id) { delivery { lifetime { impressions } } } }';
    const found = await cluster.management.graphql<{
      lineItem: { delivery: { lifetime: { impressions: number } } };
    }>(read, { id: lineItemId });
    return Number(found.lineItem.delivery.lifetime.impressions);
  }

  test('each acknowledged impression counts once after a node is killed and its data folder deleted under load', async () => {
    const [staying, lost] = cluster.delivery as [ClusterNode, ClusterNode];
    let isLost = false;
    let isOver = false;
    let acknowledged = 0;
    /** Acknowledged by the node that is lost, so that nobody sends them again. */
    let byLostNode = 0;
    const show = async (client: Client, path: string, at: number): Promise<void> => {
      for (let tries = 0; ; tries += 1) {
        // What a node did not acknowledge goes to the other one.
        const node = isLost || (at + tries) % 2 === 0 ? staying : lost;
        const status = await client.send(`${node.url}${path}`, { headers: BROWSER }).then(
          (response) => response.status,
          () => 0,
        );
        if (status === 200) {
          acknowledged += 1;
          if (node === lost) byLostNode += 1;
          return;
        }
        await pause(20);
      }
    };
    const lane = async (at: number): Promise<void> => {
      const client = createClient(null);
      for (let round = 0; !isOver; round += 1) {
        const path = await bid(client, staying, `lost-${at}-${round}`).catch(() => null);
        if (path === null) await pause(50);
        else await show(client, path, at + round);
      }
      client.close();
    };
    const lanes = Array.from({ length: LANES }, (_none, at) => lane(at));
    await expect.poll(() => acknowledged).toBeGreaterThan(BEFORE);
    // The analytics store is out of reach, so that the node has events that nobody else has.
    cluster.stores.analyticsProxy.mode = 'refuse';
    cluster.stores.analyticsProxy.cut();
    const before = byLostNode;
    await expect.poll(() => byLostNode).toBeGreaterThan(before + 30);
    await lost.killAll();
    await lost.removeData();
    isLost = true;
    cluster.stores.analyticsProxy.mode = 'pass';
    const atLoss = acknowledged;
    await expect.poll(() => acknowledged).toBeGreaterThan(atLoss + AFTER);
    isOver = true;
    await Promise.all(lanes);
    await expect.poll(readStored).toEqual({ rows: acknowledged, ids: acknowledged });
    await expect.poll(readCounted).toBe(acknowledged);
  }, 400_000);
});
