/** What `npm pack` makes installs into an empty folder and runs there: the server, the client, the tag and the Prebid adapter. */
import { execFile, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../support/http-client.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
/** Packing builds the console and copies a gigabyte: minutes on a busy machine. */
const TIMEOUT_MS = 600_000;
const SITE = { id: 'demo', domain: 'demo.example', page: 'https://demo.example/' };
const OUTPUT_MAX = 50_000_000;
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'placard-packages-'));
  // PostgreSQL's user reads the installed package.
  chmodSync(dir, 0o755);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The environment without what `npm run` adds: it names this repository. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_(?:cache|registry)$)|PLACARD_|NODE_ENV$|NODE_OPTIONS$)/i.test(name),
  );
  return Object.fromEntries(own);
}

interface Packed {
  readonly file: string;
  readonly name: string;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Runs `npm pack` in a folder of this repository. */
async function pack(folder: string): Promise<Packed> {
  const cwd = join(ROOT, folder);
  await run('npm', ['pack', '--pack-destination', dir], { cwd, env: plainEnvironment(), maxBuffer: OUTPUT_MAX });
  const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as { name: string; version: string };
  const { name, version } = manifest;
  return { name, manifest, file: join(dir, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`) };
}

/**
 * Installs it into a new folder, with the versions of this repository's lock file: a test that asked the registry for the newest ones would
 * say something else every day. Returns the folder.
 */
async function install({ file, name, manifest }: Packed): Promise<string> {
  const folder = join(dir, name.replace('@placard/', ''));
  mkdirSync(folder);
  const own = { name: 'empty', version: '1.0.0', dependencies: { [name]: `file:${file}` } };
  const { allowScripts, packages } = readRepository();
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...own, allowScripts }));
  const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  const { devDependencies: _dev, scripts: _scripts, workspaces: _workspaces, ...installed } = manifest;
  const dependencies = manifest['dependencies'] === undefined ? {} : packages;
  const locked = {
    '': own,
    ...dependencies,
    [`node_modules/${name}`]: { ...installed, resolved: `file:${file}`, integrity },
  };
  const lock = { ...own, lockfileVersion: 3, requires: true, packages: locked };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--no-progress'];
  await run('npm', args, { cwd: folder, env: plainEnvironment(), maxBuffer: OUTPUT_MAX });
  return folder;
}

interface Locked {
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** What a program of this repository needs to run: the locked packages, and which of them run a script when they are installed. */
function readRepository(): { allowScripts: unknown; packages: Record<string, Locked> } {
  const { allowScripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { allowScripts: unknown };
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true,
  );
  return { allowScripts, packages: Object.fromEntries(needed) };
}

const COMPILERS = {
  'TypeScript 5': 'test/typescript-5/node_modules/typescript/bin/tsc',
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
};

/** Checks `use.mts` of a folder, with the declarations of packages; the messages of the compiler, empty when there are none. */
async function compile(folder: string, compiler: string, resolution: string): Promise<string> {
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const fixed = '--noEmit --strict --target es2022 --lib es2022,dom,dom.iterable'.split(' ');
  const args = [join(ROOT, compiler), ...fixed, '--module', module, '--moduleResolution', resolution];
  const options = { cwd: folder, env: plainEnvironment() };
  return await run(process.execPath, [...args, 'use.mts'], options).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

describe('the client', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await install(await pack('sdk/client'));
  }, TIMEOUT_MS);

  test('the installed client asks for ads', async () => {
    const server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ads: [], noFill: { code: request.url } }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const deliveryUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const program = `import { PlacardClient } from '@placard/client';
      const client = new PlacardClient({ network: '1000', deliveryUrl: '${deliveryUrl}', apiKey: 'key' });
      console.log((await client.ads({ adUnit: 'home' })).noFill.code);`;
    writeFileSync(join(folder, 'use.mjs'), program);
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder, env: plainEnvironment() });
    server.close();
    expect(stdout.trim()).toBe('/api/v1/ads');
  });

  const program = `import { PlacardApiError, PlacardClient, type Ad, type BidRequest } from '@placard/client';
    const client = new PlacardClient({ network: '1000', deliveryUrl: 'https://d.example' });
    export async function first(request: BidRequest): Promise<Ad | undefined> {
      await client.bid(request);
      const { ads } = await client.ads({ adUnit: 'home' });
      return ads[0];
    }
    // @ts-expect-error: the width of an ad is a number
    export const wrong = async (): Promise<string | undefined> => (await first({} as BidRequest))?.width;
    export const isOurs = (error: unknown): boolean => error instanceof PlacardApiError && error.status === 404;`;
  const cases = Object.entries(COMPILERS).flatMap(([name, path]) =>
    (['node16', 'nodenext', 'bundler'] as const).map((resolution) => [name, resolution, path] as const),
  );
  test.each(cases)(
    'its types compile with %s and the resolution %s',
    { timeout: TIMEOUT_MS },
    async (_name, resolution, path) => {
      writeFileSync(join(folder, 'use.mts'), program);
      expect(await compile(folder, path, resolution)).toBe('');
    },
  );
});

test('the tag’s package holds the script that delivery serves, and its types', { timeout: TIMEOUT_MS }, async () => {
  const folder = await install(await pack('sdk/tag'));
  // End-to-end tests run this file in a browser.
  const script = readFileSync(join(folder, 'node_modules/@placard/tag/tag.min.js'), 'utf8');
  expect(script).toBe(readFileSync(join(ROOT, 'sdk/tag/tag.min.js'), 'utf8'));
  const program = `import type { PlacardTag } from '@placard/tag';
    window.placard ??= { cmd: [] };
    window.placard.cmd.push((tag: PlacardTag) => {
      const slot = tag.defineSlot('home/top', [[970, 250], [728, 90]], 'top', { lazy: 'off' });
      tag.display(slot.setTargeting('topic', ['rye']));
      tag.on('filled', ({ detail }) => detail.width?.toFixed());
      // @ts-expect-error: an element or its id, not a number
      tag.refresh(7);
    });`;
  writeFileSync(join(folder, 'use.mts'), program);
  for (const compiler of Object.values(COMPILERS)) expect(await compile(folder, compiler, 'nodenext')).toBe('');
});

test('the React package renders on a server, and its types compile beside the tag’s', {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = join(dir, 'react-page');
  for (const [name, sources] of [
    ['react', 'sdk/react'],
    ['tag', 'sdk/tag'],
  ] as const) {
    const { file } = await pack(sources);
    const target = join(folder, 'node_modules/@placard', name);
    mkdirSync(target, { recursive: true });
    await run('tar', ['-xzf', file, '--strip-components=1', '-C', target]);
  }
  // A page has its own React.
  mkdirSync(join(folder, 'node_modules/@types'));
  for (const name of ['react', 'react-dom', 'scheduler', '@types/react', '@types/react-dom', 'csstype'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  const program = `import { AdSlot, PlacardScript } from '@placard/react';
    import { createElement } from 'react';
    import { renderToString } from 'react-dom/server';
    const slot = createElement(AdSlot, { id: 'top', adUnit: 'home/top', sizes: [[970, 250]], fallback: 'No ad' });
    console.log(renderToString(slot), renderToString(createElement(PlacardScript, { src: '/tag.js', network: '1000' })));`;
  writeFileSync(join(folder, 'use.mjs'), program);
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder, env: plainEnvironment() });
  expect(stdout.trim()).toBe('<div id="top"><div data-ad-fallback="" hidden="">No ad</div></div>');
  const wrong = `${program}
    // @ts-expect-error: an ad unit has a name
    createElement(AdSlot, { sizes: '300x250' });`;
  writeFileSync(join(folder, 'use.mts'), wrong);
  for (const compiler of Object.values(COMPILERS))
    for (const resolution of ['nodenext', 'bundler']) expect(await compile(folder, compiler, resolution)).toBe('');
});

test('the Prebid adapter’s package holds its module and its metadata', { timeout: TIMEOUT_MS }, async () => {
  const folder = await install(await pack('sdk/prebid'));
  const names = ['modules/placardBidAdapter.js', 'metadata/modules/placardBidAdapter.json'];
  for (const name of names) {
    const installed = readFileSync(join(folder, 'node_modules/@placard/prebid', name), 'utf8');
    expect(installed).toBe(readFileSync(join(ROOT, 'sdk/prebid', name), 'utf8'));
  }
});

describe('the server', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await install(await pack('.'));
    program = join(folder, 'node_modules/.bin/placard');
  }, TIMEOUT_MS);

  test('the compiled program has no address of a TypeScript module', () => {
    const lib = join(folder, 'node_modules/placard/lib');
    const names = readdirSync(lib, { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.ts'))).toEqual([]);
    const texts = names.filter((name) => name.endsWith('.js')).map((name) => readFileSync(join(lib, name), 'utf8'));
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.flatMap((text) => text.match(/['"`][^'"`\n]*\.ts['"`]/g) ?? [])).toEqual([]);
  });

  test('the installed server bids, serves tag and console, and is healthy', { timeout: TIMEOUT_MS }, async () => {
    const env = {
      ...plainEnvironment(),
      PLACARD_DATA: join(folder, 'data'),
      PLACARD_CORE_PORT: '0',
      PLACARD_DELIVERY_PORT: '0',
      PLACARD_WORKERS: '1',
      PLACARD_SPARE_WORKERS: '0',
      PLACARD_DRAIN_SECONDS: '0',
      PLACARD_LOG_LEVEL: 'warn',
    };
    const child = spawn(program, ['serve', '--json'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    try {
      const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), ended])) as [string];
      const ready = JSON.parse(line) as { ready: boolean; corePublicUrl: string; deliveryPublicUrl: string };
      const client = createClient(readFileSync(join(folder, 'data/tls/ca.pem'), 'utf8'));
      const bid = {
        id: randomUUID(),
        imp: [{ id: '1', secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
        site: SITE,
      };
      const replies = [
        await client.send(`${ready.deliveryPublicUrl}/1000/bid`, { method: 'POST', json: bid }),
        await client.send(`${ready.deliveryPublicUrl}/tag.js`),
        await client.send(`${ready.corePublicUrl}/sign-in`),
      ];
      client.close();
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      // A core that has just begun may take longer to respond than a health check waits.
      const health = (): Promise<string> =>
        run(program, ['health'], { cwd: folder, env }).then(
          ({ stdout }) => stdout,
          (error: unknown) => (error as { stdout: string }).stdout,
        );
      await expect
        .poll(async () => (await health()).match(/^ok +(?:core|delivery)/gm), { timeout: 120_000 })
        .toHaveLength(2);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    expect(await ended).toEqual([0, null]);
    await expect(run(program, ['health'], { cwd: folder, env })).rejects.toMatchObject({ code: 1 });
  });
});
