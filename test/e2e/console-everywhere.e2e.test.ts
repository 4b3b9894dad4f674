/** What holds for every page of the console: no barriers, small and zoomed screens, other languages, the focus, forced colours, paper. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTexts } from '../../console/src/messages/all-texts.ts';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { consoleAddresses, type DemoIds, readDemoIds } from './support/console-pages.ts';
import {
  type ConsoleSession,
  GERMAN_SIGN_IN,
  openSession,
  savePicture,
  signIn,
  signInWith,
  turnTo,
  waitUntilQuiet,
} from './support/console-session.ts';
import { openPlacard, type PlacardServer } from './support/placard-server.ts';
import { partUnlessAll } from '../support/longer-runs.ts';

let placard: PlacardServer;
let browser: Browser;
let ids: DemoIds;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  ids = await readDemoIds(placard);
});

afterAll(async () => {
  await browser?.close();
  await placard?.close();
});

/** How much wider the page is than its window. */
async function findSideways(page: Page): Promise<string[]> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return tooWide > 0 ? [`${tooWide} px too wide`] : [];
}

/** Buttons of several sizes in one header, and an open page that its list hides. */
async function findFrameFaults(page: Page): Promise<string[]> {
  const heights = await page
    .locator('.page-actions .mantine-Button-root:visible')
    .evaluateAll((buttons) => [...new Set(buttons.map((button) => Math.round(button.getBoundingClientRect().height)))]);
  const open = page.locator('.nav-list .mantine-NavLink-root[data-active]');
  const isSeen = await open.evaluateAll((entries) =>
    entries.map((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    }),
  );
  const isInFrame = (await page.locator('.nav-list').count()) > 0;
  return [
    ...(heights.length > 1 ? [`buttons of ${heights.join(', ')} px in its header`] : []),
    ...(isInFrame && isSeen.join() !== 'true' ? [`its entry of the navigation: ${isSeen.join() || 'none'}`] : []),
  ];
}

/** What has the focus: its name for those who hear it, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return 'nothing';
    return element.getAttribute('aria-label') ?? element.textContent ?? '';
  });

const pictureName = (address: string): string => address.split('?')[0]?.replaceAll('/', '-').slice(1) || 'home';

/** What would say something to nobody: texts of the console's English that a page in another language shows. */
async function englishTextsLeftOut(): Promise<ReadonlySet<string>> {
  const german = await readTexts('de');
  return new Set(
    [...(await readTexts('en'))].flatMap(([key, text]) =>
      text.length > 11 && !text.includes('{') && german.get(key) !== text ? [text] : [],
    ),
  );
}

/** English lines and cut choices of a German page. */
async function findLanguageFaults(page: Page, english: ReadonlySet<string>): Promise<string[]> {
  const lines = (await page.locator('body').innerText()).split(/[\n\t]/);
  const cut = await page
    .locator('.lens-choices input')
    .evaluateAll((fields) => fields.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).length);
  return [...(cut > 0 ? [`${cut} choices are cut`] : []), ...lines.filter((line) => english.has(line.trim()))];
}

/** CSS pixels of a sheet between its margins: A4 upright, and on its side for tables of the desk. */
const PAPER = { upright: 703, wide: 1_032 } as const;

/** What a sheet of paper cuts, and controls on it. Leaves the page on the screen. */
async function findPaperFaults(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const isWide = (await page.locator('.desk-grid:visible').count()) > 0;
  await page.setViewportSize({ width: isWide ? PAPER.wide : PAPER.upright, height: 1_000 });
  const faults = await findSideways(page);
  const controls = await page.locator('main :is(.mantine-Button-root, textarea):visible').allInnerTexts();
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  return [...faults, ...controls.map((text) => `shows the control ${text}`)];
}

/** Words that no German sentence has. */
const ENGLISH_WORDS = /\b(?:the|of|and|with|which|from|are|is|its|for|your)\b/i;
/** Names in the demo, and a German term of the trade. */
const ENGLISH_NAMES = /Pinewood: the long way home|The Demo Magazine|Run of network|Share of Voice/g;

