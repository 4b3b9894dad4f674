import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../fixtures/test-management.ts';

let api: TestManagement;
beforeAll(async () => {
  api = await createTestManagement();
});
afterAll(() => api.close());

const open = (as: string | null, url = '/graphql') =>
  api.app.inject({
    method: 'GET',
    url,
    headers: { accept: 'text/html', ...(as === null ? {} : { authorization: `Bearer ${as}` }) },
  });

describe('GraphiQL', () => {
  test('the page opens for a signed-in admin, loads nothing from elsewhere, and runs only its own script', async () => {
    const response = await open('person');
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    const nonce = /<script nonce="([^"]+)" src="\/graphql\/explorer\.js\?\w+">/.exec(response.body)?.[1];
    expect(response.headers['content-security-policy']).toContain(`script-src 'nonce-${nonce}';`);
    expect(response.headers['content-security-policy']).not.toMatch(/https?:|\*/);
    const again = await open('person');
    expect(again.headers['content-security-policy']).not.toContain(String(nonce));
  });

  test.each([
    ['script', /src="([^"]+)"/, 2_500_000],
    ['styles', /stylesheet" href="([^"]+)"/, 800_000],
  ])(
    'the page loads its %s compressed and once: the address changes with the content',
    async (_name, pattern, bytesMax) => {
      const { body } = await open('person');
      expect(Buffer.byteLength(body)).toBeLessThan(10_000);
      const url = pattern.exec(body)?.[1] ?? '';
      const ask = (from: string, encoding: string) =>
        api.app.inject({ method: 'GET', url: from, headers: { 'accept-encoding': encoding } });
      const plain = await ask(url, 'identity');
      for (const [encoding, inflate] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const packed = await ask(url, encoding);
        expect(packed.headers).toMatchObject({
          'content-encoding': encoding,
          'cache-control': 'public, max-age=31536000, immutable',
          'content-type': plain.headers['content-type'],
        });
        expect(packed.rawPayload.length).toBeLessThan(bytesMax);
        expect(inflate(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
      }
      expect((await ask(url.replace(/\?.*/, '?old'), 'br')).headers['cache-control']).toBe('no-cache');
    },
  );

  test.each([
    ['br;q=0', undefined],
    ['gzip;q=0, identity', undefined],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['*', 'br'],
  ])('the encoding of a file follows %s: %s', async (accepts, encoding) => {
    const headers = { 'accept-encoding': accepts };
    const response = await api.app.inject({ method: 'GET', url: '/graphql/explorer.css', headers });
    expect(response.headers['content-encoding']).toBe(encoding);
  });

  test('the page sends requests to the API that it was opened at', async () => {
    const { body } = await open('person');
    expect(body.slice(-2_000)).toContain('"endpoint":"/graphql"');
    expect(body.slice(-2_000)).toContain('{"x-placard-network":"1000"}');
  });

  test('the first query of the page is valid', async () => {
    const { body } = await open('person');
    const query = JSON.parse(/"defaultQuery":("(?:[^"\\]|\\.)*")/.exec(body.slice(-2_000))?.[1] ?? '""') as string;
    expect(query).toContain('campaigns');
    expect((await api.ask(query)).body.errors).toBeUndefined();
  });

  test.each([null, 'admin'])('the page does not open for %s', async (as) => {
    expect((await open(as)).headers['content-type']).toMatch(/json/);
  });
});
