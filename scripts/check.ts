/**
 * `npm run check`: types, lint, format, boundaries, licences and unused code, two at a time. Prints one line a check, then the whole output
 * of those that failed, and exits 1 if any did. A check whose files have not changed since it passed is not run again, and of changed
 * files only they and their importers are linted; `--cold` runs everything, as CI does on a fresh clone.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { diffHashes, type Hashes, hashTree, PassedChecks, withImporters } from './check/changed-files.ts';

interface Check {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The files that decide its outcome. */
  readonly inputs: RegExp;
  /** Whether it can be told to read changed files and their importers only. */
  readonly byFile?: true;
  /** Besides this process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Outcome {
  readonly check: Check;
  readonly failed: boolean;
  readonly output: string;
}

const checkTimeoutMs = 600_000;
const cacheDir = 'node_modules/.cache/placard-check';
/** With more importers than this, a run over everything takes as long. */
const importersMax = 300;
const tools = 'package-lock\\.json|scripts/check';
const code =
  /\.(?:ts|tsx|mts|mjs|js)$|tsconfig.*\.json$|oxlintrc\.json$|package-lock\.json$|package\.json$|^scripts\/check/;

/** Long ones first. */
const checks: readonly Check[] = [
  // The collector starts at 4 GiB. tsconfig.json asks for one checker of types: each further checker resolves the same types again.
  {
    name: 'lint, types',
    command: 'oxlint',
    args: ['--type-aware', '--type-check'],
    inputs: code,
    byFile: true,
    env: { GOMAXPROCS: String(Math.max(2, availableParallelism())), GOGC: 'off', GOMEMLIMIT: '4GiB' },
  },
  { name: 'boundaries', command: 'vitest', args: ['run', '--config', 'vitest.check.config.ts'], inputs: /./ },
  {
    name: 'unused',
    command: 'knip',
    args: ['--no-progress', '--cache', '--cache-location', `${cacheDir}/knip`],
    inputs: new RegExp(`${code.source}|knip\\.json$|\\.css$`),
  },
  { name: 'language', command: 'node', args: ['scripts/check-language.ts'], inputs: /./ },
  {
    name: 'format',
    command: 'biome',
    args: ['format', '--max-diagnostics=50', '.'],
    inputs: new RegExp(`\\.(?:ts|tsx|mts|mjs|js|json|css|html)$|${tools}`),
  },
  { name: 'conformance', command: 'node', args: ['scripts/write-conformance.ts', '--check'], inputs: /./ },
  {
    name: 'licences',
    command: 'node',
    args: ['scripts/check-licences.ts'],
    inputs: new RegExp(`package\\.json$|licen|${tools}`),
  },
];

const passed = new PassedChecks(cacheDir);
const tree = process.argv.includes('--cold') ? null : hashTree();

/** The arguments of a check for what has changed since it passed; null: nothing has. */
function planArgs(check: Check, inputs: Hashes): readonly string[] | null {
  const before = passed.read(check.name);
  if (before === null) return check.args;
  const changed = diffHashes(before, inputs);
  if (changed.length === 0) return null;
  const isWhole = check.byFile !== true || changed.some((path) => path.endsWith('.json') || !(path in inputs));
  if (isWhole) return check.args;
  const files = withImporters(changed, inputs);
  return files.length > importersMax ? check.args : [...check.args, ...files];
}

function inputsOf(check: Check): Hashes {
  return Object.fromEntries(Object.entries(tree ?? {}).filter(([path]) => check.inputs.test(path)));
}

function spawnCheck(check: Check, args: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const env = { ...process.env, ...check.env };
    const child = spawn(`node_modules/.bin/${check.command}`, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), checkTimeoutMs);
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (exitCode, signal) => {
      clearTimeout(timer);
      const output = Buffer.concat(chunks).toString('utf8');
      resolve({ check, failed: exitCode !== 0, output: signal === null ? output : `${output}\nended by ${signal}` });
    });
  });
}

async function runCheck(check: Check): Promise<Outcome> {
  const startedAtMs = performance.now();
  const inputs = inputsOf(check);
  const args = tree === null ? check.args : planArgs(check, inputs);
  const outcome = args === null ? { check, failed: false, output: '' } : await spawnCheck(check, args);
  if (tree !== null && !outcome.failed) passed.write(check.name, inputs);
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
  const how = args === null ? 'ok, nothing changed' : `${outcome.failed ? 'FAILED' : 'ok'} in ${seconds} s`;
  console.log(`${check.name.padEnd(12)} ${how}`);
  return outcome;
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
