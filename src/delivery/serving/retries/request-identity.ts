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

const DIGEST_WORDS = 4;
/** Bytes that a character of UTF-16 takes at most in UTF-8. */
const CHAR_BYTES_MAX = 3;
/** Larger requests take a buffer of their own. */
const SCRATCH_BYTES = 65_536;

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
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);

  /** @param secret of the installation */
  constructor(secret: Buffer) {
    this.#key = hmacSha256(secret, 'placard/bid-request-identity/2', 'hex');
    this.#idSeed = Number.parseInt(this.#key.slice(0, 8), 16);
  }

  of(request: IdentifiedRequest): RequestIdentity {
    // A key prefix is enough: digests are cut and never leave the process.
    const text = hash('sha256', this.#join(this.#key + callerOf(request), request.content), 'latin1');
    const digest = new Uint32Array(DIGEST_WORDS);
    for (let word = 0; word < DIGEST_WORDS; word += 1) digest[word] = wordAt(text, word * 4);
    return { digest, idHash: this.#hashId(request.workspaceId, request.id) };
  }

  /** Joins both in one buffer, which the next call writes again. */
  #join(caller: string, content: Buffer | string): Buffer {
    const contentBytes = typeof content === 'string' ? content.length * CHAR_BYTES_MAX : content.length;
    const needed = caller.length * CHAR_BYTES_MAX + contentBytes;
    const buffer = needed > this.#scratch.length ? Buffer.allocUnsafe(needed) : this.#scratch;
    const at = buffer.write(caller);
    const bytes = typeof content === 'string' ? buffer.write(content, at) : content.copy(buffer, at);
    return buffer.subarray(0, at + bytes);
  }

  /** For a metric only: an id that shares another's hash is counted as reused, and gets its own response all the same. */
  #hashId(workspaceId: number, id: string): number {
    let hash = Math.imul(this.#idSeed ^ workspaceId, 0x85ebca6b);
    for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    return Math.imul(hash, 0xc2b2ae35) >>> 0;
  }
}

/** Four characters of a text of bytes as a number. */
function wordAt(text: string, at: number): number {
  return (
    text.charCodeAt(at) |
    (text.charCodeAt(at + 1) << 8) |
    (text.charCodeAt(at + 2) << 16) |
    (text.charCodeAt(at + 3) << 24)
  );
}

/** JSON separates the parts, and its end is clear: no two callers look alike, whatever content follows. */
function callerOf({ workspaceId, userIds, headers, remoteAddress }: IdentifiedRequest): string {
  const parts: unknown[] = [workspaceId, remoteAddress, userIds.lu, userIds.aid, userIds.hh];
  for (const name of CONTENT_HEADERS) parts.push(headers[name]);
  return JSON.stringify(parts);
}
