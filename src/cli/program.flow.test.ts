import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));
const binFile = fileURLToPath(new URL('../../bin/placard.mjs', import.meta.url));
let dataDir: string;

interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = {}, file = mainFile): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        PLACARD_DATA: dataDir,
        PLACARD_CORE_PORT: '0',
        PLACARD_DELIVERY_PORT: '0',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'placard-cli-'));
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe('exit codes', () => {
  test('a command that did its work: 0, and its result on standard output', async () => {
    const packageFile = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const { code, stdout } = await run(['version', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ placard: (JSON.parse(packageFile) as { version: string }).version });
  });

  test('help was asked for: 0', async () => {
    expect(await run(['--help'])).toMatchObject({ code: 0 });
    expect((await run(['serve', '--help'])).stdout).toContain('--role');
  });

  test.each([
    ['no command', []],
    ['an unknown command', ['servee']],
    ['an unknown option', ['version', '--jsn']],
    ['an unknown role', ['serve', '--role', 'both']],
    ['an extra argument', ['version', 'twice']],
    ['a child started by hand', ['child', '--role', 'core']],
  ])('%s exits with 2 and prints nothing on standard output', async (_title, args) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('    at ');
  });

  test('a wrong configuration exits with 2 and lists every problem, as JSON on request', async () => {
    const env = { PLACARD_WORKERS: 'many', PLACARD_TLS: 'maybe' };
    const plain = await run(['doctor'], env);
    expect(plain.code).toBe(2);
    expect(plain.stderr).toMatch(/PLACARD_WORKERS[\s\S]*PLACARD_TLS|PLACARD_TLS[\s\S]*PLACARD_WORKERS/);
    const json = await run(['doctor', '--json'], env);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: 'invalid_configuration' });
  });

  test('a part alone without its stores: 2, naming them', async () => {
    const { code, stderr } = await run(['serve', '--role', 'core']);
    expect(code).toBe(2);
    expect(stderr).toContain('set PLACARD_POSTGRES_URL, PLACARD_CLICKHOUSE_URL, PLACARD_REDIS_URL');
  });
});

describe('doctor', () => {
  test('doctor finds nothing wrong with an empty data folder', async () => {
    const { code, stdout } = await run(['doctor', '--json']);
    expect({ code, ok: (JSON.parse(stdout) as { ok: boolean }).ok }).toEqual({ code: 0, ok: true });
  });

  test('doctor says what to do about a taken port, unreachable stores and an unreadable certificate', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const { code, stdout } = await run(['doctor', '--json'], {
      PLACARD_BIND: '127.0.0.1',
      PLACARD_CORE_PORT: String(typeof address === 'object' ? address?.port : 0),
      PLACARD_POSTGRES_URL: 'postgres://127.0.0.1:1/x',
      PLACARD_CLICKHOUSE_URL: 'http://127.0.0.1:1',
      PLACARD_REDIS_URL: 'redis://127.0.0.1:1',
      PLACARD_TLS: 'files',
      PLACARD_TLS_CERT_FILE: '/nowhere/cert.pem',
      PLACARD_TLS_KEY_FILE: '/nowhere/key.pem',
    });
    taken.close();
    const { findings } = JSON.parse(stdout) as { findings: { name: string; state: string; advice: string | null }[] };
    const failed = findings.filter((finding) => finding.state === 'failed');
    expect(failed.map((finding) => finding.name)).toEqual([
      'core port',
      'certificate',
      'private key',
      'postgresql',
      'analytics',
      'hot store',
    ]);
    expect(failed.every((finding) => (finding.advice ?? '') !== '')).toBe(true);
    expect(code).toBe(1);
  });
});

describe('bin/placard.mjs', () => {
  const asOldNode = (version: string) => ({
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
      `if(process.argv[1]?.endsWith('placard.mjs'))Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
    )}`,
  });

  test('runs in place under a Node.js that is new enough', async () => {
    expect(await run(['version'], {}, binFile)).toMatchObject({ code: 0 });
  });

  test('hands over to the newer Node.js that comes with it, arguments and exit code included', async () => {
    const { code, stdout } = await run(['version'], asOldNode('20.11.0'), binFile);
    expect(code).toBe(0);
    expect(stdout).toContain(`Node.js ${process.versions.node}`);
    expect(await run(['nonsense'], asOldNode('20.11.0'), binFile)).toMatchObject({ code: 2 });
  });
});
