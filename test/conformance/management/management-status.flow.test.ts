import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { type BidResponse, bidBody, eventually } from '../support/server.ts';
import { startTwoNetworks } from '../support/two-networks.ts';

let networks: Awaited<ReturnType<typeof startTwoNetworks>>;
beforeAll(async () => {
  networks = await startTwoNetworks();
}, 300_000);
afterAll(() => networks.close());

const pixel = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64');
const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

function bidAt(networkId: string): Promise<number> {
  const imp = { tagid: 'unit', banner: { format: [{ w: 300, h: 250 }] } };
  return networks
    .send(`${networks.server.deliveryUrl}/${networkId}/bid`, {
      headers: { 'user-agent': agent },
      json: bidBody({ site: { id: 'code', domain: 'n.example' } }, imp),
    })
    .then((response) => response.status);
}

async function ask<T>(query: string, variables: unknown = {}): Promise<T> {
  return (await networks.graphql(networks.holder, query, variables)).json<T>();
}

const setStatus = (status: string) =>
  ask<{ data: unknown; errors?: { extensions: { code: string } }[] }>(
    'mutation ($input: UpdateNetworkInput!) { updateNetwork(input: $input) { status } }',
    { input: { status } },
  );
const rename = 'mutation ($id: ID!) { updateAdvertiser(id: $id, input: {name: "N"}) { advertiser { name } } }';

// Conformance: G2
test('a paused network serves nothing within a second, accepts reads and writes, and leaves the other network alone', async () => {
  const { holder, stranger } = networks;
  const bid = () => bidAt(holder.networkId);
  expect(await eventually(bid, (status) => status === 200)).toBe(200);
  expect(await setStatus('PAUSED')).toMatchObject({ data: { updateNetwork: { status: 'PAUSED' } } });
  expect(await eventually(bid, (status) => status === 204)).toBe(204);
  expect(await bidAt(stranger.networkId)).toBe(200);
  expect(await ask(`{ network(id: ${holder.networkId}) { status } }`)).toMatchObject({
    data: { network: { status: 'PAUSED' } },
  });
  expect(await ask(rename, { id: holder.ids.get('Advertiser') })).toMatchObject({
    data: { updateAdvertiser: { advertiser: { name: 'N' } } },
  });
  await setStatus('ACTIVE');
  expect(await eventually(bid, (status) => status === 200)).toBe(200);
});

// Conformance: G2
test('only the operator suspends a network', async () => {
  expect((await setStatus('SUSPENDED')).errors?.[0]?.extensions.code).toBe('validation_failed');
});

// Conformance: G2
test('a suspended network serves nothing and refuses changes on every endpoint, and reads work during and after the suspension', async () => {
  const { holder, server } = networks;
  const { core, delivery } = { core: server.coreUrl, delivery: server.deliveryUrl };
  const bearer = { authorization: `Bearer ${holder.key}` };
  const bid = () => bidAt(holder.networkId);
  const imp = { tagid: 'unit', banner: { format: [{ w: 300, h: 250 }] } };
  const body = bidBody({ site: { id: 'code', domain: 'n.example' } }, imp);
  const served = await networks.send(`${delivery}/${holder.networkId}/bid`, {
    headers: { 'user-agent': agent },
    json: body,
  });
  const [ad] = served.json<BidResponse>().seatbid[0]?.bid ?? [];
  const command = ['networks', 'status', holder.networkId];
  expect(await runCli(server.dataDir, [...command, 'SUSPENDED'])).toMatchObject({
    before: 'ACTIVE',
    after: 'SUSPENDED',
  });
  try {
    expect(await eventually(bid, (status) => status === 204)).toBe(204);
    const ads = await networks.send(`${delivery}/api/v1/ads`, {
      headers: bearer,
      json: { network: holder.networkId, adUnit: 'unit' },
    });
    expect([ads.status, ads.json()]).toMatchObject([200, { ads: [], noFill: { code: 'network_paused' } }]);
    const event = { network: holder.networkId, actgid: 'actgid', event: 'bought' };
    const uploads = `${core}/segments/${String(holder.ids.get('Segment'))}/members`;
    const refused = [
      await networks.send(`${core}/graphql`, {
        headers: bearer,
        json: { query: rename, variables: { id: holder.ids.get('Advertiser') } },
      }),
      await networks.send(`${core}/graphql`, {
        headers: bearer,
        json: { query: 'mutation { updateNetwork(input: {status: ACTIVE}) { status } }' },
      }),
      await networks.send(`${delivery}/api/v1/events`, { headers: bearer, json: event }),
      await networks.send(`${core}/assets`, {
        headers: { ...bearer, 'content-type': 'application/octet-stream' },
        body: pixel,
      }),
      await networks.send(uploads, {
        headers: { ...bearer, 'content-type': 'application/x-ndjson' },
        body: '{"lu":"x"}',
      }),
    ];
    expect(refused.map((response) => [response.status, response.json<{ error?: string }>().error])).toEqual(
      refused.map(() => [403, 'network_suspended']),
    );
    expect(await ask(`{ network(id: ${holder.networkId}) { status } lineItems { totalCount } }`)).toMatchObject({
      data: { network: { status: 'SUSPENDED' }, lineItems: { totalCount: 1 } },
    });
    const reports = await networks.send(`${core}/reports/${holder.networkId}/v1/meta`, { headers: holder.pair });
    expect(reports.status).toBe(200);
    expect((await networks.send(ad?.ext.ems_link ?? '', { headers: { 'user-agent': agent } })).status).toBe(200);
    expect((await networks.send(ad?.ext.dsaurl ?? '')).status).toBe(200);
    expect(await bidAt(networks.stranger.networkId)).toBe(200);
  } finally {
    await runCli(server.dataDir, [...command, 'ACTIVE']);
  }
  expect(await eventually(bid, (status) => status === 200)).toBe(200);
  const audit = await ask<{ data: { auditLog: { nodes: { actor: string; action: string }[] } } }>(
    '{ auditLog(first: 5) { nodes { actor action } } }',
  );
  expect(JSON.stringify(audit)).toContain('network.update');
});
