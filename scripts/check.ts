/**
 * `npm run check`: types, lint, format, boundaries, licences and unused code, two at a time, in well under 30 s.
 * Prints one line a check, then the whole output of those that failed, and exits 1 if any did.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Besides this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly check: Check;
  readonly failed: boolean;
  readonly output: string;
}

const checkTimeoutMs = 600_000;
/** What a check found out about files that have not changed since. */
const cacheDir = 'node_modules/.cache/placard-check';
/** Each thread that checks types works out most types for itself: two of them take half as much again of the time of one. */
const typeThreads = String(Math.max(1, Math.floor(availableParallelism() / 4)));
/** For programs in Go; the collector's share of their time is a quarter with its default. */
const go = { GOMAXPROCS: typeThreads, GOGC: '300' };

function checkTypes(name: string, ...args: readonly string[]): Check {
  const cache = ['--incremental', '--tsBuildInfoFile', `${cacheDir}/${name}.tsbuildinfo`];
  return { name, command: 'tsc', args: ['--noEmit', '--checkers', typeThreads, ...cache, ...args], env: go };
}

/** Long ones first. */
const checks: readonly Check[] = [
  { name: 'lint', command: 'oxlint', args: ['--type-aware'], env: go },
  checkTypes('types'),
  checkTypes('console', '-p', 'console'),
  checkTypes('client', '-p', 'sdk/client'),
  checkTypes('tag', '-p', 'sdk/tag'),
  checkTypes('react', '-p', 'sdk/react'),
  { name: 'licences', command: 'node', args: ['scripts/check-licences.ts'] },
  { name: 'language', command: 'node', args: ['scripts/check-language.ts'] },
  { name: 'conformance', command: 'node', args: ['scripts/write-conformance.ts', '--check'] },
  { name: 'unused', command: 'knip', args: ['--no-progress', '--cache', '--cache-location', `${cacheDir}/knip`] },
  { name: 'boundaries', command: 'vitest', args: ['run', '--config', 'vitest.check.config.ts'] },
  { name: 'format', command: 'biome', args: ['format', '--max-diagnostics=50', '.'] },
];

function runCheck(check: Check): Promise<Outcome> {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const env = { ...process.env, ...check.env };
    const child = spawn(`node_modules/.bin/${check.command}`, check.args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), checkTimeoutMs);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
      const failed = code !== 0;
      const how = failed ? `FAILED (${signal ?? `exit ${code}`})` : 'ok';
      console.log(`${check.name.padEnd(12)} ${how} in ${seconds} s`);
      resolve({ check, failed, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

async function runLane(queue: Check[], outcomes: Outcome[]): Promise<void> {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) outcomes.push(await runCheck(check));
}

const queue = [...checks];
const outcomes: Outcome[] = [];
const lanes = Math.max(2, Math.min(availableParallelism(), checks.length));
await Promise.all(Array.from({ length: lanes }, () => runLane(queue, outcomes)));
const failures = outcomes.filter((outcome) => outcome.failed);
for (const failure of failures) console.log(`\n--- ${failure.check.name} ---\n${failure.output.trimEnd()}`);
if (failures.length > 0) console.log(`\ncheck failed: ${failures.map((failure) => failure.check.name).join(', ')}`);
process.exitCode = failures.length > 0 ? 1 : 0;
