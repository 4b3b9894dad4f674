import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openapiBreaks } from '../../scripts/openapi-breaks.ts';

const contract = new URL('../../contract/', import.meta.url);
const read = (path: string) => JSON.parse(readFileSync(new URL(path, contract), 'utf8')) as Record<string, unknown>;
const versions = readdirSync(new URL('versions/', contract)).filter((name) => name.endsWith('.openapi.json'));

describe('the REST contract', () => {
  test('the description breaks no request and no response of an earlier version', () => {
    expect(versions).not.toEqual([]);
    for (const name of versions) expect(openapiBreaks(read(`versions/${name}`), read('openapi.json'))).toEqual([]);
  });

  const input = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: ['string', 'null'], maxLength: 5 }, b: { enum: ['x', 'y'] }, c: { type: 'number' } },
  };
  const output = {
    anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'object', properties: { e: { type: 'string' } } }],
  };
  const node = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
  };
  const make = (changes: {
    readonly input?: object;
    readonly output?: object;
    readonly node?: object;
    readonly parameters?: readonly object[];
    readonly responses?: object;
  }) => ({
    components: { schemas: { Node: changes.node ?? node } },
    paths: {
      '/things': {
        post: {
          parameters: changes.parameters ?? [{ in: 'query', name: 'q', schema: { type: 'integer', minimum: 1 } }],
          requestBody: { content: { 'application/json': { schema: changes.input ?? input } } },
          responses: changes.responses ?? {
            200: { content: { 'application/json': { schema: changes.output ?? output } } },
          },
        },
      },
    },
  });
  const breaksOf = (changes: Parameters<typeof make>[0]) => openapiBreaks(make({}), make(changes));

  test.each([
    ['removes a path', () => openapiBreaks(make({}), { paths: {} }), /POST \/things: is gone/],
    ['removes a parameter', () => breaksOf({ parameters: [] }), /query q: is gone/],
    [
      'requires a new parameter',
      () => breaksOf({ parameters: [...q(), { in: 'query', name: 'r', required: true, schema: {} }] }),
      /query r: is new and required/,
    ],
    ['narrows a parameter', () => breaksOf({ parameters: q({ minimum: 2 }) }), /query q: minimum is 2 now/],
    ['requires a member', () => breaksOf({ input: { ...input, required: ['a', 'c'] } }), /\.c: is required now/],
    ['refuses null', () => breaksOf({ input: withA({ type: 'string' }) }), /\.a: null is refused now/],
    ['shortens a text', () => breaksOf({ input: withA({ type: ['string', 'null'], maxLength: 4 }) }), /maxLength is 4/],
    [
      'refuses a value',
      () => breaksOf({ input: { ...input, properties: { ...input.properties, b: { enum: ['x'] } } } }),
      /\.b: "y" is refused now/,
    ],
    [
      'removes a member of a response',
      () => breaksOf({ node: { ...node, properties: {} } }),
      /alternative 1 fits none/,
    ],
    ['lets a member be absent', () => breaksOf({ node: { ...node, required: [] } }), /alternative 1 fits none/],
    ['removes a status', () => breaksOf({ responses: {} }), /200: is gone/],
    [
      'adds a kind of response',
      () => breaksOf({ output: { anyOf: [...output.anyOf, { type: 'array' }] } }),
      /alternative 3/,
    ],
  ])('a description that %s breaks clients', (_change, breaks, message) => {
    expect(breaks()).toEqual([expect.stringMatching(message)]);
  });

  test('a description that adds paths, optional members, values and members of responses breaks nobody', () => {
    const changes = {
      input: withA({ type: ['string', 'null'], maxLength: 6 }, { d: { type: 'string' }, b: { enum: ['x', 'y', 'z'] } }),
      node: { ...node, properties: { ...node.properties, extra: { type: 'string' } } },
      parameters: [...q(), { in: 'query', name: 'r', schema: {} }],
    };
    expect(breaksOf(changes)).toEqual([]);
  });

  function q(schema: object = {}): object[] {
    return [{ in: 'query', name: 'q', schema: { type: 'integer', minimum: 1, ...schema } }];
  }

  function withA(a: object, more: object = {}): object {
    return { ...input, properties: { ...input.properties, a, ...more } };
  }
});
