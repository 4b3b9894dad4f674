/** Invitations and new passwords by mail, in a browser and by keyboard. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../conformance/support/run-cli.ts';
import { makeDataDir, type PlacardProcess, removeDataDir, startPlacard } from '../support/placard-process.ts';
import { openSmtpInbox, type ReceivedMail, type SmtpInbox } from '../support/smtp-inbox.ts';
import { openChromium } from './support/chromium.ts';
import { openSession, savePicture } from './support/console-session.ts';
import type { PlacardServer } from './support/placard-server.ts';

const dataDir = makeDataDir();
const PASSWORD = 'seven calm otters play';
let inbox: SmtpInbox;
let server: PlacardProcess;
let browser: Browser;

beforeAll(async () => {
  inbox = await openSmtpInbox();
  const mail = { PLACARD_SMTP_URL: `smtp://127.0.0.1:${inbox.port}`, PLACARD_MAIL_FROM: 'ads@placard.example' };
  server = await startPlacard({ dataDir, env: { ...mail, PLACARD_DEMO: 'false', PLACARD_WORKERS: '1' } });
  const passwordFile = join(dataDir, 'owner-password');
  writeFileSync(passwordFile, PASSWORD);
  await runCli(dataDir, ['networks', 'create', '--id', '1000', '--name', 'Magazine']);
  const wish = ['--email', 'owner@example.com', '--name', 'Owner', '-n', '1000', '--role', 'admin'];
  await runCli(dataDir, ['users', 'create', ...wish, '--password-file', passwordFile]);
  browser = await openChromium();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await inbox?.close();
  await removeDataDir(dataDir);
});

const open = (colorScheme: 'light' | 'dark') =>
  openSession(browser, { coreUrl: server.coreUrl } as PlacardServer, { colorScheme });

const linkIn = (mail: ReceivedMail): string => /https:\S+/.exec(mail.parsed.text ?? '')?.[0] ?? '';

test('a member resets a forgotten password by keyboard, and an invited person accepts a mailed invitation', async () => {
  const own = await open('light');
  const { page } = own;
  await own.open('/sign-in');
  await savePicture(page, 'mail-sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('E-mail address').waitFor();
  await page.keyboard.type('owner@example.com');
  await savePicture(page, 'mail-forgot');
  await page.keyboard.press('Enter');
  await page.getByText('a mail with a link is on its way').waitFor();
  await savePicture(page, 'mail-forgot-sent');
  const reset = await inbox.next('owner@example.com');
  await page.goto(linkIn(reset));
  await page.getByLabel('New password').fill('eleven brave herons sing');
  await savePicture(page, 'mail-reset');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();

  await own.open('/settings/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  await page.keyboard.type('guest@example.com');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row').filter({ hasText: 'guest@example.com' });
  await row.getByText('Sent', { exact: true }).waitFor({ timeout: 60_000 });
  await savePicture(page, 'mail-users');
  await own.open('/settings/account');
  await savePicture(page, 'mail-account');
  expect(own.problems).toEqual([]);
  await own.close();

  const guest = await open('dark');
  await guest.page.goto(linkIn(await inbox.next('guest@example.com')));
  await guest.page.getByText('guest@example.com is invited to Magazine as Viewer.').waitFor();
  await guest.page.getByLabel('Your name').fill('Gus Guest');
  await guest.page.getByLabel('New password').fill('nine quiet herons wade');
  await savePicture(guest.page, 'mail-invitation-dark');
  await guest.page.keyboard.press('Enter');
  await guest.page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await guest.open('/forgot-password');
  await savePicture(guest.page, 'mail-forgot-dark');
  expect(guest.problems).toEqual([]);
  await guest.close();
}, 180_000);
