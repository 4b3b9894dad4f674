/**
 * `npm run bench:console`: how soon a page of the console is usable in Chromium with an empty cache, what it loads, and how soon it
 * responds to a person. Starts a server with the demo, or takes the one of PLACARD_DEMO_FILE (with _CORE_URL, _DELIVERY_URL). Arguments: rounds (5),
 * line items that it adds to the demo (0).
 * Rounds visit all pages in turn. Beside times: the processor time of the page's main thread, which other work on the machine does not stretch.
 */
import { loadavg, availableParallelism } from 'node:os';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { openChromium } from '../test/e2e/support/chromium.ts';
import { consoleAddresses, readDemoIds } from '../test/e2e/support/console-pages.ts';
import { openSession, signIn, waitUntilQuiet } from '../test/e2e/support/console-session.ts';
import { addLineItems } from '../test/e2e/support/many-line-items.ts';
import { openOwnPlacard, type PlacardServer } from '../test/e2e/support/placard-server.ts';

const rounds = Number(process.argv[2] ?? 5);
const lineItems = Number(process.argv[3] ?? 0);
const WAIT_MS = 120_000;

interface BenchPage {
  readonly name: string;
  readonly address: string;
  /** What is on the page once a person can work with it. */
  readonly usable: string;
}

const PAGES: readonly BenchPage[] = [
  { name: 'Sign-in', address: '/sign-in', usable: 'form input[type="password"]' },
  {
    name: 'Today',
    address: '/desk',
    usable: '.mantine-SimpleGrid-root .mantine-Paper-root:not(:has(.mantine-Skeleton-root))',
  },
  { name: 'Line items', address: '/desk/line-items', usable: '.desk-row' },
  { name: 'Lens with charts', address: '/lens', usable: '[role="img"] svg path' },
  {
    name: 'Lens, 50,000 rows',
    address: '/lens?v=table&g=hour&r=last_30_days&m=impressions&d=creative_name,ad_unit_name,device_type',
    usable: '.report-body .report-row:nth-child(10)',
  },
  { name: 'Settings, API keys', address: '/settings/api-keys', usable: 'main table tbody tr' },
];

interface Visit {
  readonly usableMs: number;
  readonly threadMs: number;
  readonly kilobytes: number;
  readonly requests: number;
}

/** Told to the page before its own scripts: notes when something first matches. */
function watchFor(selector: string): void {
  const noted = window as unknown as { usableMs?: number };
  const look = (): void => {
    if (document.querySelector(selector) !== null) noted.usableMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function visit(context: BrowserContext, coreUrl: string, page: BenchPage): Promise<Visit> {
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Performance.enable');
  await devtools.send('Network.enable');
  const loaded = countLoaded(devtools);
  await tab.addInitScript(watchFor, page.usable);
  await tab.goto(`${coreUrl}${page.address}`, { waitUntil: 'commit' });
  const handle = await tab.waitForFunction(() => (window as unknown as { usableMs?: number }).usableMs, undefined, {
    timeout: WAIT_MS,
  });
  const usableMs = (await handle.jsonValue()) ?? Number.NaN;
  const { metrics } = await devtools.send('Performance.getMetrics');
  const threadMs = (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1_000;
  await tab.close();
  return { usableMs, threadMs, ...loaded };
}

function countLoaded(devtools: CDPSession): { kilobytes: number; requests: number } {
  const sum = { kilobytes: 0, requests: 0 };
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    sum.kilobytes += encodedDataLength / 1_000;
    sum.requests += 1;
  });
  return sum;
}

interface Interaction {
  readonly name: string;
  run: (page: Page) => Promise<void>;
}

const INTERACTIONS: readonly Interaction[] = [
  { name: 'open the command palette', run: (page) => page.keyboard.press('Control+k') },
  { name: 'type into it', run: (page) => page.keyboard.type('lim') },
  { name: 'close it', run: (page) => page.keyboard.press('Escape') },
  { name: 'choose a row', run: (page) => page.locator('.desk-row').nth(1).getByRole('checkbox').click() },
  { name: 'open the filters', run: (page) => page.getByRole('button', { name: 'Filters' }).first().click() },
  { name: 'change the colours', run: (page) => page.getByRole('button', { name: /colours$/ }).click() },
];

/** From a key or click to the paint after it, in milliseconds, as the browser measures it. */
async function timeInteractions(page: Page): Promise<Map<string, number>> {
  await page.evaluate(() => {
    const found = window as unknown as { longestMs: number };
    found.longestMs = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) found.longestMs = Math.max(found.longestMs, entry.duration);
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  });
  const times = new Map<string, number>();
  for (const { name, run } of INTERACTIONS) {
    await run(page);
    await page.waitForTimeout(400);
    times.set(
      name,
      await page.evaluate(() => {
        const found = window as unknown as { longestMs: number };
        const longest = found.longestMs;
        found.longestMs = 0;
        return longest;
      }),
    );
  }
  return times;
}

