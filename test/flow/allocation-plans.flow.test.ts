import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

/** A real core plans the goals of the demo from traffic that a real worker sampled; the worker serves by the plan, also after a restart. */
const REQUESTS = 200;
const WAIT = { timeout: 120_000, interval: 200 };
let placard: LeanPlacard;
let client: Client;

beforeAll(async () => {
  placard = await startLeanPlacard({ PLACARD_DEMO: 'true' });
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.remove();
});

async function bid(at: number): Promise<void> {
  const response = await client.send(`${placard.deliveryUrl}/1000/bid`, {
    json: {
      id: `planned-${at}`,
      imp: [{ id: 'a', banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
      site: { id: 'news', domain: 'news.example', page: 'https://news.example/' },
      user: { ext: { ids: { lu: `visitor-${at % 50}` } } },
    },
  });
  expect([200, 204]).toContain(response.status);
}

/** A metric of the worker. */
async function metric(name: string): Promise<number> {
  const { text } = await client.send(`${placard.deliveryUrl}/metrics`);
  return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

async function graphql<T>(query: string): Promise<T> {
  const response = await client.send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(`GraphQL: ${response.text}`);
  return body.data;
}

test('workers serve by a plan that the core makes of sampled traffic, and begin with it after a restart', async () => {
  expect(await metric('placard_plan_workspaces')).toBe(0);
  for (let at = 0; at < REQUESTS; at += 1) await bid(at);
  // A worker that stops sends its sample; the core plans when it starts.
  placard = await placard.restart();
  await vi.waitFor(async () => expect(await metric('placard_plan_workspaces')).toBeGreaterThan(0), WAIT);
  const [{ plan: first } = { plan: null }] = await placard.database.db
    .selectFrom('allocation_plans')
    .select('plan')
    .execute();
  const { free } = first as { free: [id: string][] };
  expect(free.length).toBeGreaterThan(0);

  // A change of bookings asks for another plan at once.
  const [id] = free[0] as [string];
  await graphql(`mutation { updateLineItem(id: ${id}, input: { level: 7 }) { lineItem { id } } }`);
  const file = () => readFileSync(join(placard.dataDir, 'plans', 'plans.json'), 'utf8');
  const before = file();
  await vi.waitFor(() => expect(file()).not.toBe(before), WAIT);

  // The store of plans is empty: what a worker serves by is from its disk.
  await placard.stop();
  await placard.database.db.deleteFrom('allocation_plans').execute();
  await placard.database.db
    .updateTable('line_items')
    .set({ status: 'PAUSED' })
    .where('type', '=', 'STANDARD')
    .execute();
  placard = await placard.restart();
  expect(await metric('placard_plan_workspaces')).toBeGreaterThan(0);
  await bid(REQUESTS);
}, 300_000);
