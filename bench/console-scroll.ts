/**
 * `npm run bench:console-scroll -- [line items, default 100000]`: how smoothly the table of line items scrolls in Chromium, and how soon rows in the middle are
 * read. Starts a server with the demo and adds the line items through a bulk job. The frame rate depends on the machine, which draws without a GPU; the time
 * of the page's main thread in each frame does much less so. A screen with 60 frames a second leaves 16.7 ms.
 */
import { availableParallelism, loadavg } from 'node:os';
import type { CDPSession, Page } from 'playwright-core';
import { openChromium } from '../test/e2e/support/chromium.ts';
import { openSession, signIn } from '../test/e2e/support/console-session.ts';
import { addLineItems } from '../test/e2e/support/many-line-items.ts';
import { openOwnPlacard } from '../test/e2e/support/placard-server.ts';

const count = Number(process.argv[2] ?? 100_000);
const SCROLL_MS = 5_000;

interface Scrolled {
  readonly framesPerSecond: number;
  /** Frames that came more than two screens' frames after the one before, as a share. */
  readonly lateShare: number;
  readonly threadMsPerFrame: number;
}

async function threadMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ThreadTime')?.value ?? Number.NaN) * 1_000;
}

/** Turns the wheel by so many pixels a frame. */
async function scroll(page: Page, devtools: CDPSession, pixels: number): Promise<Scrolled> {
  const before = await threadMs(devtools);
  const gaps = await page.evaluate(
    ({ pixels: each, scrollMs }) =>
      new Promise<number[]>((resolve) => {
        const table = document.querySelector('.desk-scroll');
        if (table === null) throw new Error('There is no table');
        const startedAt = performance.now();
        const found: number[] = [];
        let last = startedAt;
        const frame = (at: number): void => {
          found.push(at - last);
          last = at;
          table.scrollTop += each;
          if (at - startedAt < scrollMs) requestAnimationFrame(frame);
          else resolve(found.slice(1));
        };
        requestAnimationFrame(frame);
      }),
    { pixels, scrollMs: SCROLL_MS },
  );
  const spentMs = (await threadMs(devtools)) - before;
  return {
    framesPerSecond: (gaps.length * 1_000) / gaps.reduce((sum, gap) => sum + gap, 0),
    lateShare: gaps.filter((gap) => gap > 34).length / gaps.length,
    threadMsPerFrame: spentMs / gaps.length,
  };
}

/** From a jump to the middle of the list until its rows are there. */
async function jump(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const table = document.querySelector('.desk-scroll') as HTMLElement;
    const startedAt = performance.now();
    table.scrollTop = table.scrollHeight / 2;
    for (;;) {
      await new Promise(requestAnimationFrame);
      const top = table.getBoundingClientRect().top;
      const rows = [...document.querySelectorAll('.desk-row')].filter((row) => row.getBoundingClientRect().top > top);
      if (rows.length > 3 && rows.every((row) => row.querySelector('.mantine-Skeleton-root') === null))
        if (rows.some((row) => (row.textContent ?? '').includes('Line item'))) return performance.now() - startedAt;
    }
  });
}

const placard = await openOwnPlacard();
const browser = await openChromium();
try {
  await addLineItems(placard, count, (index) => ({ name: `Line item ${index}` }));
  const session = await openSession(browser, placard);
  await signIn(session, placard.demo.account);
  const openedAt = performance.now();
  await session.open('/desk/line-items');
  await session.page.locator('.desk-row').nth(1).waitFor();
  console.log(`${count} line items, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(`the table is there and quiet after ${Math.round(performance.now() - openedAt)} ms`);
  const devtools = await session.context.newCDPSession(session.page);
  await devtools.send('Performance.enable');
  console.log('scrolled a frame      frames/s   late frames   main thread a frame');
  for (const pixels of [0, 50, 400, 4_000]) {
    const { framesPerSecond, lateShare, threadMsPerFrame } = await scroll(session.page, devtools, pixels);
    console.log(
      `${`${pixels} px`.padStart(16)} ${framesPerSecond.toFixed(1).padStart(13)} ${(100 * lateShare).toFixed(1).padStart(11)} % ${threadMsPerFrame.toFixed(1).padStart(16)} ms`,
    );
  }
  for (let round = 0; round < 3; round += 1) {
    await session.page.evaluate(() => document.querySelector('.desk-scroll')?.scrollTo(0, 0));
    await session.page.waitForTimeout(500);
    console.log(`a jump to the middle shows rows after ${Math.round(await jump(session.page))} ms`);
  }
} finally {
  await browser.close();
  await placard.close();
}
