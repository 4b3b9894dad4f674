import { needAddress } from './addresses.ts';
import type { CallOptions, Transport } from './transport.ts';

/** A stored picture, video or sound; its address goes into a creative's content. */
export interface UploadedFile {
  readonly url: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** Null for what has no size of its own. */
  readonly width: number | null;
  readonly height: number | null;
}

/** What to do with members of a segment. */
export interface SegmentUpload {
  /** `ADD` unless given. */
  readonly mode?: 'ADD' | 'REMOVE' | 'REPLACE';
  /** `lu`, first-party ids, unless given; `aid`: hashed account ids. */
  readonly ids?: 'lu' | 'aid';
  /** For how many days they are members, 1 to 365; the segment's own unless given. */
  readonly days?: number;
}

/** What an upload of members did. */
export interface SegmentUploadResult {
  readonly segmentId: string;
  readonly mode: 'ADD' | 'REMOVE' | 'REPLACE';
  readonly lines: number;
  readonly changed: number;
}

/** Where uploads go, and as whom. */
export interface UploadEndpoint {
  readonly transport: Transport;
  readonly core: string;
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Uploads: files of creatives, members of segments. The same upload again changes nothing, so both are retried. */
export class Uploads {
  readonly #endpoint: UploadEndpoint;

  constructor(endpoint: UploadEndpoint) {
    this.#endpoint = endpoint;
  }

  /** Uploads a picture or video of at most 32 MiB. */
  async asset(file: Blob | Uint8Array<ArrayBuffer>, options: CallOptions = {}): Promise<UploadedFile> {
    const headers = { ...this.#endpoint.headers(), 'content-type': 'application/octet-stream' };
    const url = `${needAddress(this.#endpoint.core, 'coreUrl')}/assets`;
    return this.#endpoint.transport.sendForJson({ method: 'POST', url, headers, body: file, options });
  }

  /** Adds, removes or replaces members of a segment. Only keyed hashes of the ids are stored. */
  async segmentMembers(
    segmentId: string,
    members: Iterable<string>,
    options: CallOptions & SegmentUpload = {},
  ): Promise<SegmentUploadResult> {
    const { mode, ids, days, ...call } = options;
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ mode, ids, days }))
      if (value !== undefined) query.set(name, `${value}`);
    const core = needAddress(this.#endpoint.core, 'coreUrl');
    const url = `${core}/segments/${encodeURIComponent(segmentId)}/members?${query}`;
    const headers = { ...this.#endpoint.headers(), 'content-type': 'application/x-ndjson' };
    const body = [...members].map((id) => `${JSON.stringify({ id })}\n`).join('');
    return this.#endpoint.transport.sendForJson({ method: 'POST', url, headers, body, options: call });
  }
}
