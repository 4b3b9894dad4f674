import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../errors.ts';
import { reduceError, toLogFields } from './log-line.ts';

/** An error as the PostgreSQL driver makes it, with a whole client inside. */
function driverError(): Error {
  return Object.assign(new Error('terminating connection due to administrator command'), {
    code: '57P01',
    client: { connection: new Socket(), password: 'hunter2' },
  });
}

describe('a reduced error', () => {
  test('a reduced error has name, code and message, and no members of a driver', () => {
    expect(reduceError(driverError(), 'error')).toEqual({
      name: 'Error',
      code: '57P01',
      message: 'terminating connection due to administrator command',
    });
  });

  test('a reduced error has frames of our own code when it is unexpected and the level is error', () => {
    const { stack } = reduceError(new TypeError('x is not a function'), 'error');
    expect(stack?.[0]).toMatch(/src\/domain\/log\/log-line\.test\.ts:\d+:\d+/);
    expect(stack?.join()).not.toMatch(/node:|node_modules|file:/);
  });

  test('a reduced error has frames when PostgreSQL rejects a statement as wrong', () => {
    const error = Object.assign(new Error('relation "x" does not exist'), { code: '42P01' });
    expect(reduceError(error, 'error')).toMatchObject({ code: '42P01', stack: expect.any(Array) as string[] });
  });

  test('a reduced error has no frames in a warning, and none for an error of ours', () => {
    expect(reduceError(new TypeError('x'), 'warn')).toEqual({ name: 'TypeError', message: 'x' });
    expect(reduceError(new PlacardError('not_found'), 'error')).not.toHaveProperty('stack');
  });

  test('a reduced error tells the messages of its causes and of all addresses that were tried', () => {
    const cause = new AggregateError([
      new Error('connect ECONNREFUSED ::1'),
      new Error('connect ECONNREFUSED 127.0.0.1'),
    ]);
    expect(reduceError(new Error('no database', { cause }), 'warn').message).toBe(
      'no database: connect ECONNREFUSED ::1, connect ECONNREFUSED 127.0.0.1',
    );
  });

  test('anything that was thrown can be reduced', () => {
    expect(reduceError('late', 'error')).toEqual({ name: 'string', message: 'late' });
  });
});

describe('fields of a log line', () => {
  test('log fields stay below 4 kB, whatever they hold', () => {
    const long = 'ä\n'.repeat(100_000);
    const list = Array.from({ length: 10_000 }, (_, index) => `GET /route/${index}`);
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`text${index}`, long]));
    const fields = toLogFields('process.failed', { err: new Error(long), list, ...many });
    expect(Buffer.byteLength(JSON.stringify(fields))).toBeLessThan(3_500);
    expect(fields['isCut']).toBe(true);
    expect((fields['list'] as string[]).at(-1)).toMatch(/^and \d+ more$/);
  });

  test('log fields are single lines without passwords and secrets', () => {
    const fields = toLogFields('process.failed', {
      text: 'cannot connect\n  to postgresql://placard:hunter2@db/placard',
      clientSecret: 'hunter2',
      err: new Error('redis://user:hunter2@cache'),
    });
    expect(fields['text']).toBe('cannot connect to postgresql://placard:[redacted]@db/placard');
    expect(JSON.stringify(fields)).not.toContain('hunter2');
  });

  test('log fields read at most 4,000 characters of a text', () => {
    const read: number[] = [];
    // The regular expressions get the value that this text returns.
    const text = Object.assign(new Error(), { message: `a${' '.repeat(100_000)}\nb` });
    const original = String.prototype.replaceAll;
    String.prototype.replaceAll = function (this: string, ...args: Parameters<typeof original>) {
      read.push(this.length);
      return original.apply(this, args);
    } as typeof original;
    try {
      expect(reduceError(text, 'warn').message).toBe(`a${' '.repeat(999)}…`);
      toLogFields('process.failed', { list: [`a${' '.repeat(100_000)}`] });
    } finally {
      String.prototype.replaceAll = original;
    }
    expect(Math.max(...read)).toBe(4_000);
  });

  test('log fields shorten only as many items of a list as fit', () => {
    let read = 0;
    const list = new Proxy(
      Array.from({ length: 100_000 }, () => 'item'),
      {
        get: (target, key): unknown => {
          if (/^\d+$/.test(String(key))) read += 1;
          return Reflect.get(target, key);
        },
      },
    );
    expect((toLogFields('process.failed', { list })['list'] as string[]).at(-1)).toMatch(/^and \d+ more$/);
    expect(read).toBeLessThan(1_000);
  });

  test.each([
    ['cannot reach redis://u:p@ss/w@h, retrying', 'cannot reach redis://u:[redacted]@h, retrying'],
    ['redis://u:a@b,redis://u:c/d@e', 'redis://u:[redacted]@b,redis://u:[redacted]@e'],
    ['postgres://me@server:pw@h/d', 'postgres://me@server:[redacted]@h/d'],
    ['http://localhost:8080/path is down', 'http://localhost:8080/path is down'],
    ['got Authorization: Bearer SECRET from x', 'got Authorization: [redacted] from x'],
    ['got Bearer SECRET from x', 'got Bearer [redacted] from x'],
    ['Authorization: Basic c2VjcmV0', 'Authorization: [redacted]'],
    ['{"user":"a","password":"hun\\"ter2","n":1}', '{"user":"a","password":[redacted],"n":1}'],
    ['host=h password=hunter2 dbname=d', 'host=h password=[redacted] dbname=d'],
    ["client_secret='a b'&x=1", 'client_secret=[redacted]&x=1'],
    ['{"accessToken":"abc', '{"accessToken":[redacted]'],
    ['password authentication failed for user "u"', 'password authentication failed for user "u"'],
  ])('log text %j is written as %j', (text, written) => {
    expect(toLogFields('process.failed', { text })['text']).toBe(written);
  });

  test('log fields omit undefined values', () => {
    expect(toLogFields('process.failed', { reason: undefined })).toEqual({});
  });
});
