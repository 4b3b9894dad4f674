import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { grammarBody, mutatedBody } from '../../rtb/bid-grammar.ts';
import type { HttpResponse } from '../../support/http-client.ts';
import { bid, bidBody, credentialHeaders, eventually, graphql, send, server, todayRange } from '../support/server.ts';
import { runsOf } from '../../support/longer-runs.ts';

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
const committed = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as Description;
const ajv = new Ajv2020({ strict: false });
ajv.addSchema({ components: { schemas: closeQueries(committed.components.schemas) } }, 'openapi');

/** Report queries accept no unknown members. The description says so only in words: it leaves all objects open. */
function closeQueries(schemas: Readonly<Record<string, object>>): object {
  const close = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('"additionalProperties":{}', '"additionalProperties":false'));
  const { ReportQuery, ReportFilter } = schemas;
  return { ...schemas, ReportQuery: close(ReportQuery), ReportFilter: close(ReportFilter) };
}

const schemaOf = (name: string): ValidateFunction => {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
};

/** Documents of one run; a failure prints the seed. */
const NUM_RUNS = runsOf(300);
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;

/** One request, changed at a few positions where a schema and a parser could differ. */
const changed = (seed: () => unknown): fc.Arbitrary<unknown> =>
  fc
    .constant(null)
    .chain(() => mutatedBody([seed()]))
    .map(({ body }) => json(body));

interface Endpoint {
  readonly schema: string;
  readonly bodies: fc.Arbitrary<unknown>;
  readonly ask: (body: unknown) => Promise<HttpResponse>;
  /** Refusals by content that no schema knows: an unknown member, a foreign network. */
  readonly isBeyondSchema?: (response: HttpResponse) => boolean;
}

/** Rules of a query's shape that JSON Schema cannot express. */
const BEYOND_JSON_SCHEMA = /valid IANA time zone|optional exclusive peers|granularity\\" length/;

let orders = 0;
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  bid: {
    schema: 'BidRequest',
    bodies: fc.oneof(
      changed(() => bidBody()),
      grammarBody.map(({ body }) => json(body)),
    ),
    ask: (body) => bid(body),
    // Two imps with one id: no schema compares them.
    isBeyondSchema: ({ status, text }) => status === 400 && text.includes('is also the id of'),
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
    // Unknown names and ranges that are too long; never the shape, which the description covers.
    isBeyondSchema: ({ status, text }) =>
      status === 400 && (!text.includes('Invalid query format') || BEYOND_JSON_SCHEMA.test(text)),
  },
};

/** The depth limit of a body (T5), which no schema states. */
const DEPTH_MAX = 64;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const CREATE = `mutation ($name: ID!, $title: String!, $attributes: ReportTaskAttrInput!, $id: String) { report {
  generate_report(task: { report_definition_name: $name, report_name: $title, attributes: $attributes, task_external_id: $id }) { task_id } } }`;
/** Refusals that the definition states only in words: dates in order, lengths, zones. */
const BEYOND_DEFINITION = [
  'invalid_date',
  'range_too_long',
  'too_many',
  'invalid_values',
  'unknown_timezone',
  'required',
];
/** JSON Schema cannot leave out texts that cannot be stored. */
const NOT_STORABLE = /^Remove U\+0000 and halves of surrogate pairs/;

