import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasAudioAlone, readAllCases } from '../../rtb/rtb-case.ts';
import { eventually } from '../support/eventually.ts';
import { bid, bidBody, credentialHeaders, send, server, todayRange } from '../support/server.ts';

interface OperationObject {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
type Methods = Readonly<Record<string, OperationObject>>;
interface Description {
  readonly paths: Readonly<Record<string, Methods & { readonly servers: readonly { readonly url: string }[] }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

const committed = JSON.parse(
  readFileSync(new URL('../../../contract/openapi.json', import.meta.url), 'utf8'),
) as Description;
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(committed, 'openapi');
const schemaOf = (name: string): ValidateFunction => {
  const validate = ajv.getSchema(`openapi#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
};
const faultsOf = (name: string, value: unknown): unknown[] => {
  const validate = schemaOf(name);
  return validate(value) ? [] : (validate.errors ?? []);
};

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const SAMPLES: Readonly<Record<string, string>> = {
  network: '1000',
  token: 'T',
  event: 'start',
  name: 'no.png',
  id: '1',
};

/** Every address of the description at the server under test: path × server. */
const addresses = Object.entries(committed.paths).flatMap(([path, item]) =>
  item.servers.map(({ url }) => {
    const base = url.replace('https://{core}', server.coreUrl).replace('https://{delivery}', server.deliveryUrl);
    const methods = ['get', 'post'].filter((method) => item[method] !== undefined);
    return {
      title: `${url}${path}`,
      url: base + path.replace(/\{(\w+)\}/g, (_all, name: string) => SAMPLES[name] ?? ''),
      item,
      methods,
    };
  }),
);

describe('the API description, compared with the server', () => {
  let served: Description;
  beforeAll(async () => {
    served = (await send(`${server.coreUrl}/openapi.json`)).json<Description>();
  });

  // Conformance: T4
  test('the server returns the committed description, and a page of it that loads nothing', async () => {
    expect(served).toEqual(committed);
    const page = await send(`${server.coreUrl}/docs/api`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  // Conformance: T4, V1
  test.each(addresses)('$title accepts exactly the methods of the description', async ({ url, methods }) => {
    const refused = await send(url, { method: 'PATCH' });
    const allowed = (refused.headers.allow ?? '').split(', ').filter((method) => !['HEAD', 'OPTIONS'].includes(method));
    expect([refused.status, allowed.map((method) => method.toLowerCase()).sort()]).toEqual([405, methods]);
  });

  // Conformance: T3
  test.each(addresses.flatMap((one) => one.methods.map((method) => ({ ...one, method }))))(
    '$method $title with an empty request responds as described, and requires credentials exactly where it says so',
    async ({ url, item, method }) => {
      const operation = item[method] as OperationObject;
      const response = await send(url, method === 'post' ? { method: 'POST', json: {} } : {});
      expect(Object.keys(operation.responses)).toContain(String(response.status));
      expect(response.status === 401).toBe(operation.security.length > 0);
      const content = operation.responses[response.status]?.content?.['application/json'];
      if (content !== undefined && response.text !== '') {
        const validate = ajv.compile({ ...content.schema, components: committed.components });
        expect(validate(response.json()) ? [] : validate.errors).toEqual([]);
      }
    },
  );
});

describe('bodies of the description, compared with the server', () => {
  // Conformance: B3
  test('every bid request that the schema allows is accepted, and every one that lacks a required field is refused', async () => {
    const cases = readAllCases();
    const refusedThough: unknown[] = [];
    for (const { body } of cases) {
      const response = await bid(body);
      // No schema can say that no two imps have one id, and which ad units take audio.
      const imp = (body as { imp?: unknown } | null)?.imp;
      const ids = Array.isArray(imp) ? imp.map((one: { id?: unknown } | null) => String(one?.id)) : [];
      if (new Set(ids).size < ids.length || hasAudioAlone(body)) continue;
      if (faultsOf('BidRequest', body).length === 0 && response.status >= 400) refusedThough.push(body);
      if (response.status === 200) expect(faultsOf('BidResponse', response.json())).toEqual([]);
    }
    expect(refusedThough).toEqual([]);
    const site = { id: 'magazine', domain: 'magazine.example' };
    for (const over of [
      { id: undefined },
      { id: '' },
      { imp: [] },
      { imp: [{ id: '1' }] },
      { imp: [{ banner: {} }] },
      { site: undefined },
      { site: { ...site, id: undefined } },
      { site: { ...site, domain: undefined } },
    ]) {
      const body = JSON.parse(JSON.stringify(bidBody(over))) as unknown;
      expect([faultsOf('BidRequest', body).length > 0, (await bid(body)).status]).toEqual([true, 400]);
    }
  });

  // Conformance: A1
  test('an ad request and its response have the described shape', async () => {
    const ask = (body: unknown) =>
      send(`${server.deliveryUrl}/api/v1/ads`, { headers: bearer(server.demo.keys.delivery), json: body });
    const good = { network: '1000', adUnit: 'home/sidebar', count: 3, sizes: ['300x250'], user: { npa: true } };
    expect(faultsOf('AdsRequest', good)).toEqual([]);
    const response = await ask(good);
    expect([response.status, faultsOf('AdsAnswer', response.json())]).toEqual([200, []]);
    for (const over of [
      { adUnit: undefined },
      { network: undefined },
      { count: 0 },
      { count: 21 },
      { count: 1.5 },
      { sizes: ['wide'] },
    ]) {
      const body = JSON.parse(JSON.stringify({ ...good, ...over })) as unknown;
      expect([faultsOf('AdsRequest', body).length > 0, (await ask(body)).status]).toEqual([true, 400]);
    }
  });

  // Conformance: P1
  test('an activity event and its response have the described shape', async () => {
    const ask = (body: unknown) =>
      send(`${server.deliveryUrl}/api/v1/events`, { headers: bearer(server.demo.keys.audience), json: body });
    const { actgid } = server.demo.activity;
    const good = {
      network: '1000',
      actgid,
      event: 'purchased',
      cost: '49.90',
      ord: `openapi-${Date.now()}`,
      currency: 'PLN',
      qty: 2,
    };
    expect(faultsOf('ActivityEvent', good)).toEqual([]);
    for (const status of [202, 200]) {
      const response = await ask(good);
      expect([response.status, faultsOf('ActivityAnswer', response.json())]).toEqual([status, []]);
    }
    for (const over of [
      { event: undefined },
      { cost: '-1' },
      { cost: 'x' },
      { qty: -1 },
      { currency: 'zloty' },
      { clickId: 'x' },
    ]) {
      const body = JSON.parse(JSON.stringify({ ...good, ...over })) as unknown;
      expect([faultsOf('ActivityEvent', body).length > 0, (await ask(body)).status]).toEqual([true, 400]);
    }
  });

  // Conformance: Q1
  test('a report query, its response and the model have the described shape', async () => {
    const base = `${server.demo.urls.reportsApi}/1000/v1`;
    const query = {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: todayRange(), granularity: 'day' }],
      filters: [{ member: 'campaign_overview.npa', operator: 'equals', values: ['false'] }],
      limit: 10,
    };
    expect(faultsOf('ReportRequest', { query })).toEqual([]);
    for (const body of [{ query }, { query, queryType: 'multi' }]) {
      const response = await send(`${base}/load`, { headers: credentialHeaders(), json: body });
      expect([response.status, faultsOf('ReportAnswer', response.json())]).toEqual([200, []]);
    }
    const meta = await send(`${base}/meta`, { headers: credentialHeaders() });
    expect([meta.status, faultsOf('ReportMeta', meta.json())]).toEqual([200, []]);
    const refused = await send(`${base}/load`, {
      headers: credentialHeaders(),
      json: { query: { measures: ['x.y'] } },
    });
    expect([refused.status, faultsOf('ReportError', refused.json())]).toEqual([400, []]);
  });

  // Conformance: Q1
  test('a load has every described format, freshness header and tag', async () => {
    const load = committed.paths['/reports/{network}/v1/load']?.['post'] as unknown as {
      responses: Record<string, { content: Record<string, object>; headers: Record<string, object> }>;
    };
    const modes = (committed.components.schemas['ReportRequest'] as { properties: { cache: { enum: string[] } } })
      .properties.cache.enum;
    const query = {
      measures: ['campaign_overview.impressions'],
      timeDimensions: [{ dimension: 'campaign_overview.time', dateRange: 'yesterday' }],
    };
    const ask = (accept: string, more: Record<string, string> = {}, cache?: string) =>
      send(`${server.demo.urls.reportsApi}/1000/v1/load`, {
        headers: { ...credentialHeaders(), accept, ...more },
        json: { query, ...(cache === undefined ? {} : { cache }) },
      });
    const forms = Object.keys(load.responses['200']?.content ?? {});
    expect(forms).toEqual([
      'application/json',
      'text/csv',
      'application/x-ndjson',
      'application/vnd.apache.arrow.stream',
      'application/vnd.apache.parquet',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    for (const form of forms) {
      // Data that arrives between the two requests gives the second one another tag.
      const [response] = await eventually(
        async () => {
          const whole = await ask(form);
          return [whole, await ask(form, { 'if-none-match': String(whole.headers.etag) })] as const;
        },
        ([, repeated]) => repeated.status === 304,
      );
      expect([response.status, String(response.headers['content-type']).split(';')[0]]).toEqual([200, form]);
      for (const name of Object.keys(load.responses['200']?.headers ?? {}))
        expect(response.headers, `${name} of ${form}`).toHaveProperty(name.toLowerCase());
    }
    expect(modes).toHaveLength(4);
    for (const mode of modes) expect((await ask('application/json', {}, mode)).status).toBe(200);
    expect((await ask('application/json', {}, 'sometimes')).status).toBe(400);
  });

  // Conformance: G1
  test('a GraphQL response, an upload and the health of both servers have the described shape', async () => {
    const graphql = await send(`${server.coreUrl}/graphql`, {
      headers: bearer(server.demo.keys.readOnly),
      json: { query: '{ __typename }' },
    });
    expect([graphql.status, faultsOf('GraphqlAnswer', graphql.json())]).toEqual([200, []]);
    const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
    const headers = { ...bearer(server.demo.keys.admin), 'content-type': 'application/octet-stream' };
    const uploaded = await send(`${server.coreUrl}/assets`, { headers, body: pixel });
    expect([uploaded.status, faultsOf('UploadedFile', uploaded.json())]).toEqual([201, []]);
    for (const base of [server.coreUrl, server.deliveryUrl])
      for (const path of ['/healthz', '/readyz'])
        expect(faultsOf('Health', (await send(base + path)).json())).toEqual([]);
  });
});
