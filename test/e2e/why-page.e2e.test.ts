/** Conformance B11 as a user sees it: the page behind `ext.dsaurl`, in light and dark, small and large, accessible. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium, USER_AGENT } from './support/chromium.ts';
import { savePicture } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let address: string;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  const [site] = placard.demo.sites;
  const response = await placard.client.send(`${placard.deliveryUrl}/1000/bid`, {
    json: {
      id: 'why-1',
      imp: [{ id: '1', tagid: 'home/top', banner: { format: [{ w: 970, h: 250 }] } }],
      site: { id: site?.id, domain: site?.domain, page: site?.page },
      regs: { gdpr: 1, ext: { dsa: 1 } },
    },
    headers: { 'user-agent': USER_AGENT },
  });
  expect(response.status).toBe(200);
  address = response.json<{ ext: { dsaurl: string } }>().ext.dsaurl;
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

// Conformance: B11
describe('the page "Why this ad?"', () => {
  test.each([
    { colorScheme: 'light', width: 1280, locale: 'en-GB', title: 'Why this ad?' },
    { colorScheme: 'dark', width: 1280, locale: 'pl-PL', title: 'Dlaczego widzę tę reklamę?' },
    { colorScheme: 'light', width: 360, locale: 'de-DE', title: 'Warum diese Anzeige?' },
    { colorScheme: 'dark', width: 360, locale: 'fr-FR', title: 'Pourquoi cette publicité\u00A0?' },
  ] as const)(
    'the page is readable in $locale, $colorScheme, $width px wide',
    async ({ colorScheme, width, locale, title }) => {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        colorScheme,
        locale,
        viewport: { width, height: 800 },
        // axe has to run; the page itself has no script, and its policy is checked below.
        bypassCSP: true,
      });
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      const response = await page.goto(address);
      expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title);
      expect(await page.getByRole('term').count()).toBeGreaterThan(1);
      expect(await page.getByRole('listitem').count()).toBeGreaterThan(0);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await findBarriers(page)).toEqual([]);
      await savePicture(page, `why-${locale}`);
      expect(asked).toEqual([address]);
      expect(await context.cookies()).toEqual([]);
      await context.close();
    },
  );
});
