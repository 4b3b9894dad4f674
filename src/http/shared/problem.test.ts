import { describe, expect, test } from 'vitest';
import { PlacardError } from '../../domain/errors.ts';
import { isUnexpected, toProblem } from './problem.ts';

describe('toProblem', () => {
  test('the response contains code, message, details and fields', () => {
    const fields = [{ path: 'a.b', code: 'too_small' as const, message: 'at least 1' }];
    const problem = toProblem(
      new PlacardError('validation_failed', 'Two things', { fields, details: { hint: 1 } }),
      'r1',
    );
    expect(problem).toEqual({
      status: 400,
      headers: {},
      body: { error: 'validation_failed', message: 'Two things', hint: 1, fields },
    });
  });

  test.each([
    ['an Error', new Error('password=hunter2')],
    ['an Error with a status of its own', Object.assign(new Error('hunter2'), { statusCode: 404, code: 'ENOENT' })],
    ['a string', 'hunter2'],
    ['nothing', undefined],
    ['a declared internal error', new PlacardError('internal_error', 'hunter2', { details: { hunter2: true } })],
  ])('the response to %s reveals only the request id', (_name, error) => {
    const problem = toProblem(error, 'r1');
    expect(problem.status).toBe(500);
    expect(Object.keys(problem.body).sort()).toEqual(['error', 'message', 'requestId']);
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    expect(isUnexpected(error)).toBe(true);
  });

  test.each([
    ['a refused connection', Object.assign(new Error('connect hunter2'), { code: 'ECONNREFUSED' })],
    ['a database that shuts down', Object.assign(new Error('hunter2'), { code: '57P01' })],
    ['a pool that waited in vain', new Error('timeout exceeded when trying to connect')],
    ['a slow analytics store', Object.assign(new Error('hunter2'), { name: 'OlapError', code: 'timeout' })],
  ])('the response to %s says that a store is unavailable, and no more', (_name, error) => {
    const problem = toProblem(error, 'r1');
    expect(problem).toMatchObject({ status: 503, body: { error: 'unavailable', requestId: 'r1' } });
    expect(problem.headers['retry-after']).toBe('1');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    expect(isUnexpected(error)).toBe(true);
  });

  test.each(['22021', '22P02', '22P05', '22003', '22007', '22008'])(
    'a value that a store refuses (%s) is bad input, told without its text',
    (code) => {
      const error = Object.assign(new Error('invalid byte sequence hunter2'), { code });
      const problem = toProblem(error, 'r1');
      expect([problem.status, problem.body.error]).toEqual([400, 'invalid_request']);
      expect(JSON.stringify(problem)).not.toContain('hunter2');
      expect(isUnexpected(error)).toBe(true);
    },
  );

  test('details cannot overwrite code and message', () => {
    const error = new PlacardError('not_found', 'm', { details: { error: 'x', message: 'y' } });
    expect(toProblem(error, 'r').body).toEqual({ error: 'not_found', message: 'm' });
  });

  test.each([
    ['a stated wait', new PlacardError('overloaded', 'm', { details: { retryAfterSeconds: 2.2 } }), '3'],
    ['no stated wait', new PlacardError('unavailable'), '1'],
    ['a reset', new PlacardError('rate_limit_exceeded', 'm', { details: { limit: 1, reset: 1_010 } }), '10'],
    ['a reset that passed', new PlacardError('rate_limit_exceeded', 'm', { details: { limit: 1, reset: 900 } }), '1'],
  ])('the response has Retry-After for %s', (_name, error, seconds) => {
    const problem = toProblem(error, 'r', 1_000_000);
    expect(problem.headers['retry-after']).toBe(seconds);
    expect(problem.body).not.toHaveProperty('retryAfterSeconds');
  });

  test('the response has the headers of 401, 405 and 416', () => {
    expect(toProblem(new PlacardError('invalid_credentials'), 'r').headers).toEqual({
      'www-authenticate': 'Bearer realm="placard"',
    });
    expect(
      toProblem(new PlacardError('method_not_allowed', 'm', { details: { allow: ['GET', 'HEAD'] } }), 'r').headers,
    ).toEqual({ allow: 'GET, HEAD' });
    expect(
      toProblem(new PlacardError('range_not_satisfiable', 'm', { details: { sizeBytes: 9 } }), 'r').headers,
    ).toEqual({ 'content-range': 'bytes */9' });
  });
});

test.each([
  ['ENOSPC', 507, 'disk_space_low'],
  ['EDQUOT', 507, 'disk_space_low'],
  ['EIO', 503, 'unavailable'],
  ['EROFS', 503, 'unavailable'],
])('a write that the disk refuses with %s gets %d and is logged', (code, status, error) => {
  const refused = Object.assign(new Error(`${code}: write`), { code });
  const problem = toProblem(refused, 'r-1');
  expect(problem).toMatchObject({ status, body: { error, requestId: 'r-1' } });
  expect(JSON.stringify(problem)).not.toContain('write');
  expect(isUnexpected(refused)).toBe(true);
});

test('a refusal for low disk space is 507, says when to retry, and is not logged as unexpected', () => {
  const error = new PlacardError('disk_space_low', undefined, { details: { retryAfterSeconds: 60 } });
  expect(toProblem(error, 'r')).toMatchObject({ status: 507, headers: { 'retry-after': '60' } });
  expect(isUnexpected(error)).toBe(false);
});
