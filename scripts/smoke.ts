/**
 * Starts Placard as a user does (`npm start`, in an empty data folder), waits until it is ready, asks it over TLS with the
 * CA that it made, and stops it with SIGTERM. Exit code 0 when all of that worked, and then one line of timings.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const readyTimeoutMs = 600_000;
const stopTimeoutMs = 60_000;
const requestTimeoutMs = 10_000;
const demoNetworkId = 1000;
/** The default ports: what a first start listens on. */
const corePort = 8443;
const deliveryPort = 8444;

interface Reply {
  readonly status: number;
  readonly body: string;
}

interface Call {
  readonly port: number;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly body?: string;
}

function ask(call: Call, ca: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { port, path, method, body } = call;
    const headers =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = { host: 'localhost', port, path, method, headers, ca, timeout: requestTimeoutMs };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`no response from ${path} in ${requestTimeoutMs} ms`)));
    sent.end(body);
  });
}

/** The CA that the first start made, found by its name. */
function readCa(dataDir: string): string {
  const folder = join(dataDir, 'tls');
  const name = readdirSync(folder).find((one) => /^ca.*\.(?:pem|crt)$/.test(one) && !one.includes('key'));
  if (name === undefined) throw new Error(`no CA file in ${folder}`);
  return readFileSync(join(folder, name), 'utf8');
}

const bidRequest = {
  id: `smoke-${Date.now()}`,
  imp: [{ id: '1', secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
  site: { id: 'demo', domain: 'demo.example', page: 'https://demo.example/' },
};

/** All processes run by now; the core may still copy names to the analytics store. */
async function waitUntilReady(port: number, ca: string): Promise<void> {
  const untilMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const reply = await ask({ port, path: '/readyz', method: 'GET' }, ca);
    if (reply.status === 200) return;
    if (performance.now() > untilMs)
      throw new Error(`/readyz on ${port} responded with ${reply.status}: ${reply.body}`);
    await sleep(100);
  }
}

async function exerciseServer(dataDir: string): Promise<void> {
  const ca = readCa(dataDir);
  for (const port of [corePort, deliveryPort]) await waitUntilReady(port, ca);
  const path = `/${demoNetworkId}/bid`;
  const bid = await ask({ port: deliveryPort, path, method: 'POST', body: JSON.stringify(bidRequest) }, ca);
  if (bid.status !== 200 && bid.status !== 204) throw new Error(`${path} responded with ${bid.status}: ${bid.body}`);
  const wrong = await ask({ port: deliveryPort, path, method: 'POST', body: '{}' }, ca);
  if (wrong.status !== 400)
    throw new Error(`${path} responded with ${wrong.status} to an empty request: ${wrong.body}`);
  console.log(`bid: ${bid.status}, wrong bid: ${wrong.status}`);
}

async function runSmoke(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'placard-smoke-'));
  const startedAtMs = performance.now();
  const server = spawn('npm', ['start'], {
    env: { ...process.env, PLACARD_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  const exited = new Promise<number | null>((resolve) => server.once('exit', resolve));
  let ended = false;
  void exited.then(() => (ended = true));
  try {
    while (!output.includes('Placard is ready')) {
      if (ended) throw new Error(`the start ended with exit code ${await exited}`);
      if (performance.now() - startedAtMs > readyTimeoutMs) throw new Error(`not ready after ${readyTimeoutMs} ms`);
      await sleep(50);
    }
    const readyMs = performance.now() - startedAtMs;
    await exerciseServer(dataDir);
    const stoppedAtMs = performance.now();
    server.kill('SIGTERM');
    const code = await Promise.race([exited, sleep(stopTimeoutMs, 'no end' as const, { ref: false })]);
    if (code !== 0) throw new Error(`after SIGTERM: exit code ${code}`);
    const stopMs = performance.now() - stoppedAtMs;
    console.log(`smoke: ready in ${(readyMs / 1000).toFixed(1)} s, stopped in ${(stopMs / 1000).toFixed(1)} s`);
  } finally {
    // npm hands SIGTERM on; after that the supervisor's children end with it.
    if (!ended) server.kill('SIGTERM');
    await Promise.race([exited, sleep(stopTimeoutMs, undefined, { ref: false })]);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

try {
  await runSmoke();
} catch (error) {
  console.error(`smoke: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
