import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HttpReply } from '../../../http/shared/route.ts';
import { BidRetries } from './bid-retries.ts';
import type { RequestIdentity } from './request-identity.ts';

let nowMs = 1_000_000;

function makeRetries(bounds: { requestsMax?: number; repliesBytesMax?: number } = {}): BidRetries {
  return new BidRetries({ nowMs: () => nowMs, requestsMax: 256, repliesBytesMax: 1_000_000, ...bounds });
}

/** The first words of two contents are alike where both are odd or both are even, so that they share a bucket. */
function identity(content: number, id = content): RequestIdentity {
  return { digest: Uint32Array.of(content % 2, content, content * 3, content * 5), idHash: id };
}

/** Returns a response with a number that rises with each call. */
function responder(): { made: () => number; next: () => HttpReply } {
  let made = 0;
  return {
    made: () => made,
    next: () => ({ status: 200, headers: { 'cache-control': 'no-store' }, body: `{"ad":"ź${++made}"}` }),
  };
}

describe('a retried bid request', () => {
  test('a retry gets the first response byte for byte within ten seconds, and is a new request after that', async () => {
    const retries = makeRetries();
    const responses = responder();
    const first = await retries.respondOnce(identity(1), responses.next);
    nowMs += 9_999;
    expect(await retries.respondOnce(identity(1), responses.next)).toEqual(first);
    nowMs += 1;
    expect(await retries.respondOnce(identity(1), responses.next)).not.toEqual(first);
    expect(responses.made()).toBe(2);
    expect(retries.stats).toEqual({ repeated: 1, lost: 0, reusedIds: 0 });
  });

  test('other content under the same id is a new request and counts as a reused id', async () => {
    const retries = makeRetries();
    const responses = responder();
    for (let user = 1; user <= 10; user += 1) await retries.respondOnce(identity(user, 77), responses.next);
    expect(responses.made()).toBe(10);
    // The first word of the digest tells contents apart for this metric.
    expect(retries.stats).toMatchObject({ repeated: 0, reusedIds: 9 });
    nowMs += 10_000;
    await retries.respondOnce(identity(11, 77), responses.next);
    expect(retries.stats.reusedIds).toBe(9);
  });

  test('a retry waits for the first response', async () => {
    const retries = makeRetries();
    const first = Promise.withResolvers<HttpReply>();
    const responses = responder();
    const replies = [
      retries.respondOnce(identity(1), () => first.promise),
      retries.respondOnce(identity(1), responses.next),
    ];
    first.resolve({ status: 200, headers: {}, body: 'first' });
    for (const reply of replies) expect(await reply).toEqual({ status: 200, headers: {}, body: 'first' });
    expect(await retries.respondOnce(identity(1), responses.next)).toMatchObject({ body: 'first' });
    expect(responses.made()).toBe(0);
  });

  test('a retry gets even the empty response and the headers of the first', async () => {
    const retries = makeRetries();
    const empty = { status: 204, headers: { 'x-openrtb-version': '2.6' } };
    await retries.respondOnce(identity(1), () => empty);
    expect(await retries.respondOnce(identity(1), responder().next)).toEqual({ ...empty, body: null });
  });

  test('a retry is a new request when the first failed or its response has been overwritten', async () => {
    const retries = makeRetries({ repliesBytesMax: 800_000 });
    const responses = responder();
    expect(() =>
      retries.respondOnce(identity(1), () => {
        throw new Error('broken');
      }),
    ).toThrow('broken');
    await expect(
      retries.respondOnce(identity(1), async () => {
        throw new Error('broken again');
      }),
    ).rejects.toThrow();
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(1);
    for (let at = 0; at < 10; at += 1)
      await retries.respondOnce(identity(100 + at), () => ({ status: 200, body: 'x'.repeat(100_000) }));
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(2);
    await retries.respondOnce(identity(1), responses.next);
    expect(responses.made()).toBe(2);
    expect(retries.stats.lost).toBe(3);
  });

  test('a response that comes late does not become that of the request which took its index', async () => {
    const retries = makeRetries({ requestsMax: 1 });
    const late = Promise.withResolvers<HttpReply>();
    const waiting = retries.respondOnce(identity(1), () => late.promise);
    const tooLong = { status: 200, headers: {}, body: 'x'.repeat(300_000) };
    await retries.respondOnce(identity(2), () => tooLong);
    expect(retries.respondOnce(identity(2), () => tooLong)).toBe(tooLong);
    await retries.respondOnce(identity(3), () => ({ status: 200, headers: {}, body: 'third' }));
    late.resolve({ status: 200, headers: {}, body: 'first' });
    await waiting;
    expect(await retries.respondOnce(identity(3), responder().next)).toMatchObject({ body: 'third' });
  });
});

test('a request gets the response of its content in the window while it is among the latest, and else its own', async () => {
  const sends = fc.array(fc.record({ content: fc.nat(9), waitMs: fc.constantFrom(0, 1, 4_000, 10_000) }), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(sends, fc.constantFrom(1, 4, 16), async (all, requestsMax) => {
      const retries = makeRetries({ requestsMax });
      const responses = responder();
      /** The newest requests last. */
      let remembered: { content: number; reply: HttpReply; atMs: number }[] = [];
      for (const { content, waitMs } of all) {
        nowMs += waitMs;
        const known = remembered.findLast((one) => one.content === content);
        const before = responses.made();
        const reply = await retries.respondOnce(identity(content), responses.next);
        if (known !== undefined && nowMs - known.atMs < 10_000)
          expect([reply, responses.made()]).toEqual([known.reply, before]);
        else {
          expect(responses.made()).toBe(before + 1);
          remembered = [...remembered, { content, reply, atMs: nowMs }].slice(-requestsMax);
        }
      }
    }),
    { numRuns: 200 },
  );
});
