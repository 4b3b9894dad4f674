import fc from 'fast-check';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { type BodyLineLimits, readBodyLines } from './body-lines.ts';

const LIMITS: BodyLineLimits = {
  bytesMax: 10_000,
  lineBytesMax: 100,
  tooLong: (line) => new PlacardError('invalid_request', `line ${line}`),
};

function bodyOf(
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  headers: Record<string, string> = {},
): IncomingMessage {
  return Object.assign(Readable.from(chunks, { objectMode: false }), { headers }) as unknown as IncomingMessage;
}

async function linesOf(body: IncomingMessage, limits: Partial<BodyLineLimits> = {}): Promise<string[]> {
  return Array.fromAsync(readBodyLines(body, { ...LIMITS, ...limits }));
}

describe('readBodyLines', () => {
  test('lines are the same however the body is cut into chunks', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ż', '\r\n', '\n', '\u{1F600}', ','), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(60), { maxLength: 8 }), async (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const at = [0, ...cuts.filter((cut) => cut < bytes.length).toSorted((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const expected = whole.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(await linesOf(bodyOf(chunks.filter((chunk) => chunk.length > 0)))).toEqual(expected);
      }),
    );
  });

  test('a line over its bound is rejected long before the body ends', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        sent += 64;
        yield Buffer.alloc(64, 'x');
      }
    }
    await expect(linesOf(bodyOf(endless()), { bytesMax: 1e12 })).rejects.toThrow('line 1');
    expect(sent).toBeLessThan(1_000_000);
  });

  test.each([
    ['a line over its bound inside one chunk', `a\n${'x'.repeat(102)}\nb`, 'invalid_request'],
    ['more bytes than the body may have', 'x\n'.repeat(5_001), 'payload_too_large'],
  ])('the parser rejects %s', async (_name, text, code) => {
    await expect(linesOf(bodyOf([Buffer.from(text)]))).rejects.toMatchObject({ code });
  });

  test('a body that is too large or compressed is rejected by its headers', async () => {
    const tooLarge = bodyOf([], { 'content-length': '10001' });
    await expect(linesOf(tooLarge)).rejects.toMatchObject({ code: 'payload_too_large' });
    const packed = bodyOf([], { 'content-encoding': 'gzip' });
    await expect(linesOf(packed)).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test('a client that sends one byte per second is rejected after half a minute; our own slow work is waited for', async () => {
    let nowMs = 0;
    async function* drip(): AsyncGenerator<Buffer> {
      for (let second = 0; second < 100; second += 1) {
        nowMs += 1_000;
        yield Buffer.from('\n');
      }
    }
    await expect(linesOf(bodyOf(drip()), { elapsedMs: () => nowMs })).rejects.toMatchObject({
      code: 'request_timeout',
    });
    expect(nowMs).toBeLessThan(35_000);
    const read = [];
    for await (const line of readBodyLines(bodyOf([Buffer.from('a\nb\n'), Buffer.from('c\n')]), {
      ...LIMITS,
      elapsedMs: () => nowMs,
    })) {
      nowMs += 100_000;
      read.push(line);
    }
    expect(read).toEqual(['a', 'b', 'c']);
  });

  test('a body that is cut off differs from one that ends', async () => {
    async function* cut(): AsyncGenerator<Buffer> {
      yield Buffer.from('a\nb');
      throw new Error('aborted');
    }
    await expect(linesOf(bodyOf(cut()))).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
