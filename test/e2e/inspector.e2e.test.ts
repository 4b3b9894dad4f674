/** One decision taken apart, as a person does it in a real browser against a whole server. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, savePicture, signIn, waitUntilQuiet } from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let session: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

const unit = () => placard.demo.adUnits.find(({ format }) => format === 'banner') ?? placard.demo.adUnits[0];

/** A request as a page sends it. */
function bidRequest(id: string): object {
  const [site] = placard.demo.sites;
  const found = unit();
  const sizes = found?.sizes.map((size) => size.split('x').map(Number)) ?? [];
  return {
    id,
    imp: [{ id: '1', tagid: found?.name, secure: 1, banner: { format: sizes.map(([w, h]) => ({ w, h })) } }],
    site: { id: site?.id, domain: site?.domain, page: site?.page },
    device: { devicetype: 2, geo: { country: 'POL' } },
    user: { ext: { ids: { lu: `reader-${id}` } } },
  };
}

/** The link "Why this ad?" of an ad that is served now. */
async function serveAd(id: string): Promise<string> {
  const response = await placard.client.send(`${placard.deliveryUrl}/${placard.demo.networkId}/bid`, {
    json: bidRequest(id),
  });
  const { seatbid } = response.json<{ seatbid: { bid: { adm: string }[] }[] }>();
  const text = JSON.stringify(seatbid);
  const token = /\/(?:imp|click|why)\/([\w-]{1,4}\.[\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no link in ${text.slice(0, 400)}`);
  return `${placard.deliveryUrl}/${placard.demo.networkId}/why/${token}`;
}

async function choose(label: string, typed: string, isSearched = true): Promise<void> {
  const { page } = session;
  const field = page.getByRole('combobox', { name: label, exact: true });
  await field.click();
  if (isSearched) await field.fill(typed);
  await page.getByRole('option', { name: typed }).first().click();
}

describe('the inspector', () => {
  test('a form shows the winner and every loser with its reason, and its address shows the same to others', async () => {
    const { page } = session;
    await session.open('/desk/inspector');
    expect(await findBarriers(page)).toEqual([]);
    await choose('Ad unit', unit()?.name ?? '');
    await choose('Country', 'Poland');
    await choose('Device', 'Desktop', false);
    await page.getByRole('button', { name: 'Inspect' }).click();
    const present = page.getByRole('region', { name: 'With the present bookings' });
    await present.getByText('Winner').waitFor();
    await waitUntilQuiet(page);
    expect(page.url()).toMatch(/unit=\d+.*country=PL.*device=desktop/);
    expect(await page.getByText(/It did not serve, because/).count()).toBeGreaterThan(0);
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'inspector-form', true);

    const [winner] = await present.getByRole('link').allTextContents();
    const dark = await openSession(browser, placard, { colorScheme: 'dark', width: 360, height: 740 });
    await signIn(dark, placard.demo.account);
    await dark.open(new URL(page.url()).pathname + new URL(page.url()).search);
    const shared = dark.page.getByRole('region', { name: 'With the present bookings' });
    await shared.getByRole('link', { name: winner ?? '' }).waitFor();
    expect(await findBarriers(dark.page)).toEqual([]);
    const overflow = await dark.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    await savePicture(dark.page, 'inspector-phone-dark', true);
    expect(dark.problems).toEqual([]);
    await dark.close();
  });

  test('a paused winner is imagined beside the present decision, and stays as it is', async () => {
    const { page } = session;
    const present = page.getByRole('region', { name: 'With the present bookings' });
    const [winner = ''] = await present.getByRole('link').allTextContents();
    await page.getByRole('button', { name: 'Add a change' }).click();
    const editor = page.getByRole('region', { name: 'What if…' });
    await editor.getByRole('combobox', { name: 'What changes' }).click();
    await page.getByRole('option', { name: 'were active or paused' }).click();
    await editor.getByRole('button', { name: 'Decide again' }).click();
    const imagined = page.getByRole('region', { name: 'With your changes' });
    await imagined.getByText('What changes').waitFor();
    await waitUntilQuiet(page);
    expect(await imagined.getByText('paused').count()).toBeGreaterThan(0);
    expect(await present.getByRole('link', { name: winner }).count()).toBeGreaterThan(0);
    expect(page.url()).toContain(':status:PAUSED');
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'inspector-what-if', true);
  });

  test('the link of an ad that was seen finds its decision in the log, which comes out the same', async () => {
    const { page } = session;
    const link = await serveAd('e2e-1');
    await session.open('/desk/inspector');
    await page.getByText('Link of an ad', { exact: true }).click();
    await page.getByLabel('Link of an ad, or id of a request').fill(link);
    const logged = page.getByRole('region', { name: 'As it was decided' });
    // The log is written each second, and holds a sample: it takes another ad where this one is not in it.
    await expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Inspect' }).click();
          await waitUntilQuiet(page);
          if ((await logged.count()) === 0)
            await page.getByLabel('Link of an ad, or id of a request').fill(await serveAd(`e2e-${Date.now()}`));
          return logged.count();
        },
        { timeout: 120_000, interval: 1_500 },
      )
      .toBe(1);
    await logged.getByText(/it comes out the same/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await savePicture(page, 'inspector-logged', true);
    expect(session.problems).toEqual([]);
  });

  test('a link of somebody else is refused in a sentence', async () => {
    const { page } = session;
    await session.open('/desk/inspector?by=link&link=https%3A%2F%2Fads.example%2F1%2Fwhy%2Fa.AAAAAAAAAAAAAAAAAAAAAAAA');
    await page
      .getByRole('alert')
      .getByText(/not the link of an ad of this network/)
      .waitFor();
  });
});
