/** The packed client in an empty folder, on every runtime that programs of publishers use. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeAuthority, makeServerCertificate } from '../../src/http/tls/certificate.ts';
import { openChromium } from '../e2e/support/chromium.ts';
import { type ScriptedServer, openScriptedServer } from './support/scripted-server.ts';
import { installTogether, pack, plainEnvironment, run } from './support/packages.ts';
import { obtain, RUNTIMES } from './support/runtimes.ts';

const PROGRAM_TIMEOUT_MS = 60_000;
const README = readFileSync(fileURLToPath(new URL('../../sdk/client/README.md', import.meta.url)), 'utf8');
const expected = {
  ads: 1,
  bid: null,
  campaigns: { nodes: [{ id: '1' }, { id: '2' }] },
  archiveCampaign: { validatedOnly: false },
  refused: 'ad_unit_not_found',
  late: true,
};
/** Modules of the client in a page, without a bundler. */
const PAGE = `<!doctype html><title>Waiting</title><script type="module">
import { PlacardClient } from './client.js';
import { mutate } from './typed-graphql.js';
const retry = { waitsMs: [1], jitter: 0 };
const [coreUrl, deliveryUrl] = [location.origin, location.origin];
const client = new PlacardClient({ network: '1000', coreUrl, deliveryUrl, apiKey: 'key', retry });
const { ads } = await client.ads({ adUnit: 'home' });
const { archiveCampaign } = await mutate(client, { archiveCampaign: [{ id: '7' }, { validatedOnly: true }] });
document.title = JSON.stringify([ads.length, archiveCampaign]);
</script>`;
let dir: string;
let folder: string;
let server: ScriptedServer;
/** The same behind a certificate of a local authority, which is in `ca.pem`. */
let tlsServer: ScriptedServer;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'placard-runtimes-'));
  folder = await installTogether(join(dir, 'empty'), [await pack('sdk/client', dir)]);
  for (const name of ['use.mjs', 'use.cjs'])
    copyFileSync(fileURLToPath(new URL(`programs/${name}`, import.meta.url)), join(folder, name));
  const dist = join(folder, 'node_modules/@placard/client/dist');
  const scripts = readdirSync(dist).filter((name) => name.endsWith('.js'));
  server = await openScriptedServer({
    '/': { type: 'text/html', body: PAGE },
    ...Object.fromEntries(
      scripts.map((name) => [`/${name}`, { type: 'text/javascript', body: readFileSync(join(dist, name), 'utf8') }]),
    ),
  });
  const authority = await makeAuthority(['localhost'], Date.now());
  const { keyPem, certPem } = await makeServerCertificate(authority, ['localhost'], Date.now());
  writeFileSync(join(dir, 'ca.pem'), authority.certPem);
  tlsServer = await openScriptedServer({}, { key: keyPem, cert: certPem });
});
afterAll(async () => {
  await server?.close();
  await tlsServer?.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => server.reset());

function expectRetriedOnce(): void {
  const keys = server.seen.filter(({ body }) => body.includes('mutation')).map((one) => one.headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/./), keys[0]]);
}

describe.each(RUNTIMES)('$name', (runtime) => {
  let found: Awaited<ReturnType<typeof obtain>>;
  beforeAll(async () => {
    found = await obtain(runtime, dir);
  });
  const runProgram = async (file: string, skip: (reason: string) => never, more: object = {}): Promise<unknown> => {
    if ('reason' in found) skip(`skipped: ${runtime.name} cannot be had here: ${found.reason}`);
    const { path } = found as { path: string };
    const env = { ...plainEnvironment(), BASE: server.base, NO_COLOR: '1', ...more };
    const options = { cwd: folder, env, timeout: PROGRAM_TIMEOUT_MS };
    return JSON.parse((await run(path, [...runtime.args, file], options)).stdout);
  };

  test(`the installed client works in an ES module on ${runtime.name}`, async ({ skip }) => {
    expect(await runProgram('use.mjs', skip)).toEqual(expected);
    expectRetriedOnce();
  });

  test(`the installed client trusts the authority that the README's command names, and only then, on ${runtime.name}`, async ({
    skip,
  }) => {
    const [, variable = ''] =
      new RegExp(`^(\\w+)=\\S+ ${runtime.name.toLowerCase().split(' ')[0]} `, 'm').exec(README) ?? [];
    expect(variable).not.toBe('');
    const run = (env: object) => runProgram('use.mjs', skip, { BASE: tlsServer.base, ...env });
    await expect(run({})).rejects.toThrow();
    tlsServer.reset();
    expect(await run({ [variable]: join(dir, 'ca.pem') })).toEqual(expected);
  });

  test(`the installed client can be required by CommonJS on ${runtime.name}`, async ({ skip }) => {
    const document = 'query ($v0: Int) { campaigns(first: $v0) { nodes { id } } }';
    expect(await runProgram('use.cjs', skip)).toEqual({ ads: 1, document });
  });
});

test('the modules of the client run in a browser as they are, without a bundler', async () => {
  const browser = await openChromium();
  try {
    const page = await browser.newPage();
    await page.goto(server.base);
    await expect.poll(() => page.title()).toBe('[1,{"validatedOnly":false}]');
    expectRetriedOnce();
  } finally {
    await browser.close();
  }
});