/** Told to the page before its own scripts: notes tasks that keep it from responding. */
function watchTasks(): void {
  const noted = window as unknown as { longestTaskMs: number };
  noted.longestTaskMs = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) noted.longestTaskMs = Math.max(noted.longestTaskMs, duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** Every page, with an empty cache: until nothing loads or moves any more. */
async function measureAll(browser: Browser, placard: PlacardServer): Promise<void> {
  const first = await openSession(browser, placard);
  await signIn(first, placard.demo.account);
  const storageState = await first.context.storageState();
  await first.close();
  console.log('\nevery page until it is quiet                 ms | thread, ms | longest task, ms');
  for (const address of consoleAddresses(await readDemoIds(placard))) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, storageState });
    const tab = await context.newPage();
    const devtools = await context.newCDPSession(tab);
    await devtools.send('Performance.enable');
    await tab.addInitScript(watchTasks);
    const beganMs = performance.now();
    await tab.goto(`${placard.coreUrl}${address}`);
    await waitUntilQuiet(tab);
    const tookMs = performance.now() - beganMs;
    const { metrics } = await devtools.send('Performance.getMetrics');
    const threadMs = (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1_000;
    const longest = await tab.evaluate(() => (window as unknown as { longestTaskMs: number }).longestTaskMs);
    console.log(`${(address.split('?')[0] ?? '').padEnd(40)} ${ms(tookMs)} | ${ms(threadMs)}     | ${ms(longest)}`);
    await context.close();
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const ms = (value: number): string => `${Math.round(value)}`.padStart(6);

async function measurePages(browser: Browser, placard: PlacardServer): Promise<void> {
  const session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const state = await session.context.storageState();
  await session.close();
  const visits = new Map<string, Visit[]>(PAGES.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const page of PAGES) {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        ...(page.address === '/sign-in' ? {} : { storageState: state }),
      });
      visits.get(page.name)?.push(await visit(context, placard.coreUrl, page));
      await context.close();
    }
  }
  console.log('page                   usable, ms: best median | thread, ms: best median |     kB  requests');
  for (const [name, list] of visits) {
    const usable = list.map(({ usableMs }) => usableMs);
    const thread = list.map(({ threadMs }) => threadMs);
    const { kilobytes = 0, requests = 0 } = list.at(-1) ?? {};
    console.log(
      `${name.padEnd(22)}           ${ms(Math.min(...usable))} ${ms(median(usable))} |             ${ms(Math.min(...thread))} ${ms(median(thread))} | ${ms(kilobytes)} ${ms(requests)}`,
    );
  }
}

async function measureInteractions(browser: Browser, placard: PlacardServer): Promise<void> {
  const session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  await session.open('/desk/line-items');
  await session.page.locator('.desk-row').nth(1).waitFor();
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1)
    for (const [name, took] of await timeInteractions(session.page))
      times.set(name, [...(times.get(name) ?? []), took]);
  console.log('\ninteraction                        ms: best median (to the next paint; under 16 counts as 0)');
  for (const [name, list] of times) console.log(`${name.padEnd(36)} ${ms(Math.min(...list))} ${ms(median(list))}`);
  await session.close();
}

const placard = await openOwnPlacard();
const browser = await openChromium();
try {
  console.log(`${rounds} rounds, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  if (lineItems > 0) await addLineItems(placard, lineItems, (at) => ({ name: `Line item ${at}` }));
  await measurePages(browser, placard);
  await measureAll(browser, placard);
  await measureInteractions(browser, placard);
} finally {
  await browser.close();
  await placard.close();
}
