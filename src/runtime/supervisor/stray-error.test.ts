import { describe, expect, test } from 'vitest';
import { isStrayError } from './stray-error.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });

describe('an error that nothing caught', () => {
  test.each([
    'ECONNRESET',
    'EPIPE',
    'ERR_STREAM_PREMATURE_CLOSE',
    'ERR_STRING_TOO_LONG',
    'ERR_HTTP_HEADERS_SENT',
    'Z_DATA_ERROR',
    'Z_BUF_ERROR',
    'HPE_INVALID_CONSTANT',
    'UND_ERR_SOCKET',
    'ABORT_ERR',
    'EMFILE',
    'ENOSPC',
    'EIO',
  ])('an error with the code %s means that one request has failed', (code) => {
    expect(isStrayError(coded(code))).toBe(true);
  });

  test.each([
    ['a programming error', new TypeError('x is not a function')],
    ['a failed assertion', coded('ERR_ASSERTION')],
    ['no memory', coded('ENOMEM')],
    ['no error at all', undefined],
  ])('an error that is %s makes the process unreliable', (_name, error) => {
    expect(isStrayError(error)).toBe(false);
  });
});
