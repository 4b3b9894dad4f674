import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { runPlacard } from '../support/placard-process.ts';

/** The steps of docs/experiments.md on a started service: arms are decided, counted once and reported, and logged decisions replay. */
const USERS = 200;
const DAY_MS = 86_400_000;
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0 Safari/537.36' };
let placard: LeanPlacard;
let client: Client;

beforeAll(async () => {
  placard = await startLeanPlacard({
    PLACARD_DEMO: 'true',
    PLACARD_WORKERS: '2',
    PLACARD_DECISION_LOG_PER_SECOND: '1000',
  });
  client = createClient(placard.ca);
}, 300_000);

afterAll(async () => {
  client.close();
  await placard.remove();
});

/** The GraphQL documents of the page, in their order. */
function documentsOfPage(): readonly string[] {
  const page = readFileSync(new URL('../../docs/experiments.md', import.meta.url), 'utf8');
  return [...page.matchAll(/```graphql\n([\s\S]*?)```/g)].map(([, text = '']) => text);
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

/** A user asks for an ad, and sees it. @returns whether there was one */
async function visit(user: number): Promise<boolean> {
  const response = await client.send(`${placard.deliveryUrl}/1000/bid`, {
    json: {
      id: `visit-${user}`,
      imp: [{ id: 'a', banner: { format: [{ w: 300, h: 250 }] }, secure: 1 }],
      site: { id: 'news', domain: 'news.example', page: 'https://news.example/' },
      device: { geo: { country: 'POL' } },
      user: { ext: { ids: { lu: `visitor-${user}` } } },
    },
    headers: BROWSER,
  });
  if (response.status !== 200) return false;
  const { seatbid } = response.json<{ seatbid: { bid: { ext: { ems_link: string } }[] }[] }>();
  for (const { bid } of seatbid) for (const { ext } of bid) await client.send(ext.ems_link, { headers: BROWSER });
  return true;
}

interface Results {
  readonly state: string;
  readonly results: {
    readonly days: number;
    readonly arms: readonly { readonly arm: string; readonly requests: number; readonly impressions: number }[];
    readonly differences: readonly { readonly low: number | null }[];
  };
}

test('both arms of an experiment are reported, and their decisions replay', async () => {
  const [create = '', read = ''] = documentsOfPage();
  const begun = create
    .replace('sharePercent: 10', 'sharePercent: 30')
    .replace('2026-12-01T00:00:00Z', new Date().toISOString())
    .replace('2026-12-29T00:00:00Z', new Date(Date.now() + 28 * DAY_MS).toISOString());
  const { createExperiment } = await graphql<{ createExperiment: { experiment: { id: string; state: string } } }>(
    begun,
  );
  const { id, state } = createExperiment.experiment;
  expect(state).toBe('RUNNING');
  const results = async () => (await graphql<{ experiment: Results }>(read.replace('"1"', `"${id}"`))).experiment;

  // A worker knows of it within a second or two; what came before has no arm.
  let asked = 0;
  let shown = 0;
  const armsOf = async () => (await results()).results.arms;
  await expect
    .poll(
      async () => {
        if (await visit(0)) shown += 1;
        return (await armsOf()).reduce((sum, { requests }) => sum + requests, 0);
      },
      { timeout: 60_000, interval: 1_000 },
    )
    .toBeGreaterThan(0);
  for (let user = 1; user <= USERS; user += 1) {
    asked += 1;
    if (await visit(user)) shown += 1;
  }
  await expect
    .poll(async () => (await armsOf()).reduce((sum, { requests }) => sum + requests, 0), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(asked);
  await expect
    .poll(async () => (await armsOf()).every(({ impressions }) => impressions > 0), { timeout: 60_000 })
    .toBe(true);
  const { state: running, results: found } = await results();
  expect(running).toBe('RUNNING');
  expect(found.days, 'the first day is not over').toBe(0);
  expect(found.differences.every(({ low }) => low === null)).toBe(true);
  const [rule = 0, rest = 0] = found.arms.map(({ requests }) => requests);
  // 30 % of 200 users, five standard deviations around.
  expect(rule).toBeGreaterThan(28);
  expect(rest).toBeGreaterThan(100);
  expect(found.arms.reduce((sum, { impressions }) => sum + impressions, 0)).toBeLessThanOrEqual(shown);

  await placard.stop();
  const { code, out } = await runPlacard(['decisions', 'replay', '--json'], { PLACARD_DATA: placard.dataDir });
  expect(code).toBe(0);
  const replay = JSON.parse(out) as { replayed: number; different: unknown[] };
  expect(replay.different).toEqual([]);
  const { out: listed } = await runPlacard(['decisions', 'list', '--json', '--limit', '100000'], {
    PLACARD_DATA: placard.dataDir,
  });
  const arms = new Set((JSON.parse(listed) as { arm: { arm: string } | null }[]).map(({ arm }) => arm?.arm));
  expect(arms).toContain('RULE');
  expect(arms).toContain('REST');
}, 300_000);
