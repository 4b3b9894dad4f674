import { describe, expect, test } from 'vitest';
import { type HttpResponse } from '../support/http-client.ts';
import { send, server } from './support/server.ts';

const ads = (json: unknown, key = server.demo.keys.delivery): Promise<HttpResponse> =>
  send(`${server.deliveryUrl}/api/v1/ads`, { headers: { authorization: `Bearer ${key}` }, json });

describe('ad request API', () => {
  // Conformance: A1
  test('the ad request API returns at most count ads, best first, with everything a page needs', async () => {
    const response = await ads({ network: '1000', adUnit: 'home/sidebar', count: 2 });
    expect(response.status).toBe(200);
    expect(response.headers['cache-control']).toBe('no-store');
    const body = response.json<{ ads: Record<string, unknown>[] }>();
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

  // Conformance: A2
  test('another network gets 403, and an unknown ad unit gets 404', async () => {
    expect((await ads({ network: '2000', adUnit: 'home/top', count: 1 })).status).toBe(403);
    const unknown = await ads({ network: '1000', adUnit: 'no/such', count: 1 });
    expect([unknown.status, unknown.json<{ error: string }>().error]).toEqual([404, 'unknown_ad_unit']);
  });

  // Conformance: A2
  test.each([0, 21, -1, 1.5, '2', null])('a count of %s gets 400 with the bound', async (count) => {
    const response = await ads({ network: '1000', adUnit: 'home/top', count });
    expect(response.status).toBe(400);
    expect(response.json<{ message: string }>().message).toMatch(/count.*20|20.*count/);
  });

  // Conformance: A3
  test('an ad request carries the context of a bid request: consent, sizes, page and device', async () => {
    interface Body {
      readonly ads: readonly object[];
      readonly noFill: unknown;
      readonly privacy: object;
    }
    const context = {
      network: '1000',
      adUnit: 'home/sidebar',
      count: 1,
      site: { domain: 'magazine.example' },
      page: 'https://magazine.example/sport/42',
      keywords: ['sport'],
      keyValues: { section: ['sport'] },
      user: { ids: { lu: 'user-1' } },
      device: { ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', ip: '192.0.2.1' },
    };
    const personal = (await ads(context)).json<Body>();
    const contextual = (
      await ads({ ...context, user: { ...context.user, npa: true }, regs: { gdpr: 1 } })
    ).json<Body>();
    expect([personal.privacy, contextual.privacy]).toMatchObject([{ gdpr: false }, { gdpr: true, npa: true }]);
    expect((await ads({ ...context, sizes: ['7x7'] })).json<Body>()).toMatchObject({
      ads: [],
      noFill: { code: 'no_match' },
    });
    const refused = await ads({ ...context, sizes: ['wide'] });
    expect([refused.status, refused.json<{ message: string }>().message]).toEqual([
      400,
      expect.stringContaining('sizes[0]'),
    ]);
    for (const odd of [{ sizes: '300x250' }, { secure: 'yes' }])
      expect((await ads({ ...context, ...odd })).json<{ message: string }>().message).toContain(Object.keys(odd)[0]);
  });
});
