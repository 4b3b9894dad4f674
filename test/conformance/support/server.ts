import { inject } from 'vitest';
import { type HttpResponse, createClient, type Sending } from '../../support/http-client.ts';
import { askFor } from '../../support/on-demand.ts';
import type { ConformanceServer } from './global-setup.ts';

export { eventually } from './eventually.ts';

/** The server under test, from the suite's global set-up: the first file that needs it starts it. */
export const server = await askFor<ConformanceServer>(inject('conformanceSocket'), '/server');

/** Serves all test files of a worker, and ends with the worker. */
const client = createClient(server.ca);

/** Sends to any address. */
export function send(url: string, sending?: Sending): Promise<HttpResponse> {
  return client.send(url, sending);
}

/** Asks the management API. */
export function graphql(
  query: string,
  options: { key?: string; variables?: unknown; staging?: boolean } = {},
): Promise<HttpResponse> {
  const prefix = options.staging === true ? '/staging' : '';
  return send(`${server.coreUrl}${prefix}/graphql`, {
    headers: options.key === '' ? {} : { authorization: `Bearer ${options.key ?? server.demo.keys.admin}` },
    json: { query, variables: options.variables },
  });
}

let requests = 0;

/** A bid request body for one of the demo's ad units; `over` replaces members. */
export function bidBody(
  over: Record<string, unknown> = {},
  imp: Record<string, unknown> = {},
): Record<string, unknown> {
  requests += 1;
  return {
    id: `conformance-${process.pid}-${requests}-${Date.now()}`,
    imp: [
      {
        id: 'i1',
        tagid: 'home/sidebar',
        secure: 1,
        banner: {
          format: [
            { w: 300, h: 250 },
            { w: 300, h: 600 },
          ],
        },
        ...imp,
      },
    ],
    site: { id: 'magazine', domain: 'magazine.example', page: 'https://www.magazine.example/', ext: { area: 'home' } },
    ...over,
  };
}

/** A user agent of a browser, which the robot filter accepts. */
export const BROWSER =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Sends a bid request to the demo network, as a browser would. */
export function bid(
  body: unknown,
  options: { headers?: Record<string, string>; network?: string } = {},
): Promise<HttpResponse> {
  return send(`${server.deliveryUrl}/${options.network ?? server.demo.networkId}/bid`, {
    headers: { 'user-agent': BROWSER, ...options.headers },
    json: body,
  });
}

/** Fires a tracking link as a browser would. */
export function fire(url: string, headers: Record<string, string> = {}): Promise<HttpResponse> {
  return send(url, { headers: { 'user-agent': BROWSER, ...headers } });
}

/** Loads a report of the demo network with its header credentials. */
export function load(query: unknown, headers: Record<string, string> = credentialHeaders()): Promise<HttpResponse> {
  return send(`${server.demo.urls.reportsApi}/${server.demo.networkId}/v1/load`, { headers, json: { query } });
}

/** The demo's header credentials. */
export function credentialHeaders(): Record<string, string> {
  return {
    'x-internal-auth-login': server.demo.credentials.login,
    'x-internal-auth-token': server.demo.credentials.token,
  };
}

/** Today in the demo network's time zone, as a dateRange. */
export function todayRange(): [string, string] {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Warsaw' }).format(Date.now());
  return [day, day];
}

/** The members of a bid response that the tests look at. */
export interface BidResponse {
  readonly id: string;
  readonly cur: string;
  readonly seatbid: readonly { readonly seat: string; readonly bid: readonly Bid[] }[];
  readonly ext: { readonly dsaurl: string };
}

export interface Bid {
  readonly id: string;
  readonly impid: string;
  readonly price: number;
  readonly adm: string;
  readonly adomain: readonly string[];
  readonly cid: string;
  readonly crid: string;
  readonly w: number;
  readonly h: number;
  readonly mtype: number;
  readonly exp: number;
  readonly burl: string;
  readonly ext: {
    readonly ems_link: string;
    readonly dsaurl: string;
    readonly dsa?: { readonly behalf: string; readonly paid: string };
  };
}
