import { textOfCauses } from './punctual.ts';
import { spawn } from 'node:child_process';
import type { FillWatch } from './fill-watch.ts';
import { cpuMicros, runLoad } from './load.ts';
import type { LoadPlan, LoadResult } from './load.ts';

const WARM_UP_SECONDS = 3;

/** A bare server that runs (`floor-server.ts`). */
export interface Floor {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** One server of a comparison. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** Watches that its requests are filled as they should be. */
  readonly fill?: FillWatch;
}

/** Medians over the rounds. */
export interface Measured {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of all rounds. */
  readonly errors: number;
}

/** Starts a bare server that returns this many bytes to some requests out of four. @param pemFile key and certificate; null = no TLS */
export async function startFloor(responseBytes: number, pemFile: string | null, outOfFour: number): Promise<Floor> {
  const file = new URL('floor-server.ts', import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [file, String(responseBytes), String(outOfFour), ...(pemFile === null ? [] : [pemFile])],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
  );
  const url = `${pemFile === null ? 'http' : 'https'}://127.0.0.1:${port}/`;
  return { url, pid: child.pid ?? 0, stop: () => child.kill('SIGTERM') };
}

/**
 * Loads the servers in turn, each alone, and prints what each round measured.
 * @throws Error from a contender's `fill`, or where a response has another status than 2xx: a refusal is cheaper than an ad
 */
export async function compareRounds(
  plan: Omit<LoadPlan, 'url'>,
  rounds: number,
  contenders: readonly Contender[],
): Promise<Measured[]> {
  for (const one of contenders) await loadOne({ ...plan, seconds: WARM_UP_SECONDS }, one);
  const samples = contenders.map((): Measured[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const { name, pid } = contender;
      const beforeMicros = cpuMicros(pid);
      const { requests, requestsPerSecond, p50Ms, p99Ms, errors, causes } = await loadOne(plan, contender);
      const cpuMicrosPerRequest = (cpuMicros(pid) - beforeMicros) / requests;
      const sample = { name, requestsPerSecond, cpuMicrosPerRequest, p50Ms, p99Ms, errors };
      samples[index]?.push(sample);
      console.log(`${describe(sample)}${textOfCauses(causes)}`);
    }
  }
  const failed = samples.flat().filter(({ errors }) => errors > 0);
  if (failed.length > 0) throw new Error(failed.map(({ name, errors }) => `${name}: ${errors} failed`).join('; '));
  return samples.map((own, index) => {
    const middle = middleOf(contenders[index]?.name ?? '', own);
    console.log(`median: ${describe(middle)}`);
    return middle;
  });
}

function loadOne(plan: Omit<LoadPlan, 'url'>, { url, fill }: Contender): Promise<LoadResult> {
  const load = (): Promise<LoadResult> => runLoad({ ...plan, url });
  return fill === undefined ? load() : fill.during(load);
}

function middleOf(name: string, samples: readonly Measured[]): Measured {
  const median = (valueOf: (one: Measured) => number): number =>
    samples.map(valueOf).sort((left, right) => left - right)[samples.length >> 1] ?? Number.NaN;
  return {
    name,
    requestsPerSecond: median((one) => one.requestsPerSecond),
    cpuMicrosPerRequest: median((one) => one.cpuMicrosPerRequest),
    p50Ms: median((one) => one.p50Ms),
    p99Ms: median((one) => one.p99Ms),
    errors: samples.reduce((sum, one) => sum + one.errors, 0),
  };
}

function describe(one: Measured): string {
  return `${one.name.padEnd(16)} ${one.requestsPerSecond.toFixed(0).padStart(8)} req/s  ${one.cpuMicrosPerRequest.toFixed(1)} µs CPU/request  p50 ${one.p50Ms.toFixed(2)} ms  p99 ${one.p99Ms.toFixed(2)} ms  ${one.errors} errors`;
}
