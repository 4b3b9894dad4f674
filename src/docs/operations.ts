import { SegmentUploadQuery } from '../management/resources/segment/segment-upload.schema.ts';
import { BULK_OPERATIONS } from './bulk-operations.ts';
import { json } from './operation.ts';
import type { Operation } from './operation.ts';
import { PLAYER_OPERATIONS } from './player-operations.ts';
import { REPORT_OPERATIONS } from './report-operations.ts';

const PIXEL = {
  200: { means: 'A 1×1 GIF, whether or not anything was recorded.', body: { type: 'image/gif' } },
} as const;
const pixels = (id: string, path: string, summary: string): Operation[] =>
  (['get', 'post'] as const).map((method) => ({
    origin: 'delivery',
    method,
    path,
    id: method === 'get' ? id : `${id}Beacon`,
    tag: 'Tracking',
    summary: method === 'get' ? summary : `${summary} By sendBeacon.`,
    details: 'The address comes ready-made and signed with the ad. Repeats count once; forged links record nothing.',
    opening: 'none',
    responses: PIXEL,
    errors: id === 'videoEvent' ? [404] : [],
  }));

const DELIVERY: readonly Operation[] = [
  {
    origin: 'delivery',
    method: 'post',
    path: '/{network}/bid',
    id: 'bid',
    tag: 'Ad decision',
    summary: 'Requests bids.',
    details:
      'Needs no credentials. Also accepted as text/plain, so that browsers send no preflight. CORS with credentials on every status.',
    opening: 'none',
    request: json('BidRequest'),
    responses: {
      200: { means: 'Bids.', body: json('BidResponse') },
      204: { means: 'No bid. Not an error: show a fallback, do not retry.' },
    },
    errors: [400, 404, 413, 415],
  },
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/bid',
    id: 'bidByAddress',
    tag: 'Ad decision',
    summary: 'Requests bids, with the request in the address.',
    details: 'The same, with the request in the address; addresses are limited in length and appear in logs.',
    opening: 'none',
    query: { 'data!': 'The bid request as JSON, percent-encoded, or as base64url.' },
    responses: {
      200: { means: 'Bids.', body: json('BidResponse') },
      204: { means: 'No bid. Not an error: show a fallback, do not retry.' },
    },
    errors: [400, 404],
  },
  {
    origin: 'delivery',
    method: 'post',
    path: '/api/v1/ads',
    id: 'requestAds',
    tag: 'Ad requests',
    summary: 'Ads of a named ad unit.',
    details: 'Scope DELIVERY. No fill is a 200 with an empty list.',
    opening: 'key',
    request: json('AdsRequest'),
    responses: { 200: { means: 'Ads, best first.', body: json('AdsAnswer') } },
    errors: [400, 404, 413, 415],
  },
  {
    origin: 'delivery',
    method: 'post',
    path: '/api/v1/events',
    id: 'recordEvent',
    tag: 'Activity events',
    summary: 'Records a conversion or activity event.',
    details:
      'Scope AUDIENCE. With a user or click id the event is attributed: last click, else last impression, within their windows.',
    opening: 'key',
    request: json('ActivityEvent'),
    responses: {
      200: { means: 'Recorded before, under this id.', body: json('ActivityAnswer') },
      202: { means: 'Recorded: it is on disk.', body: json('ActivityAnswer') },
    },
    errors: [400, 404, 413, 415],
  },
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/activity',
    id: 'activityPixel',
    tag: 'Activity events',
    summary: 'Records an event of a page, which has no key.',
    details:
      'Counts where the activity has `acceptsPixel`. The header `X-Placard-Refused` names why an event was not counted. Once half of the daily events of the network are used, pixels are refused.',
    opening: 'none',
    query: {
      actgid: 'Id of the activity; required.',
      event: 'Name of the event; required.',
      cost: 'Value, a decimal.',
      ord: 'Order reference: an order counts once.',
      clickId: 'Id of the click that led here.',
      lu: 'User id of the site.',
      aid: 'Advertising id of a device.',
      qty: 'Number of items.',
      tax: 'Tax, a decimal.',
      currency: 'ISO 4217; the currency of the network.',
      npa: '1: no personal data.',
    },
    responses: PIXEL,
    errors: [],
  },
  ...PLAYER_OPERATIONS,
  ...pixels('impression', '/{network}/imp/{token}', 'Counts the impression.'),
  ...pixels('viewable', '/{network}/view/{token}', 'Half of the ad was seen for a second.'),
  ...pixels('measurable', '/{network}/measurable/{token}', 'Visibility could be measured.'),
  ...pixels('videoEvent', '/{network}/video/{event}/{token}', 'A video started, reached a quarter, was paused, …'),
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/click/{token}',
    id: 'click',
    tag: 'Tracking',
    summary: 'Counts the click and goes to the landing page.',
    details:
      'A verbatim address may follow behind another slash; the redirect goes there only when the signature covers it.',
    opening: 'none',
    responses: { 302: { means: 'To the landing page.' } },
    errors: [404],
  },
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/why/{token}',
    id: 'why',
    tag: 'Tracking',
    summary: 'The page "Why this ad?".',
    details:
      'Who is behind the ad, who paid, and why it was chosen. In the language of Accept-Language (en, pl, de, fr, es). No cookies.',
    opening: 'none',
    responses: { 200: { means: 'The page.', body: { type: 'text/html' } } },
    errors: [404],
  },
  ...(
    [
      [
        '/assets/{name}',
        'asset',
        'A picture or video of a creative; byte ranges work.',
        'application/octet-stream',
        [404, 416],
      ],
      ['/tag.js', 'tag', 'The page tag.', 'text/javascript', []],
      ['/gpt.js', 'gpt', 'The page tag with the calls of Google’s publisher tag.', 'text/javascript', []],
      ['/tag-frame.html', 'tagFrame', 'The empty document in which the page tag draws banners.', 'text/html', []],
      ['/tag-page.html', 'tagPage', 'A page with one ad unit, for frames such as those of AMP.', 'text/html', []],
      ['/tag-page.js', 'tagPageScript', 'The script of the page with one ad unit.', 'text/javascript', []],
    ] as const
  ).map(
    ([path, id, summary, type, errors]): Operation => ({
      origin: 'delivery',
      method: 'get',
      path,
      id,
      tag: 'Files',
      summary,
      opening: 'none',
      errors,
      once: true,
      responses: { 200: { means: 'The file.', body: { type } } },
    }),
  ),
];

