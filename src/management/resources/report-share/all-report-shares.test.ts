import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../../access/keys/api-keys.sql.ts';
import { setMembership, setUserDisabled } from '../../../access/users/users.sql.ts';
import { createTestManagement, seedMembers, type TestManagement } from '../../fixtures/test-management.ts';

const DAY_MS = 86_400_000;
let api: TestManagement;

beforeAll(async () => {
  api = await createTestManagement();
  await seedMembers(api.database);
  const advertiser = { id: 1n, name: 'A', domains: [], dsa_behalf: '', dsa_paid: '', credit_micros: null };
  const campaign = { id: 11n, advertiser_id: 1n, name: 'Autumn', status: 'ACTIVE' } as const;
  for (const workspace_id of [1, 3]) {
    const more = { workspace_id, external_id: null };
    await api.database.db
      .insertInto('advertisers')
      .values({ ...advertiser, ...more })
      .execute();
    await api.database.db
      .insertInto('campaigns')
      .values({ ...campaign, ...more })
      .execute();
  }
});
afterAll(() => api.close());
beforeEach(async () => {
  await sql`TRUNCATE report_shares, api_keys`.execute(api.database.owner);
  for (const [userId, role] of [
    ['101', 'admin'],
    ['103', 'editor'],
  ] as const)
    await setRole(userId, role);
});

const by = { actor: 'operator:test', remoteAddress: '', networkId: '0', workspaceId: null };
const setRole = (userId: string, role: 'admin' | 'editor' | null): Promise<void> =>
  setMembership(api.database.db, { userId, networkId: '1000', role, by, mail: null }, new Date(api.clock.nowMs));

/** The key that the caller `admin` uses. */
async function makeKey(maker: string): Promise<void> {
  const key = {
    workspaceId: 1,
    name: 'admin',
    permission: 'admin',
    modules: null,
    by: { ...by, networkId: '1000', actor: maker },
  } as const;
  const { id } = await createApiKey(api.database.db, { pepper: Buffer.alloc(32) }, key);
  await sql`UPDATE api_keys SET id = 7 WHERE id = ${id}::bigint`.execute(api.database.owner);
}

interface Share {
  readonly id: string;
  readonly ownerId: string | null;
}

async function share(as: string, args = ''): Promise<Share> {
  const query = `mutation { shareCampaignReport(campaignId: 11, name: "For ${as}" ${args}) { share { id ownerId } } }`;
  return (await api.data<{ shareCampaignReport: { share: Share } }>(query, {}, { as })).shareCampaignReport.share;
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Record<string, unknown> }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
  readonly totalCount: number;
}

async function list(args = '', as = 'ann'): Promise<Page> {
  const query = `{ allReportShares${args} { totalCount pageInfo { hasNextPage } edges { cursor node {
    id name campaignId campaignName showsSpend createdBy ownerId ownerName revokedAt opened lastOpenedAt } } } }`;
  return (await api.data<{ allReportShares: Page }>(query, {}, { as })).allReportShares;
}

const idsOf = ({ edges }: Page): unknown[] => edges.map(({ node }) => node['id']);
const claim = (id: string, as: string) =>
  api.ask(`mutation { claimReportShare(id: ${id}) { share { ownerId ownerName } } }`, { as });

describe('the list of links', () => {
  test('an admin sees who made each link, which report it shows, and whether it shows spend', async () => {
    await share('ann');
    const { id } = await share('eve', ', showsSpend: true');
    const [first] = (await list()).edges;
    expect(first?.node).toEqual({
      id,
      name: 'For eve',
      campaignId: '11',
      campaignName: 'Autumn',
      showsSpend: true,
      createdBy: 'user:103 eve@example.com',
      ownerId: '103',
      ownerName: 'eve',
      revokedAt: null,
      opened: 0,
      lastOpenedAt: null,
    });
  });

  test('pages follow each other without a gap, and ended links are there when they are requested', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await share('ann', ', days: 9')).id);
    await api.data(`mutation { revokeReportShare(id: ${ids[2]}) { share { id } } }`);
    const { id: short } = await share('ann', ', days: 1');
    api.clock.nowMs += DAY_MS;
    const working = ids.filter((_id, index) => index !== 2);
    expect(await list()).toMatchObject({ totalCount: 4 });
    expect(idsOf(await list())).toEqual(working);
    expect(idsOf(await list('(includeEnded: true)'))).toEqual([short, ...ids]);
    const first = await list('(first: 3)');
    expect([idsOf(first), first.pageInfo.hasNextPage]).toEqual([working.slice(0, 3), true]);
    const rest = await list(`(first: 3, after: "${first.edges.at(-1)?.cursor}")`);
    expect([idsOf(rest), rest.pageInfo.hasNextPage]).toEqual([working.slice(3), false]);
  });

  test('links of another network stay hidden, and editors do not see the list', async () => {
    const { id } = await share('stranger');
    expect(idsOf(await list())).toEqual([]);
    expect((await claim(id, 'ann')).body.errors?.[0]?.extensions.code).toBe('not_found');
    const refused = await api.ask('{ allReportShares { totalCount } }', { as: 'eve' });
    expect(refused.body.error ?? refused.body.errors?.[0]?.extensions.code).toBe('insufficient_permissions');
  });

  test.each(['(first: 0)', '(first: 101)', '(after: "x")'])('arguments %s are refused', async (args) => {
    const { body } = await api.ask(`{ allReportShares${args} { totalCount } }`, { as: 'ann' });
    expect(body.error ?? body.errors?.[0]?.extensions.code).toBe('invalid_request');
  });
});

