import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { runPlacard } from '../support/placard-process.ts';

/** Decisions of two real workers, while bookings change under them, are made again from the log on disk alone. */
const CLIENTS = 8;
/** Bookings change until this many snapshots are stored and decisions logged; the least and the most changes. */
const SNAPSHOTS = 3;
const LOGGED = 120;
const ROUNDS_MIN = 9;
const ROUNDS_MAX = 400;
let placard: LeanPlacard;
let clients: Client[] = [];

beforeAll(async () => {
  placard = await startLeanPlacard({
    PLACARD_DEMO: 'true',
    PLACARD_WORKERS: '2',
    PLACARD_DECISION_LOG_PER_SECOND: '1000',
  });
  clients = Array.from({ length: CLIENTS }, () => createClient(placard.ca));
}, 300_000);

afterAll(async () => {
  for (const client of clients) client.close();
  await placard.remove();
});

async function graphql<T>(query: string, variables: unknown = {}): Promise<T> {
  const response = await (clients[0] as Client).send(`${placard.coreUrl}/graphql`, {
    headers: { authorization: `Bearer ${placard.demo.keys.admin}` },
    json: { query, variables },
  });
  const body = response.json<{ data?: T; errors?: unknown }>();
  if (body.data === undefined || body.errors !== undefined) throw new Error(`GraphQL: ${response.text}`);
  return body.data;
}

/** Files in a folder of the log; none before there is one. */
function listFiles(folder: string): string[] {
  const dir = join(placard.dataDir, 'decisions', folder);
  return existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : [];
}

/** Decisions that are on disk so far. */
function countLogged(): number {
  const segments = listFiles('.').filter((path) => path.endsWith('.ndjson'));
  return segments.reduce((sum, path) => sum + readFileSync(path, 'latin1').split('\n').length - 1, 0);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let asked = 0;

/** Users of the demo's pages ask for one or two ads, and see them. */
async function bid(client: Client): Promise<void> {
  asked += 1;
  const slot = (id: string) => ({
    id,
    banner: {
      format: [
        { w: 300, h: 250 },
        { w: 728, h: 90 },
      ],
    },
    secure: 1,
  });
  const response = await client.send(`${placard.deliveryUrl}/1000/bid`, {
    json: {
      id: `logged-${asked}`,
      imp: asked % 3 === 0 ? [slot('a'), slot('b')] : [slot('a')],
      site: { id: 'news', domain: 'news.example', page: 'https://news.example/' },
      device: { geo: { country: asked % 2 === 0 ? 'POL' : 'DEU' } },
      user: { ext: { npa: asked % 5 === 0, ids: { lu: `visitor-${asked % 50}` } } },
    },
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' },
  });
  if (response.status !== 200) return;
  const { seatbid } = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>();
  for (const { bid: bids } of seatbid) for (const { ext } of bids) await client.send(ext.ems_link);
}

/** Prices go up and down, line items stop and go on. */
async function rebook(round: number): Promise<void> {
  const found = await graphql<{ lineItems: { nodes: { id: string }[] } }>(
    '{ lineItems(first: 20, filter: { statuses: [ACTIVE, PAUSED] }) { nodes { id } } }',
  );
  const { nodes } = found.lineItems;
  const { id } = nodes[round % nodes.length] as { id: string };
  const input =
    round % 3 === 0 ? { status: round % 2 === 0 ? 'PAUSED' : 'ACTIVE' } : { price: `${1 + (round % 9)}.50` };
  await graphql(
    'mutation ($id: ID!, $input: UpdateLineItemInput!) { updateLineItem(id: $id, input: $input) { lineItem { id } } }',
    { id, input },
  );
}

interface Replay {
  readonly replayed: number;
  readonly equal: number;
  readonly different: readonly { readonly where: string; readonly differences: readonly string[] }[];
}

const runCommand = (...args: readonly string[]) => runPlacard(args, { PLACARD_DATA: placard.dataDir });

test('a replay repeats decisions bit by bit from the log alone, also across changed bookings', async () => {
  let isOver = false;
  const asking = Promise.all(
    clients.slice(1).map(async (client) => {
      for (; !isOver; await pause(20)) await bid(client);
    }),
  );
  // The log stores a snapshot every two seconds at most; it leaves out decisions on other snapshots.
  const isEnough = () => listFiles('snapshots').length >= SNAPSHOTS && countLogged() >= LOGGED;
  for (let round = 0; round < ROUNDS_MIN || (round < ROUNDS_MAX && !isEnough()); round += 1) {
    await rebook(round);
    await pause(300);
  }
  // Decisions on the newest bookings are logged as well.
  await pause(1_000);
  isOver = true;
  await asking;
  await placard.stop();

  const { code, out, err } = await runCommand('decisions', 'replay', '--json');
  expect(err).toBe('');
  const replay = JSON.parse(out) as Replay;
  expect(replay.different).toEqual([]);
  expect(replay.replayed).toBeGreaterThan(100);
  expect(code).toBe(0);
  expect(listFiles('snapshots').length).toBeGreaterThanOrEqual(SNAPSHOTS);

  const { out: list } = await runCommand('decisions', 'list', '--json', '--limit', '100000');
  const listed = JSON.parse(list) as { answer: { placements: ({ lineItemId: string } | null)[] } }[];
  expect(listed).toHaveLength(replay.replayed);
  const winners = new Set(listed.flatMap(({ answer }) => answer.placements.map((one) => one?.lineItemId ?? '')));
  expect(winners.size, 'different line items won').toBeGreaterThan(2);
}, 300_000);
