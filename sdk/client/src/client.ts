import { type AddressSettings, buildAddresses, needAddress } from './addresses.ts';
import type { ActivityResponse, ActivityEvent, AdsResponse, AdsRequest } from './ads.ts';
import { API_VERSION } from './api-version.ts';
import { BidCache, type BidCacheSettings } from './bid-cache.ts';
import { type BidRequest, type BidResponse, checkBidRequest } from './bid-request.ts';
import { BulkJobs } from './bulk-jobs.ts';
import { PlacardInputError } from './errors.ts';
import { type GraphqlDocument, type GraphqlOptions, runGraphql } from './graphql.ts';
import { LegacyReports } from './legacy-reports.ts';
import { Reports } from './reports.ts';
import { DEFAULT_RETRY, type RetryRules } from './retry.ts';
import { type CallOptions, Transport, waitFor } from './transport.ts';
import { Uploads } from './uploads.ts';

export type { ActivityResponse, ActivityEvent, Ad, AdsResponse, AdsRequest } from './ads.ts';
export type { Bid, BidRequest, BidResponse } from './bid-request.ts';
export type { BulkJob, BulkJobResult, BulkProblem, BulkResource } from './bulk-jobs.ts';
export type { HeaderBid, WonHeaderBid } from './header-bids.ts';
export { checkBidRequest } from './bid-request.ts';
export {
  PlacardApiError,
  PlacardConnectionError,
  PlacardGraphqlError,
  PlacardInputError,
  PlacardReportError,
} from './errors.ts';
export type { GraphqlDocument } from './graphql.ts';
export type { ReportDefinition, ReportTask, ReportTaskInput } from './legacy-reports.ts';
export type { ReportFormat, ReportResult, ReportMeta, ReportQuery, ReportRow } from './reports.ts';
export { DEFAULT_RETRY, type RetryRules } from './retry.ts';
export type { SegmentUpload, SegmentUploadResult, UploadedFile } from './uploads.ts';

/** Options of a client. Keys and credentials belong on servers: never into a page. */
export interface ClientSettings extends AddressSettings {
  /** Bearer key: for ads, events, graphql, and (scope REPORTS) reports. */
  readonly apiKey?: string;
  /** Header credentials: for reports and legacyReports. */
  readonly credentials?: { readonly login: string; readonly token: string };
  /** Time limit of each request in milliseconds; 10,000 unless given. */
  readonly timeoutMs?: number;
  /** Changes to the stated retry rules. */
  readonly retry?: Partial<RetryRules>;
  /** Bids are kept for a moment when this is given. A kept bid that is shown twice counts one impression. */
  readonly bidCache?: BidCacheSettings;
  /** The runtime's own unless given. */
  readonly fetch?: typeof fetch;
  /** For tests: the clock (epoch milliseconds), randomness in [0, 1), and waiting. */
  readonly nowMs?: () => number;
  readonly random?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const TIMEOUT_MS = 10_000;

/** A network's APIs. Holds no connection and no timer of its own. */
export class PlacardClient {
  /** The Reports API. */
  readonly reports: Reports;
  /** Bulk jobs. */
  readonly bulkJobs: BulkJobs;
  /** Files of creatives, members of segments. */
  readonly uploads: Uploads;
  /** The deprecated report tasks. */
  readonly legacyReports: LegacyReports;
  readonly #settings: ClientSettings;
  readonly #addresses: ReturnType<typeof buildAddresses>;
  readonly #transport: Transport;
  readonly #bidCache: BidCache | null;

