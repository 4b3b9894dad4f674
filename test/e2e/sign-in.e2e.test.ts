/** Passkeys (Chromium's virtual authenticator), sign-in by OpenID Connect (a real provider), and the dialog that asks again. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../../src/access/fixtures/oidc-provider-client.ts';
import { freePort } from '../support/stores/free-port.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import { type ConsoleSession, openSession, waitUntilQuiet, signIn, savePicture } from './support/console-session.ts';

const dataDir = makeDataDir();
let provider: TestProvider;
let placard: PlacardProcess;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  provider = await startProvider([`https://localhost:${port}/auth/oidc/installation/callback`]);
  placard = await startPlacard({
    dataDir,
    demoHistory: 'none',
    env: {
      PLACARD_CORE_PORT: String(port),
      PLACARD_WORKERS: '1',
      PLACARD_LOG_LEVEL: 'warn',
      PLACARD_OIDC_ISSUER: provider.issuer,
      PLACARD_OIDC_CLIENT_ID: 'placard-0',
      PLACARD_OIDC_CLIENT_SECRET: CLIENT_SECRET,
      PLACARD_OIDC_NAME: 'Example Corp',
      PLACARD_OIDC_HTTP_LOOPBACK: 'true',
      PLACARD_OIDC_NETWORK_ISSUERS: '127.0.0.1',
    },
  });
  browser = await openChromium();
}, 240_000);

afterAll(async () => {
  await browser.close();
  await placard.stop();
  await provider.stop();
  await removeDataDir(dataDir);
});

const open = (look = {}): Promise<ConsoleSession> => openSession(browser, placard as never, look);

/** A platform authenticator that confirms by itself. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return cdp;
}

test('the link that a start prints signs the demo account in, once', async () => {
  const [, path = ''] = /sign in +https:\/\/[^/\s]+(\/sign-in#\w{43})/.exec(placard.output()) ?? [];
  const own = await open();
  await own.open(path);
  await own.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  expect(own.problems).toEqual([]);
  await own.close();
  const second = await open();
  await second.open(path);
  await second.page.getByText('This link was used already').waitFor();
  expect(new URL(second.page.url()).hash).toBe('');
  await waitUntilQuiet(second.page);
  await savePicture(second.page, 'console-link-ended');
  expect(await findBarriers(second.page)).toEqual([]);
  await second.close();
});

describe('a passkey', () => {
  test('a passkey is added after the dialog has verified the member, and signs in without a password', async () => {
    const own = await open();
    const { page } = own;
    await addAuthenticator(page);
    await signIn(own, placard.demo.account);
    await own.open('/settings/account');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const form = page.getByRole('dialog', { name: 'Add passkey' });
    await form.getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    const asking = page.getByRole('dialog', { name: 'Confirm it is you' });
    await asking.getByLabel(/^Password/).waitFor();
    await waitUntilQuiet(page);
    expect(await asking.getByLabel(/^Password/).evaluate((field) => field === document.activeElement)).toBe(true);
    await savePicture(page, 'console-verify');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await asking.waitFor({ state: 'detached' });
    expect(await form.getByLabel('Name').inputValue()).toBe('Laptop');
    await form.getByLabel('Name').press('Enter');
    await asking.getByLabel(/^Password/).fill('not the password');
    await page.keyboard.press('Enter');
    await asking.getByRole('alert').waitFor();
    await asking.getByLabel(/^Password/).fill(placard.demo.account.password);
    await page.keyboard.press('Enter');
    const row = page.getByRole('row').filter({ hasText: 'Laptop' });
    await row.getByText('Never').waitFor();
    await waitUntilQuiet(page);
    await savePicture(page, 'console-passkeys', true);

    await page.evaluate(() =>
      fetch('/auth/sign-out', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
    );
    await own.open('/sign-in');
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await own.open('/settings/account');
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await asking.getByRole('button', { name: 'Use a passkey' }).click();
    await row.waitFor({ state: 'detached' });
    expect(own.problems).toEqual([]);
    await own.close();
  });
});

describe('sign-in by OpenID Connect', () => {
  const leave = async (page: Page, login: string): Promise<void> => {
    await page.getByRole('button', { name: 'Continue with Example Corp' }).click();
    await page.getByLabel('Who').fill(login);
    await page.getByRole('button', { name: 'Go' }).click();
  };

  test('sign-in opens the console for a member at the requested page', async () => {
    const own = await open();
    await own.open('/settings/limits');
    await leave(own.page, placard.demo.account.email);
    await own.page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    await own.open('/settings/account');
    await own.page.getByRole('row').filter({ hasText: placard.demo.account.email }).waitFor();
    await own.close();
  });

  test('sign-in shows one message to people who lack an account, in both colour schemes and at 360 px', async () => {
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 360],
    ] as const) {
      const own = await open({ colorScheme, width });
      await own.open('/sign-in');
      await leave(own.page, `nobody-${colorScheme}@example.com`);
      await own.page.getByRole('alert').getByText('No account is connected to that sign-in.').waitFor();
      await waitUntilQuiet(own.page);
      await savePicture(own.page, `console-sign-in-${colorScheme}-${width}`);
      expect(await findBarriers(own.page)).toEqual([]);
      expect(await own.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
      await own.close();
    }
  });

  test('an admin sets up the sign-in provider of a network', async () => {
    const own = await open({ colorScheme: 'dark', width: 360 });
    await signIn(own, placard.demo.account);
    await own.open('/settings/network');
    await own.page.getByRole('heading', { name: 'Sign-in provider' }).waitFor();
    await own.page.getByLabel('Issuer').scrollIntoViewIfNeeded();
    await savePicture(own.page, 'console-provider-dark-360');
    expect(await findBarriers(own.page)).toEqual([]);
    expect(await own.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await own.close();
  });
});
