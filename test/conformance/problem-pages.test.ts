import { describe, expect, test } from 'vitest';
import { send, server } from './support/server.ts';

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'de',
  'sec-fetch-dest': 'document',
};

describe('addresses that a person opens in vain', () => {
  test.each([
    ['an unknown address of the core', () => `${server.coreUrl}/nothing-here`, 404, 'Hier ist nichts'],
    ['/graphql without a session', () => `${server.coreUrl}/graphql`, 401, 'Bitte zuerst anmelden'],
    ['an unknown address of the ad server', () => `${server.deliveryUrl}/nothing-here`, 404, 'Hier ist nichts'],
    ['a wrong link to "Why this ad?"', () => `${server.deliveryUrl}/1000/why/wrong`, 404, 'Hier ist nichts'],
  ])('%s is a page in a browser and JSON for programs', async (_name, url, status, title) => {
    const page = await send(url(), { headers: BROWSER });
    expect([page.status, String(page.headers['content-type'])]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.headers['set-cookie']).toBeUndefined();
    const json = await send(url(), { headers: { accept: 'application/json' } });
    expect([json.status, String(json.headers['content-type']).split(';')[0]]).toEqual([status, 'application/json']);
    const bare = await send(url());
    expect(bare.json()).toHaveProperty('error');
  });
});
