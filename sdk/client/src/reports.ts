import { needAddress } from './addresses.ts';
import { PlacardConnectionError } from './errors.ts';
import type { CallOptions, Outgoing, Transport } from './transport.ts';
import { waitFor } from './transport.ts';

/** A query of the Reports API. Members are full names, such as `campaign_overview.impressions`. */
export interface ReportQuery {
  readonly measures?: readonly string[];
  readonly dimensions?: readonly string[];
  /** One with a `dateRange`, of at most 90 days, is needed. */
  readonly timeDimensions: readonly {
    readonly dimension: string;
    /** Two dates `YYYY-MM-DD`, both included, or a text such as `last 7 days`. */
    readonly dateRange: readonly [string, string] | readonly [string] | string;
    readonly granularity?: string;
  }[];
  readonly filters?: readonly object[];
  readonly order?: Readonly<Record<string, 'asc' | 'desc'>> | readonly (readonly [string, 'asc' | 'desc'])[];
  readonly limit?: number;
  readonly offset?: number;
  readonly total?: boolean;
  /** IANA name; the network's unless given. */
  readonly timezone?: string;
}

/** One row, keyed by full member name. Numbers are texts, so that no digit is lost. */
export type ReportRow = Readonly<Record<string, string | boolean | null>>;

/** The result of `load`. */
export interface ReportResult {
  readonly data: readonly ReportRow[];
  readonly query?: unknown;
  readonly annotation?: unknown;
  readonly total?: number | null;
  readonly lastRefreshTime?: string;
}

/** The members that can be queried. */
export interface ReportMeta {
  readonly cubes: readonly {
    readonly name: string;
    readonly title: string;
    readonly measures: readonly ReportMember[];
    readonly dimensions: readonly ReportMember[];
  }[];
}

/** A measure or dimension. */
export interface ReportMember {
  readonly name: string;
  readonly title: string;
  readonly shortTitle: string;
  readonly description: string;
  readonly type: string;
}

/** The media type of each form of a table. */
const FORMATS = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  arrow: 'application/vnd.apache.arrow.stream',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A form in which a table can be had as bytes. */
export type ReportFormat = keyof typeof FORMATS;

/** Times that a query which is still running is asked for again, at most. */
const WAITS_MAX = 10;
const WAIT_MS = 500;

/** The Reports API. */
export class Reports {
  readonly #transport: Transport;
  readonly #base: string;
  readonly #headers: () => Readonly<Record<string, string>>;

  constructor(transport: Transport, base: string, headers: () => Readonly<Record<string, string>>) {
    this.#transport = transport;
    this.#base = base;
    this.#headers = headers;
  }

  /** Rows of a query. @throws PlacardApiError when the query is refused: its message says what is wrong */
  async load(query: ReportQuery, options: CallOptions = {}): Promise<ReportResult> {
    for (let waited = 0; waited < WAITS_MAX; waited += 1) {
      const outgoing = this.#outgoing('POST', '/load', options, JSON.stringify({ query }));
      const response = await this.#transport.sendForJson<ReportResult & { error?: string }>(outgoing);
      if (response.error !== 'Continue wait') return response;
      await waitFor(WAIT_MS, options.signal);
    }
    const message = 'the query is still running; ask again later, or narrow it';
    throw new PlacardConnectionError(message, { attempts: WAITS_MAX, timedOut: true, cause: undefined });
  }

  /** Rows of a query as bytes: a file of that format. @throws PlacardApiError when the query is refused */
  async open(query: ReportQuery, format: ReportFormat, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const outgoing = this.#outgoing('POST', '/load', options, JSON.stringify({ query }));
    return this.#transport.openStream({ ...outgoing, headers: { ...outgoing.headers, accept: FORMATS[format] } });
  }

  /** Every measure and dimension of the network, with title and description. */
  async meta(options: CallOptions = {}): Promise<ReportMeta> {
    return this.#transport.sendForJson<ReportMeta>(this.#outgoing('GET', '/meta', options));
  }

  #outgoing(method: 'GET' | 'POST', path: string, options: CallOptions, body?: string): Outgoing {
    const url = `${needAddress(this.#base, 'coreUrl')}${path}`;
    return { method, url, headers: this.#headers(), options, ...(body === undefined ? {} : { body }) };
  }
}
