/** What `npm pack` makes of the server installs into an empty folder and runs there. The other packages: test/sdks. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { install, pack, plainEnvironment, run, TIMEOUT_MS } from '../sdks/support/packages.ts';
import { createClient } from '../support/http-client.ts';

const SITE = { id: 'demo', domain: 'demo.example', page: 'https://demo.example/' };
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'placard-packages-'));
  // PostgreSQL's user reads the installed package.
  chmodSync(dir, 0o755);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('the server', () => {
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await install(await pack('.', dir), dir);
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
