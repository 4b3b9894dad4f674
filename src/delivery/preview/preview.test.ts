import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../management/fixtures/test-management.ts';
import { openPreview, sealPreview } from '../../domain/booking/preview-link.ts';
import type { HttpRequest } from '../../http/shared/route.ts';
import { previewRoutes } from './preview.routes.ts';

const SECRET = Buffer.alloc(32, 7);
const HOUR_MS = 3_600_000;
let api: TestManagement;
let libraryId: string;
let url: string;
beforeAll(async () => {
  api = await createTestManagement();
  const made = await api.data<Record<string, Record<string, { id: string }>>>(
    'mutation { createAdvertiser(input: {name: "A"}) { advertiser { id } } }',
  );
  const input = {
    advertiserId: made['createAdvertiser']?.['advertiser']?.id,
    name: '<b>Bold</b>',
    width: 300,
    height: 250,
    clickUrl: 'https://acme.example/landing',
    content: { html: { html: '<a href="${CLICK_URL}">x</a>' } },
    trackers: { impressionUrls: ['https://tracker.example/imp'] },
    reviewState: 'PENDING',
  };
  const library = await api.data<{
    createLibraryCreative: { libraryCreative: { id: string; preview: { url: string; expiresAt: string } } };
  }>(
    `mutation ($input: CreateLibraryCreativeInput!) { createLibraryCreative(input: $input) {
      libraryCreative { id preview(hours: 2) { url expiresAt } } } }`,
    { input },
  );
  const { libraryCreative } = library.createLibraryCreative;
  libraryId = libraryCreative.id;
  url = libraryCreative.preview.url;
  expect(libraryCreative.preview.expiresAt).toBe('2026-11-20T12:00:00.000Z');
});
afterAll(() => api.close());

const open = (token: string, query = '') => {
  const [route] = previewRoutes({
    sql: api.database.db,
    secret: SECRET,
    deliveryUrl: 'https://ads.example',
    nowMs: () => api.clock.nowMs,
  });
  return route?.handler({ params: { token }, query } as unknown as HttpRequest);
};
const tokenOf = (address: string): string => address.slice('/preview/'.length);

describe('previews', () => {
  test('a preview shows a creative before its review, without counting links and trackers', async () => {
    const page = await open(tokenOf(url));
    const html = String(page?.body);
    expect(page?.status).toBe(200);
    expect(html).toContain('https://acme.example/landing');
    expect(html).toContain('&lt;b&gt;Bold&lt;/b&gt;');
    expect(html).not.toMatch(/tracker\.example|\/imp\/|\/click\/|<b>Bold/);
    expect(page?.headers?.['content-security-policy']).toMatch(/^sandbox allow-scripts /);
    expect(page?.headers?.['content-security-policy']).not.toContain('allow-same-origin');
    expect(String((await open(tokenOf(url), 'bare'))?.body)).not.toContain('nothing is counted');
  });

  test('pages of publishers frame a preview of the page tag, without its caption; other previews are framed by the core alone', async () => {
    const onPage = await open(tokenOf(url), 'page');
    expect(onPage?.headers?.['content-security-policy']).toMatch(
      /^sandbox allow-scripts .*frame-ancestors http: https:$/,
    );
    expect(String(onPage?.body)).not.toContain('nothing is counted');
    for (const query of ['', 'bare'])
      expect((await open(tokenOf(url), query))?.headers?.['content-security-policy']).toMatch(
        /frame-ancestors 'self'$/,
      );
  });

  test('a preview that has expired, or whose token was changed anywhere, gets 404', async () => {
    const token = tokenOf(url);
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === '1' ? '2' : '1'}${token.slice(at + 1)}`;
      expect(openPreview(changed, SECRET, api.clock.nowMs)).toBeNull();
    }
    expect(openPreview(`${token}=`, SECRET, api.clock.nowMs)).toBeNull();
    expect(openPreview(token, Buffer.alloc(32, 8), api.clock.nowMs)).toBeNull();
    api.clock.nowMs += 2 * HOUR_MS;
    await expect(Promise.resolve(open(token))).rejects.toMatchObject({ code: 'not_found' });
    api.clock.nowMs -= 2 * HOUR_MS;
  });

  test('a preview names its workspace: the same id in another one is another creative', async () => {
    const link = { workspaceId: 3, kind: 'library', id: libraryId, expiresAtMs: api.clock.nowMs + HOUR_MS } as const;
    await expect(Promise.resolve(open(sealPreview(link, SECRET)))).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the signature of a preview is a whole HMAC-SHA-256', () => {
    expect(Buffer.from(tokenOf(url).split('.').at(-1) ?? '', 'base64url')).toHaveLength(32);
  });
});
