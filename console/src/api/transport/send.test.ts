import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ApiProblem } from './problem.ts';
import { sendForFile, sendJson } from './send.ts';
import { setAsker } from './verification.ts';

afterEach(() => {
  setAsker(null);
  vi.unstubAllGlobals();
});

function serve(...responses: readonly (Response | Error)[]): RequestInit[] {
  const sent: RequestInit[] = [];
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    const response = responses[sent.length] ?? new Error('no response');
    sent.push(init);
    return response instanceof Response ? Promise.resolve(response) : Promise.reject(response);
  });
  return sent;
}
const json = (body: unknown, status: number, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
const refusal = async (request: Promise<unknown>): Promise<ApiProblem> =>
  request.then(
    () => expect.unreachable('it succeeds'),
    (error: unknown) => error as ApiProblem,
  );

describe('a response', () => {
  test('a response without content is null', async () => {
    serve(new Response(null, { status: 204 }));
    expect(await sendJson('/v1/x')).toBeNull();
  });

  test('a request has a content type only where it has a body', async () => {
    const sent = serve(json({ a: 1 }, 200), json({}, 200));
    expect(await sendJson('/v1/x')).toEqual({ a: 1 });
    await sendJson('/v1/x', { method: 'PUT', body: { b: 2 } });
    expect(sent.map(({ headers }) => new Headers(headers).get('content-type'))).toEqual([null, 'application/json']);
    expect(sent.map(({ body }) => body)).toEqual([undefined, '{"b":2}']);
  });
});

describe('a problem', () => {
  test.each([
    [
      'a problem of the APIs has its code and sentence',
      json({ error: 'not_found', message: 'There is none.', requestId: 'r1' }, 404),
      { code: 'not_found', message: 'There is none.', status: 404, requestId: 'r1' },
    ],
    [
      'a problem of the Reports API has its code beside its sentence',
      json({ error: 'The query is too long.', code: 'query_too_long' }, 400, { 'x-request-id': 'r2' }),
      { code: 'query_too_long', message: 'The query is too long.', status: 400, requestId: 'r2' },
    ],
    [
      'a problem of a proxy has the status as its code',
      json('<html>Bad gateway</html>', 502),
      { code: 'http_502', status: 502, fields: [], requestId: null },
    ],
    ['a problem without a body has the status as its code', json('null', 500), { code: 'http_500', status: 500 }],
    [
      'a problem of limits says when to come back',
      json({ error: 'rate_limited', message: '' }, 429, { 'retry-after': '7' }),
      { retryAfterSeconds: 7 },
    ],
    [
      'a problem with a date to come back says no seconds',
      json({ error: 'rate_limited' }, 429, { 'retry-after': 'Fri, 01 Mar 2030 00:00:00 GMT' }),
      { retryAfterSeconds: null },
    ],
  ])('%s', async (_title, response, facts) => {
    serve(response);
    expect(await refusal(sendJson('/v1/x'))).toMatchObject(facts);
  });

  test('a missing response means offline, and an aborted request says so', async () => {
    serve(new TypeError('failed to fetch'), new DOMException('aborted', 'AbortError'));
    expect(await refusal(sendJson('/v1/x'))).toMatchObject({ code: 'offline', status: 0 });
    expect(await refusal(sendJson('/v1/x'))).toMatchObject({ name: 'AbortError' });
  });
});

describe('a fresh proof', () => {
  const wanted = (): Response => json({ error: 'verification_required', message: 'Prove it.' }, 403);

  test('a proof is asked for once, then the request is sent again', async () => {
    const sent = serve(wanted(), json({ done: true }, 200));
    setAsker(() => Promise.resolve(true));
    expect(await sendJson('/v1/x', { method: 'POST', body: { a: 1 } })).toEqual({ done: true });
    expect(sent.map(({ body }) => body)).toEqual(['{"a":1}', '{"a":1}']);
  });

  test('a proof that is wanted again is a problem, and so is a proof that the member would rather not give', async () => {
    const sent = serve(wanted(), wanted(), wanted());
    setAsker(() => Promise.resolve(true));
    expect(await refusal(sendJson('/v1/x'))).toMatchObject({ code: 'verification_required' });
    expect(sent).toHaveLength(2);
    setAsker(() => Promise.resolve(false));
    expect(await refusal(sendJson('/v1/x'))).toMatchObject({ code: 'verification_required' });
    expect(sent).toHaveLength(3);
  });
});

describe('a file', () => {
  const options = { body: {}, accept: 'text/csv', signal: new AbortController().signal };

  test('a file is complete, and its bytes are counted', async () => {
    serve(new Response('a,b\r\n'));
    const counts: number[] = [];
    const file = await sendForFile('/v1/x', { ...options, onProgress: (bytes) => counts.push(bytes) });
    expect([await file.text(), file.type, counts.at(-1)]).toEqual(['a,b\r\n', 'text/csv', 5]);
  });

  test('a file that breaks off means offline', async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array([97]));
      },
      pull(controller) {
        controller.error(new TypeError('terminated'));
      },
    });
    serve(new Response(body));
    expect(await refusal(sendForFile('/v1/x', { ...options, onProgress: () => undefined }))).toMatchObject({
      code: 'offline',
    });
  });

  test('a file that is refused is a problem', async () => {
    serve(json({ error: 'too_many_rows', message: 'Narrow it.' }, 413));
    expect(await refusal(sendForFile('/v1/x', { ...options, onProgress: () => undefined }))).toMatchObject({
      code: 'too_many_rows',
      status: 413,
    });
  });
});
