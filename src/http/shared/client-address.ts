import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Longest X-Forwarded-For chain that is walked; addresses beyond it are not looked at. */
const FORWARDED_HOPS_MAX = 20;

/** Who sent a request, and whether it travelled over TLS. */
export interface ClientOrigin {
  /** The client's address, IPv4-mapped ones as plain IPv4; empty when the connection is already gone. */
  readonly address: string;
  /** True when our TLS or that of a trusted proxy (`X-Forwarded-Proto: https`) carried it. */
  readonly secure: boolean;
}

/** Decides whether an address belongs to a trusted proxy. */
export type TrustCheck = (address: string) => boolean;

/**
 * Compiles a list of addresses and CIDR ranges (IPv4, IPv6, IPv4-mapped) into a check. Results are cached for up to 1,024
 * addresses.
 *
 * @throws TypeError for an entry that is neither an address nor a range.
 */
export function compileTrustedProxies(entries: readonly string[]): TrustCheck {
  const ranges = entries.map(parseRange);
  if (ranges.length === 0) return () => false;
  const remembered = new Map<string, boolean>();
  return (address) => {
    const before = remembered.get(address);
    if (before !== undefined) return before;
    const parsed = ipaddr.isValid(address) ? ipaddr.process(address) : null;
    const trusted =
      parsed !== null && ranges.some(([base, bits]) => parsed.kind() === base.kind() && parsed.match(base, bits));
    if (remembered.size >= 1_024) remembered.clear();
    remembered.set(address, trusted);
    return trusted;
  };
}

/**
 * Resolves the client behind trusted proxies: X-Forwarded-For is walked from the right while its senders are trusted. Headers of
 * anybody else are not believed.
 */
export function resolveClient(request: IncomingMessage, encrypted: boolean, trusts: TrustCheck): ClientOrigin {
  const peer = plainAddress(request.socket.remoteAddress ?? '');
  if (!trusts(peer)) return { address: peer, secure: encrypted };
  const secure = encrypted || lastOf(request.headers['x-forwarded-proto']) === 'https';
  return { address: forwardedAddress(request.headers['x-forwarded-for'], peer, trusts), secure };
}

/** Writes an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) as plain IPv4; others stay as they are. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** True for 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function parseRange(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const text = entry.trim();
  if (text.includes('/')) {
    const [base, bits] = ipaddr.parseCIDR(text);
    if (base.kind() === 'ipv6' && (base as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96) {
      return [(base as ipaddr.IPv6).toIPv4Address(), bits - 96];
    }
    return [base, bits];
  }
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function forwardedAddress(header: string | string[] | undefined, peer: string, trusts: TrustCheck): string {
  if (header === undefined) return peer;
  const hops = (Array.isArray(header) ? header.join(',') : header).split(',');
  let client = peer;
  for (let index = hops.length - 1; index >= 0 && index >= hops.length - FORWARDED_HOPS_MAX; index -= 1) {
    const hop = hopAddress(hops[index] ?? '');
    if (hop === null) return client;
    client = hop;
    if (!trusts(client)) return client;
  }
  return client;
}

/** One X-Forwarded-For entry without port and brackets; null when it is not an address. */
function hopAddress(entry: string): string | null {
  let text = entry.trim();
  if (text.startsWith('[')) text = text.slice(1, text.indexOf(']'));
  else if (text.includes('.') && text.indexOf(':') === text.lastIndexOf(':')) text = text.split(':', 1)[0] ?? '';
  // One form for one address, whatever a proxy wrote (`::ffff:7f00:1`, `0x7f.1`): limits and allowlists compare texts.
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : null;
}

function lastOf(header: string | string[] | undefined): string {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .slice(text.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase();
}
