import { describe, expect, test } from 'vitest';
import { type Answer } from '../support/http-client.ts';
import { send, server } from './support/server.ts';

const ads = (json: unknown, key = server.demo.keys.delivery): Promise<Answer> =>
  send(`${server.deliveryUrl}/api/v1/ads`, { headers: { authorization: `Bearer ${key}` }, json });

describe('A · ad request API', () => {
  test('A1 answers at most count ads, best first, with all that a page needs', async () => {
    const answer = await ads({ network: '1000', adUnit: 'home/sidebar', count: 2 });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const body = answer.json<{ ads: Record<string, unknown>[] }>();
    expect(body.ads.length).toBeGreaterThanOrEqual(1);
    expect(body.ads.length).toBeLessThanOrEqual(2);
    expect(body.ads[0]).toMatchObject({
      position: 1,
      impressionId: expect.any(String),
      lineItemId: expect.any(String),
      creativeId: expect.any(String),
      advertiser: { name: expect.any(String) },
      format: expect.stringMatching(/IMAGE|HTML/),
      width: 300,
      tracking: {
        impressionUrl: expect.stringContaining('/imp/'),
        clickUrl: expect.any(String),
        viewableUrl: expect.any(String),
      },
    });
    expect(new Set(body.ads.map((ad) => ad['creativeId'])).size).toBe(body.ads.length);
  });

  test('A2 another network is 403, an unknown ad unit 404', async () => {
    expect((await ads({ network: '2000', adUnit: 'home/top', count: 1 })).status).toBe(403);
    const unknown = await ads({ network: '1000', adUnit: 'no/such', count: 1 });
    expect([unknown.status, unknown.json<{ error: string }>().error]).toEqual([404, 'unknown_ad_unit']);
  });

  test.each([0, 21, -1, 1.5, '2', null])('A2 a count of %s is 400 naming the bound', async (count) => {
    const answer = await ads({ network: '1000', adUnit: 'home/top', count });
    expect(answer.status).toBe(400);
    expect(answer.json<{ message: string }>().message).toMatch(/count.*20|20.*count/);
  });
});
