import { afterAll, beforeAll, expect, test } from 'vitest';
import { bidBody, eventually } from './support/server.ts';
import { startTwoNetworks, type TwoNetworks } from './support/two-networks.ts';

let networks: TwoNetworks;
beforeAll(async () => {
  networks = await startTwoNetworks();
}, 120_000);
afterAll(() => networks.close());

const agent = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

function bidAt(networkId: string): Promise<number> {
  const imp = { tagid: 'unit', banner: { format: [{ w: 300, h: 250 }] } };
  return networks
    .send(`${networks.server.deliveryUrl}/${networkId}/bid`, {
      headers: { 'user-agent': agent },
      json: bidBody({ site: { id: 'code', domain: 'n.example' } }, imp),
    })
    .then((answer) => answer.status);
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

test('G2 a paused network serves nothing within a second; reads and writes work; the other network is not touched', async () => {
  const { holder, stranger } = networks;
  const bid = () => bidAt(holder.networkId);
  expect(await eventually(bid, (status) => status === 200, 2_000)).toBe(200);
  expect(await setStatus('PAUSED')).toMatchObject({ data: { updateNetwork: { status: 'PAUSED' } } });
  expect(await eventually(bid, (status) => status === 204, 1_000)).toBe(204);
  expect(await bidAt(stranger.networkId)).toBe(200);
  expect(await ask(`{ network(id: ${holder.networkId}) { status } }`)).toMatchObject({
    data: { network: { status: 'PAUSED' } },
  });
  expect(await ask(rename, { id: holder.ids.get('Advertiser') })).toMatchObject({
    data: { updateAdvertiser: { advertiser: { name: 'N' } } },
  });
  await setStatus('ACTIVE');
  expect(await eventually(bid, (status) => status === 200, 1_000)).toBe(200);
});

test('G2 suspending is for the operator alone', async () => {
  expect((await setStatus('SUSPENDED')).errors?.[0]?.extensions.code).toBe('validation_failed');
});
