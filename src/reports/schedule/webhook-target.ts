import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';

/** Which addresses webhooks may reach beside public ones. */
export interface WebhookPolicy {
  /** CIDR ranges or addresses, such as the operator's own network; normally none. */
  readonly allowedRanges: readonly string[];
}

/** Where a message goes: the address was checked, and is the one to connect to. */
export interface WebhookTarget {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

/** Every address of a host; rejects when it has none. */
export type HostResolver = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** A name server of the tenant's own may take as long as it likes to answer; we do not wait. */
const LOOKUP_MS_MAX = 5_000;

const lookUp: HostResolver = async (host) => {
  const stop = new AbortController();
  const late = sleep(LOOKUP_MS_MAX, [], { signal: stop.signal });
  try {
    return await Promise.race([lookup(host, { all: true }), late]);
  } finally {
    late.catch(() => undefined);
    stop.abort();
  }
};
const URL_LENGTH_MAX = 2_000;

/** What is wrong with an address for webhooks, as a sentence; null when nothing is. Names are not looked up here. */
export function findUrlProblem(text: string, policy: WebhookPolicy): string | null {
  if (text.length > URL_LENGTH_MAX) return `Shorten it to at most ${URL_LENGTH_MAX} characters.`;
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:') return 'Give an https:// address.';
  if (url.username !== '' || url.password !== '') return 'Leave out user and password; messages are signed.';
  const host = bareHost(url);
  if (host === 'localhost' || host.endsWith('.localhost')) return isLoopbackAllowed(policy) ? null : PRIVATE;
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) return PRIVATE;
  return null;
}

const PRIVATE = 'Give a public address: this one is of a private or special network.';

/**
 * Looks a host up and picks the address to connect to. All of its addresses must be allowed: a name that also leads inside is refused.
 * @throws Error with a sentence for the owner of the schedule
 */
export async function resolveTarget(
  text: string,
  policy: WebhookPolicy,
  resolveHost: HostResolver = lookUp,
): Promise<WebhookTarget> {
  const problem = findUrlProblem(text, policy);
  if (problem !== null) throw new Error(problem);
  const url = new URL(text);
  const found = await resolveHost(bareHost(url)).catch(() => []);
  const [first] = found;
  if (first === undefined) throw new Error('The host name cannot be resolved.');
  if (!found.every(({ address }) => isAllowedAddress(address, policy))) throw new Error(PRIVATE);
  return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
}

/** What IPv6 hands out as public addresses (RFC 4291); everything outside is local, special, or holds an IPv4 address. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/**
 * Whether an address is public unicast, or in an allowed range. IPv4-mapped addresses are judged as the IPv4 address; every other form
 * that holds one (`::127.0.0.1`, 6to4, NAT64, Teredo) is special, and so is an address with a zone.
 */
export function isAllowedAddress(text: string, { allowedRanges }: WebhookPolicy): boolean {
  if (text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (isPublic(address)) return true;
  return allowedRanges.some((range) => {
    const [base, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), null];
    if (base.kind() !== address.kind()) return false;
    return address.match(base, bits ?? (base.kind() === 'ipv4' ? 32 : 128));
  });
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST);
}

function isLoopbackAllowed(policy: WebhookPolicy): boolean {
  return isAllowedAddress('127.0.0.1', policy);
}

function bareHost(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}
