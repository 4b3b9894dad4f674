import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ownEnvironment } from '../../support/placard-process.ts';

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** Runs `placard … --json` on a data folder; answers its output. @throws Error with what it wrote, when it fails */
export function runCli<T>(dataDir: string, args: readonly string[]): Promise<T> {
  const env = ownEnvironment({ PLACARD_DATA: dataDir });
  const child = spawn(process.execPath, [MAIN, ...args, '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(Buffer.concat(out).toString()) as T);
      else reject(new Error(`placard ${args.join(' ')} ended with ${code}: ${Buffer.concat(err).toString()}`));
    });
  });
}