  /** @throws PlacardInputError for a malformed setting */
  constructor(settings: ClientSettings) {
    this.#settings = settings;
    this.#addresses = buildAddresses(settings);
    const nowMs = settings.nowMs ?? Date.now;
    this.#transport = new Transport({
      fetch: settings.fetch ?? ((input, init) => fetch(input, init)),
      retry: { ...DEFAULT_RETRY, ...settings.retry },
      timeoutMs: settings.timeoutMs ?? TIMEOUT_MS,
      nowMs,
      random: settings.random ?? Math.random,
      wait: settings.wait ?? waitFor,
    });
    this.#bidCache = settings.bidCache === undefined ? null : new BidCache(settings.bidCache, nowMs);
    const { core } = this.#addresses;
    const endpoint = { transport: this.#transport, core, headers: () => this.#bearer() };
    this.bulkJobs = new BulkJobs({ ...endpoint, nowMs, wait: settings.wait ?? waitFor });
    this.uploads = new Uploads(endpoint);
    this.reports = new Reports(this.#transport, this.#addresses.reports, () =>
      settings.credentials === undefined ? this.#bearer() : this.#credentials(),
    );
    this.legacyReports = new LegacyReports({
      transport: this.#transport,
      nowMs,
      coreOrigin: () => new URL(needAddress(this.#addresses.graphql, 'coreUrl')).origin,
      headers: () => this.#credentials(),
      run: (document, variables, options) =>
        runGraphql(this.#graphqlEndpoint(this.#credentials()), document, variables, options),
    });
  }

  /** Ads of a named ad unit. */
  async ads(request: AdsRequest, options: CallOptions = {}): Promise<AdsResponse> {
    const body = JSON.stringify({ count: 1, ...request, network: this.#settings.network });
    const url = needAddress(this.#addresses.ads, 'deliveryUrl');
    return this.#transport.sendForJson<AdsResponse>({ method: 'POST', url, headers: this.#bearer(), body, options });
  }

  /**
   * Bids for the slots of a page; null when there is no bid: show your fallback. Needs no key.
   * @throws PlacardInputError for a request that would get a 400 (it is not sent)
   */
  async bid(request: BidRequest, options: CallOptions = {}): Promise<BidResponse | null> {
    const problems = checkBidRequest(request);
    if (problems.length > 0) throw new PlacardInputError(problems);
    if (this.#bidCache === null) return this.#sendBid(request, options);
    // A shared request must not end with one caller's signal.
    const { signal, ...shared } = options;
    const response = this.#bidCache.resolve(request, () => this.#sendBid(request, shared));
    return signal === undefined ? response : orAbort(response, signal);
  }

  /** Records an activity event. Retries of a call count once. Give `ord`: then an event that you send again counts once, too. */
  async recordEvent(event: ActivityEvent, options: CallOptions = {}): Promise<ActivityResponse> {
    const { ord = crypto.randomUUID(), ...fields } = event;
    const body = JSON.stringify({ ...fields, ...(ord === null ? {} : { ord }), network: this.#settings.network });
    const url = needAddress(this.#addresses.events, 'deliveryUrl');
    return this.#transport.sendForJson<ActivityResponse>({
      method: 'POST',
      url,
      headers: this.#bearer(),
      body,
      options,
    });
  }

  /** Runs an operation of the management API. @throws PlacardGraphqlError when the response has errors */
  async graphql<TData = unknown, TVariables = Readonly<Record<string, unknown>>>(
    document: GraphqlDocument<TData, TVariables>,
    variables?: TVariables,
    options: GraphqlOptions = {},
  ): Promise<TData> {
    return runGraphql(this.#graphqlEndpoint(this.#bearer()), document, (variables ?? {}) as TVariables, options);
  }

  async #sendBid(request: BidRequest, options: CallOptions): Promise<BidResponse | null> {
    const url = needAddress(this.#addresses.bid, 'deliveryUrl');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(request);
    const { response, text } = await this.#transport.send({ method: 'POST', url, headers, body, options });
    return response.status === 204 ? null : (JSON.parse(text) as BidResponse);
  }

  #graphqlEndpoint(headers: Readonly<Record<string, string>>): Parameters<typeof runGraphql>[0] {
    const versioned = { ...headers, 'x-placard-version': API_VERSION };
    return { transport: this.#transport, url: needAddress(this.#addresses.graphql, 'coreUrl'), headers: versioned };
  }

  #bearer(): Record<string, string> {
    const { apiKey } = this.#settings;
    if (apiKey === undefined) throw new PlacardInputError(['apiKey was not given when the client was made.']);
    return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  }

  #credentials(): Record<string, string> {
    const { credentials } = this.#settings;
    if (credentials === undefined)
      throw new PlacardInputError(['credentials were not given when the client was made.']);
    return {
      'x-internal-auth-login': credentials.login,
      'x-internal-auth-token': credentials.token,
      'content-type': 'application/json',
    };
  }
}

function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
