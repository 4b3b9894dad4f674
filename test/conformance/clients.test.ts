import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PlacardClient } from '../../sdk/client/src/client.ts';
import { send, server } from './support/server.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const readme = readFileSync(join(root, 'sdk/client/README.md'), 'utf8');

/** The examples of the README, by their headings. */
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match, index) => {
  const heading =
    readme
      .slice(0, match.index)
      .match(/^#+ .*$/gm)
      ?.at(-1) ?? '';
  return { title: heading.replace(/^#+ /, ''), file: `example-${index}.ts`, code: match[1] ?? '' };
});

let folder: string;

/** The client, built and installed as a package. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'placard-client-'));
  const installed = join(folder, 'node_modules/@placard/client');
  mkdirSync(installed, { recursive: true });
  cpSync(join(root, 'sdk/client/package.json'), join(installed, 'package.json'));
  await run(process.execPath, [tsc, '-p', join(root, 'sdk/client'), '--outDir', join(installed, 'dist')]);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const { file, code } of examples) writeFileSync(join(folder, file), code);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const runExample = async (file: string): Promise<string> => {
  const { stdout } = await run(process.execPath, [file], {
    cwd: folder,
    timeout: 60_000,
    env: {
      ...process.env,
      ...(server.demo.caFile === null ? {} : { NODE_EXTRA_CA_CERTS: server.demo.caFile }),
      AD_SERVER_CORE_URL: server.coreUrl,
      AD_SERVER_DELIVERY_URL: server.deliveryUrl,
      AD_SERVER_KEY: server.demo.keys.admin,
      AD_SERVER_LOGIN: server.demo.credentials.login,
      AD_SERVER_TOKEN: server.demo.credentials.token,
    },
  });
  return stdout;
};

describe('the TypeScript client', () => {
  const expected: Readonly<Record<string, RegExp>> = {
    '@placard/client': /^1 IMAGE|^1 HTML/,
    Bids: /^\d+x\d+ at [\d.]+ PLN\nWhy this ad\? https:\/\/.+\/1000\/why\//,
    'Header bids': /^(bidco wins with 1f2e|(IMAGE|HTML) of a line item wins)\n$/,
    'Activity events': /^accepted\nduplicate\n$/,
    'Management (GraphQL)': /^(?:(?:\d+|\w+Content)\n){1,3}true\nonly validated: true\nrefused: .{5,}\n$/,
    'Management with documents': /ACTIVE\n1 error\n$/,
    'Bulk jobs and uploads': /^completed 3 of 3\n1 created\n2 created\n3 created\nimage\/gif \S*\/assets\/\S+\n$/,
    Reports: /\S \d+\.\d+\n[\s\S]*\d+ lines of CSV[\s\S]*\d+ measures\n$/,
    'Report tasks (deprecated)': /^DONE 100\n$/,
  };

  // Conformance: V3
  test('the README has an example for each part of the client', () => {
    expect(examples.map((example) => example.title)).toEqual(Object.keys(expected));
  });

  // Conformance: V3
  test.each(examples)('the README’s example "$title" runs', async ({ title, file }) => {
    expect(await runExample(file)).toMatch(expected[title] ?? /never/);
  });

  // Conformance: V3
  test('an event without a reference whose response was lost counts once when the client tries again', async () => {
    const recorded: unknown[] = [];
    const losingFirst: typeof fetch = async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const response = await send(url as string, { method: 'POST', headers, body: init?.body as string });
      recorded.push(response.json());
      if (recorded.length === 1) throw new TypeError('the connection broke');
      return new Response(response.text, { status: response.status, headers: { 'content-type': 'application/json' } });
    };
    const client = new PlacardClient({
      network: server.demo.networkId,
      deliveryUrl: server.deliveryUrl,
      apiKey: server.demo.keys.admin,
      fetch: losingFirst,
      wait: () => Promise.resolve(),
    });
    const event = { actgid: 'demo-purchase', event: 'purchased', cost: '49.90' };
    const { eventId, status } = await client.recordEvent(event);
    expect(status).toBe('duplicate');
    expect(recorded).toEqual([
      { eventId, status: 'accepted' },
      { eventId, status: 'duplicate' },
    ]);
    expect(await client.recordEvent(event)).toMatchObject({
      status: 'accepted',
      eventId: expect.not.stringMatching(eventId),
    });
  });

  test('the examples compile with the types of the built package', async () => {
    const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--skipLibCheck'];
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const compiled = run(process.execPath, [tsc, ...options, ...types, ...examples.map((one) => one.file)], {
      cwd: folder,
    });
    await expect(compiled).resolves.toMatchObject({ stdout: '' });
  });

  test('the client has no imports and needs only fetch', () => {
    const dist = join(folder, 'node_modules/@placard/client/dist');
    const { dependencies } = JSON.parse(readFileSync(join(root, 'sdk/client/package.json'), 'utf8'));
    expect(dependencies).toBeUndefined();
    const files = readdirSync(dist).filter((file) => file.endsWith('.js'));
    expect(files).toContain('client.js');
    for (const file of files) {
      const code = readFileSync(join(dist, file), 'utf8');
      expect(code).not.toMatch(/from '(?!\.\/)/);
      expect(code).not.toMatch(/\b(?:process|Buffer|require|globalThis\.process)\b\s*[.(]/);
    }
  });
});

describe('the page tag’s address', () => {
  test.each([
    ['/tag.js', 'text/javascript; charset=utf-8'],
    ['/gpt.js', 'text/javascript; charset=utf-8'],
    ['/tag-frame.html', 'text/html; charset=utf-8'],
  ])('%s may be cached for a day and is not sent again while it is unchanged', async (path, type) => {
    const first = await send(`${server.deliveryUrl}${path}`);
    expect([first.status, first.headers['content-type']]).toEqual([200, type]);
    expect(first.headers['cache-control']).toMatch(/^public, max-age=86400/);
    const etag = first.headers['etag'] ?? '';
    const again = await send(`${server.deliveryUrl}${path}`, { headers: { 'if-none-match': `"other", ${etag}` } });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
    const changed = await send(`${server.deliveryUrl}${path}`, { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
  });

  test('the frame of a banner has its own origin on every page', async () => {
    const { headers } = await send(`${server.deliveryUrl}/tag-frame.html`);
    expect(headers['content-security-policy']).toMatch(/^sandbox /);
    expect(headers['content-security-policy']).not.toContain('allow-same-origin');
  });
});
