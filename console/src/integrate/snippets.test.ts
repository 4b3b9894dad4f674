import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IntegratedAdUnit } from '../api/inventory/integration.ts';
import { framePage, SNIPPET_KINDS, snippetKindsOf, SNIPPETS, type SnippetFacts } from './snippets.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const TIMEOUT_MS = 100_000;
const adUnit: IntegratedAdUnit = {
  id: '7',
  name: 'home/sidebar',
  sizes: [
    { width: 300, height: 250 },
    { width: 300, height: 600 },
  ],
  mediaTypes: ['BANNER'],
  site: { code: 'magazine', domain: 'magazine.example' },
  area: { code: 'home' },
};
/** A name that ends texts of shells, scripts and attributes. */
const HOSTILE = `it's "$(touch made)" \`touch made\` </script><b> \${made} & \\`;

let folder: string;
let server: Server;
let delivery: string;
const seen: { url: string; body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'placard-snippets-'));
  const installed = join(folder, 'node_modules/@placard/client');
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'sdk/client/package.json'), join(installed, 'package.json'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', join(root, 'sdk/client'), '--outDir', join(installed, 'dist')]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body: JSON.parse(body) as Record<string, unknown> });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: '1', cur: 'PLN', seatbid: [{ bid: [{ price: 1.5 }] }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  delivery = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const factsOf = (over: Partial<IntegratedAdUnit> = {}, environment: 'production' | 'staging' = 'production') =>
  ({ scope: { networkId: '1000', environment }, delivery, adUnit: { ...adUnit, ...over } }) satisfies SnippetFacts;

describe.each([['home/sidebar'], [HOSTILE]])('snippets of the ad unit %j', (name) => {
  const expected = {
    tagid: name,
    banner: {
      format: [
        { w: 300, h: 250 },
        { w: 300, h: 600 },
      ],
    },
  };

  test('the shell runs the curl snippet as it stands, and each run has an id of its own', async () => {
    seen.length = 0;
    const text = SNIPPETS.curl(factsOf({ name }));
    for (let time = 0; time < 2; time += 1) {
      const { stdout } = await run('sh', ['-c', text], { cwd: folder, timeout: TIMEOUT_MS });
      expect(JSON.parse(stdout)).toMatchObject({ cur: 'PLN' });
    }
    expect(seen.map(({ url }) => url)).toEqual(['/1000/bid', '/1000/bid']);
    for (const { body } of seen) expect(body).toMatchObject({ imp: [expected], site: { id: 'magazine' } });
    expect(new Set(seen.map(({ body }) => body['id'])).size).toBe(2);
    expect(readdirSync(folder)).not.toContain('made');
  });

  test('node runs the TypeScript snippet as it stands', async () => {
    seen.length = 0;
    writeFileSync(join(folder, 'snippet.ts'), SNIPPETS.typescript(factsOf({ name })));
    const { stdout } = await run(process.execPath, ['snippet.ts'], { cwd: folder, timeout: TIMEOUT_MS });
    expect(stdout).toContain('price: 1.5');
    expect(seen[0]?.body).toMatchObject({ imp: [expected], regs: { gdpr: 0 } });
  });

  test('the Prebid snippet adds an ad unit with the parameters of the adapter', () => {
    let added: unknown;
    const pbjs = { que: { push: (command: () => void) => command() }, addAdUnits: (units: unknown) => (added = units) };
    runInNewContext(SNIPPETS.prebid(factsOf({ name })), { pbjs });
    const params = { endpoint: delivery, network: '1000', adUnit: name, site: 'magazine', area: 'home' };
    expect(added).toEqual([
      {
        code: name,
        mediaTypes: {
          banner: {
            sizes: [
              [300, 250],
              [300, 600],
            ],
          },
        },
        bids: [{ bidder: 'placard', params }],
      },
    ]);
  });

  test('the OpenRTB snippet is a whole request', () => {
    expect(JSON.parse(SNIPPETS.openrtb(factsOf({ name })))).toMatchObject({
      imp: [expected],
      site: { domain: 'magazine.example' },
    });
  });

  test('the addresses of players name the ad unit, its size and the breaks', () => {
    const [vast = '', vmap = ''] = SNIPPETS.vast(factsOf({ name })).trim().split('\n\n');
    expect(vast).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/1000\/vast\?[^\s<>"']+$/);
    expect(Object.fromEntries(new URL(vast).searchParams)).toEqual({ unit: name, sz: '300x250' });
    expect(new URL(vmap).pathname).toBe('/1000/vmap');
    expect(new URL(vmap).searchParams.get('breaks')).toBe('start,50%,end');
  });

  test('no name leaves its attribute or its script', () => {
    for (const kind of ['tag', 'amp'] as const) {
      const text = SNIPPETS[kind](factsOf({ name }));
      expect(text.match(/<b>/g)).toBeNull();
      expect(text.match(/<\/script>/g)).toHaveLength(1);
    }
    expect(SNIPPETS.prebid(factsOf({ name }))).not.toContain('</script');
    expect(SNIPPETS.react(factsOf({ name }))).not.toContain('</script');
  });
});

test.each(SNIPPET_KINDS)('the snippet %s of the staging environment asks that environment', (kind) => {
  const text = SNIPPETS[kind](factsOf({}, 'staging'));
  if (kind !== 'openrtb') expect(text).toMatch(/staging/);
  expect(SNIPPETS[kind](factsOf())).not.toMatch(/staging/);
});

test('only an ad unit with video has addresses for players', () => {
  expect(snippetKindsOf(factsOf())).not.toContain('vast');
  expect(snippetKindsOf(factsOf({ mediaTypes: ['BANNER', 'VIDEO'] }))).toEqual(SNIPPET_KINDS);
});

test('the page in the frame asks for every kind of ad that the ad unit takes, and tells only who watches', () => {
  const facts = factsOf({ mediaTypes: ['BANNER', 'NATIVE'], sizes: [{ width: 640, height: 360 }] });
  const { searchParams } = new URL(framePage(facts, true));
  expect(Object.fromEntries(searchParams)).toMatchObject({
    'ad-unit': 'home/sidebar',
    media: 'banner,native',
    sizes: '640x360',
    watch: '1',
  });
  expect(framePage(facts, false)).not.toContain('watch');
});
