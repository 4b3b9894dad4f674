import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, inflateSync } from 'node:zlib';
import { VASTClient } from '@dailymotion/vast-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DRAW_SEED } from '../support/draw-seed.ts';
import { grammarBody, mutatedBody } from '../rtb/bid-grammar.ts';
import { findBidFaults } from '../rtb/bid-response-rules.ts';
import { type FuzzRequest, fuzzRequests, sendBroken, showRequest } from '../rtb/bid-transport.ts';
import { readAllCases } from '../rtb/rtb-case.ts';
import { type HttpResponse, type Client, createClient } from '../support/http-client.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';

/** `FUZZ_REQUESTS=50000 PROPERTY_SEED=… RTB_REQUESTS=<file.jsonl> npx vitest run test/flow/bid-fuzz`. */
const { FUZZ_REQUESTS = '1600' } = process.env;
const seed = DRAW_SEED;
const seen = readAllCases().map(({ body }) => body);

/** Requests in flight at once: one run of the property. */
const AT_ONCE = 32;
/** The least share of requests that must get each kind of response: a run without ads proves nothing about them. */
const FLOORS: Readonly<Record<string, number>> = {
  '200': 0.05,
  'mtype 1': 1 / 1_600,
  'mtype 2': 1 / 1_600,
  'mtype 4': 1 / 1_600,
  'VAST parsed': 1 / 1_600,
};
/** Faults of a run that a failure shows. */
const SHOWN_MAX = 2;
const RESPONSE_WITHIN_MS = 20_000;
const REFUSALS = [400, 404, 413, 415, 431];
/** The grammar sends odd values now and then: a member that restricts is refused by its name then. */
const ODD_MEMBER = /^[\w.[\]]+ must be /;

let server: LeanPlacard;
let client: Client;
let films: Server;
let filmUrl: string;
let film = '';

beforeAll(async () => {
  server = await startLeanPlacard({ PLACARD_DEMO: 'true', PLACARD_WORKERS: '2', PLACARD_LOG_LEVEL: 'warn' });
  client = createClient(server.ca);
  films = createServer((_request, response) => void response.end(film));
  await new Promise<void>((resolve) => void films.listen(0, '127.0.0.1', resolve));
  filmUrl = `http://127.0.0.1:${(films.address() as AddressInfo).port}/`;
}, 300_000);
afterAll(async () => {
  client.close();
  films.close();
  await server.remove();
});

const tally = new Map<string, number>();
const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);
const videos: string[] = [];

async function findFaults(request: FuzzRequest): Promise<string[]> {
  if (request.isBroken) {
    const statuses = await sendBroken(server.deliveryUrl, server.ca, request, RESPONSE_WITHIN_MS);
    count(`broken ${statuses.join('+') || 'closed'}`);
    return statuses.every((status) => [200, 204, ...REFUSALS].includes(status)) ? [] : [`statuses ${statuses.join()}`];
  }
  const { method, headers, bytes } = request;
  const sending = { method, headers, ...(bytes === null ? {} : { body: bytes }) };
  const response = await within(client.send(server.deliveryUrl + request.path, sending));
  if (response === null) return [`no response within ${RESPONSE_WITHIN_MS} ms`];
  count(String(response.status));
  const faults = statusFaults(request, response);
  if (response.headers['x-request-id'] === undefined) faults.push('no request id');
  const { origin } = headers;
  if (origin !== undefined && response.headers['access-control-allow-origin'] !== origin) faults.push('no CORS');
  return faults;
}

async function within(sent: Promise<HttpResponse>): Promise<HttpResponse | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), RESPONSE_WITHIN_MS);
  });
  try {
    return await Promise.race([sent, late]);
  } finally {
    clearTimeout(timer);
  }
}

function statusFaults(request: FuzzRequest, response: HttpResponse): string[] {
  if (response.status === 204) return response.text === '' ? [] : ['204 with a body'];
  if (response.status === 200) {
    const body = textOf(response);
    const faults = body === null ? ['an encoding that was not asked for'] : findBidFaults(request.body, body, videos);
    for (const { mtype } of body === null ? [] : bidsOf(body)) count(`mtype ${mtype}`);
    return faults;
  }
  if (!REFUSALS.includes(response.status)) return [`returned ${response.status} ${response.text.slice(0, 200)}`];
  const problem = response.json<{ error?: unknown; message?: unknown }>();
  const isOddMember = response.status === 400 && ODD_MEMBER.test(String(problem.message));
  const faults =
    request.isValid && !isOddMember ? [`a valid request got ${response.status} ${response.text.slice(0, 200)}`] : [];
  if (typeof problem.error !== 'string' || typeof problem.message !== 'string') faults.push('no problem document');
  if (/node_modules|\.ts:\d|at \w+ \(/.test(response.text)) faults.push('the problem tells internals');
  return faults;
}

/** The body, decoded by its content encoding; null when the request does not accept that encoding. */
function textOf(response: HttpResponse): unknown {
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined) return response.json();
  const inflated = encoding === 'gzip' ? gunzipSync(response.bytes) : inflateSync(response.bytes);
  return JSON.parse(inflated.toString());
}

function bidsOf(body: unknown): { mtype: number }[] {
  return (body as { seatbid?: { bid: { mtype: number }[] }[] }).seatbid?.flatMap((seat) => seat.bid) ?? [];
}

/** The result of a player's own parser for video documents; each text is parsed once. */
async function findFilmFaults(): Promise<string[]> {
  const faults: string[] = [];
  for (const document of videos.splice(0)) {
    film = document;
    const parsed = await new VASTClient().get(filmUrl, { resolveAll: false });
    const [ad] = parsed.ads as unknown as { impressionURLTemplates: unknown[]; creatives: unknown[] }[];
    count('VAST parsed');
    if (ad === undefined || ad.impressionURLTemplates.length === 0 || ad.creatives.length === 0)
      faults.push(`no player can read ${document.slice(0, 400)}`);
  }
  return faults;
}

// Conformance: B3
test(`${FUZZ_REQUESTS} requests of the OpenRTB grammar and of mutated real ones get no 5xx, no hang and no wrong response (seed ${seed})`, async () => {
  const bodies = fc.oneof(grammarBody, mutatedBody(seen));
  const started = performance.now();
  await fc.assert(
    fc.asyncProperty(fc.array(fuzzRequests(bodies), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      const faults = await Promise.all(
        requests.map(async (request) => {
          const found = await findFaults(request).catch((error: unknown) => [String(error)]);
          return found.length === 0 ? [] : [`${showRequest(request)}: ${found.join('; ')}`];
        }),
      );
      expect([...faults.flat(), ...(await findFilmFaults())].slice(0, SHOWN_MAX)).toEqual([]);
    }),
    { seed, numRuns: Math.ceil(Number(FUZZ_REQUESTS) / AT_ONCE) },
  );
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const figures = [...tally].sort(([a], [b]) => a.localeCompare(b)).map(([what, times]) => `${what} × ${times}`);
  process.stderr.write(`fuzz: seed ${seed}, ${seconds} s, ${figures.join(', ')}\n`);
  for (const [what, share] of Object.entries(FLOORS))
    expect(tally.get(what) ?? 0, what).toBeGreaterThanOrEqual(Math.floor(share * Number(FUZZ_REQUESTS)));
  expect(server.output()).not.toMatch(/request_failed|process\.restarted|"level":60/);
}, 3_600_000);