/** The input of `generate_report` by the two documents that describe it: contract/schema.graphql, and the definition itself. */
async function describeTask(name: string, headers: Record<string, string>): Promise<ValidateFunction> {
  const query = '{ report_defs { edges { report_definition_name report_definition_body } } }';
  // Every process has to learn of new credentials first.
  const response = await eventually(
    () => send(`${server.coreUrl}/staging/graphql`, { headers, json: { query } }),
    ({ status }) => status === 200,
  );
  type Definitions = {
    data: { report_defs: { edges: { report_definition_name: string; report_definition_body: unknown }[] } };
  };
  const { edges } = response.json<Definitions>().data.report_defs;
  const definition = edges.find((one) => one.report_definition_name === name);
  if (definition === undefined) throw new Error(`no definition ${name}`);
  const { parameters } = definition.report_definition_body as { parameters: Readonly<Record<string, Described>> };
  const text = readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8');
  const attributes = toJsonSchema(buildSchema(text).getType('ReportTaskAttrInput') as GraphQLInputType, parameters);
  return new Ajv2020({ strict: false }).compile({
    type: 'object',
    properties: {
      name: { const: name },
      title: { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' },
      attributes: { ...attributes, type: 'object', required: ['date_range'] },
      id: { type: ['string', 'null'], maxLength: 200 },
    },
    required: ['name', 'title', 'attributes'],
  });
}

/** The schema of a parameter, as far as its definition states one. */
interface Described {
  readonly required?: boolean;
  readonly allowed_values?: readonly string[];
  readonly fields?: Readonly<Record<string, Described>>;
}

function toJsonSchema(type: GraphQLInputType, fields: Readonly<Record<string, Described>>, own?: Described): object {
  if (isNonNullType(type)) return toJsonSchema(type.ofType as GraphQLInputType, fields, own);
  if (isListType(type)) {
    const item = type.ofType as GraphQLInputType;
    return { type: ['array', 'null'], items: { allOf: [toJsonSchema(item, fields, own), { not: { type: 'null' } }] } };
  }
  if (!isInputObjectType(type)) {
    const { allowed_values: allowed, required = false } = own ?? {};
    const isNull = required ? [] : [null];
    return { type: ['string', 'null'], ...(allowed === undefined ? {} : { enum: [...allowed, ...isNull] }) };
  }
  const properties = Object.values(type.getFields()).map((field) => {
    const known = fields[field.name];
    return [field.name, toJsonSchema(field.type, known?.fields ?? {}, known)];
  });
  return {
    type: ['object', 'null'],
    properties: Object.fromEntries(properties) as object,
    required: Object.keys(fields).filter((name) => fields[name]?.required === true),
    additionalProperties: false,
  };
}

/** Header credentials of the staging workspace, where no other test looks at tasks. */
async function stagingCredentials(): Promise<Record<string, string>> {
  const response = await graphql('mutation { createHeaderCredential(name: "Agreement") { login token } }', {
    key: server.demo.keys.staging,
    staging: true,
  });
  type Made = { data: { createHeaderCredential: { login: string; token: string } } };
  const { login, token } = response.json<Made>().data.createHeaderCredential;
  return { 'x-internal-auth-login': login, 'x-internal-auth-token': token };
}

/** Accepted tasks run: there are few, each of one day. */
// Conformance: T4, R5
describe('the server agrees with the description of legacy report tasks', () => {
  // Conformance: T4, R5
  test('the server accepts exactly the tasks that their description allows', async () => {
    const headers = await stagingCredentials();
    const validate = await describeTask('campaign_delivery', headers);
    const [day] = todayRange();
    const bodies = changed(() => ({
      name: 'campaign_delivery',
      title: 'Agreement',
      attributes: {
        date_range: { kind: 'dynamic', date_from: `${day} 00:00:00`, date_to: `${day} 23:59:59` },
        filters: [{ dimension: 'line_item_id', type: 'in', values: [{ value: '1' }] }],
        split: ['campaign_id'],
        metric: ['adclick', 'filled_emission'],
        granularity: 'total',
        timezone: 'Europe/Warsaw',
      },
      id: null,
    }));
    const counts = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(bodies, async (variables) => {
        fc.pre(typeof variables === 'object' && variables !== null && depthOf(variables) < DEPTH_MAX);
        const json = { query: CREATE, variables };
        const response = await send(`${server.coreUrl}/staging/graphql`, { headers, json });
        expect(response.status).toBeLessThan(500);
        const isTaken = response.status === 200;
        counts[isTaken ? 'taken' : 'refused'] += 1;
        if (!validate(variables) || isTaken) return;
        const { errors } = response.json<{
          errors: { extensions: { fields?: { code: string; message: string }[] } }[];
        }>();
        const fields = errors.flatMap(({ extensions }) => extensions.fields ?? []);
        expect(fields.length, response.text).toBeGreaterThan(0);
        const isBeyond = ({ code, message }: { code: string; message: string }): boolean =>
          BEYOND_DEFINITION.includes(code) || NOT_STORABLE.test(message);
        expect(fields.filter((field) => !isBeyond(field))).toEqual([]);
      }),
      { numRuns: Math.ceil(NUM_RUNS / 3) },
    );
    expect(Math.min(counts.taken, counts.refused)).toBeGreaterThan(0);
  });
});

/** The reverse does not hold: the server also accepts malformed optional members and ignores them (B3). */
// Conformance: T4
describe('the server agrees with the schemas of the description', () => {
  // Conformance: T4
  test.each(Object.entries(ENDPOINTS))(
    'the server accepts exactly the bodies that the schema of %s allows',
    async (_name, { schema, bodies, ask, isBeyondSchema }) => {
      const validate = schemaOf(schema);
      await fc.assert(
        fc.asyncProperty(bodies, async (body) => {
          fc.pre(depthOf(body) <= DEPTH_MAX);
          const response = await ask(body);
          expect(response.status).toBeLessThan(500);
          const isTaken = response.status < 400;
          // A body that fits the schema is accepted, unless its content is refused.
          if (validate(body) && !isTaken) expect(isBeyondSchema?.(response), response.text).toBe(true);
        }),
        { numRuns: NUM_RUNS },
      );
    },
  );
});
