import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/support/stores.ts';
import { checkNodeToken, issueNodeToken, revokeNodeToken } from './node-tokens.sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const issue = (nodeId: string): Promise<string> =>
  database.db.transaction().execute((trx) => issueNodeToken(trx, nodeId));
const revoke = (nodeId: string): Promise<boolean> =>
  database.db.transaction().execute((trx) => revokeNodeToken(trx, nodeId));
const check = (nodeId: string, token: string) => checkNodeToken(database.db, nodeId, token);

test('a node token is valid for its own node alone', async () => {
  const [first, second] = [await issue('node00000001'), await issue('node00000002')];
  expect(await check('node00000001', first)).toBe('valid');
  expect(await check('node00000002', first)).toBe('unknown');
  expect(await check('node00000003', first)).toBe('unknown');
  expect(await check('node00000002', second)).toBe('valid');
});

test.each(['', 'plc_node_', `plc_node_${'x'.repeat(49)}`, 'plc_join_x'])(
  'the text "%s" is refused as a token',
  async (text) => {
    await issue('node00000004');
    expect(await check('node00000004', text)).toBe('unknown');
  },
);

test('PostgreSQL holds a digest, not the token', async () => {
  const token = await issue('node00000005');
  const rows = await database.db.selectFrom('cluster_node_tokens').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(token.slice(9));
});

test('a node that joins again has another token, and the former one opens nothing', async () => {
  const former = await issue('node00000006');
  const present = await issue('node00000006');
  expect([await check('node00000006', former), await check('node00000006', present)]).toEqual(['unknown', 'valid']);
});

test('a revoked token stays revoked until the node joins again', async () => {
  const token = await issue('node00000007');
  expect([await revoke('node00000007'), await revoke('node00000007'), await revoke('nobody000000')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(await check('node00000007', token)).toBe('revoked');
  expect(await check('node00000007', await issue('node00000007'))).toBe('valid');
});
