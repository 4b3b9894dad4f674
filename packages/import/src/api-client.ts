import { setTimeout as sleep } from 'node:timers/promises';
import { ImportError } from './plan/import-error.ts';

const TRIES_MAX = 6;
const REQUEST_MS_MAX = 60_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
const MESSAGES_MAX = 5;

/** Where the API is, and the key of an administrator or editor of the network. */
export interface ApiAddress {
  /** Such as `https://ads.example:8443`, or with `/staging` at its end. */
  readonly url: string;
  readonly key: string;
}

interface Problem {
  readonly message?: string;
}

/** The public management API. Waits and repeats while the service is limited or unavailable. */
export class ApiClient {
  readonly #address: ApiAddress;

  constructor(address: ApiAddress) {
    this.#address = { ...address, url: address.url.replace(/\/+$/, '') };
  }

  /** The data of a document. @throws ImportError */
  async graphql<T>(query: string, variables: Readonly<Record<string, unknown>>): Promise<T> {
    const body = Buffer.from(JSON.stringify({ query, variables }));
    const response = (await this.#send('/graphql', { 'content-type': 'application/json' }, body)) as {
      readonly data?: T;
      readonly errors?: readonly Problem[];
    };
    if (response.errors !== undefined || response.data === undefined || response.data === null)
      throw new ImportError(messagesOf(response.errors ?? [response as Problem]));
    return response.data;
  }

  /** Uploads a file, and returns the address that a creative's content takes. @throws ImportError */
  async upload(bytes: Buffer): Promise<string> {
    const { url } = (await this.#send('/assets', { 'content-type': 'application/octet-stream' }, bytes)) as {
      url?: string;
    };
    if (url === undefined) throw new ImportError('The response to an upload has no address.');
    return url;
  }

  async #send(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<unknown> {
    const { url, key } = this.#address;
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { ...headers, accept: 'application/json', authorization: `Bearer ${key}` },
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(REQUEST_MS_MAX),
      }).catch((error: unknown) => (tries < TRIES_MAX ? null : Promise.reject(unreachable(url, error))));
      if (response !== null && response.status !== 429 && response.status < 500) return parse(response);
      if (tries >= TRIES_MAX)
        throw new ImportError(`${path} responds with ${response?.status ?? 'nothing'} after ${tries} tries.`);
      const stated = Number(response?.headers.get('retry-after') ?? Number.NaN) * 1_000;
      await sleep(Math.min(RETRY_MS_MAX, Number.isFinite(stated) ? stated : RETRY_MS * 2 ** tries));
    }
  }
}

async function parse(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    if (response.ok || (typeof value === 'object' && value !== null && 'errors' in value)) return value;
    throw new ImportError(`${response.status}: ${(value as Problem).message ?? text.slice(0, 200)}`);
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError(`${response.status}: ${text.slice(0, 200)}`);
  }
}

function unreachable(url: string, error: unknown): ImportError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return new ImportError(`${url} cannot be reached: ${cause}`);
}

function messagesOf(errors: readonly Problem[]): string {
  const messages = errors.slice(0, MESSAGES_MAX).map(({ message }) => message ?? 'no message');
  return messages.join('\n');
}
