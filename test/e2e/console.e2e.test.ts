/** The console as people use it, in a real browser against a whole server (conformance S, N). */
import { runCli } from '../conformance/support/run-cli.ts';
import { readFileSync } from 'node:fs';
import { TOTP } from 'otpauth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBarriers } from './support/barriers.ts';
import { openChromium } from './support/chromium.ts';
import {
  type ConsoleSession,
  openSession,
  waitUntilQuiet,
  signIn,
  savePicture,
  turnTo,
} from './support/console-session.ts';
import { eventually, openPlacard, type PlacardServer } from './support/placard-server.ts';

let placard: PlacardServer;
let browser: Browser;
let admin: ConsoleSession;

beforeAll(async () => {
  placard = await openPlacard();
  browser = await openChromium();
  admin = await openSession(browser, placard);
});

afterAll(async () => {
  await browser.close();
  await placard.close();
});

const unique = (name: string): string => `${name} ${Date.now().toString(36)}`;

describe('signing in', () => {
  test('a page that needs a session leads to the sign-in and back', async () => {
    await admin.open('/settings/limits');
    await expect.poll(() => new URL(admin.page.url()).pathname).toBe('/sign-in');
    const { page } = admin;
    await page.getByLabel('E-mail address').fill(placard.demo.account.email);
    await page.getByLabel(/^Password/).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Wrong e-mail address, password or code').waitFor();
    await savePicture(page, 'console-sign-in');
    await page.getByLabel(/^Password/).fill(placard.demo.account.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    await page
      .getByText(/of 500,000 today/)
      .first()
      .waitFor();
  });

  test('sign-in redirects only to this origin', async () => {
    const other = await openSession(browser, placard);
    await other.open('/sign-in?next=//evil.example/');
    await other.page.getByLabel('E-mail address').fill(placard.demo.account.email);
    await other.page.getByLabel(/^Password/).fill(placard.demo.account.password);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
    await other.close();
  });
});

describe('API keys', () => {
  const name = unique('Robot');

  // Conformance: S1, K2, K11
  test('a key is generated, shown once, works, is revoked by typing its name, and fails at once', async () => {
    const { page } = admin;
    await admin.open('/settings/api-keys');
    await page.getByRole('button', { name: 'Generate new key' }).click();
    const form = page.getByRole('dialog', { name: 'Generate new key' });
    await form.getByLabel('Name').fill(name);
    await form.getByRole('radio', { name: 'Read-write' }).check();
    await form.getByRole('checkbox', { name: 'Delivery' }).check();
    expect(await form.getByRole('combobox', { name: 'Expires' }).inputValue()).toBe('In 90 days (recommended)');
    await savePicture(page, 'console-new-key');
    await form.getByRole('button', { name: 'Generate new key' }).click();

    const made = page.getByRole('dialog', { name: 'Your new API key' });
    const value = await made.getByLabel('Key', { exact: true }).inputValue();
    expect(value).toMatch(/^plc_live_[0-9A-Za-z]{42}$/);
    await page.keyboard.press('Escape');
    expect(await made.isVisible()).toBe(true);
    await made.getByRole('button', { name: /^Copy/ }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
    await made.getByLabel('I have saved it').check();
    await made.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/Read-write[\s\S]*Delivery/);
    expect(await page.content()).not.toContain(value);
    const ask = () =>
      placard.client.send(`${placard.coreUrl}/graphql`, {
        headers: { authorization: `Bearer ${value}` },
        json: { query: '{ __schema { types { name } } }' },
      });
    expect((await eventually(ask, (response) => response.status === 200)).status).toBe(200);
    await savePicture(page, 'console-api-keys');

    await row.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Revoke or delete' }).click();
    const confirm = page.getByRole('dialog', { name: 'Revoke or delete' });
    const revoke = confirm.getByRole('button', { name: 'Revoke or delete' });
    await confirm.getByRole('textbox').fill('another name');
    expect(await revoke.isDisabled()).toBe(true);
    await confirm.getByRole('textbox').fill(name);
    await revoke.click();
    await row.waitFor({ state: 'detached' });
    const refused = await eventually(ask, (response) => response.status === 401, 1_500);
    expect([refused.status, refused.json<{ error: string }>().error]).toEqual([401, 'invalid_credentials']);
  });

  test('a rotated key has a new value that works beside the old one', async () => {
    const { page } = admin;
    const rotated = unique('Rotated');
    await admin.open('/settings/api-keys');
    await page.getByRole('button', { name: 'Generate new key' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(rotated);
    await page.getByRole('dialog').getByRole('button', { name: 'Generate new key' }).click();
    const close = async (): Promise<string> => {
      const value = await page.getByRole('dialog').getByLabel('Key', { exact: true }).inputValue();
      await page.getByLabel('I have saved it').check();
      await page.getByRole('button', { name: 'Done' }).click();
      return value;
    };
    const first = await close();
    await page.getByRole('button', { name: `Actions for ${rotated}` }).click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const second = await close();
    for (const value of [first, second]) {
      const response = await eventually(
        () =>
          placard.client.send(`${placard.coreUrl}/graphql`, {
            headers: { authorization: `Bearer ${value}` },
            json: { query: '{ me { actor } }' },
          }),
        (one) => one.status === 200,
      );
      expect(response.status).toBe(200);
    }
  });

  // Conformance: S2
  test('the audit log shows creation and revocation, with what changed, filtered by an address that can be shared', async () => {
    const { page } = admin;
    await admin.open('/settings/audit-log?objectKind=apiKey');
    const rows = page.getByRole('row').filter({ hasText: 'API key: ' });
    await rows.first().waitFor();
    const actions = await rows.allInnerTexts();
    expect(actions.some((text) => text.includes('API key: created'))).toBe(true);
    expect(actions.some((text) => text.includes('API key: revoked'))).toBe(true);
    expect(actions.every((text) => text.includes('API key: '))).toBe(true);
    await page.getByText(/Chain verified \([\d,]+ entries\)/).waitFor();
    await savePicture(page, 'console-audit-log');
    await page.getByRole('row').filter({ hasText: 'API key: revoked' }).first().getByRole('button').click();
    const details = page.getByRole('dialog');
    await details.getByRole('rowheader', { name: 'revokedAt' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Action' }).click();
    await page.getByRole('option', { name: 'API key: rotated' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('action')).toBe('apiKey.rotate');
    await expect
      .poll(async () =>
        (await page.getByRole('row').allInnerTexts()).slice(1).every((text) => text.includes('API key: rotated')),
      )
      .toBe(true);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines[0]).toBe('sequence,at,actor,remoteAddress,action,objectKind,objectId,details,hash');
    expect(lines.slice(1).every((line) => line.includes('apiKey.rotate'))).toBe(true);
  });
});

test('a console without its server stays open, says so, and goes on when the server is back', async () => {
  const session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const { page } = session;
  await session.open('/settings/limits');
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  await page.context().setOffline(true);
  try {
    // Code that was not loaded yet.
    await page.getByRole('link', { name: 'Dashboards' }).click();
    await page.getByText('This page did not load.').waitFor();
    expect(await page.getByRole('link', { name: 'Limits' }).isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('The server did not respond.').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboards');
  } finally {
    await page.context().setOffline(false);
  }
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Dashboards' }).waitFor();
  await session.open('/lens?g=day&m=impressions&r=last_30_days&v=table');
  await page.context().setOffline(true);
  try {
    await page.getByRole('combobox', { name: 'Time step' }).click();
    await page.getByRole('option', { name: 'Week', exact: true }).click();
    await page.getByRole('alert').getByText('The server did not respond.').waitFor();
  } finally {
    await page.context().setOffline(false);
  }
  await page.getByRole('button', { name: 'Try again' }).click();
  // Thirty days touch five weeks, or six.
  await page.getByText(/^[56] rows, /).waitFor();
});

// Conformance: S3, H3
test('report credentials are created, open the Reports API, and are disabled', async () => {
  const { page } = admin;
  const name = unique('BI');
  await admin.open('/settings/credentials');
  await page.getByRole('button', { name: 'Create credentials' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Create credentials' }).click();
  const login = await page.getByRole('textbox', { name: 'x-internal-auth-login' }).inputValue();
  const token = await page.getByRole('textbox', { name: 'x-internal-auth-token' }).inputValue();
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  const ask = () =>
    placard.client.send(`${placard.demo.urls.reportsApi}/${placard.demo.networkId}/v1/meta`, {
      headers: { 'x-internal-auth-login': login, 'x-internal-auth-token': token },
    });
  expect((await eventually(ask, (response) => response.status === 200)).status).toBe(200);
  await page.getByRole('button', { name: `Disable: ${name}` }).click();
  await page.getByRole('dialog').getByRole('textbox').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: `Disable: ${name}` }).waitFor({ state: 'detached' });
  expect((await eventually(ask, (response) => response.status === 401)).status).toBe(401);
});

// Conformance: S3
test('an invited user signs in as viewer, sees reports, and cannot create keys', async () => {
  const { page } = admin;
  const email = `viewer-${Date.now().toString(36)}@example.com`;
  await admin.open('/settings/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.getByRole('dialog').getByLabel('E-mail address').fill(email);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite user' }).click();
  // No mail is sent here, so the console names the command that makes the link, and never shows the link.
  const command = await page.getByRole('dialog').locator('pre').innerText();
  await page.getByRole('button', { name: 'Done' }).click();
  const { link } = await runCli<{ link: string }>(placard.dataDir, command.split(' ').slice(1));
  await page.getByRole('row').filter({ hasText: email }).waitFor();

  const viewer = await openSession(browser, placard);
  await viewer.page.goto(link);
  await viewer.page.getByText(`${email} is invited to Demo as Viewer.`).waitFor();
  await viewer.page.getByLabel('Your name').fill('Vera Viewer');
  await viewer.page.getByLabel('New password').fill('seven calm otters play');
  await savePicture(viewer.page, 'console-invitation');
  await viewer.page.getByRole('button', { name: 'Create account and accept' }).click();
  await viewer.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await waitUntilQuiet(viewer.page);
  expect(await viewer.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
  await viewer.open('/settings/api-keys');
  await viewer.page.getByText('Your role in this network does not allow this.').waitFor();
  const refused = await viewer.page.evaluate(async (networkId) => {
    const query = 'mutation { createApiKey(input: { name: "x", permission: ADMIN }) { value } }';
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-placard-network': networkId },
      body: JSON.stringify({ query }),
    });
    return response.text();
  }, placard.demo.networkId);
  expect(refused).toContain('insufficient_permissions');
  expect(viewer.problems).toEqual([]);
  await viewer.close();

  const again = await openSession(browser, placard);
  await signIn(again, { email, password: 'seven calm otters play' });
  await again.close();
  await admin.open('/settings/users');
  await page.getByRole('row').filter({ hasText: 'Vera Viewer' }).getByText(email).waitFor();
});

test('one’s own sessions are listed, and all others can be ended', async () => {
  const second = await openSession(browser, placard);
  await signIn(second, placard.demo.account);
  await second.open('/settings/account');
  await second.page.getByText('This one').waitFor();
  await savePicture(second.page, 'console-account');
  await second.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await second.page.getByRole('button', { name: 'Sign out', exact: true }).first().waitFor({ state: 'detached' });
  await admin.open('/lens');
  await expect.poll(() => new URL(admin.page.url()).pathname).toBe('/sign-in');
  await signIn(admin, placard.demo.account);
  await second.close();
});

test('a session that ends while a page is open leads to the sign-in and back to the same page', async () => {
  const own = await openSession(browser, placard);
  await signIn(own, placard.demo.account);
  await own.open('/lens?m=clicks&g=none&v=table');
  await own.page.evaluate(() =>
    fetch('/auth/sign-out', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
  );
  const chooseDay = async (): Promise<void> => {
    await own.page.getByRole('combobox', { name: 'Time step' }).click();
    await own.page.getByRole('option', { name: 'Day', exact: true }).click();
  };
  // Another query of the page may have found the session ended before.
  await Promise.race([chooseDay().catch(() => undefined), own.page.waitForURL(/\/sign-in/).catch(() => undefined)]);
  await expect.poll(() => new URL(own.page.url()).pathname).toBe('/sign-in');
  await own.page.getByLabel('E-mail address').fill(placard.demo.account.email);
  await own.page.getByLabel(/^Password/).fill(placard.demo.account.password);
  await own.page.getByRole('button', { name: 'Sign in' }).click();
  await own.page.getByRole('heading', { level: 1, name: 'Reports Lens' }).waitFor();
  expect(new URL(own.page.url()).searchParams.get('m')).toBe('clicks');
  await own.close();
});

test('one sign-in suffices where several queries of a page found the session ended', async () => {
  const own = await openSession(browser, placard);
  await signIn(own, placard.demo.account);
  await own.open('/settings/api-keys');
  await own.page.evaluate(() =>
    fetch('/auth/sign-out', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
  );
  await own.page.getByRole('link', { name: 'Limits' }).click();
  await expect.poll(() => new URL(own.page.url()).pathname).toBe('/sign-in');
  expect(new URL(own.page.url()).searchParams.get('next')).not.toContain('sign-in');
  await own.page.getByLabel('E-mail address').fill(placard.demo.account.email);
  await own.page.getByLabel(/^Password/).fill(placard.demo.account.password);
  await own.page.getByRole('button', { name: 'Sign in' }).click();
  await own.page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
  await own.close();
});

test('a limit is saved as it was typed or not at all, and one that today has used up only after a question', async () => {
  const { page } = admin;
  await placard.countToday('impressions', {});
  // Today's use comes late: the question does not depend on what the page shows.
  await page.route('**/console-api/limits', async (route) => {
    await page.waitForTimeout(2_000);
    await route.continue();
  });
  await admin.open('/settings/limits');
  const field = page.getByRole('textbox', { name: 'Reports API requests' });
  await field.fill('-5');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('input[aria-invalid="true"]').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(await field.inputValue()).toBe('-5');
  await field.fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Today has used this up already' });
  await dialog.getByText(/Reports API requests: limit 1, used today \d/).waitFor();
  await savePicture(page, 'console-limit-below-use');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.unrouteAll({ behavior: 'wait' });
  await admin.open('/settings/limits');
  expect(await field.inputValue()).toBe('');
});

test('an address with a network of others shows nothing of one’s own network', async () => {
  const { page } = admin;
  await admin.open('/lens?network=9999');
  await page.getByRole('heading', { level: 1, name: 'Network 9999 is not one of yours' }).waitFor();
  expect(await page.getByRole('heading', { name: 'Reports Lens' }).count()).toBe(0);
  await savePicture(page, 'console-unknown-network');
  await page
    .getByRole('main')
    .getByRole('link', { name: `(${placard.demo.networkId})` })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Reports Lens' }).waitFor();
  expect(new URL(page.url()).searchParams.get('network')).toBe(placard.demo.networkId);
});

test('a second factor is set up, required, and replaced by a recovery code', async () => {
  const email = `careful-${Date.now().toString(36)}@example.com`;
  const password = 'nine quiet herons wade';
  const invite = ['users', 'invite', '--email', email, '-n', placard.demo.networkId, '--role', 'viewer'];
  const { link } = await runCli<{ link: string }>(placard.dataDir, invite);
  const own = await openSession(browser, placard);
  const { page } = own;
  await page.goto(link);
  await page.getByLabel('Your name').fill('Cara Careful');
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Create account and accept' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await own.open('/settings/account');
  await page.getByRole('button', { name: 'Set up second factor' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/^Password/)
    .fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  const secret = (await page.getByRole('dialog').locator('pre').innerText()).replaceAll(' ', '');
  await page.getByRole('dialog').getByLabel(/^Code/).fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = await page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('textbox').inputValue();
  await page.getByLabel('I have saved it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('A code of your authenticator app is asked for').waitFor();
  await own.close();

  const again = await openSession(browser, placard);
  await again.open('/sign-in');
  await again.page.getByLabel('E-mail address').fill(email);
  await again.page.getByLabel(/^Password/).fill(password);
  await again.page.getByRole('button', { name: 'Sign in' }).click();
  await again.page.getByLabel(/^Code/).fill(codes.split(' ')[0] ?? '');
  await again.page.getByRole('button', { name: 'Sign in' }).click();
  await again.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await again.close();
});

// Conformance: S3
test('changes of network settings appear in the audit log', async () => {
  const { page } = admin;
  await admin.open('/settings/network');
  const floor = page.getByLabel(/Lowest CPM/);
  const before = await floor.inputValue();
  await floor.fill('0.05');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
  await admin.open('/settings/audit-log?action=network.update');
  await page
    .getByRole('button', { name: /^Details of entry/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('rowheader', { name: 'floor' }).waitFor();
  await page.keyboard.press('Escape');
  await admin.open('/settings/network');
  await page.getByLabel(/Lowest CPM/).fill(before);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved').first().waitFor();
});

describe('by keyboard', () => {
  test('the command palette goes anywhere, and ? lists the shortcuts', async () => {
    const { page } = admin;
    await admin.open('/lens');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search objects, pages and commands' }).waitFor();
    await page.keyboard.type('limits');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.getByRole('heading', { level: 1, name: 'Reports Lens' }).waitFor();
  });

  test('the first stop of every page skips to its content', async () => {
    const { page } = admin;
    await admin.open('/settings/limits');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  });
});

test('the browser of the admin has no errors and sends no request to another origin', () => {
  expect(admin.problems).toEqual([]);
});

test('the dialogs have no serious accessibility barrier, in light and in dark', async () => {
  const session = await openSession(browser, placard);
  const { page } = session;
  await signIn(session, placard.demo.account);
  const found: string[] = [];
  for (const [path, button] of [
    ['/settings/api-keys', 'Generate new key'],
    ['/settings/users', 'Invite user'],
    ['/settings/account', 'Set up second factor'],
    ['/lens', 'Views'],
    ['/lens', 'Search'],
  ] as const) {
    await page.emulateMedia({ colorScheme: 'light' });
    await session.open(path);
    await page.getByRole('button', { name: button }).first().click();
    await page.locator('[role="dialog"], [role="menu"]').first().waitFor();
    await waitUntilQuiet(page);
    const add = (look: string, faults: readonly string[]): void => {
      found.push(...faults.map((fault) => `${path} ${button}, ${look}: ${fault}`));
    };
    add('light', await findBarriers(page));
    await turnTo(page, 'dark');
    add('dark', await findBarriers(page, 'contrast'));
  }
  expect(found).toEqual([]);
  await session.close();
});
