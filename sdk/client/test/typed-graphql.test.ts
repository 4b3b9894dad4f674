import { buildSchema, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { API_VERSION } from '../src/api-version.ts';
import { PlacardClient } from '../src/client.ts';
import { PlacardInputError } from '../src/errors.ts';
import { buildOperation, mutate, query } from '../src/typed-graphql.ts';

const schema = buildSchema(readFileSync(new URL('../../../contract/schema.graphql', import.meta.url), 'utf8'));

describe('the documents of selections', () => {
  test.each([
    ['query', { network: [{ id: '1000' }, { name: true, status: true }] }],
    ['query', { campaigns: { totalCount: true, nodes: { id: true } } }],
    [
      'query',
      {
        lineItem: [
          { id: '7' },
          {
            name: true,
            status: undefined,
            creatives: [{ first: 3 }, { nodes: { id: true, name: false, width: true } }],
          },
        ],
      },
    ],
    [
      'query',
      {
        creative: [{ id: '7' }, { content: { on_HtmlContent: { html: true }, on_NativeContent: { title: true } } }],
      },
    ],
    ['mutation', { createCampaign: [{ input: { name: 'Spring', advertiserId: '1' } }, { campaign: { id: true } }] }],
    [
      'mutation',
      {
        createAdvertiser: [
          { input: { name: 'Acme' } },
          { advertiser: { campaigns: [{ first: 1 }, { totalCount: true }] } },
        ],
        archiveCampaign: [{ id: '1', version: undefined }, { warnings: { message: true } }],
      },
    ],
  ] as const)('a %s of %j is valid', (kind, selection) => {
    const { document, variables } = buildOperation(kind, selection);
    expect(validate(schema, parse(document))).toEqual([]);
    expect(JSON.stringify(Object.values(variables))).not.toContain('null');
  });

  test('values are never part of the text of a document', () => {
    const name = '"}) { id } evil';
    const { document, variables } = buildOperation('mutation', {
      createAdvertiser: [{ input: { name } }, { validatedOnly: true }],
    });
    expect(document).toBe('mutation ($v0: CreateAdvertiserInput!) { createAdvertiser(input: $v0) { validatedOnly } }');
    expect(variables).toEqual({ v0: { input: { name } }.input });
  });

  test.each([
    [
      'an argument that a field does not have',
      { campaigns: [{ firts: 3 }, { totalCount: true }] },
      'Query.campaigns has no argument firts.',
    ],
    ['a name that is none', { 'a b': true }, '"a b" is not the name of a field.'],
    ['no field', { campaigns: {} }, 'has no field.'],
    ['no field but refused ones', { campaigns: { totalCount: false } }, 'has no field.'],
  ])('a selection with %s is refused and names it', (_name, selection, message) => {
    expect(() => buildOperation('query', selection)).toThrow(PlacardInputError);
    expect(() => buildOperation('query', selection)).toThrow(message);
  });
});

describe('typed operations', () => {
  const sent: { headers: Headers; body: { query: string; variables: unknown } }[] = [];
  const clientFor = (...responses: Response[]): PlacardClient => {
    sent.length = 0;
    return new PlacardClient({
      network: '1000',
      coreUrl: 'https://core.example',
      apiKey: 'key',
      wait: () => Promise.resolve(),
      fetch: (_url, init) => {
        sent.push({ headers: new Headers(init?.headers), body: JSON.parse(init?.body as string) });
        return Promise.resolve(responses.shift() ?? new Response('', { status: 503 }));
      },
    });
  };

  test('a query has no idempotency key and gives the data', async () => {
    const client = clientFor(Response.json({ data: { campaigns: { totalCount: 3 } } }));
    const { campaigns } = await query(client, { campaigns: { totalCount: true } });
    expect(campaigns.totalCount).toBe(3);
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([null]);
  });

  test('a mutation that got no response is sent again with the same idempotency key', async () => {
    const data = { archiveCampaign: { validatedOnly: false } };
    const client = clientFor(new Response('', { status: 502 }), Response.json({ data }));
    expect(await mutate(client, { archiveCampaign: [{ id: '1' }, { validatedOnly: true }] })).toEqual(data);
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), keys[0]]);
  });

  test('a mutation asks for its mistakes, and throws them where they were not selected', async () => {
    const refused = () => {
      const userErrors = [{ code: 'EMPTY', field: 'input.name', message: 'Give a name.' }];
      return Response.json({ data: { createAdvertiser: { advertiser: null, userErrors } } });
    };
    const unselected = mutate(clientFor(refused()), {
      createAdvertiser: [{ input: { name: '' } }, { advertiser: { id: true } }],
    });
    await expect(unselected).rejects.toMatchObject({
      name: 'PlacardGraphqlError',
      data: { createAdvertiser: { advertiser: null } },
      errors: [
        {
          message: 'Give a name.',
          path: ['createAdvertiser'],
          extensions: { code: 'empty', field: 'input.name' },
        },
      ],
    });
    expect(sent[0]?.body.query).toContain('userErrors { code field message }');
    const { createAdvertiser } = await mutate(clientFor(refused()), {
      createAdvertiser: [{ input: { name: '' } }, { userErrors: { code: true } }],
    });
    expect(createAdvertiser?.userErrors[0]?.code).toBe('EMPTY');
  });

  test('every operation names the version of the API that its types are of', async () => {
    await query(clientFor(Response.json({ data: { campaigns: { totalCount: 3 } } })), {
      campaigns: { totalCount: true },
    });
    expect(sent[0]?.headers.get('x-placard-version')).toBe(API_VERSION);
  });

  test('a mutation takes the idempotency key that it is given', async () => {
    const client = clientFor(Response.json({ data: {} }));
    await mutate(client, { archiveCampaign: [{ id: '1' }, { validatedOnly: true }] }, { idempotencyKey: 'mine' });
    expect(sent[0]?.headers.get('idempotency-key')).toBe('mine');
  });
});
