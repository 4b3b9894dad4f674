import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { HostLookups } from './host-lookups.ts';

/** Where requests to an address that somebody else chose may go. */
export interface OutboundPolicy {
  /** CIDR ranges and addresses that are allowed beside public ones; `any`: the operator chose the address. */
  readonly allowedRanges: readonly string[] | 'any';
  /** The network whose look-ups of names count. */
  readonly owner: string;
  /** Plain HTTP to this machine, for trying out; everything else is HTTPS. */
  readonly allowHttpLoopback: boolean;
}

/** A request as `fetch` takes it, with its whole body. */
export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the request sooner than its own limit. */
  readonly signal?: AbortSignal;
}

/** A request that was not made, or whose response was not read to its end. */
export class OutboundRefusal extends Error {
  override readonly name = 'OutboundRefusal';
  /** `forbidden`: the address may not be called; `too_large`: the response is beyond 1 MB. */
  readonly reason: 'forbidden' | 'too_large';

  constructor(reason: OutboundRefusal['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The headers that a response keeps. */
const KEPT_HEADERS = ['content-type', 'location', 'cache-control', 'expires', 'date', 'age', 'vary', 'set-cookie'];

const TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 1_000_000;

/**
 * Sends a request to an address that may have been chosen by a tenant. Every address of the host must be allowed, and the one that
 * was checked is the one that is connected to, whatever the name says a moment later. Redirects are not followed. The response is
 * whole, of at most 1 MB, within 10 s.
 *
 * @throws Error with a sentence that says why the request was not made, or failed
 */
export async function fetchOutbound(url: string, request: OutboundRequest, policy: OutboundPolicy): Promise<Response> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isPlain = target.protocol === 'http:';
  if (target.protocol !== 'https:' && !(isPlain && policy.allowHttpLoopback && isLoopbackName(host)))
    throw forbidden('Give an https:// address.');
  if (target.username !== '' || target.password !== '') throw forbidden('Leave user and password out of the address.');
  const found = isIP(host) === 0 ? await addressesOf(host, policy) : [{ address: host, family: isIP(host) }];
  const [first] = found;
  if (first === undefined) throw new Error('The host name cannot be resolved.');
  if (!found.every(({ address }) => isAllowedOutbound(address, policy)))
    throw forbidden('The address is in a private or special network.');
  return send(target, request, first);
}

function forbidden(message: string): OutboundRefusal {
  return new OutboundRefusal('forbidden', message);
}

/** Whether an address is public, or in a range that the policy allows. Addresses that hold another one (mapped, 6to4, NAT64) are special. */
export function isAllowedOutbound(text: string, { allowedRanges }: Pick<OutboundPolicy, 'allowedRanges'>): boolean {
  if (allowedRanges === 'any') return true;
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.process(text);
  const isGlobal = address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
  if (address.range() === 'unicast' && isGlobal) return true;
  return allowedRanges.some((range) => {
    const [base, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), null];
    if (base.kind() !== address.kind()) return false;
    return address.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
  });
}

function addressesOf(host: string, { allowedRanges, owner }: OutboundPolicy): Promise<LookupAddress[]> {
  return allowedRanges === 'any' ? lookUpOfOperator(host) : lookUp(host, owner);
}

const lookups = new HostLookups();

/** Every address of a host that a tenant chose; as {@link HostLookups.find}. */
export function lookUp(host: string, owner: string): Promise<LookupAddress[]> {
  return lookups.find(host, owner);
}

/** Every address of a host that the operator chose: also of names in the hosts file. None when it has none. */
function lookUpOfOperator(host: string): Promise<LookupAddress[]> {
  return lookup(host, { all: true }).catch(() => []);
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '::1';
}

function send(
  url: URL,
  request: OutboundRequest,
  { address, family }: { address: string; family: number },
): Promise<Response> {
  const agent = url.protocol === 'https:' ? new Agent({ keepAlive: false }) : undefined;
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<Response>((resolve, reject) => {
    const call = open(url, {
      method: request.method ?? 'GET',
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      signal: AbortSignal.any([
        AbortSignal.timeout(TIMEOUT_MS),
        ...(request.signal === undefined ? [] : [request.signal]),
      ]),
      ...(agent === undefined ? {} : { agent }),
      lookup: (_host, options, done) => {
        if (options.all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    call.once('error', reject);
    // A connection that switches to another protocol ends without an error and without a response. After a response this changes nothing.
    let hasResponse = false;
    call.once('close', () => {
      if (!hasResponse) reject(new Error('The connection ended without a response.'));
    });
    call.once('response', (response) => {
      hasResponse = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes > BODY_BYTES_MAX) response.destroy(tooLarge());
      });
      response.once('error', reject);
      response.once('end', () => {
        // An error in an event handler would end the process: a failure here fails this request alone.
        try {
          resolve(toResponse(response, chunks));
        } catch (error) {
          reject(error instanceof Error ? error : new Error('The response cannot be read.'));
        }
      });
    });
    call.end(request.body);
  }).finally(() => agent?.destroy());
}

function tooLarge(): OutboundRefusal {
  return new OutboundRefusal('too_large', 'The response is too large.');
}

/** Statuses that come without a body, in the words of the fetch standard. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** @throws Error for an invalid status such as 999: a server may write any three digits */
function toResponse(response: IncomingMessage, chunks: readonly Buffer[]): Response {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error(`The response has the status ${status}, which does not exist.`);
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers[name];
    return value === undefined ? [] : [[name, String(value)] as [string, string]];
  });
  const body = BODILESS.has(status) ? null : Buffer.concat(chunks);
  return new Response(body, { status, headers: kept });
}
