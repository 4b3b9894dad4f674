import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { hmacSha256 } from '../../../domain/ids/keyed-hash.ts';
import { asObject } from '../../openrtb/lenient-json.ts';
import type { UserIds } from '../../openrtb/bid-request.ts';
import type { RequestIdentity } from './bid-retries.ts';

/**
 * The members of a bid request that decide its response: all that are read except `tmax`, which a caller may shorten in a retry. Within a
 * member the exact text counts: the same members in another order are another request.
 */
const CONTENT_MEMBERS = [
  'id',
  'imp',
  'site',
  'user',
  'device',
  'regs',
  'ext',
  'cur',
  'bcat',
  'badv',
  'wseat',
  'bseat',
  'wlang',
  'test',
  'npa',
] as const;

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

const DIGEST_BYTES = 16;

/** The input of a request's identity. */
export interface IdentifiedRequest {
  /** The JSON value that was sent. */
  readonly value: unknown;
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

  /** @param secret of the installation; the same for all workers of a machine */
  constructor(secret: Buffer) {
    this.#key = hmacSha256(secret, 'placard/bid-request-identity/1', 'hex');
    this.#idSeed = Number.parseInt(this.#key.slice(0, 8), 16);
  }

  of(request: IdentifiedRequest): RequestIdentity {
    // A key prefix is enough: digests are cut and never leave the machine.
    const digest = hash('sha256', this.#key + textOf(request), 'latin1').slice(0, DIGEST_BYTES);
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

function textOf({ value, workspaceId, userIds, headers, remoteAddress }: IdentifiedRequest): string {
  const root = asObject(value) ?? {};
  // JSON separates the parts, so that one text cannot look like two.
  const parts: unknown[] = [workspaceId, remoteAddress, userIds.lu, userIds.aid, userIds.hh];
  for (const name of CONTENT_HEADERS) parts.push(headers[name]);
  for (const name of CONTENT_MEMBERS) parts.push(root[name]);
  return JSON.stringify(parts);
}
