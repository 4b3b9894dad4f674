import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hmacSha256 } from '../../../domain/ids/keyed-hash.ts';
import type { UserIds } from '../../openrtb/bid-request.ts';

/** Headers that identify the caller or change the response. */
const CONTENT_HEADERS = [
  'user-agent',
  'sec-ch-ua-platform',
  'sec-ch-ua-mobile',
  'accept-language',
  'sec-gpc',
  'origin',
  'x-openrtb-version',
] as const;

/** The identity of a request, which tells whether it is a retry. */
export interface RequestIdentity {
  /** 128 bits of a keyed hash over network, caller and content, as four words. */
  readonly digest: Uint32Array;
  /** 32 bits of a keyed hash over network and id. */
  readonly idHash: number;
}

/** The input of a request's identity. */
export interface IdentifiedRequest {
  /** As sent: the body, or the query of a GET. */
  readonly content: Buffer | string;
  readonly id: string;
  readonly workspaceId: number;
  /** As recognised, including by the browser's cookie. */
  readonly userIds: UserIds;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
}

/** Computes a request's identity under a key for this purpose only. */
export class RequestIdentities {
  readonly #key: string;
  readonly #idSeed: number;

  /** @param secret of the installation */
  constructor(secret: Buffer) {
    this.#key = hmacSha256(secret, 'placard/bid-request-identity/2', 'hex');
    this.#idSeed = Number.parseInt(this.#key.slice(0, 8), 16);
  }

  of(request: IdentifiedRequest): RequestIdentity {
    const { content } = request;
    const caller = Buffer.from(this.#key + callerOf(request));
    const bytes = Buffer.concat([caller, typeof content === 'string' ? Buffer.from(content) : content]);
    // A key prefix is enough: digests are cut and never leave the process.
    const whole = hash('sha256', bytes, 'buffer');
    const digest = Uint32Array.from([0, 4, 8, 12], (at) => whole.readUInt32LE(at));
    return { digest, idHash: this.#hashId(request.workspaceId, request.id) };
  }

  /** For a metric only: an id that shares another's hash is counted as reused, and gets its own response all the same. */
  #hashId(workspaceId: number, id: string): number {
    let hash = Math.imul(this.#idSeed ^ workspaceId, 0x85ebca6b);
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    return Math.imul(hash, 0xc2b2ae35) >>> 0;
  }
}

/** JSON separates the parts, and its end is clear: no two callers look alike, whatever content follows. */
function callerOf({ workspaceId, userIds, headers, remoteAddress }: IdentifiedRequest): string {
  const parts: unknown[] = [workspaceId, remoteAddress, userIds.lu, userIds.aid, userIds.hh];
  for (const name of CONTENT_HEADERS) parts.push(headers[name]);
  return JSON.stringify(parts);
}