/** English sentences that come from the server: of a page's texts outside of names, code and what people wrote. */
async function findServerTexts(page: Page): Promise<string[]> {
  const texts = await page.locator('body').evaluate((body) => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent !== null && parent.closest('bdi, code, pre, kbd, textarea, script, style, noscript') === null)
        found.add(walker.currentNode.textContent?.trim() ?? '');
    }
    return [...found];
  });
  return texts.filter((text) => ENGLISH_WORDS.test(text.replaceAll(ENGLISH_NAMES, '')));
}

/** Each run looks at one page in so many. */
const PARTS = 3;

// In German: its words are longer, and what axe finds does not depend on the language.
test('pages are German in a German browser, without barriers in both themes, and fit a phone and a zoom of 200 %', {
  timeout: 900_000,
}, async () => {
  const session = await openSession(browser, placard, { locale: 'de-DE' });
  const { page } = session;
  await signInWith(session, placard.demo.account, GERMAN_SIGN_IN);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  const english = await englishTextsLeftOut();
  const found: string[] = [];
  for (const address of partUnlessAll(consoleAddresses(ids), PARTS)) {
    const add = (look: string, faults: readonly string[]): void => {
      found.push(...faults.map((fault) => `${address}, ${look}: ${fault}`));
    };
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 800 });
    await session.open(address);
    expect(await page.getByRole('heading', { level: 1 }).first().isVisible(), address).toBe(true);
    add('light', await findBarriers(page));
    add('light', await findLanguageFaults(page, english));
    add('light', await findServerTexts(page));
    add('light', await findFrameFaults(page));
    await savePicture(page, `everywhere-light-${pictureName(address)}`);
    add('paper', await findPaperFaults(page));
    await page.setViewportSize({ width: 640, height: 400 });
    await waitUntilQuiet(page);
    add('zoomed', await findSideways(page));
    // A phone shows all of a page in one column: its theme may be the other one.
    await page.setViewportSize({ width: 360, height: 740 });
    await turnTo(page, 'dark');
    add('dark phone', await findSideways(page));
    add('dark phone', await findBarriers(page));
    await savePicture(page, `everywhere-phone-${pictureName(address)}`);
  }
  expect(found).toEqual([]);
  expect(session.problems).toEqual([]);
  await session.close();
});

describe('other languages', () => {
  const openIn = (locale: string): Promise<ConsoleSession> => openSession(browser, placard, { locale });

  test('a line item is booked as a draft in German, with numbers as Germans write them', async () => {
    const session = await openIn('de-DE');
    const { page } = session;
    await signInWith(session, placard.demo.account, GERMAN_SIGN_IN);
    await session.open(`/desk/line-items/new?campaign=${ids.campaign}`);
    await page.getByRole('heading', { level: 1, name: 'Neue Werbebuchung' }).waitFor();
    await page.getByRole('textbox', { name: /^Name/ }).fill('Herbst 2026, Startseite');
    await page.getByRole('textbox', { name: /^Ziel/ }).fill('100.000');
    await page
      .getByRole('textbox', { name: /^Preis/ })
      .first()
      .fill('18,50');
    await page.getByText(/^Wert insgesamt: 1\.850,00/).waitFor();
    await savePicture(page, 'console-booking-german');
    await session.close();
  });

  test('a chosen language is remembered', async () => {
    const session = await openIn('en-GB');
    const { page } = session;
    await signIn(session, placard.demo.account);
    await session.open('/lens');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitemradio', { name: 'Polski' }).click();
    await page.getByRole('button', { name: 'Twoje konto' }).waitFor();
    await session.open('/desk/line-items');
    await page.getByRole('heading', { level: 1, name: 'Elementy zamówienia' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('pl');
    await page.getByRole('tab', { name: /^Wszystkie \d+/ }).waitFor();
    await savePicture(page, 'console-line-items-polish');
    await session.open('/settings/limits');
    await page.getByRole('heading', { level: 1, name: 'Limity' }).waitFor();
    await session.close();
  });
});

test('the focus returns to what opened a dialog, or to the title of the page', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/settings/api-keys');
  await page.getByRole('button', { name: 'Generate new key' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe('Generate new key');
  // The entry of a menu is gone by then: its button has the focus.
  const actions = page.getByRole('button', { name: /^Actions for/ }).first();
  const name = await actions.getAttribute('aria-label');
  await actions.click();
  await page.getByRole('menuitem', { name: 'Revoke or delete' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toBe(name);
  await session.open('/desk/sites');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).not.toBe('nothing');
  await session.close();
});

test('a form says at once all that is wrong in it', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/settings/api-keys');
  await page.getByRole('button', { name: 'Generate new key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Allowed addresses').fill('not an address');
  await dialog.getByRole('button', { name: 'Generate new key' }).click();
  await expect.poll(() => dialog.locator('[aria-invalid="true"]').count()).toBe(2);
  await session.close();
});

test('forced colours show what is chosen', async () => {
  const session = await openSession(browser, placard, { forcedColors: 'active' });
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/desk/line-items');
  const background = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).backgroundColor);
  expect(await background('.mantine-NavLink-root[data-active]')).not.toBe(
    await background('.mantine-NavLink-root:not([data-active])'),
  );
  expect(await background('.mantine-SegmentedControl-label[data-active]')).not.toBe(
    await background('.mantine-SegmentedControl-label:not([data-active])'),
  );
  await page.getByRole('row').nth(1).getByRole('checkbox').check();
  expect(await background('.desk-row[aria-selected="true"]')).not.toBe(
    await background('.desk-row[aria-selected="false"]'),
  );
  await savePicture(page, 'console-forced-colours');
  await session.close();
});

test('a report on paper has its chart and all its rows, and no controls', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/lens?d=creative_name,ad_unit_name&g=day&m=impressions&r=last_7_days&v=bar');
  const rows = page.locator('.report-body .report-row');
  const inView = await rows.count();
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  expect(await rows.count()).toBeGreaterThan(inView);
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByRole('combobox').first().isVisible()).toBe(false);
  expect(await page.getByRole('table', { name: 'Results' }).isVisible()).toBe(true);
  await savePicture(page, 'console-on-paper', true);
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(() => rows.count()).toBeLessThan(200);
  await session.close();
});

