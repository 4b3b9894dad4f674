/** What one session can make the endpoint hold: bytes, rows, messages and names. */
import { afterEach, describe, expect, test } from 'vitest';
import { bindMessage, converse, parseMessage, SYNC } from './fixtures/raw-client.ts';
import { openTestEndpoint } from './fixtures/test-endpoint.ts';
import type { SqlEndpoint } from './sql-endpoint.ts';

let endpoint: SqlEndpoint | null = null;
afterEach(async () => {
  await endpoint?.stop();
  endpoint = null;
});

/** The types of messages that come back, with codes in place of errors. */
async function say(...messages: readonly Buffer[]): Promise<string> {
  endpoint ??= await openTestEndpoint();
  return (await converse(endpoint.port, messages)).join(' ');
}

describe('parameters', () => {
  const bind = (values: readonly string[]): Promise<string> =>
    say(parseMessage('', 'SELECT $1::text'), bindMessage('', '', values), SYNC);

  test('a parameter of 64 KiB is taken, and one byte more is refused', async () => {
    expect(await bind(['x'.repeat(65_536)])).toBe('1 2 Z');
    expect(await bind(['x'.repeat(65_537)])).toBe('1 54000 Z');
  });

  test('the parameters of a Bind message have a bound together', async () => {
    expect(await bind(Array.from({ length: 3 }, () => 'x'.repeat(65_536)))).toBe('1 2 Z');
    expect(await bind(Array.from({ length: 4 }, () => 'x'.repeat(65_536)))).toBe('1 54000 Z');
  });
});
