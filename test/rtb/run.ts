/**
 * `npm run test:rtb`: sends every body of RTB_REQUESTS=<file.jsonl> (default: the project's own in test/cases/rtb) to the bid endpoint and
 * prints what passed, by expectation and reason. Starts a server of its own unless PLACARD_DELIVERY_URL names one (and
 * PLACARD_DEMO_FILE its demo file). Exits with 1 when any response is not as expected.
 */
import { readFileSync } from 'node:fs';
import { createClient } from '../support/http-client.ts';
import { makeDataDir, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { findBidFaults } from './bid-response-rules.ts';
import { isExpected, readCases, type RtbCase } from './rtb-case.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const SHOWN_MAX = 50;

interface Target {
  readonly deliveryUrl: string;
  readonly ca: string | null;
  readonly networkId: string;
  stop(): Promise<void>;
}

async function openTarget(): Promise<Target> {
  const { PLACARD_DELIVERY_URL: deliveryUrl, PLACARD_DEMO_FILE: demoFile, RTB_NETWORK: network } = process.env;
  if (deliveryUrl !== undefined) {
    const demo = demoFile === undefined ? null : JSON.parse(readFileSync(demoFile, 'utf8'));
    const ca = demo?.caFile ? readFileSync(demo.caFile, 'utf8') : null;
    return { deliveryUrl, ca, networkId: network ?? demo?.networkId ?? '1000', stop: async () => {} };
  }
  const dataDir = makeDataDir();
  const server = await startPlacard({ dataDir, env: { PLACARD_WORKERS: '1', PLACARD_LOG_LEVEL: 'warn' } });
  const stop = async (): Promise<void> => {
    await server.stop();
    await removeDataDir(dataDir);
  };
  return { deliveryUrl: server.deliveryUrl, ca: server.ca, networkId: network ?? server.demo.networkId, stop };
}

async function tryCase(
  one: RtbCase,
  send: (body: string) => Promise<{ status: number; text: string }>,
): Promise<string> {
  const body = typeof one.body === 'string' ? one.body : JSON.stringify(one.body);
  const { status, text } = await send(body).catch((error: unknown) => ({ status: 0, text: String(error) }));
  if (!isExpected(status, one.expect)) return `answered ${status} ${text.slice(0, 200)}`;
  if (status === 204 && text !== '') return 'answered 204 with a body';
  const faults = status === 200 ? findBidFaults(one.body, JSON.parse(text), []) : [];
  return faults.length > 0 ? `answered 200, but ${faults.join('; ')}` : '';
}

const cases = readCases();
const target = await openTarget();
const client = createClient(target.ca);
const url = `${target.deliveryUrl}/${target.networkId}/bid`;
const groups = new Map<string, { passed: number; failed: number }>();
const failures: string[] = [];
const statuses = new Map<number, number>();
const headers = { 'content-type': 'application/json', 'user-agent': BROWSER };
for (const [index, one] of cases.entries()) {
  const fault = await tryCase(one, async (body) => {
    const response = await client.send(url, { method: 'POST', headers, body });
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    return response;
  });
  const name = one.why === '' ? one.expect : `${one.expect} (${one.why})`;
  const group = groups.get(name) ?? { passed: 0, failed: 0 };
  groups.set(name, group);
  if (fault === '') group.passed += 1;
  else {
    group.failed += 1;
    failures.push(`line ${index + 1}: expected ${name}, ${fault}\n  ${JSON.stringify(one.body).slice(0, 400)}`);
  }
}
client.close();
await target.stop();
for (const [name, { passed, failed }] of groups) console.log(`${name.padEnd(60)} ${passed} passed, ${failed} failed`);
console.log(
  `statuses: ${[...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status} × ${count}`)
    .join(', ')}`,
);
for (const failure of failures.slice(0, SHOWN_MAX)) console.log(failure);
if (failures.length > SHOWN_MAX) console.log(`… and ${failures.length - SHOWN_MAX} more.`);
console.log(
  failures.length === 0
    ? `All ${cases.length} requests got what they must.`
    : `${failures.length} of ${cases.length} did not.`,
);
process.exitCode = failures.length === 0 ? 0 : 1;
