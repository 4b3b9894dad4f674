import { needAddress } from './addresses.ts';
import { PlacardConnectionError, PlacardInputError } from './errors.ts';
import { type CallOptions, type Outgoing, type Transport } from './transport.ts';

/** What a bulk job can upsert. */
export type BulkResource = 'advertisers' | 'campaigns' | 'lineItems' | 'creatives';

/** A bulk job: rows that are upserted in the background. */
export interface BulkJob {
  readonly id: string;
  readonly resource: BulkResource;
  readonly validateOnly: boolean;
  readonly state: 'waiting' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** Rows of the upload; how many of them are done, and how they ended. */
  readonly rows: number;
  readonly processed: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Why the job failed; null unless its state is `failed`. */
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly submittedBy: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
}

/** The outcome of one row. */
export interface BulkJobResult {
  /** Line of the upload, from 1. */
  readonly line: number;
  readonly externalId: string | null;
  readonly id: string | null;
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'failed';
  readonly userErrors: readonly BulkProblem[];
  readonly warnings: readonly BulkProblem[];
}

/** A wrong or doubtful field of a row. */
export interface BulkProblem {
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

const POLL_MS = 1_000;
const WAIT_MAX_MS = 1_800_000;
const ENDED: ReadonlySet<BulkJob['state']> = new Set(['completed', 'failed', 'cancelled']);

/** Where jobs are, and as whom they are sent. */
export interface BulkEndpoint {
  readonly transport: Transport;
  readonly nowMs: () => number;
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly core: string;
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Bulk jobs: up to 100,000 advertisers, campaigns, line items or creatives by their external ids. */
export class BulkJobs {
  readonly #endpoint: BulkEndpoint;

  constructor(endpoint: BulkEndpoint) {
    this.#endpoint = endpoint;
  }

  /**
   * Submits rows, each with the fields of `UpsertLineItemInput` and so on. It is sent once: a job that began although no response came would
   * run twice. That is harmless, as upserting the same row again changes nothing; so submit again.
   */
  async submit(
    resource: BulkResource,
    rows: Iterable<object>,
    options: CallOptions & { readonly validateOnly?: boolean } = {},
  ): Promise<BulkJob> {
    const body = [...rows].map((row) => `${JSON.stringify(row)}\n`).join('');
    if (body === '') throw new PlacardInputError(['rows must have at least one row.']);
    const path = `?resource=${resource}&validateOnly=${options.validateOnly === true}`;
    const outgoing = this.#outgoing('POST', path, options);
    const headers = { ...outgoing.headers, 'content-type': 'application/x-ndjson' };
    return this.#endpoint.transport.sendForJson({ ...outgoing, headers, body, isRepeatable: false });
  }

  /** State and progress. */
  async get(id: string, options: CallOptions = {}): Promise<BulkJob> {
    return this.#endpoint.transport.sendForJson(this.#outgoing('GET', `/${encodeURIComponent(id)}`, options));
  }

  /** Stops a job; what is done stays. */
  async cancel(id: string, options: CallOptions = {}): Promise<BulkJob> {
    const outgoing = this.#outgoing('POST', `/${encodeURIComponent(id)}/cancel`, options);
    return this.#endpoint.transport.sendForJson({ ...outgoing, body: '{}' });
  }

  /** Looks until the job has ended. @throws PlacardConnectionError when that takes longer than `waitMaxMs` (30 minutes) */
  async waitUntilEnded(
    id: string,
    options: CallOptions & { readonly pollMs?: number; readonly waitMaxMs?: number } = {},
  ): Promise<BulkJob> {
    const { pollMs = POLL_MS, waitMaxMs = WAIT_MAX_MS, ...call } = options;
    const deadlineMs = this.#endpoint.nowMs() + waitMaxMs;
    for (let attempts = 1; ; attempts += 1) {
      const job = await this.get(id, call);
      if (ENDED.has(job.state)) return job;
      if (this.#endpoint.nowMs() + pollMs > deadlineMs)
        throw new PlacardConnectionError(`bulk job ${id} is ${job.state} after ${waitMaxMs} ms`, {
          attempts,
          timedOut: true,
          cause: undefined,
        });
      await this.#endpoint.wait(pollMs, call.signal);
    }
  }

  /** The outcomes in the order of the upload, up to what is processed. */
  async *results(id: string, options: CallOptions = {}): AsyncGenerator<BulkJobResult, void, undefined> {
    const path = `/${encodeURIComponent(id)}/results`;
    const stream = await this.#endpoint.transport.openStream(this.#outgoing('GET', path, options));
    const chunks = stream.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for (;;) {
        const { done, value } = await chunks.read();
        const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
        rest = done ? '' : (lines.pop() ?? '');
        for (const line of lines) if (line !== '') yield JSON.parse(line) as BulkJobResult;
        if (done) return;
      }
    } finally {
      await chunks.cancel();
    }
  }

  #outgoing(method: 'GET' | 'POST', path: string, options: CallOptions): Outgoing {
    const url = `${needAddress(this.#endpoint.core, 'coreUrl')}/bulk-jobs${path}`;
    return { method, url, headers: this.#endpoint.headers(), options };
  }
}