const CORE: readonly Operation[] = [
  ...(['post', 'get'] as const).map(
    (method): Operation => ({
      origin: 'core',
      method,
      path: '/graphql',
      id: method === 'post' ? 'graphql' : 'graphqlByAddress',
      tag: 'Management',
      summary: method === 'post' ? 'Runs a GraphQL operation.' : 'Runs a GraphQL query from the address; queries only.',
      details: 'The schema is in contract/schema.graphql. Legacy report operations open with header credentials.',
      opening: 'keyOrCredentials',
      ...(method === 'post'
        ? { request: json('GraphqlRequest') }
        : { query: { 'query!': 'A GraphQL document.', variables: 'JSON.' } }),
      responses: { 200: { means: 'data, and errors of single fields.', body: json('GraphqlAnswer') } },
      errors: method === 'post' ? [400, 409, 413, 415] : [400, 405],
    }),
  ),
  ...REPORT_OPERATIONS,
  {
    origin: 'core',
    method: 'post',
    path: '/assets',
    id: 'uploadAsset',
    tag: 'Uploads',
    summary: "Uploads a picture or video for a creative's content.",
    details:
      'Scope DELIVERY, read-write. The raw file, or multipart/form-data with one file. The type is read from its content.',
    opening: 'key',
    request: { type: 'application/octet-stream' },
    responses: { 201: { means: 'Stored.', body: json('UploadedFile') } },
    errors: [400, 408, 409, 413, 415, 507],
  },
  {
    origin: 'core',
    method: 'post',
    path: '/segments/{id}/members',
    id: 'uploadSegmentMembers',
    tag: 'Uploads',
    summary: 'Adds, removes or replaces members of a segment.',
    details: 'Scope AUDIENCE, read-write. One JSON object {"id": "…"} a line, or CSV; streamed, at most 1 GB.',
    opening: 'key',
    address: SegmentUploadQuery,
    request: { type: 'application/x-ndjson' },
    responses: { 200: { means: 'What was done.', body: json('SegmentUploadAnswer') } },
    errors: [400, 404, 408, 409, 413, 415, 507],
  },
  ...BULK_OPERATIONS,
  {
    origin: 'core',
    method: 'post',
    path: '/mcp',
    id: 'mcp',
    tag: 'Agents',
    summary: 'One message of the Model Context Protocol.',
    details:
      'Streamable HTTP without sessions and without streams of the server: each message is one request, and its response is JSON. ' +
      'Tools call the other APIs with the key of this request.',
    opening: 'key',
    request: { type: 'application/json' },
    responses: {
      200: { means: 'The response to a request.', body: { type: 'application/json' } },
      202: { means: 'A notification was accepted.' },
    },
    errors: [400, 405, 413, 415],
  },
  {
    origin: 'core',
    method: 'post',
    path: '/adcp/{network}/mcp',
    id: 'adcp',
    tag: 'Agents',
    summary: "One message of a buyer's agent (Ad Context Protocol over MCP).",
    details:
      'The seller of the network: as /mcp, with the tools of docs/selling-to-agents.md. What the seller supports, and its formats, can be read without a key.',
    opening: 'key',
    request: { type: 'application/json' },
    responses: {
      200: { means: 'The response to a request.', body: { type: 'application/json' } },
      202: { means: 'A notification was accepted.' },
    },
    errors: [400, 405, 413, 415],
  },
  {
    origin: 'core',
    method: 'get',
    path: '/adcp/{network}/brand.json',
    id: 'adcpBrand',
    tag: 'Agents',
    summary: "The seller's address and that of its keys (brand.json of the Ad Context Protocol).",
    opening: 'none',
    responses: { 200: { means: 'The agents of the network.', body: { type: 'application/json' } } },
    errors: [404],
  },
  {
    origin: 'core',
    method: 'get',
    path: '/adcp/{network}/adagents.json',
    id: 'adcpAdagents',
    tag: 'Agents',
    summary: 'The sites that the seller sells for the publisher (adagents.json of the Ad Context Protocol).',
    details: 'Of a network that offers a product to buyers; the adagents.json of its sites leads here.',
    opening: 'none',
    responses: { 200: { means: 'The authorization.', body: { type: 'application/json' } } },
    errors: [404],
  },
  {
    origin: 'core',
    method: 'get',
    path: '/adcp/{network}/jwks.json',
    id: 'adcpKeys',
    tag: 'Agents',
    summary: 'The public keys that verify messages of the seller (JSON Web Key Set).',
    opening: 'none',
    responses: { 200: { means: 'The keys.', body: { type: 'application/json' } } },
    errors: [404],
  },
];

const HEALTH: readonly Operation[] = [
  {
    origin: 'both',
    method: 'get',
    path: '/healthz',
    id: 'health',
    tag: 'Health',
    opening: 'none',
    once: true,
    summary: 'The process responds.',
    responses: { 200: { means: 'The process responds.', body: json('Health') } },
    errors: [],
  },
  {
    origin: 'both',
    method: 'get',
    path: '/readyz',
    id: 'readiness',
    tag: 'Health',
    opening: 'none',
    once: true,
    summary: 'Everything that serving depends on is available.',
    responses: {
      200: { means: 'Ready.', body: json('Health') },
      503: { means: 'Not ready; the checks say what is missing.', body: json('Health') },
    },
    errors: [],
  },
  {
    origin: 'both',
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    tag: 'Health',
    opening: 'none',
    once: true,
    summary: 'Metrics for Prometheus; for callers on the same machine.',
    responses: { 200: { means: 'Metrics.', body: { type: 'text/plain' } } },
    errors: [404],
  },
];

/** Every operation of the REST surface that others may build on. The console's own addresses are not among them. */
export const OPERATIONS: readonly Operation[] = [...DELIVERY, ...CORE, ...HEALTH];
