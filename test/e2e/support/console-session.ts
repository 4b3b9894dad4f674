import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { PlacardServer } from './placard-server.ts';

/** A separate browser for the console, and its errors. */
export interface ConsoleSession {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Script errors, policy violations and requests to other origins. Failed requests do not count: the page shows them. */
  readonly problems: string[];
  /** Of the console. */
  readonly origin: string;
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

/** The appearance of a session. */
export interface SessionLook {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** The first language of the browser. */
  readonly locale?: string;
  readonly forcedColors?: 'active' | 'none';
}

/** Opens a browser context that trusts the server; nobody is signed in. */
export async function openSession(
  browser: Browser,
  placard: PlacardServer,
  look: SessionLook = {},
): Promise<ConsoleSession> {
  const { colorScheme = 'light', width = 1280, height = 800, locale = 'en-US', forcedColors = 'none' } = look;
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    colorScheme,
    viewport: { width, height },
    locale,
    forcedColors,
    timezoneId: 'Europe/Warsaw',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  const origin = new URL(placard.coreUrl).origin;
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !text.startsWith('Failed to load resource')) problems.push(`console: ${text}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    // Ads in frames load what they like.
    const isOfAd = request.frame() !== page.mainFrame();
    if (!isOfAd && !url.startsWith(origin) && !/^(data|blob):/.test(url)) problems.push(`foreign request: ${url}`);
  });
  return {
    context,
    page,
    problems,
    origin,
    async open(path) {
      await page.goto(`${placard.coreUrl}${path}`);
      await waitUntilQuiet(page);
    },
    close: () => context.close(),
  };
}

/**
 * Signs in without the form, which has tests of its own: it and the Lens after it would be loaded and drawn each time, most of a short test's
 * work. The browser stays on its page.
 */
export async function signIn(
  session: ConsoleSession,
  account: { readonly email: string; readonly password: string },
): Promise<void> {
  const { context, origin } = session;
  const { email, password } = account;
  const response = await context.request.post(`${origin}/auth/sign-in`, {
    data: { email, password },
    headers: { origin },
  });
  if (!response.ok()) throw new Error(`sign-in ${response.status()}: ${await response.text()}`);
}

/** The words of a sign-in page. */
export interface SignInWords {
  readonly email: string;
  readonly password: RegExp;
  readonly button: string;
}

export const GERMAN_SIGN_IN: SignInWords = { email: 'E-Mail-Adresse', password: /^Passwort/, button: 'Anmelden' };

/** Signs in with the words of a language. */
export async function signInWith(
  session: ConsoleSession,
  account: { readonly email: string; readonly password: string },
  words: SignInWords,
): Promise<void> {
  const { page } = session;
  await session.open('/sign-in');
  await page.getByLabel(words.email).fill(account.email);
  await page.getByRole('textbox', { name: words.password }).fill(account.password);
  await page.getByRole('button', { name: words.button, exact: true }).click();
  // The address of the sign-in page may name the next page.
  await page.waitForURL(({ pathname }) => /^\/(lens|desk)/.test(pathname));
  await waitUntilQuiet(page);
}

/** Frames in a row without work after which a page is quiet: an effect, its request and the next drawing take fewer. */
const QUIET_FRAMES = 6;

/**
 * Waits until loading and drawing have ended: the console marks its content as busy while code or data are on their way. A lull of the
 * network is no such sign: on a busy machine, it comes before the page has begun to ask.
 */
export async function waitUntilQuiet(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  try {
    await untilQuiet(page);
  } catch (error) {
    throw new Error(`${page.url()} is not quiet: ${await tellBusy(page)}`, { cause: error });
  }
}

/** Looks at a busy page this often: to look at each frame has each frame drawn, for a tenth of a core. */
const LOOK_MS = 100;

async function untilQuiet(page: Page): Promise<void> {
  for (;;) {
    await page.waitForFunction(lookAtRest, { framesMin: 1, whenBusy: false }, { polling: LOOK_MS });
    const looked = await page.waitForFunction(lookAtRest, { framesMin: QUIET_FRAMES, whenBusy: 'busy' });
    if ((await looked.jsonValue()) === 'quiet') return;
  }
}

/** Runs in the page, once a look: `quiet` when it was at rest for so many looks in a row; false: not yet. */
function lookAtRest<T>({ framesMin, whenBusy }: { framesMin: number; whenBusy: T }): T | 'quiet' | false {
  // The button of a form that waits for its user's password has a loader, too.
  const isBusy = document.querySelector('[aria-busy="true"], [role="status"] .mantine-Loader-root') !== null;
  const root = document.getElementById('root');
  // Each page of the console has a heading; before it, the router waits for the session and the page's code.
  const isDrawn = root === null || root.querySelector('h1') !== null;
  const isMoving = document
    .getAnimations()
    .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
  const counter = document.documentElement.dataset;
  const isAtRest = !isBusy && isDrawn && !isMoving;
  const frames = isAtRest ? Number(counter['quietFrames'] ?? 0) + 1 : 0;
  if (isAtRest && frames < framesMin) counter['quietFrames'] = String(frames);
  else delete counter['quietFrames'];
  if (!isAtRest) return whenBusy;
  return frames >= framesMin && 'quiet';
}

/** What a page waits for: elements that are busy, and animations. */
async function tellBusy(page: Page): Promise<string> {
  const found = await page.evaluate(() => [
    ...[...document.querySelectorAll('[aria-busy="true"], [role="status"] .mantine-Loader-root')].map(
      (element) =>
        `${element.tagName} ${element.id || element.className}: ${(element.textContent ?? '').slice(0, 200)}`,
    ),
    ...(document.querySelector('h1') === null ? ['no h1'] : []),
    ...document
      .getAnimations()
      .filter(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity)
      .map((animation) => `animation ${(animation as CSSAnimation).animationName ?? animation.id}`),
  ]);
  return found.join('; ') || 'no frame is drawn';
}

/** Turns an open page light or dark, and waits until its colours have changed: it follows the theme of the system. */
export async function turnTo(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await waitUntilQuiet(page);
}

/** Work of a page's main thread while `action` runs, in milliseconds of CPU time: other work on the machine hardly changes it. */
export async function mainThreadMs(page: Page, action: () => Promise<unknown>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  const before = await read();
  await action();
  const after = await read();
  await devtools.detach();
  return after - before;
}

/** Folders of screenshots by the value of TEST_SHOTS. `test-results` is not committed. */
const SHOT_FOLDERS: Readonly<Record<string, string>> = { all: '../../../test-results/', docs: '../../../docs/images/' };

/** Takes a screenshot for people, where TEST_SHOTS names a folder of screenshots. */
export async function savePicture(page: Page, name: string, fullPage = false): Promise<void> {
  const folder = SHOT_FOLDERS[process.env['TEST_SHOTS'] ?? ''];
  if (folder === undefined) return;
  const path = fileURLToPath(new URL(folder, import.meta.url));
  mkdirSync(path, { recursive: true });
  await page.screenshot({ path: `${path}${name}.png`, fullPage, animations: 'disabled' });
}
