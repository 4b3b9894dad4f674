/** Runs in an empty folder, on any runtime: ads, a bid, a typed query, a typed mutation, and errors of the installed client. */
import { PlacardApiError, PlacardClient } from '@placard/client';
import { mutate, query } from '@placard/client/graphql';

const { BASE } = globalThis.process?.env ?? {};
const client = new PlacardClient({
  network: '1000',
  coreUrl: BASE,
  deliveryUrl: BASE,
  apiKey: 'key',
  retry: { waitsMs: [1], jitter: 0 },
});
const site = { id: 'demo', domain: 'demo.example' };
const { ads } = await client.ads({ adUnit: 'home' });
const bid = await client.bid({ id: '1', imp: [{ id: '1', banner: { format: [{ w: 300, h: 250 }] } }], site });
const { campaigns } = await query(client, { campaigns: [{ first: 2 }, { nodes: { id: true } }] });
const { archiveCampaign } = await mutate(client, { archiveCampaign: [{ id: '7' }, { validatedOnly: true }] });
const refused = await client.ads({ adUnit: 'unknown' }).catch((error) => error);
const late = await client.ads({ adUnit: 'slow' }, { timeoutMs: 30 }).catch((error) => error);
console.log(
  JSON.stringify({
    ads: ads.length,
    bid,
    campaigns,
    archiveCampaign,
    refused: refused instanceof PlacardApiError ? refused.code : String(refused),
    late: late.timedOut,
  }),
);
