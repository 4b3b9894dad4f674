/** `placard health` beside a server and the run files of a supervisor, as in a container of each role. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_HTTP_LIMITS } from '../http/shared/limits.ts';
import { createListener, listenAt } from '../http/shared/listener.ts';
import { prepareTls } from '../http/tls/tls.ts';
import { recordProcess } from '../runtime/supervisor/process-identity.ts';
import { writeChildren, writeEndpoints } from '../runtime/supervisor/run-files.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const QUICK = fileURLToPath(new URL('../../bin/health.mjs', import.meta.url));
const run = promisify(execFile);
let dataDir: string;
let server: Server;
let statuses: Record<string, number>;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'placard-health-'));
  statuses = { '/readyz': 200, '/healthz': 200 };
  server = createServer((request, response) => response.writeHead(statuses[request.url ?? ''] ?? 404).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(() => {
  server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Puts a server with TLS of its own instead of the plain one. */
async function serveTls(): Promise<void> {
  server.close();
  const transport = await prepareTls({ mode: 'self', publicUrls: [] }, dataDir, { nowMs: Date.now() });
  ({ server } = createListener(transport, DEFAULT_HTTP_LIMITS, (_request, response) => response.writeHead(200).end()));
  await listenAt(server, transport, { port: 0, bind: '127.0.0.1' });
}

/** Writes what a supervisor writes whose processes have these names: this test's own process plays them. */
function pretend(...names: readonly string[]): void {
  const { port } = server.address() as AddressInfo;
  writeEndpoints(dataDir, {
    bind: '0.0.0.0',
    // Nothing listens at port 1: a part that does not run here must not be asked.
    corePort: names.includes('core') || names.includes('jobs') ? port : 1,
    deliveryPort: names.some((name) => name.startsWith('delivery')) ? port : 1,
    sqlPort: null,
    corePublicUrl: 'https://ads.example.com',
    deliveryPublicUrl: 'https://d.example.com',
    postgresUrl: 'postgres://db.example/placard',
    postgresOwnerUrl: null,
    clickhouseUrl: 'http://clickhouse.example:8123',
    redisUrl: null,
  });
  writeChildren(
    dataDir,
    names.map((name) => ({ name, ...recordProcess(process.pid) })),
  );
}

/** Plain HTTP, as behind a proxy that ends TLS. */
async function askHealth(...options: readonly string[]): Promise<{ code: number; stdout: string }> {
  return ask([MAIN, 'health', ...options]);
}

async function ask(command: readonly string[]): Promise<{ code: number; stdout: string }> {
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    PLACARD_DATA: dataDir,
    PLACARD_TLS: 'proxy',
    PLACARD_TRUSTED_PROXIES: '10.0.0.0/8',
  };
  return await run(process.execPath, [...command], { env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: unknown) => error as { code: number; stdout: string },
  );
}

test.each([
  ['core', ['core']],
  ['jobs', ['jobs']],
  ['delivery', ['delivery 0', 'delivery 1']],
  ['all', ['core', 'delivery 0', 'analytics', 'postgres']],
])('a ready machine of the role %s is healthy', async (_role, names) => {
  pretend(...names);
  await expect.poll(() => askHealth()).toMatchObject({ code: 0 });
});

test('a part that is not ready is named, and the exit code is 1', async () => {
  pretend('delivery 0');
  statuses['/readyz'] = 503;
  await expect
    .poll(() => askHealth())
    .toMatchObject({ code: 1, stdout: expect.stringMatching(/FAILED +delivery +\/readyz is 503/) });
  await expect.poll(() => askHealth('--live')).toMatchObject({ code: 0 });
});

test('a data folder in which nothing runs is not healthy', async () => {
  expect(await askHealth()).toMatchObject({ code: 1, stdout: expect.stringContaining('does not run') });
});

test('the check of containers says the same as the command, with and without TLS', async () => {
  expect(await ask([QUICK])).toMatchObject({ code: 1, stdout: expect.stringContaining('does not run') });
  pretend('core', 'delivery 0', 'analytics');
  expect(await ask([QUICK])).toMatchObject({ code: 0 });
  statuses['/readyz'] = 503;
  expect(await ask([QUICK])).toMatchObject({ code: 1, stdout: expect.stringContaining('/readyz is 503') });
  expect(await ask([QUICK, '--live'])).toMatchObject({ code: 0 });
  await serveTls();
  pretend('core');
  expect(await ask([QUICK])).toMatchObject({ code: 0, stdout: 'ok core /readyz is 200\n' });
});
