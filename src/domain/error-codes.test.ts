import { expect, test } from 'vitest';
import { ERRORS } from './error-codes.ts';

test.each([
  ['invalid_credentials', 401, 'Invalid or expired API key'],
  ['authentication_required', 401, 'Missing Authorization header'],
  ['insufficient_permissions', 403, 'Key lacks permission for the operation'],
  ['rate_limit_exceeded', 429, 'Daily API request limit exceeded'],
] as const)('the message of %s is the one of the interface', (code, status, message) => {
  expect(ERRORS[code]).toMatchObject({ status, message });
});
