import { readFileSync } from 'node:fs';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerGuide } from './guide.routes.ts';
import { openGuide } from './pages.ts';
import { wordsOf } from './search.ts';

const app = fastify();
beforeAll(() => registerGuide(app));
afterAll(() => app.close());

const get = async (url: string): Promise<{ status: number; body: string; policy: string }> => {
  const { statusCode, body, headers } = await app.inject(url);
  return { status: statusCode, body, policy: String(headers['content-security-policy']) };
};
const pages = [...openGuide().byFile.values()];
const linksOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="(\/docs[^"]*)"/g)].map(([, target = '']) => target.replaceAll('&amp;', '&'));

test('the contents name every person of docs/README.md, and each page is marked at its own address', async () => {
  const { status, body } = await get('/docs');
  expect(status).toBe(200);
  for (const title of ['Start', 'For ad operations', 'For analysts', 'For operators'])
    expect(body).toContain(`<h2>${title}</h2>`);
  expect((await get('/docs/pacing')).body).toContain('<a href="/docs/pacing" aria-current="page">');
});

test('every link and picture of every page leads to a page of the guide and to a heading that it has', async () => {
  const htmlOf = new Map<string, string>();
  for (const { address } of pages) {
    const { status, body } = await get(address);
    expect([address, status]).toEqual([address, 200]);
    htmlOf.set(address, body);
  }
  const broken: string[] = [];
  for (const [address, html] of htmlOf) {
    for (const link of new Set(linksOf(html))) {
      const [path = '', anchor] = link.split('#');
      const target = htmlOf.get(path) ?? ((await get(path)).status === 200 || path === '/docs/api' ? '' : null);
      const hasAnchor = anchor === undefined || target?.includes(` id="${decodeURIComponent(anchor)}"`) === true;
      if (target === null || !hasAnchor) broken.push(`${address}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('every page of the console has a page of the guide, at a heading that it has', async () => {
  const navigation = readFileSync(new URL('../../../console/src/app/navigation.ts', import.meta.url), 'utf8');
  const guides = [...navigation.matchAll(/ guide: '([^']+)'/g)].map(([, guide = '']) => guide);
  expect(guides.length).toBeGreaterThan(30);
  for (const guide of new Set(guides)) {
    const [path = '', anchor] = guide.split('#');
    const { status, body } = await get(`/docs/${path}`);
    expect([guide, status]).toEqual([guide, 200]);
    if (anchor !== undefined) expect(body, guide).toContain(` id="${anchor}"`);
  }
});

test('a page runs no script and loads nothing from elsewhere', async () => {
  const { body, policy } = await get('/docs/start');
  expect(policy).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self';/);
  expect(body).not.toMatch(/<script|<style| style=| on\w+=|src="http/);
});

test.each([
  '/docs/nothing',
  '/docs/../package.json',
  '/docs/%2e%2e/package.json',
  '/docs/images/..%2f..%2fpackage.json',
  '/docs/images/none.png',
])('%s gets 404, and no file', async (url) => {
  const { status, body } = await get(url);
  expect(status).toBe(404);
  expect(body).not.toContain('"license"');
});

describe('the search', () => {
  test('a search leads to the section that has the words, also with a letter wrong', async () => {
    for (const question of ['point-in-time recovery', 'point-in-time recovry'])
      expect(linksOf((await get(`/docs/search?q=${encodeURIComponent(question)}`)).body)).toContainEqual(
        expect.stringMatching(/^\/docs\/operations\/backup#/),
      );
  });

  test('the address of every section that a search finds has its heading', async () => {
    for (const question of ['line item', 'placard', 'event', 'key']) {
      const { body } = await get(`/docs/search?q=${encodeURIComponent(question)}`);
      const results = linksOf(body.slice(body.indexOf('<article>')));
      expect(results.length).toBeGreaterThan(5);
      for (const link of results) {
        const [path = '', anchor] = link.split('#');
        const page = await get(path);
        expect([link, page.status]).toEqual([link, 200]);
        if (anchor !== undefined) expect(page.body).toContain(` id="${anchor}"`);
      }
    }
  });

  test('a question of any length and form gets a page, which shows it as text', async () => {
    const { body } = await get(`/docs/search?q=${encodeURIComponent('<script>alert(1)</script>"')}`);
    expect(body).not.toContain('<script');
    for (const query of ['', '?q=', '?q=a&q=b', `?q=${'x'.repeat(5_000)}`, '?q=%00%ff', '?q=***'])
      expect((await get(`/docs/search${query}`)).status).toBeLessThan(500);
    expect(wordsOf(Array.from({ length: 50 }, (_, at) => `word${at}`).join(' '))).toHaveLength(8);
    expect(wordsOf('x'.repeat(41))).toEqual([]);
  });
});