test('the heads of a pivot stand over their own columns', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open(
    '/lens?v=table&g=none&d=campaign_name,device_type&p=device_type&m=impressions,clicks&r=last_7_days',
  );
  const boxes = async (selector: string): Promise<{ left: number; right: number }[]> =>
    page.locator(selector).evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right } = element.getBoundingClientRect();
        return { left, right };
      }),
    );
  const groups = await boxes('.report-head .report-group');
  const leaves = await boxes('.report-head .report-row:last-child [role="columnheader"]');
  const cells = await boxes('.report-body .report-row:first-child > *');
  expect(groups.length).toBeGreaterThan(1);
  // Two metrics below each value; the first column names the campaign.
  const below = groups.map(({ left, right }) =>
    leaves.filter((leaf) => leaf.left >= left - 1 && leaf.right <= right + 1),
  );
  expect(below.map(({ length }) => length)).toEqual(groups.map(() => 2));
  expect(leaves.map(({ left }) => Math.round(left))).toEqual(cells.map(({ left }) => Math.round(left)));
  await session.close();
});

test('an address that leads nowhere is a page for people', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'de-DE' });
  const page = await context.newPage();
  for (const [address, title] of [
    [`${placard.coreUrl}/no/such/page`, 'Hier ist nichts'],
    [`${placard.coreUrl}/graphql`, 'Bitte zuerst anmelden'],
    [`${placard.deliveryUrl}/1000/why/no-such-ad`, 'Hier ist nichts'],
  ] as const) {
    await page.goto(address);
    expect(await page.getByRole('heading', { level: 1 }).textContent(), address).toBe(title);
  }
  await context.close();
});

test('the audit log is filtered by a part of who acted, and by kinds and actions in words', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  await session.open('/settings/audit-log');
  const { email } = placard.demo.account;
  await page.getByLabel('Who', { exact: true }).fill(email.toUpperCase().slice(0, 6));
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('actor')).toBe(email.toUpperCase().slice(0, 6));
  await expect
    .poll(async () => {
      const rows = (await page.getByRole('row').allInnerTexts()).slice(1);
      return rows.length > 0 && rows.every((text) => text.includes(email) && !text.includes('user:'));
    })
    .toBe(true);
  await session.close();
});
