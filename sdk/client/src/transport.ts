import { PlacardApiError, PlacardConnectionError } from './errors.ts';
import { nextWaitMs, type RetryRules } from './retry.ts';

/** The caller's options of one call. */
export interface CallOptions {
  /** Ends the call: the request under way, or the wait before the next one. Rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of each request in milliseconds; over it the request counts as failed, and the retry rules apply. */
  readonly timeoutMs?: number;
}

/** One request to send. */
export interface Outgoing {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Blob | Uint8Array<ArrayBuffer>;
  /** False: what may have been done already is not sent again. */
  readonly isRepeatable?: boolean;
  readonly options: CallOptions;
}

/** The dependencies of requests. */
export interface TransportSettings {
  readonly fetch: typeof fetch;
  readonly retry: RetryRules;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Waits so long, or rejects with the signal's reason. */
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** A response with a status below 400. `text` is its whole body; '' when it is to be read as a stream. */
export interface Received {
  readonly response: Response;
  readonly text: string;
  /** Lets go of the caller's signal; does nothing unless the body is yet to be read. */
  readonly release: () => void;
}

interface Attempted {
  readonly received: Received | null;
  readonly failure: unknown;
  readonly timedOut: boolean;
}

/** Sends requests by the retry rules. */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /** Sends until a response is final, and reads its body within the time limit. Throws as `#send` does. */
  async send(outgoing: Outgoing): Promise<Received> {
    return this.#send(outgoing, false);
  }

  /** As `send`, for a body of any length: the time limit ends with the headers, the caller reads the rest; its signal ends that, too. */
  async openStream(outgoing: Outgoing): Promise<ReadableStream<Uint8Array>> {
    const { response, release } = await this.#send(outgoing, true);
    if (response.body !== null) return whenRead(response.body, release);
    release();
    return new ReadableStream({ start: (controller) => controller.close() });
  }

  /** As `send`, and reads the body as JSON. */
  async sendForJson<T>(outgoing: Outgoing): Promise<T> {
    return JSON.parse((await this.send(outgoing)).text) as T;
  }

  /** @throws PlacardApiError for 400 and above, PlacardConnectionError without a response, or the signal's reason */
  async #send(outgoing: Outgoing, isStream: boolean): Promise<Received> {
    const { retry, nowMs, random, wait } = this.#settings;
    for (let number = 1; ; number += 1) {
      const { received, failure, timedOut } = await this.#attempt(outgoing, isStream);
      if (received !== null && received.response.status < 400) return received;
      const limits = describeLimits(received);
      // A 429 was refused before anything was done.
      const isRepeatable = outgoing.isRepeatable !== false || limits.status === 429;
      const waitMs = isRepeatable ? nextWaitMs({ number, ...limits }, retry, nowMs(), random) : null;
      if (waitMs === null) {
        if (received !== null) throw toApiError(received, number, limits.resetAt);
        const message = timedOut ? `no response in time from ${outgoing.url}` : `no connection to ${outgoing.url}`;
        throw new PlacardConnectionError(message, { attempts: number, timedOut, cause: failure });
      }
      await wait(waitMs, outgoing.options.signal);
    }
  }

  /** One request. A failed request is a value; only the caller's own abort is thrown. */
  async #attempt(outgoing: Outgoing, isStream: boolean): Promise<Attempted> {
    const { signal, timeoutMs = this.#settings.timeoutMs } = outgoing.options;
    // Not as a method: some edge runtimes refuse a fetch that is called on another object.
    const { fetch: fetchIt } = this.#settings;
    signal?.throwIfAborted();
    let timedOut = false;
    const { controller, release } = followSignal(signal);
    const timer = setTimeout(() => {
      timedOut = true;
      controller.abort(new Error(`no response within ${timeoutMs} ms`));
    }, timeoutMs);
    let isOpen = false;
    try {
      const response = await fetchIt(outgoing.url, {
        method: outgoing.method,
        headers: outgoing.headers,
        signal: controller.signal,
        ...(outgoing.body === undefined ? {} : { body: outgoing.body }),
      });
      isOpen = isStream && response.status < 400;
      const text = isOpen ? '' : await response.text();
      return { received: { response, text, release }, failure: null, timedOut: false };
    } catch (failure) {
      signal?.throwIfAborted();
      return { received: null, failure, timedOut };
    } finally {
      clearTimeout(timer);
      if (!isOpen) release();
    }
  }
}

/** A controller that aborts when `signal` does, until it is released. Not every edge runtime has `AbortSignal.any`. */
function followSignal(signal: AbortSignal | undefined): { controller: AbortController; release: () => void } {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal?.reason);
  signal?.addEventListener('abort', follow, { once: true });
  return { controller, release: () => signal?.removeEventListener('abort', follow) };
}

/** The same bytes; calls `release` once they are all read, broke off, or are not wanted any more. */
function whenRead(body: ReadableStream<Uint8Array>, release: () => void): ReadableStream<Uint8Array> {
  const source = body.getReader();
  return new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await source.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      release();
    },
    cancel: async (reason) => {
      release();
      await source.cancel(reason);
    },
  });
}

/** The wait that clients use unless they are given another. */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) return stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function describeLimits(received: Received | null): {
  status: number | null;
  retryAfterS: number | null;
  resetAt: number | null;
} {
  if (received === null) return { status: null, retryAfterS: null, resetAt: null };
  const { response } = received;
  const retryAfter = response.headers.get('retry-after') ?? '';
  const reset = response.headers.get('x-ratelimit-reset') ?? '';
  const stated = readObject(received.text)['reset'];
  return {
    status: response.status,
    retryAfterS: /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null,
    resetAt:
      response.status !== 429
        ? null
        : typeof stated === 'number'
          ? stated
          : /^\d{1,12}$/.test(reset)
            ? Number(reset)
            : null,
  };
}

function toApiError({ response, text }: Received, attempts: number, resetAt: number | null): PlacardApiError {
  return new PlacardApiError({
    status: response.status,
    body: readObject(text),
    requestId: response.headers.get('x-request-id') ?? '',
    resetAt,
    attempts,
  });
}

/** The body as an object; empty when it is none (a proxy's page). */
function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
