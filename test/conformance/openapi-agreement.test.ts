import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { grammarBody, mutatedBody } from '../rtb/bid-grammar.ts';
import type { Answer } from '../support/http-client.ts';
import { bid, bidBody, credentialHeaders, send, server, todayRange } from './support/server.ts';

const committed = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(committed, 'openapi');
const schemaOf = (name: string): ValidateFunction => {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
};

/** Documents of one run; a failure prints the seed. */
const NUM_RUNS = 150;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;

/** One request, changed in a few places: what a schema and a parser could see differently. */
const changed = (seed: () => unknown): fc.Arbitrary<unknown> =>
  fc
    .constant(null)
    .chain(() => mutatedBody([seed()]))
    .map(({ body }) => json(body));

interface Door {
  readonly schema: string;
  readonly bodies: fc.Arbitrary<unknown>;
  readonly ask: (body: unknown) => Promise<Answer>;
  /** Refusals by content that no schema can know: an unknown member, somebody else's network. */
  readonly isBeyondSchema?: (answer: Answer) => boolean;
}

let orders = 0;
const DOORS: Readonly<Record<string, Door>> = {
  bid: {
    schema: 'BidRequest',
    bodies: fc.oneof(
      changed(() => bidBody()),
      grammarBody.map(({ body }) => json(body)),
    ),
    ask: (body) => bid(body),
  },
  ads: {
    schema: 'AdsRequest',
    bodies: changed(() => ({
      network: '1000',
      adUnit: 'home/sidebar',
      count: 3,
      sizes: ['300x250'],
      keywords: ['a'],
      keyValues: { k: ['v'] },
      user: { ids: { lu: 'x' }, npa: true },
      regs: { gdpr: 1 },
      device: { ua: 'x' },
    })),
    ask: (body) => send(`${server.deliveryUrl}/api/v1/ads`, { headers: bearer(server.demo.keys.delivery), json: body }),
    isBeyondSchema: ({ status }) => status === 403 || status === 404,
  },
  events: {
    schema: 'ActivityEvent',
    bodies: changed(() => ({
      network: '1000',
      actgid: server.demo.activity.actgid,
      event: 'purchased',
      cost: '12.50',
      ord: `agreement-${process.pid}-${(orders += 1)}`,
      lu: 'x',
      qty: 2,
      tax: '1',
      currency: 'PLN',
      npa: false,
    })),
    ask: (body) =>
      send(`${server.deliveryUrl}/api/v1/events`, { headers: bearer(server.demo.keys.audience), json: body }),
    isBeyondSchema: ({ status, text }) => status === 403 || status === 404 || text.includes('other_currency'),
  },
  reports: {
    schema: 'ReportRequest',
    bodies: changed(() => ({
      query: {
        measures: ['campaign_overview.impressions'],
        dimensions: ['campaign_overview.creative_id'],
        timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange(), granularity: 'day' }],
        filters: [{ member: 'campaign_overview.line_item_id', operator: 'equals', values: ['1'] }],
        timezone: 'Europe/Warsaw',
        limit: 10,
      },
    })),
    ask: (body) => send(`${server.demo.urls.reportsApi}/1000/v1/load`, { headers: credentialHeaders(), json: body }),
    isBeyondSchema: ({ status }) => status === 400,
  },
};

/** How deep a body may be (T5): no schema of a document says so. */
const DEPTH_MAX = 64;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** The other way round does not hold: the server also takes what is malformed where it is optional, and ignores it (B3). */
describe('T4 what the schemas of the description take, the server takes', () => {
  test.each(Object.entries(DOORS))('T4 %s', async (_name, { schema, bodies, ask, isBeyondSchema }) => {
    const validate = schemaOf(schema);
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        fc.pre(depthOf(body) <= DEPTH_MAX);
        const answer = await ask(body);
        expect(answer.status).toBeLessThan(500);
        const isTaken = answer.status < 400;
        // What the schema takes is taken, unless the content says no.
        if (validate(body) && !isTaken) expect(isBeyondSchema?.(answer), answer.text).toBe(true);
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
