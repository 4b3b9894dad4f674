import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';

/** The user agent of a current desktop Chrome: the browser's own is a known robot's, and frames without origin use the one of the start. */
export const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** How long an action or a wait may take: a browser of the tests has a small share of a machine that does much else. */
const WAIT_MS = 60_000;

/** The headless shell draws no windows of its own, for half of the browser's CPU time. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** CHROMIUM_PATH, or the first of Debian's packages that is installed. */
function findChromium(): string {
  return process.env['CHROMIUM_PATH'] ?? BROWSERS.find((path) => existsSync(path)) ?? '/usr/bin/chromium';
}

let politePath: string | undefined;

/**
 * Where Linux groups processes by session (`sched_autogroup_enabled`), a nice level counts only within a session. Playwright starts a browser
 * in a session of its own, which without a level of its own would get as much of the processor as all services together.
 */
const POLITE = `#!/bin/sh
read -r _ _ _ _ _ session _ < /proc/$$/stat
[ "$session" = $$ ] && [ -w /proc/$$/autogroup ] && echo 10 > /proc/$$/autogroup
exec nice -n 19 '${findChromium()}' "$@"
`;

/**
 * A browser that leaves the processor to the service. The core and the analytics store run behind ads (`process-priority.ts`): beside some
 * browsers that draw, a forecast of four seconds would take minutes. On real machines, browsers are elsewhere.
 */
function politeChromium(): string {
  if (politePath === undefined) {
    politePath = join(mkdtempSync(join(tmpdir(), 'chromium-')), 'chromium');
    writeFileSync(politePath, POLITE, { mode: 0o755 });
  }
  return politePath;
}

/**
 * Starts Chromium. `hosts` sends foreign host names to ports of this machine (`csr.onet.pl` → `127.0.0.1:8444`); every other name
 * but localhost resolves to nothing, so that no test reaches the network.
 */
export async function openChromium(hosts: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const rules = Object.entries(hosts).map(([host, target]) => `MAP ${host} ${target}`);
  const browser = await chromium.launch({
    executablePath: politeChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      // A page lives for seconds: what optimizing compilers would save, they cost. A larger young generation is collected less often.
      '--js-flags=--no-opt --no-maglev --min-semi-space-size=32',
      '--ignore-certificate-errors',
      '--autoplay-policy=no-user-gesture-required',
      `--user-agent=${USER_AGENT}`,
      `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND', 'EXCLUDE localhost', 'EXCLUDE 127.0.0.1'].join(',')}`,
    ],
  });
  const newContext = browser.newContext.bind(browser);
  // `newPage` of the browser goes through it as well.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS);
    return context;
  };
  return browser;
}

/** `host:port` of a URL on this machine, in the form of a resolver rule. */
export function loopbackOf(url: string): string {
  return `127.0.0.1:${new URL(url).port}`;
}

/** The path of a test's screenshot, in `test-results/`, which is not committed. */
export function shot(name: string): string {
  const folder = fileURLToPath(new URL('../../../test-results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}
