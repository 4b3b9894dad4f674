import { get as getPlain } from 'node:http';
import { get as getTls } from 'node:https';

/** Largest difference between the share of filled requests under load and the expected one, in shares of all requests. */
const DIFFERENCE_MAX = 0.02;

/**
 * Checks that load gets as many ads as before: a response without an ad costs less, and the load generator counts both alike. The figures
 * come from the worker's `/metrics`, so there must be one worker.
 */
export class FillWatch {
  readonly #metricsUrl: string;
  #expected: number | null;

  /** @param expected share of requests that get an ad, 0…1; null = as in the first load */
  constructor(bidUrl: string, expected: number | null) {
    this.#metricsUrl = new URL('/metrics', bidUrl).href;
    this.#expected = expected;
  }

  /** Runs a load and returns its measurements. @throws Error when its share of filled requests is not the expected one */
  async during<T>(load: () => Promise<T>): Promise<T> {
    const before = await this.#countResponses();
    const result = await load();
    const after = await this.#countResponses();
    const filled = (after.get('200') ?? 0) - (before.get('200') ?? 0);
    const share = filled / (sumOf(after) - sumOf(before));
    this.#expected ??= share;
    // The share is NaN when there are no responses, and fails too.
    if (!(Math.abs(share - this.#expected) <= DIFFERENCE_MAX))
      throw new Error(`Under load ${percent(share)} of the requests got an ad instead of ${percent(this.#expected)}`);
    return result;
  }

  /** Responses of the bid endpoint so far, by status. */
  async #countResponses(): Promise<Map<string, number>> {
    const text = await read(this.#metricsUrl);
    const lines = text.matchAll(/^placard_delivery_request_seconds_count\{route="bid",status="(\d+)"\} (\d+)$/gm);
    return new Map(Array.from(lines, ([, status = '', count]) => [status, Number(count)]));
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function read(url: string): Promise<string> {
  const options = { rejectUnauthorized: false, agent: false };
  return new Promise((resolve, reject) => {
    const get = url.startsWith('https:') ? getTls : getPlain;
    get(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    }).once('error', reject);
  });
}