describe('owners', () => {
  test('a link ends with the member who made the key that made it, also through another key', async () => {
    await makeKey('user:103 eve@example.com');
    expect((await share('admin')).ownerId).toBe('103');
    await sql`UPDATE api_keys SET id = 8 WHERE id = 7`.execute(api.database.owner);
    await makeKey('key:8 "first"');
    expect((await share('admin')).ownerId).toBe('103');
    const { id } = await share('ann');
    await setRole('103', null);
    expect(idsOf(await list())).toEqual([id]);
  });

  test('the links of an account end when it is disabled, and stay ended when it is enabled again', async () => {
    const { id } = await share('ann');
    await share('eve');
    await makeKey('user:103 eve@example.com');
    await share('admin');
    for (const disabled of [true, false]) {
      await setUserDisabled(api.database.db, { userId: '103', disabled, by }, new Date(api.clock.nowMs));
      expect(idsOf(await list())).toEqual([id]);
    }
  });

  test('the links of a key end when it is revoked, but those that another member has claimed', async () => {
    await makeKey('user:103 eve@example.com');
    const [{ id: ofEve }, { id: claimed }] = [await share('eve'), await share('admin')];
    await share('admin');
    await claim(claimed, 'ann');
    const revoked = { workspaceId: 1, id: '7', by: { ...by, networkId: '1000' } };
    await revokeApiKey(api.database.db, revoked, new Date(api.clock.nowMs));
    expect(idsOf(await list())).toEqual([claimed, ofEve]);
  });

  test('a link has no owner when the maker of its key left before, or is the operator', async () => {
    await makeKey('user:103 eve@example.com');
    await setRole('103', null);
    expect((await share('admin')).ownerId).toBeNull();
    await sql`TRUNCATE api_keys`.execute(api.database.owner);
    await makeKey('operator:root');
    expect((await share('admin')).ownerId).toBeNull();
    await setRole('103', 'editor');
    await setRole('103', null);
    expect(await list()).toMatchObject({ totalCount: 2 });
  });

  test('a claimed link ends with the member who claimed it, and no longer with its maker', async () => {
    const { id } = await share('eve');
    const taken = await claim(id, 'ann');
    expect(taken.body.data).toEqual({ claimReportShare: { share: { ownerId: '101', ownerName: 'ann' } } });
    await setRole('103', null);
    expect(idsOf(await list())).toEqual([id]);
    await setRole('101', null);
    expect(idsOf(await list('', 'ben'))).toEqual([]);
  });
});

describe('taking over a link', () => {
  test('keys and editors take over none', async () => {
    const { id } = await share('ann');
    const codes = await Promise.all(
      ['admin', 'eve'].map(async (as) => {
        const { body } = await claim(id, as);
        return body.error ?? body.errors?.[0]?.extensions.code;
      }),
    );
    expect(codes).toEqual(['authentication_required', 'insufficient_permissions']);
  });

  test('a link that has ended is refused, and one with spend asks for a proof', async () => {
    const { id } = await share('eve', ', showsSpend: true');
    const later = await claim(id, 'annLater');
    expect(later.body.errors?.[0]?.extensions.code).toBe('verification_required');
    await api.data(`mutation { revokeReportShare(id: ${id}) { share { id } } }`);
    expect((await claim(id, 'ann')).body.errors?.[0]?.extensions.code).toBe('conflict');
  });

  test('the audit log names who took it over', async () => {
    const { id } = await share('eve');
    await claim(id, 'ann');
    const log = '{ auditLog(first: 1) { edges { node { action actor objectId details } } } }';
    const { auditLog } = await api.data<{ auditLog: Page }>(log);
    expect(auditLog.edges[0]?.node).toMatchObject({
      action: 'reportShare.claim',
      actor: 'user:101 ann@example.com',
      objectId: id,
      details: { after: { ownerId: '101' } },
    });
  });
});
