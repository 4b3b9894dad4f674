import { ApiProblem, type FieldProblem } from './problem.ts';
import { askingAgain } from './verification.ts';

/** A request to our own origin. */
export interface Sending {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface AnyErrorBody {
  readonly error?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly fields?: readonly FieldProblem[];
  readonly requestId?: string;
}

/**
 * Sends JSON and reads JSON; an empty response is null. The browser adds the session's cookie: there is no other origin.
 * Where the server wants a fresh proof of who this is, that is asked for, and the request made once more.
 *
 * @throws ApiProblem for every response outside 2xx, and when there is none; AbortError when `signal` is aborted.
 */
export function sendJson<T>(path: string, sending: Sending = {}): Promise<T> {
  return askingAgain(() => sendOnce<T>(path, sending));
}

/** A request for a file of any size. */
export interface FileSending {
  readonly body: unknown;
  /** The media type of the file. */
  readonly accept: string;
  readonly signal: AbortSignal;
  /** Told of the bytes that have arrived. */
  readonly onProgress: (bytes: number) => void;
}

/**
 * Sends JSON and reads a file, which is complete.
 *
 * @throws ApiProblem for every response outside 2xx, and when it breaks off; AbortError when `signal` is aborted.
 */
export async function sendForFile(path: string, { body, accept, signal, onProgress }: FileSending): Promise<Blob> {
  const headers = { accept, 'content-type': 'application/json' };
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body), signal });
  if (!response.ok) throw toApiProblem(response, parse(await response.text()));
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  try {
    for (const incoming = response.body?.getReader(); incoming !== undefined; ) {
      const { done, value } = await incoming.read();
      if (done) break;
      pieces.push(value);
      onProgress((bytes += value.length));
    }
  } catch (error) {
    throw toOffline(error);
  }
  return new Blob(pieces, { type: accept });
}

async function sendOnce<T>(path: string, { method = 'GET', body, headers, signal }: Sending): Promise<T> {
  const response = await ask(path, {
    method,
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  const value = parse(text);
  if (!response.ok) throw toApiProblem(response, value);
  return value as T;
}

async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { credentials: 'same-origin', redirect: 'error', cache: 'no-store', ...init });
  } catch (error) {
    throw toOffline(error);
  }
}

function toOffline(error: unknown): unknown {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new ApiProblem({ code: 'offline', message: '', status: 0 });
}

function parse(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** Both shapes of an error: `{error: code, message}`, and the Reports API's `{error: sentence, code}`. */
function toApiProblem(response: Response, value: unknown): ApiProblem {
  const body = (typeof value === 'object' && value !== null ? value : {}) as AnyErrorBody;
  const error = typeof body.error === 'string' ? body.error : `http_${response.status}`;
  const isReports = typeof body.code === 'string';
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem({
    code: isReports ? String(body.code) : error,
    message: isReports ? error : typeof body.message === 'string' ? body.message : response.statusText,
    status: response.status,
    fields: body.fields ?? [],
    requestId: body.requestId ?? response.headers.get('x-request-id'),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    details: { ...body },
  });
}
