import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestManagement, type TestManagement } from '../../fixtures/test-management.ts';

let api: TestManagement;
const nameOf = (digit: string, extension: string): string => `${digit.repeat(64)}.${extension}`;

beforeAll(async () => {
  api = await createTestManagement();
  const { networkId } = (await api.data<{ me: { networkId: string } }>('{ me { networkId } }')).me;
  const { id: workspaceId } = await api.database.db
    .selectFrom('workspaces')
    .select('id')
    .where('network_id', '=', BigInt(networkId))
    .where('environment', '=', 'production')
    .executeTakeFirstOrThrow();
  const files = [
    { name: nameOf('a', 'png'), contentType: 'image/png', width: 300, height: 250 },
    { name: nameOf('b', 'png'), contentType: 'image/png', width: 728, height: 90 },
    { name: nameOf('c', 'mp4'), contentType: 'video/mp4', width: 640, height: 360, durationMs: 15_000 },
    { name: nameOf('d', 'zip'), contentType: 'application/zip', width: 300, height: 250 },
  ];
  for (const [at, { name, ...facts }] of files.entries())
    await api.database.db
      .insertInto('assets')
      .values({
        workspace_id: workspaceId,
        name,
        size_bytes: 1_000 + at,
        uploaded_at: new Date(Date.UTC(2026, 10, 20 + (at === 1 ? 0 : at))),
        facts: JSON.stringify({ durationMs: null, bundle: null, ...facts }),
      })
      .execute();
}, 120_000);

afterAll(() => api.close());

describe('uploaded files', () => {
  const LIST = `query ($first: Int, $after: String, $filter: AssetFilter) { assets(first: $first, after: $after, filter: $filter) {
    totalCount nodes { url kind width durationMs sizeBytes } pageInfo { hasNextPage endCursor } } }`;
  type Listed = { assets: { totalCount: number; nodes: { url: string }[]; pageInfo: { endCursor: string } } };
  const urlsOf = ({ assets }: Listed) => assets.nodes.map(({ url }) => url.charAt('/assets/'.length));

  test('files are listed with their facts, the latest upload first', async () => {
    const listed = await api.data<Listed>(LIST);
    expect(urlsOf(listed)).toEqual(['d', 'c', 'b', 'a']);
    expect(listed.assets.nodes[1]).toEqual({
      url: `/assets/${nameOf('c', 'mp4')}`,
      kind: 'VIDEO',
      width: 640,
      durationMs: 15_000,
      sizeBytes: 1_002,
    });
  });

  test('pages continue without a gap or a repeat, also between uploads of one instant', async () => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      const listed: Listed = await api.data<Listed>(LIST, { first: 1, after });
      seen.push(...urlsOf(listed));
      after = listed.assets.pageInfo.endCursor;
    }
    expect(seen).toEqual(['d', 'c', 'b', 'a']);
  });

  test('files are filtered by kind and size', async () => {
    expect(urlsOf(await api.data<Listed>(LIST, { filter: { kinds: ['IMAGE', 'BUNDLE'], widths: [300] } }))).toEqual([
      'd',
      'a',
    ]);
    const { assets } = await api.data<Listed>(LIST, { filter: { heights: [90] } });
    expect(assets).toMatchObject({ totalCount: 1, nodes: [{ width: 728 }] });
    expect(urlsOf(await api.data<Listed>(LIST, { filter: { kinds: [] } }))).toEqual([]);
  });

  test('one file is found by its address, and only in its own environment', async () => {
    const find = 'query ($url: String!) { asset(url: $url) { kind } }';
    const variables = { url: `/assets/${nameOf('a', 'png')}` };
    expect(await api.data(find, variables)).toEqual({ asset: { kind: 'IMAGE' } });
    for (const as of ['stranger', 'staging']) {
      const path = as === 'staging' ? '/staging/graphql' : '/graphql';
      const { body } = await api.ask(find, { variables, as, path });
      expect(body.data).toEqual({ asset: null });
      expect((await api.ask(LIST, { as, path })).body.data).toMatchObject({ assets: { totalCount: 0, nodes: [] } });
    }
    expect(await api.data(find, { url: '/assets/../secret' })).toEqual({ asset: null });
  });

  test('a wrong cursor and a wrong length of a page are refused', async () => {
    for (const variables of [{ after: 'x' }, { after: 'A'.repeat(300) }, { first: 0 }, { first: 101 }]) {
      const { body } = await api.ask(LIST, { variables });
      expect(body.errors?.[0]?.extensions['code']).toBe('invalid_request');
    }
  });
});
