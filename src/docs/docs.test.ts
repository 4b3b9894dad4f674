import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { readVersion } from '../config/version.ts';
import { ERROR_CODES } from '../domain/error-codes.ts';
import { packScript, registerDocs } from './docs.routes.ts';
import { buildOpenApi } from './openapi.ts';
import { OPERATIONS } from './operations.ts';

const description = buildOpenApi(readVersion());
const committed = readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8');

describe('the API description', () => {
  test('contract/openapi.json is current (else run node scripts/write-openapi.ts)', () => {
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(description)));
  });

  test('every reference in it leads somewhere, and every schema is used', () => {
    const refs = new Set([...committed.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1]));
    expect(refs).toEqual(new Set(Object.keys(description.components.schemas)));
  });

  test('every operation has a name of its own, a tag with words, and parameters for its path', () => {
    const ids = OPERATIONS.map((operation) => operation.id);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = new Set(description.tags.map((tag) => tag.name));
    expect(OPERATIONS.filter((operation) => !tags.has(operation.tag))).toEqual([]);
    for (const [path, item] of Object.entries(description.paths)) {
      const named = ((item['parameters'] ?? []) as { name: string; schema?: object }[]).map((one) => one.name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    }
  });

  test('servers, licence and paths are as linters of descriptions require', () => {
    expect(description.servers.length).toBeGreaterThan(0);
    expect(description.info).toMatchObject({ license: { identifier: 'Apache-2.0' }, version: readVersion() });
    expect(Object.keys(description.paths).filter((path) => path.endsWith('/'))).toEqual([]);
    expect(listArraysWithoutItems(description)).toEqual([]);
  });

  test('every default and every example has the type of its value, as Spectral requires', () => {
    const wrong: string[] = [];
    const walk = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const { type, default: fallback, example } = value as Record<string, unknown>;
      const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : null;
      for (const given of types === null ? [] : [fallback, example]) {
        const found = given === null ? 'null' : Array.isArray(given) ? 'array' : typeof given;
        const names = found === 'number' && Number.isInteger(given) ? ['number', 'integer'] : [found];
        if (given !== undefined && !names.some((name) => types?.includes(name) === true)) wrong.push(path);
      }
      for (const [key, inner] of Object.entries(value)) walk(inner, `${path}/${key}`);
    };
    walk(JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')), '');
    expect(wrong).toEqual([]);
  });

  test('every error code can be met somewhere, but those of sessions and of GraphQL fields', () => {
    const elsewhere = ['idempotency_conflict', 'gone'];
    const unmet = ERROR_CODES.filter((code) => !committed.includes(`${code}: `));
    expect(unmet.filter((code) => !elsewhere.includes(code))).toEqual([]);
  });
});

function listArraysWithoutItems(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { type, items } = value as { readonly type?: unknown; readonly items?: unknown };
  const own = type === 'array' && items === undefined ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => listArraysWithoutItems(inner, `${path}/${key}`))];
}

describe('the page of the API description', () => {
  test.each([
    ['/script.js', 200],
    ['/missing.js', 404],
  ])(
    'the script of the docs page at %s is packed only with the status 200, and its app is closed',
    async (route, status) => {
      const app = fastify();
      let closed = 0;
      app.addHook('onClose', async () => {
        closed += 1;
      });
      app.get('/script.js', async () => 'draw()');
      const packed = packScript(app, route).then(
        ({ plain }) => plain.toString(),
        (error: Error) => error.message,
      );
      expect(await packed).toMatch(status === 200 ? /^draw\(\)$/ : /status 404/);
      expect(closed).toBe(1);
    },
  );

  test('the docs page loads one script of this server, and its policy allows no other origin', async () => {
    const app = fastify();
    registerDocs(app, readVersion());
    const page = await app.inject('/docs/api');
    const loaded = [...page.body.matchAll(/ (?:src|data-url|href)="([^"]*)"/g)].map((match) => match[1] ?? '');
    const script = loaded.find((address) => address.startsWith('/docs/scalar.js?')) ?? '';
    expect(new Set(loaded)).toEqual(new Set(['data:,', '/openapi.json', script]));
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    const packed = await app.inject({ url: script, headers: { 'accept-encoding': 'br' } });
    expect([packed.statusCode, packed.headers['content-type'], packed.headers['content-encoding']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'br',
    ]);
    expect(packed.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const plain = await app.inject('/docs/scalar.js');
    expect(plain.body).toContain('api-reference');
    expect(plain.headers['cache-control']).toBe('no-cache');
  });
});
