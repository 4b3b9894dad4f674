import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { FRESH_ID, newFreshIds } from './fresh-id.ts';

/** The measurements of one run of load. Times in milliseconds. */
export interface LoadResult {
  readonly generator: 'wrk' | 'autocannon';
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Responses by status class: a run reports everything but 2xx. */
  readonly errors: number;
  /** How many of them for which reason. */
  readonly causes: Readonly<Record<string, number>>;
  readonly requests: number;
}

/** A run of load: bodies are sent in turn over keep-alive connections, each sending with an id of its own in place of `FRESH_ID`. */
export interface LoadPlan {
  readonly url: string;
  readonly bodies: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
}

/** Sends load with wrk where it is installed (it costs the machine least), else with autocannon. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  return hasWrk() ? runWrk(plan) : runAutocannon(plan);
}

function hasWrk(): boolean {
  return spawnSync('wrk', ['--version']).error === undefined;
}

async function runWrk(plan: LoadPlan): Promise<LoadResult> {
  const dir = mkdtempSync(join(tmpdir(), 'placard-bench-'));
  const script = join(dir, 'load.lua');
  writeFileSync(script, luaScript(plan));
  const child = spawn('wrk', [
    '-t1',
    `-c${plan.connections}`,
    `-d${plan.seconds}s`,
    '--latency',
    '-s',
    script,
    plan.url,
  ]);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(dir, { recursive: true });
  const line = Buffer.concat(chunks)
    .toString()
    .split('\n')
    .find((one) => one.startsWith('RESULT '));
  if (line === undefined) throw new Error(`wrk said nothing of use:\n${Buffer.concat(chunks).toString()}`);
  const [requests = 0, durationUs = 1, p50Us = 0, p99Us = 0, ...counts] = line.split(' ').slice(1).map(Number);
  const causes = Object.fromEntries(WRK_CAUSES.map((cause, at) => [cause, counts[at] ?? 0]));
  return {
    generator: 'wrk',
    requestsPerSecond: requests / (durationUs / 1e6),
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    errors: counts.reduce((sum, count) => sum + count, 0),
    causes,
    requests,
  };
}

/** In the order of its errors. */
const WRK_CAUSES = ['not connected', 'not read', 'not written', 'another status', 'timed out'];

function luaScript(plan: LoadPlan): string {
  const quote = (text: string): string => `[==[${text}]==]`;
  const headers = Object.entries(plan.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${quote(value)}`,
  );
  const { prefix, digits } = newFreshIds();
  return `
local bodies = { ${plan.bodies.map(quote).join(', ')} }
wrk.method = "POST"
${headers.join('\n')}
local heads, tails, turn = {}, {}, 0
function init(args)
  for i, body in ipairs(bodies) do
    local whole = wrk.format(nil, nil, nil, body)
    local first, last = string.find(whole, "${FRESH_ID}", 1, true)
    heads[i] = first and string.sub(whole, 1, first - 1) .. "${prefix}" or whole
    tails[i] = first and string.sub(whole, last + 1)
  end
end
function request()
  local i = turn % #heads + 1
  turn = turn + 1
  local tail = tails[i]
  if not tail then return heads[i] end
  return heads[i] .. string.format("%0${digits}d", turn) .. tail
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect, e.read, e.write, e.status, e.timeout))
end`;
}

async function runAutocannon(plan: LoadPlan): Promise<LoadResult> {
  const result = await autocannon({
    url: plan.url,
    connections: plan.connections,
    duration: plan.seconds,
    workers: 1,
    idReplacement: true,
    requests: plan.bodies.map((body) => ({
      method: 'POST' as const,
      body: body.replace(FRESH_ID, '[<id>]'),
      headers: { ...plan.headers },
    })),
  });
  return {
    generator: 'autocannon',
    requestsPerSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.non2xx + result.errors,
    causes: {
      ...Object.fromEntries(
        Object.entries(result.statusCodeStats ?? {})
          .filter(([status]) => !status.startsWith('2'))
          .map(([status, { count = 0 }]) => [`status ${status}`, count]),
      ),
      'timed out': result.timeouts,
      'connection failed': result.errors - result.timeouts,
    },
    requests: result.requests.total,
  };
}

/** CPU time that a process has used so far, user and system, in microseconds (Linux; elsewhere NaN). */
export function cpuMicros(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return ticks * 10_000;
  } catch {
    return Number.NaN;
  }
}

/** CPU time that a process and all that descend from it have used so far, in microseconds. What has ended is left out. */
export function cpuMicrosOfTree(pid: number): number {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const parent = Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {
      // It has ended meanwhile.
    }
  }
  const sum = (root: number): number =>
    (cpuMicros(root) || 0) + (children.get(root) ?? []).reduce((total, child) => total + sum(child), 0);
  return sum(pid);
}
