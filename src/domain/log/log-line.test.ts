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

  test('log fields omit undefined values', () => {
    expect(toLogFields('process.failed', { reason: undefined })).toEqual({});
  });
});
