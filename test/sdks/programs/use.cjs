/** As use.mjs, for programs that are CommonJS. */
const { PlacardClient } = require('@placard/client');
const { buildOperation } = require('@placard/client/graphql');

const client = new PlacardClient({ network: '1000', deliveryUrl: process.env.BASE, apiKey: 'key' });
const { document } = buildOperation('query', { campaigns: [{ first: 2 }, { nodes: { id: true } }] });
client.ads({ adUnit: 'home' }).then(({ ads }) => console.log(JSON.stringify({ ads: ads.length, document })));
